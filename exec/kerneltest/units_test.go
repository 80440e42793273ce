package kerneltest_test

import (
	"fmt"
	"os"
	osexec "os/exec"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/cpu"
)

// TestUnits says which parts of processors this run tests, and which it cannot.
func TestUnits(t *testing.T) {
	for _, u := range cpu.Units {
		state := "tested"
		if !u.Available() {
			state = "NOT TESTED: not on this machine, or switched off"
		}
		fmt.Printf("%-11s %s\n", u.Name, state) // not t.Log: it is to be seen in runs that pass
	}
}

// TestWithoutUnits runs this package's tests again for each unit that the machine has, without it.
func TestWithoutUnits(t *testing.T) {
	if !long() {
		t.Skip("with TILER_LONG=1 only")
	}
	for _, u := range cpu.Units {
		t.Run(u.Name, func(t *testing.T) {
			if !u.Available() {
				t.Skip("the machine has no ", u.Name)
			}
			t.Log(without(t, u.Off))
		})
	}
	t.Run("tiles", func(t *testing.T) { // both kinds
		t.Log(without(t, "cpu.amxint8=off,cpu.amxbf16=off"))
	})
}

// without runs tests in a process for which GODEBUG has switches.
func without(t *testing.T, off string) string {
	t.Helper()
	cmd := osexec.Command(os.Args[0], "-test.run=^(TestUnits|TestCorpus|TestRandomProducts|TestRandomKernels|TestFences)$", "-test.short")
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "TILER_LONG=") && !strings.HasPrefix(v, "GODEBUG=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "GODEBUG="+off)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("GODEBUG=%s: %v\n%s", off, err, out)
	}
	return string(out)
}
