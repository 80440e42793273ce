package cpu

import (
	"fmt"
	"os"
	osexec "os/exec"
	"strings"
	"testing"
)

// TestSwitches: what GODEBUG takes from a program, this package does not offer.
func TestSwitches(t *testing.T) {
	if os.Getenv("TILER_TEST_SWITCHES") != "" {
		_, err := AVX512.Resolve()
		fmt.Printf("\n%v, off: %v %v, %v, avx2 has [%v]\n", Best(), SwitchedOffTiers(), SwitchedOff(), err, AVX2.Features())
		return
	}
	if Best() < AVX512 {
		t.Skip("no AVX-512 to switch off")
	}
	for _, c := range []struct {
		godebug string
		want    []string // in what the program says
		not     string
	}{
		{"", []string{"\navx512, off: [] , <nil>,"}, ""},
		{"cpu.avx512f=off", []string{"\navx2, off: [avx512] avx512f avx512dq", "avx512 is switched off by GODEBUG: the best tier left is avx2"}, "avx2 has []"},
		{"http2client=0,cpu.avx512bw=off", []string{"\navx2, off: [avx512] avx512bw,", "avx512 is switched off"}, "avx2 has []"},
		{"cpu.avx512f=off,cpu.avx512f=on", []string{"\navx512, off: [] , <nil>,"}, ""},
		{"cpu.avx2=off", []string{"\nportable, off: [avx2 avx512] avx2,", "avx2 has []"}, ""},
		{"cpu.fma=off", []string{"\nportable, off: [avx2 avx512] fma,"}, ""},
		{"cpu.avx=off", []string{"\nportable, off: [avx2 avx512] avx avx2 fma f16c avx512f"}, ""},
		{"cpu.all=off", []string{"\nportable, off: [avx2 avx512] avx avx2 fma"}, ""},
		{"cpu.avx512f", []string{"\navx512, off: [] "}, ""}, // no value
	} {
		cmd := osexec.Command(os.Args[0], "-test.run=^TestSwitches$")
		cmd.Env = append(os.Environ(), "TILER_TEST_SWITCHES=1", "GODEBUG="+c.godebug)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if required == 0 && !strings.Contains(string(out), want) {
				t.Errorf("GODEBUG=%s: got %s, want %q in it", c.godebug, out, want)
			}
		}
		if c.not != "" && strings.Contains(string(out), c.not) {
			t.Errorf("GODEBUG=%s: got %s, want no %q in it", c.godebug, out, c.not)
		}
	}
}
