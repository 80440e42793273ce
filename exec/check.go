package exec

import (
	"context"
	"reflect"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/exec/check/facts"
	"github.com/tiler-go/tiler/exec/check/launch"
	"github.com/tiler-go/tiler/exec/function"
	"github.com/tiler-go/tiler/exec/grid"
	"github.com/tiler-go/tiler/exec/run"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A Report is what a check found: data that prints as text and marshals to JSON.
type Report = check.Report

// A Finding is one thing that a check found, at one line of the kernel.
type Finding = check.Finding

// CheckOptions say what Check does; the zero value is the right default.
type CheckOptions = check.Options

// Commit says when a check writes to the caller's tensors.
type Commit = check.Commit

// When to commit.
const (
	CommitClean  = check.CommitClean  // if all programs ran and nothing was an error
	CommitNever  = check.CommitNever  // not at all
	CommitAlways = check.CommitAlways // whatever was found
)

// Check runs the kernel interpreted with every sanitizer on, on private copies of the
// tensors: out of bounds, races, undefined values, overflow in addresses, outputs left
// unwritten, and the rest of check.Kinds. Programs that wait for others take turns; launches
// with atomics run in the reverse order, too. It compares with the reference that Against
// gave, and then tries sizes that are no multiples of the blocks, where int parameters name
// dimensions of tensors, equal ones together and apart, and with a reference other data.
// What only those find is a warning, or a note if it takes NaN, huge or tiny numbers.
// Outputs whose bits depend on the block, the batch or the order of programs are noted, or
// errors by CheckOptions.Invariance. What follows from a finding is in its Follows.
//
// The error is nil if the report has no error; it is the first finding that is one, or
// says why the check could not be made. The report is there whenever something ran. What
// the kernel wrote reaches the caller's tensors if there was no error.
//
// A tensor.Virtual has a size and no memory: of such a launch the corners of the grid are
// checked, and its results with no reference.
func (k *Kernel) Check(g Space, args ...any) (*Report, error) {
	return k.CheckContext(context.Background(), g, args...)
}

// CheckContext is Check, ended early when ctx is done.
func (k *Kernel) CheckContext(ctx context.Context, g Space, args ...any) (r *Report, err error) {
	if err := k.usable(); err != nil {
		return nil, err
	}
	as, err := k.fn.Accept(args, nil)
	if err != nil {
		return nil, err
	}
	e, err := resolve(k.fn, g, as)
	if err != nil {
		return nil, err
	}
	c, err := k.checked(g)
	if err != nil {
		return nil, err
	}
	if err := checkPlaces(k.fn, k.opts.Check.At, e); err != nil {
		return nil, err
	}
	if ctx == nil {
		ctx = context.Background()
	}
	if k.opts.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, k.opts.Timeout)
		defer cancel()
	}
	defer run.Guard(k.fn, as, &err)()
	r = check.NewReport(k.fn.Name, e.Sizes(), e.Total)
	r.Engine, r.Promoted = k.standing()
	launch.Check(ctx, c, e, as, r)
	for i := range r.Findings {
		f := &r.Findings[i]
		k.fn.Spell(&f.Diagnostic)
		for j := range f.Follows {
			k.fn.Spell(&f.Follows[j].Diagnostic)
		}
	}
	for i := range r.Coverage.Sites {
		d := diag.Diagnostic{Msg: r.Coverage.Sites[i].Op}
		k.fn.Spell(&d)
		r.Coverage.Sites[i].Op = d.Msg
	}
	return r, r.Problem()
}

// checked is what a check must know of the kernel and its launches over g.
func (k *Kernel) checked(g Space) (*launch.Kernel, error) {
	ref, err := k.reference()
	if err != nil {
		return nil, err
	}
	c := &launch.Kernel{
		Name: k.fn.Name, Fn: k.fn.Go, Labels: k.fn.Labels(),
		Text:    launch.Text{At: k.fn.At, Source: k.fn.Line, File: k.fn.File()},
		Options: k.opts.Check, Output: k.opts.Output, Shuffle: k.opts.Shuffle, Against: ref,
		Grid:  func(args []any) (launch.Grid, error) { return resolve(k.fn, g, args) },
		Facts: func(args []any) launch.Facts { return facts.Of(k.fn, args) },
		Host: launch.Host{
			Enter: run.FaultsPanic, Where: run.PanicPos, Exit: run.ErrGoexit, Stop: k.fn.Text.Stop, Order: run.Shuffled,
		},
	}
	if !k.fn.Given() {
		c.Begin.File, c.Begin.Line = k.fn.Position()
	}
	return c, nil
}

// standing is what launches run in.
func (k *Kernel) standing() (engine string, promoted bool) {
	engine, _ = k.state.get()
	if engine == "" {
		engine = interpreted
	}
	return engine, k.promoted.Load()
}

// checkPlaces refuses places outside the grid.
func checkPlaces(fn *function.Function, places [][]int, e grid.Extent) error {
	for _, at := range places {
		if !e.Holds(at) {
			return fn.Errorf("CheckOptions.At: no program %s in grid %s", grid.Tuple(at), e)
		}
	}
	return nil
}

// Against gives a reference: a function with the kernel's parameters but the program,
// *tensor.Tensor for tl.Ptr, that computes the same outputs. Check compares with it. It
// returns k.
func (k *Kernel) Against(ref any) *Kernel {
	if k != nil {
		k.against.Store(&ref)
	}
	return k
}

// reference is the function that Against gave, nil if there is none.
func (k *Kernel) reference() (*reflect.Value, error) {
	if p := k.against.Load(); p != nil && *p != nil {
		return k.fn.Reference(*p)
	}
	return nil, nil
}
