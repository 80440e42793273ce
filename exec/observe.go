package exec

import (
	"context"
	"slices"

	"github.com/tiler-go/tiler/exec/eager"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/tensor"
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
	return r.run(ctx)
}

// ObserveOne is k.Observe of a single program of the grid: its number in ascending order.
func ObserveOne(ctx context.Context, k *Kernel, o Observer, number int, g Space, args ...any) error {
	r, err := observed(k, o, g, args)
	if err != nil {
		return err
	}
	r.count, r.order = min(r.count, 1), func(int) int { return min(max(number, 0), r.extent.total-1) }
	return r.run(ctx)
}

// observed prepares a launch before the eyes of o.
func observed(k *Kernel, o Observer, g Space, args []any) (*interpretation, error) {
	l, err := k.prepare(g, args)
	if err != nil {
		return nil, err
	}
	e, as := l.extent, l.args
	params := k.fn.Labels()
	o.Start(params, slices.Clone(e.num[:e.axes]))
	r := k.interpretation(e, as)
	r.observer = o
	r.order = shuffled(e.total, 0)
	r.args = k.fn.Values(as, func(i int, x *tensor.Tensor) tl.Ptr {
		return tl.Watch(tl.PointerTo(x, params[i], &r.cancelled), o, i)
	})
	return r.print(), nil
}

// begin tells the observer, if there is one, of a program.
func (r *interpretation) begin(i int, p *tl.Program) {
	if r.observer == nil {
		return
	}
	if s, ok := r.observer.(Stepper); ok {
		r.kernel.fn.Watch(p, s.Statement)
	}
	id := r.extent.id(i)
	r.observer.Begin(id[:r.extent.axes:r.extent.axes], func() diag.Pos {
		if p.Line == 0 {
			return diag.Pos{}
		}
		return r.kernel.fn.At(p.Line)
	})
}

func (r *interpretation) end(err *Error) {
	if r.observer != nil {
		r.observer.End(err)
	}
}
