package amd64_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	tiler "github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/amd64"
	"github.com/tiler-go/tiler/exec/amd64/gemm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/exec/kerneltest/corpus"
)

const replayFile = "testdata/replay.txt"

// TestReplay compares the machine code of the corpus and the examples with what it was: a change
// of structure changes none of it, and a commit that changes code shows in testdata/replay.txt whose.
// It has a line per kernel, tier and set of units; UPDATE=1 writes those of the sets that this machine has.
// With TILER_LONG=1 it is all kernels, and the tiers below this machine's own, too; else the first third, since
// code that kernels share is on record with the first of them.
func TestReplay(t *testing.T) {
	if os.Getenv("TILER_REPLAY") != "" {
		replay(t)
		return
	}
	if !cpu.AVX2.Available() {
		t.Skip("no AVX2 here")
	}
	want, got := readReplay(t), map[string]string{}
	sets := []string{unitsOff()}
	if os.Getenv("TILER_LONG") != "" || os.Getenv("UPDATE") != "" {
		sets = append(sets, "")
	}
	for _, off := range sets {
		for key, sum := range replayWithout(t, off) {
			got[key] = sum
		}
	}
	if os.Getenv("UPDATE") != "" {
		writeReplay(t, want, got)
		return
	}
	missing := map[string]bool{}
	for _, key := range sorted(got) {
		switch set := key[strings.LastIndex(key, " ")+1:]; {
		case want[key] == got[key]:
		case !slices.ContainsFunc(sorted(want), func(k string) bool { return strings.HasSuffix(k, " "+set) }):
			missing[set] = true
		default:
			t.Errorf("%s: code %s, was %q: if it is meant to be other code, UPDATE=1 go test ./exec/amd64 -run TestReplay", key, got[key], want[key])
		}
	}
	for set := range missing {
		t.Logf("NOT TESTED: no code is on record for processors with %s", set)
	}
}

// unitsOff switches off in GODEBUG what not every processor of a tier has.
func unitsOff() string {
	var off []string
	for _, u := range cpu.Units {
		if u.Name != "avx2" && u.Name != "avx512" {
			off = append(off, u.Off)
		}
	}
	return strings.Join(off, ",")
}

// unitSet names a tier with the units that its code may use here.
func unitSet(tier cpu.Tier) string {
	set := []string{tier.String()}
	for _, u := range cpu.Units {
		switch {
		case tier != cpu.AVX512 || u.Name == "avx2" || u.Name == "avx512" || !u.Available():
		case u.Name == "avx512bf16" && !gemm.Pairs(0).ByInstruction(lir.AVX512):
			set = append(set, u.Name+"(slow)") // Intel's: it is there, and not used for pairs
		default:
			set = append(set, u.Name)
		}
	}
	return strings.Join(set, "+")
}

// replayWithout is the sums of a process of its own, with a value of GODEBUG.
func replayWithout(t *testing.T, off string) map[string]string {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, "-test.run", "^TestReplay$", "-test.v")
	c.Env = append(os.Environ(), "TILER_REPLAY=1", "TILER_FENCE=", "GODEBUG="+off)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return parseReplay(out)
}

func parseReplay(text []byte) map[string]string {
	sums := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 4 && f[0] == "code" {
			sums[f[1]+" "+f[2]] = f[3]
		}
	}
	return sums
}

func readReplay(t *testing.T) map[string]string {
	text, err := os.ReadFile(replayFile)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return parseReplay(text)
}

// writeReplay writes what is new, and keeps what was of sets that this machine does not have.
func writeReplay(t *testing.T, was, is map[string]string) {
	sets, out := map[string]bool{}, bytes.Buffer{}
	for key := range is {
		sets[strings.Fields(key)[1]] = true
	}
	for key, sum := range was {
		if !sets[strings.Fields(key)[1]] {
			is[key] = sum
		}
	}
	for _, key := range sorted(is) {
		fmt.Fprintf(&out, "code %s %s\n", key, is[key])
	}
	if err := os.WriteFile(replayFile, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func sorted(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// replay launches each kernel of the corpus and prints a hash of the code that this makes.
func replay(t *testing.T) {
	var mu sync.Mutex
	sum := sha256.New()
	defer amd64.Written(func(code []byte) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(sum, "%x\n", sha256.Sum256(code))
	})()
	undefined := 0
	lir.Checked = func(u *lir.Unit) { undefined += u.Undefined() }
	var broken error // by the passes of this engine
	amd64.Checked = func(f *ir.Func) { broken = errors.Join(broken, ir.Verify(f)) }
	defer func() { lir.Checked, amd64.Checked = nil, nil }()
	rows, few := corpus.Rows(), os.Getenv("TILER_LONG") == "" && os.Getenv("UPDATE") == ""
	if few {
		rows = rows[:len(rows)/3]
	}
	for _, tier := range []cpu.Tier{cpu.AVX2, cpu.AVX512} {
		if !tier.Available() || few && tier == cpu.AVX2 && cpu.AVX512.Available() {
			continue
		}
		set := unitSet(tier) // may try code, which is no row's
		for _, row := range rows {
			sum.Reset()
			for _, c := range replayed(row) {
				made := c.Make()
				k := tiler.New(row.Fn, tiler.Options{Engine: tier.String(), Workers: 1, Memory: "off"})
				if err := k.Launch(tiler.Grid(made.Grid), made.Args...); err != nil && !row.Fails {
					t.Fatalf("%s: %s: %v", c, tier, err)
				}
			}
			if undefined > 0 {
				t.Errorf("%s %s: %d registers are read on a way on which nothing has written them", row.Name, set, undefined)
				undefined = 0
			}
			if broken != nil {
				t.Errorf("%s %s: %v", row.Name, set, broken)
				broken = nil
			}
			fmt.Printf("code %s %s %x\n", row.Name, set, sum.Sum(nil)[:8])
		}
	}
}

// replayed is some cases of a row: of the first dtype and OP three, of each other one.
func replayed(row *kerneltest.Row) (list []kerneltest.Case) {
	groups := map[string][]kerneltest.Case{}
	var order []string
	for _, c := range row.Cases() {
		key := c.D.String() + c.Op
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], c)
	}
	for i, key := range order {
		g := groups[key]
		list = append(list, g[len(g)/2])
		if i == 0 {
			list = append(list, g[0], g[len(g)-1])
		}
	}
	return list
}
