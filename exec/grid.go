package exec

import (
	"slices"

	"github.com/tiler-go/tiler/exec/function"
	"github.com/tiler-go/tiler/exec/grid"
	tl "github.com/tiler-go/tiler/tilelang"
)

// Grid is the sizes of a launch's one to three axes. A size of 0 launches nothing.
type Grid []int

// Meta is the kernel's int arguments by parameter name.
type Meta map[string]int

// GridFn computes a grid from the arguments: the way to let block sizes decide it.
type GridFn func(m Meta) Grid

// Space is what a launch runs over: a Grid, or a GridFn.
type Space interface{ grid(Meta) Grid }

func (g Grid) grid(Meta) Grid     { return g }
func (f GridFn) grid(m Meta) Grid { return f(m) }

// resolve computes and checks the grid.
func resolve(fn *function.Function, s Space, args []any) (e grid.Extent, err error) {
	err = measure(fn, &e, s, args)
	return e, err
}

// measure is resolve, into e.
func measure(fn *function.Function, e *grid.Extent, s Space, args []any) error {
	if s == nil {
		return fn.Errorf("a nil grid")
	}
	g, err := callGrid(fn, s, args)
	if err != nil {
		return err
	}
	if err := e.Measure(g); err != nil {
		return fn.Errorf("%w", err)
	}
	return nil
}

// callGrid runs a grid function, whose panic is an error.
func callGrid(fn *function.Function, s Space, args []any) (g Grid, err error) {
	if g, ok := s.(Grid); ok {
		return g, nil
	}
	defer func() {
		if v := recover(); v != nil {
			if f, ok := v.(*tl.Fault); ok {
				v = f.Diag.Msg
			}
			err = fn.Errorf("the grid function panicked: %v\n\tit is given the kernel's int parameters by name: %v%s",
				v, fn.Meta(args), fn.Nameless())
		}
	}()
	if f, ok := s.(GridFn); ok && f == nil {
		return nil, fn.Errorf("a nil grid function")
	}
	g = s.grid(fn.Meta(args))
	if why := fn.Nameless(); why != "" && slices.Contains(g, 0) {
		return nil, fn.Errorf("the grid function returned %v: it is given the kernel's int parameters by name%s",
			[]int(g), why)
	}
	return g, nil
}
