package portable_test

import (
	"os"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/exec/portable"
)

// long reports whether slow tests run in full.
func long() bool { return os.Getenv("TILER_LONG") != "" }

// runPortable is the engine as a kerneltest.Runner.
func runPortable(t testing.TB, f *ir.Func, grid [3]int, w *kerneltest.World) (o kerneltest.Outcome) {
	t.Helper()
	p, err := portable.Compile(f)
	if err != nil {
		t.Fatalf("%v\n%s", err, f)
	}
	l := &portable.Launch{Args: w.IRArgs(), Grid: grid, Print: o.PrintTo}
	if fail := p.NewWorker().Run(l, 0, kerneltest.Instances(grid)); fail != nil {
		o.Bad, o.Program, o.Why = fail.Value, fail.Program, *fail
	}
	return o
}

// same runs f under the interpreter and this engine, and demands equal results.
func same(t testing.TB, f *ir.Func, grid [3]int, build func(w *kerneltest.World)) (kerneltest.Outcome, *kerneltest.World) {
	t.Helper()
	return kerneltest.Same(t, f, grid, build, runPortable)
}
