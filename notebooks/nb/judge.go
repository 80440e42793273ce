package nb

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/learn"
	"github.com/tiler-go/tiler/repl/learn/puzzles"
)

// Judge says whether a kernel solves the puzzle or exercise of its name: it is launched with every
// sanitizer on, also on sizes that are not shown, and compiled if it is right.
func Judge(kernel any) {
	k := exec.New(kernel)
	p, err := puzzles.Course.Named(k.Name())
	if err != nil {
		Fail(fmt.Errorf("nb.Judge: %w\n\tfix: give the kernel the name that the exercise says", errors.Join(k.Err(), err)))
		return
	}
	ctx, stop := learn.Patience(context.Background())
	defer stop()
	v, err := p.Judge(ctx, k, os.Stdout)
	if err != nil {
		Fail(err)
		return
	}
	if v.Finding != nil {
		f := *v.Finding
		f.Pos = placed(f.Pos)
		v.Finding = &f
	}
	display(v.Picture(), "tiler-times")
}

// Engines measures a launch on every engine of this machine.
func Engines(kernel any, grid exec.Space, args ...any) {
	k := exec.New(kernel)
	var list []Timing
	for _, engine := range exec.Engines() {
		e := k.With(exec.Options{Engine: engine})
		list = append(list, Timing{Name: engine, Case: k.Name(), Run: func() error { return e.Launch(grid, args...) }})
	}
	rows, err := Measure(list...)
	Fail(err)
	Bench(rows)
}
