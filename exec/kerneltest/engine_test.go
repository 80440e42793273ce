package kerneltest_test

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/tiler-go/tiler/exec/amd64"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/exec/pass"
	"github.com/tiler-go/tiler/exec/portable"
)

// long reports whether slow tests run in full.
func long() bool { return os.Getenv("TILER_LONG") != "" }

// An irEngine runs Funcs; ok is false for what it does not compile.
type irEngine struct {
	name    string
	compile func(f *ir.Func) (p irProgram, err error)
}

// An irProgram runs all instances of a grid, and gives the first failure.
type irProgram func(w *kerneltest.World, grid [3]int, o *kerneltest.Outcome) *ir.Failure

// irEngines are the engines of this machine, each in every way that it compiles.
func irEngines() []irEngine {
	list := []irEngine{{"portable", compilePortable}}
	for _, tier := range []cpu.Tier{cpu.AVX2, cpu.AVX512} {
		if !tier.Available() {
			continue
		}
		for _, ordered := range []bool{false, true} {
			name := tier.String()
			if ordered {
				name += "-ordered"
			}
			list = append(list, irEngine{name, func(f *ir.Func) (irProgram, error) {
				return compileMachine(f, amd64.Options{Tier: tier, Ordered: ordered, Runner: aside})
			}})
		}
	}
	return list
}

func compilePortable(f *ir.Func) (irProgram, error) {
	p, err := portable.Compile(f)
	if err != nil {
		return nil, err
	}
	return func(w *kerneltest.World, grid [3]int, o *kerneltest.Outcome) *ir.Failure {
		return p.NewWorker().Run(&portable.Launch{Args: w.IRArgs(), Grid: grid, Print: o.PrintTo}, 0, kerneltest.Instances(grid))
	}, nil
}

// aside makes a small Func runnable in Go, for what machine code leaves to it.
func aside(f *ir.Func) (amd64.Runner, error) {
	if err := ir.Verify(f); err != nil {
		return nil, err
	}
	p, err := portable.Compile(f)
	if err != nil {
		return nil, err
	}
	return func(args []ir.Arg) *ir.Failure {
		return p.NewWorker().Run(&portable.Launch{Args: args, Grid: [3]int{1, 1, 1}}, 0, 1)
	}, nil
}

func compileMachine(f *ir.Func, o amd64.Options) (irProgram, error) {
	c, err := amd64.Compile(f, o)
	if err != nil {
		return nil, err
	}
	exact, err := portable.Compile(f)
	if err != nil {
		return nil, err
	}
	return func(w *kerneltest.World, grid [3]int, o *kerneltest.Outcome) (fail *ir.Failure) {
		l := &amd64.Launch{Args: w.IRArgs(), Grid: grid, Print: o.PrintTo}
		l.Exact = func(program int) *ir.Failure {
			return exact.NewWorker().Run(&portable.Launch{Args: l.Args, Grid: grid, Print: o.PrintTo}, program, program+1)
		}
		j := c.Job(l, 1)
		jw := j.Worker()
		if err := kerneltest.Breach(func() { fail = jw.Run(0, j.Tasks()) }); err != nil {
			panic(err)
		}
		return named(fail, exact, l)
	}, nil
}

// named is a failure by the operation that fails first in the instance's own order, which running
// it again finds, as a launch does: machine code carries a load out where it is used, so that of several
// operations that fail it may meet a later one first.
func named(fail *ir.Failure, exact *portable.Program, l *amd64.Launch) *ir.Failure {
	if fail == nil {
		return nil
	}
	again := exact.NewWorker().Run(&portable.Launch{Args: l.Args, Grid: l.Grid}, fail.Program, fail.Program+1)
	if again == nil { // it has changed its own input
		return fail
	}
	return again
}

// optimised is a copy of f after the passes.
func optimised(t testing.TB, f *ir.Func) *ir.Func {
	t.Helper()
	g := ir.MustParse(f.String())
	if err := pass.Run(g, pass.Options{Verify: true}); err != nil {
		t.Fatal(err)
	}
	return g
}

// errCompile is a Func that an engine does not compile.
var errCompile = errors.New("not compiled")

// sameIR runs f, as it is and optimised, in every engine, and says what differs from
// the interpreter. skipped counts what engines refuse to compile.
func sameIR(t testing.TB, f *ir.Func, grid [3]int, build func(w *kerneltest.World), skipped map[string]int) error {
	t.Helper()
	if err := ir.Verify(f); err != nil {
		return fmt.Errorf("%w\n%s", err, f)
	}
	want, wantWorld := kerneltest.Run(t, f, grid, build, kerneltest.RunEager)
	for i, g := range []*ir.Func{f, optimised(t, f)} {
		for _, e := range irEngines() {
			name := e.name + []string{"", " after passes"}[i]
			if err := runIR(g, grid, build, e, want, wantWorld); errors.Is(err, errCompile) && i == 0 { // passes prepare kernels for engines
				skipped[err.Error()]++
			} else if err != nil {
				return fmt.Errorf("%s: %w\n%s", name, err, g)
			}
		}
	}
	return nil
}

func runIR(f *ir.Func, grid [3]int, build func(w *kerneltest.World), e irEngine, want kerneltest.Outcome, wantWorld *kerneltest.World) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	p, err := e.compile(f)
	if err != nil {
		return fmt.Errorf("%w: %w", errCompile, err)
	}
	w := kerneltest.NewWorld(2)
	build(w)
	var o kerneltest.Outcome
	if fail := p(w, grid, &o); fail != nil {
		o.Bad, o.Program, o.Why = fail.Value, fail.Program, *fail
	}
	if s := kerneltest.Differ(o, want, w, wantWorld); s != "" {
		return errors.New(s)
	}
	return nil
}
