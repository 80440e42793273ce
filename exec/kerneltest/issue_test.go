package kerneltest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/exec/kerneltest/random"
)

// TestIssues runs kernels that an engine once ran wrongly: what fuzzing found. The first
// line of a file gives the seed of its arguments, and what was wrong.
func TestIssues(t *testing.T) {
	names, err := filepath.Glob("testdata/issue/*.go.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("no kernels: %v", err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var seed uint64
			if _, err := fmt.Sscanf(string(text), "// args %d", &seed); err != nil {
				t.Fatal(err)
			}
			f, build := lowerGo(t, string(text), seed)
			if err := sameIR(t, f, [3]int{2, 1, 1}, build, map[string]int{}); err != nil {
				t.Error(err)
			}
		})
	}
}

// lowerGo is the IR of a random Go kernel's text, and the arguments of a seed.
func lowerGo(t *testing.T, text string, argSeed uint64) (*ir.Func, func(w *kerneltest.World)) {
	t.Helper()
	file, err := gofile.Load("k.go", text)
	if err != nil {
		t.Fatal(err)
	}
	_, args := random.GoArgs(argSeed)
	f, _, err := frontend.Compile(file, "k", goTypes(args))
	if err != nil {
		t.Fatal(err)
	}
	return f, func(w *kerneltest.World) {
		made, args := random.GoArgs(argSeed)
		w.Whole, w.Args = made.Whole, nil
		for _, a := range args {
			w.Args = append(w.Args, irArg(a))
		}
	}
}
