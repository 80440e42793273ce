package exec

import (
	"context"

	"github.com/tiler-go/tiler/exec/eager"
	"github.com/tiler-go/tiler/exec/run"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// An Observer looks at a launch as it runs: at its programs, and as a tl.Observer at every
// access to memory before it happens. Its methods are called one at a time.
type Observer interface {
	tl.Observer
	// Start is called before the first program, with the names of the kernel's
	// parameters after the program and the sizes of the grid.
	Start(params []string, grid []int)
	// Begin is called before each program, with its place in the grid. where is the line
	// that it is at, for as long as it runs: not valid if only the stack knows.
	Begin(id []int, where func() diag.Pos)
	// End is called after each program that returned, or failed with err.
	End(err *Error)
}

// A Statement is a statement of a kernel's source that a program has carried out.
type Statement = eager.Statement

// A Stepper is an Observer that is told of statements, too, as far as kernels say what theirs are:
// those that From made of IR with notes.
type Stepper interface{ Statement(s Statement) }

// Observe is LaunchContext before the eyes of o: interpreted, whatever the kernel was promoted
// to, one program after the other in ascending order, and without a timeout.
func (k *Kernel) Observe(ctx context.Context, o Observer, g Space, args ...any) error {
	r, err := observed(k, o, g, args)
	if err != nil {
		return err
	}
	return r.Run(ctx)
}

// ObserveOne is k.Observe of a single program of the grid: its number in ascending order.
func ObserveOne(ctx context.Context, k *Kernel, o Observer, number int, g Space, args ...any) error {
	r, err := observed(k, o, g, args)
	if err != nil {
		return err
	}
	total := r.Count
	r.Count, r.Order = min(total, 1), func(int) int { return min(max(number, 0), total-1) }
	return r.Run(ctx)
}

// observed prepares a launch before the eyes of o.
func observed(k *Kernel, o Observer, g Space, args []any) (*run.Interpretation, error) {
	l, err := k.prepare(g, args)
	if err != nil {
		return nil, err
	}
	labels := k.fn.Labels()
	o.Start(labels, l.Extent.Sizes())
	r := k.run.Interpretation(l.Extent, l.Args)
	r.Watch(o, labels)
	return r, nil
}
