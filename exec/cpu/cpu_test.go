package cpu

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for tier := Auto; tier < numTiers; tier++ {
		if got, err := Parse(tier.String()); err != nil || got != tier {
			t.Errorf("Parse(%q): got %v, %v", tier.String(), got, err)
		}
	}
	if got, err := Parse(""); err != nil || got != Auto {
		t.Errorf(`Parse(""): got %v, %v`, got, err)
	}
	for _, name := range []string{"sse", "AVX2", "avx512f", " "} {
		if _, err := Parse(name); err == nil || !strings.Contains(err.Error(), strconv.Quote(name)) {
			t.Errorf("Parse(%q): got %v, want an error that names it", name, err)
		}
	}
	if got := Tier(77).String(); got != "tier(77)" {
		t.Errorf("got %q", got)
	}
}

func TestResolve(t *testing.T) {
	if best, err := Auto.Resolve(); err != nil || best != Best() || best == Auto {
		t.Errorf("auto resolves to %v, %v", best, err)
	}
	for tier := Portable; tier < numTiers; tier++ {
		got, err := tier.Resolve()
		if tier <= Best() && (got != tier || err != nil) || tier > Best() && err == nil {
			t.Errorf("%v resolves to %v, %v; best is %v", tier, got, err, Best())
		}
		if tier.Available() != (err == nil) {
			t.Errorf("%v: available %v, but %v", tier, tier.Available(), err)
		}
	}
	if _, err := numTiers.Resolve(); err == nil {
		t.Error("a tier that does not exist resolves")
	}
	tiers := Tiers()
	if tiers[0] != Portable || tiers[len(tiers)-1] != Best() {
		t.Errorf("got tiers %v, best is %v", tiers, Best())
	}
}

func TestTierFeatures(t *testing.T) {
	if f := Portable.Features(); f != 0 {
		t.Errorf("portable has %v", f)
	}
	if Auto.Features() != Best().Features() {
		t.Error("auto differs from the best")
	}
	if Best() >= AVX2 {
		if f := AVX2.Features(); !f.Has(avx2Tier) || f&anyAVX512 != 0 {
			t.Errorf("avx2 has %v", f)
		}
	}
	if Best() >= AVX512 && !AVX512.Features().Has(avx512Tier) {
		t.Errorf("avx512 has %v", AVX512.Features())
	}
	for i, name := range featureNames {
		if f := Features(1 << i); f.String() != name || name == "" {
			t.Errorf("feature %d: got %q, want %q", i, f.String(), name)
		}
	}
}

func TestCount(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if n := Count(); n != 1 {
		t.Errorf("got %d, want 1", n)
	}
}

func TestDescribe(t *testing.T) {
	s := Describe()
	for _, want := range []string{Model(), Best().String(), "L1d"} {
		if !strings.Contains(s, want) {
			t.Errorf("got %q, want %q in it", s, want)
		}
	}
}

// TestAgainstSysfs compares the caches with what Linux says, where all processors are alike.
func TestAgainstSysfs(t *testing.T) {
	caches := CacheSizes()
	for level, c := range map[string][2]Cache{"1": {caches.L1, defaultCaches.L1}, "2": {caches.L2, defaultCaches.L2},
		"3": {caches.L3, defaultCaches.L3}} {
		sizes, ways := sysfs(level, "size"), sysfs(level, "ways_of_associativity")
		if c[0] == c[1] || len(sizes) != 1 || len(ways) != 1 {
			t.Logf("level %s: nothing to compare: %v, %v", level, sizes, ways)
			continue
		}
		if got := kib(c[0].Size); !sizes[strconv.Itoa(c[0].Size>>10)+"K"] {
			t.Errorf("level %s: got %s, want one of %v", level, got, sizes)
		}
		if !ways[strconv.Itoa(c[0].Ways)] {
			t.Errorf("level %s: got %d ways, want one of %v", level, c[0].Ways, ways)
		}
	}
}

// sysfs is the set of values of a property over the data caches of a level of all processors.
func sysfs(level, property string) map[string]bool {
	values := map[string]bool{}
	dirs, _ := filepath.Glob("/sys/devices/system/cpu/cpu*/cache/index*")
	for _, dir := range dirs {
		read := func(name string) string {
			b, _ := os.ReadFile(filepath.Join(dir, name)) // a missing file is a missing value
			return strings.TrimSpace(string(b))
		}
		if v := read(property); read("level") == level && read("type") != "Instruction" && v != "" && v != "0" {
			values[v] = true
		}
	}
	return values
}

// TestTiles: tiles are there only where the processor has them, and the answer stays the same.
func TestTiles(t *testing.T) {
	for _, kind := range []Features{HasAMXINT8, HasAMXBF16} {
		got := Tiles(kind)
		t.Logf("tiles, %s: %v", kind, got)
		if got && !Detected().Has(HasAMXTILE|kind) {
			t.Error("tiles without the registers")
		}
		if got && !AVX512.Available() {
			t.Error("tiles without the instructions beside them")
		}
		if Tiles(kind) != got {
			t.Error("the answer changed")
		}
	}
}
