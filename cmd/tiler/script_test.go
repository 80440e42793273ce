package main

import (
	"flag"
	"fmt"
	"os"
	osexec "os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/tiler-go/tiler/exec/triton/script"
)

// TestMain runs more tests at once than there are cores: many wait for clocks and terminals.
func TestMain(m *testing.M) {
	flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0)))
	testscript.Main(m, map[string]func(){"tiler": main})
}

// TestScript runs the command as its users do: testdata/script/<subcommand>_*.txtar.
func TestScript(t *testing.T) {
	// Scripts have an empty home; the go command finds in the caches what it has built and fetched.
	caches, err := osexec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Fields(string(caches))
	python, err := script.Find(t.Context(), "numpy")
	hasPython := err == nil && len(python.Lacks) == 0
	testscript.Run(t, testscript.Params{
		Condition: func(name string) (bool, error) {
			if name != "python" {
				return false, fmt.Errorf("no condition %s", name)
			}
			return hasPython, nil
		},
		Dir: "testdata/script", UpdateScripts: os.Getenv("UPDATE") != "",
		Setup: func(e *testscript.Env) error {
			e.Setenv("GOCACHE", at[0])
			e.Setenv("GOMODCACHE", at[1])
			e.Setenv("GOPROXY", "off")
			e.Setenv("TILER_PYTHON", python.Path)
			e.Setenv("GOFLAGS", "-buildvcs=false")
			return nil
		},
	})
}
