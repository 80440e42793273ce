package exec

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A Report is what a check found: data that prints as text and marshals to JSON.
type Report = check.Report

// A Finding is one thing that a check found, at one line of the kernel.
type Finding = check.Finding

// CheckOptions say what Check does; the zero value is the right default.
type CheckOptions struct {
	// Budget is how long the launch may take, and how long the variations of its
	// arguments; after that programs are sampled. 0 means 10 seconds.
	Budget time.Duration
	// Programs is how many programs run at most, corners of the grid first; 0 means all
	// that the budget allows.
	Programs int
	// At is the programs to check, by their places in the grid, and no others.
	At [][]int
	// NoVariations leaves out other sizes of the arguments.
	NoVariations bool
	// Sizes says which dimensions of tensors an int parameter names, as in
	// {"n": "x.Dim(0), out.Dim(0)"}, where its value does not tell. "" keeps a parameter
	// as it is.
	Sizes map[string]string
	// Commit says when what the kernel wrote reaches the caller's tensors.
	Commit Commit
	// Tolerance is how far outputs may be from the reference; nil means what
	// tensor.DefaultTolerance allows.
	Tolerance *tensor.Tolerance
}

// Commit says when a check writes to the caller's tensors.
type Commit uint8

// When to commit.
const (
	CommitClean  Commit = iota // if all programs ran and nothing was an error
	CommitNever                // not at all
	CommitAlways               // whatever was found
)

func (o CheckOptions) budget() time.Duration {
	if o.Budget <= 0 {
		return 10 * time.Second
	}
	return o.Budget
}

// Check runs the kernel interpreted with every sanitizer on, on private copies of the
// tensors: out of bounds, races, undefined values, overflow in addresses, and the rest of
// check.Kinds. It compares with the reference that Against gave, and then tries sizes
// that are no multiples of the blocks, where int parameters name dimensions of tensors;
// what only those find is a warning.
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
	as, err := k.arguments(args)
	if err != nil {
		return nil, err
	}
	e, err := k.resolve(g, as)
	if err != nil {
		return nil, err
	}
	if err := k.checkPlaces(e); err != nil {
		return nil, err
	}
	ref, err := k.reference()
	if err != nil {
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
	defer k.guard(as, &err)()
	r = check.NewReport(k.name, slices.Clone(e.num[:e.axes]), e.total)
	r.Engine, r.Promoted = k.standing()
	w := k.watch(ctx, e, as, k.opts.Output)
	defer w.close()
	w.run(k.opts.Check)
	r.Ran, r.Coverage, r.Times.Check = w.ran, w.c.Coverage(), w.took
	if err := w.err(); err != nil {
		r.Err = err.Error()
	}
	r.Add(w.c.Findings()...)
	if r.Err == "" && ref != nil {
		k.compare(r, w, ref)
	}
	k.vary(ctx, r, g, as, ref)
	k.commit(r, w)
	return r, r.Problem()
}

// standing is what launches run in.
func (k *Kernel) standing() (engine string, promoted bool) {
	engine, _ = k.state.get()
	if engine == "" {
		engine = interpreted
	}
	return engine, k.promoted.Load()
}

// commit writes the outputs of a check to the caller's tensors.
func (k *Kernel) commit(r *Report, w *watched) {
	clean := r.OK && r.Ran == r.Programs
	if c := k.opts.Check.Commit; c == CommitNever || c == CommitClean && !clean {
		return
	}
	for i, x := range w.copies {
		if x != nil && w.written(i) && !x.IsVirtual() {
			w.original[i].(*tensor.Tensor).CopyFrom(x)
		}
	}
}

// order is the programs that a check runs, in order: those asked for, all, or those at the corners of the
// grid and then a random choice.
func (o CheckOptions) order(e extent, virtual bool) (count int, order func(i int) int) {
	if len(o.At) > 0 {
		return len(o.At), func(i int) int { return e.number(o.At[i]) }
	}
	count = e.total
	if o.Programs > 0 {
		count = min(count, o.Programs)
	}
	if count == e.total && e.total <= 1<<16 && !virtual {
		return count, func(i int) int { return i }
	}
	corners := e.corners()
	if virtual && o.Programs == 0 {
		count = len(corners)
	}
	chosen := map[int]bool{}
	for _, i := range corners {
		chosen[i] = true
	}
	rest, next := shuffled(e.total, 1), 0
	return count, func(i int) int {
		if i < len(corners) {
			return corners[i]
		}
		for {
			if p := rest(next); !chosen[p] {
				next++
				return p
			}
			next++
		}
	}
}

// number is the program at a place in the grid.
func (e extent) number(at []int) (i int) {
	for a := len(at) - 1; a >= 0; a-- {
		i = i*e.num[a] + at[a]
	}
	return i
}

// checkPlaces refuses places outside the grid.
func (k *Kernel) checkPlaces(e extent) error {
	for _, at := range k.opts.Check.At {
		ok := len(at) == e.axes
		for a := range at {
			ok = ok && at[a] >= 0 && at[a] < e.num[a]
		}
		if !ok {
			return errorf(k, "CheckOptions.At: no program %s in grid %s", tuple(at), e)
		}
	}
	return nil
}

// corners are the programs at the edges and in the middle of the grid.
func (e extent) corners() []int {
	var at [3][]int
	for a, n := range e.num {
		for _, i := range []int{0, 1, n / 2, n - 2, n - 1} {
			if i >= 0 && i < n && !slices.Contains(at[a], i) {
				at[a] = append(at[a], i)
			}
		}
	}
	var programs []int
	for _, z := range at[2] {
		for _, y := range at[1] {
			for _, x := range at[0] {
				programs = append(programs, (z*e.num[1]+y)*e.num[0]+x)
			}
		}
	}
	slices.Sort(programs)
	return programs
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

// refuseVirtual is the error of running on tensors without memory.
func (k *Kernel) refuseVirtual(args []any) error {
	for i, a := range args {
		if x, ok := a.(*tensor.Tensor); ok && x.IsVirtual() {
			return errorf(k, "%s is virtual: it has a shape but no memory: it can be checked, not launched", k.params[i].label())
		}
	}
	return nil
}

func errorf(k *Kernel, format string, args ...any) error {
	return fmt.Errorf(k.name+": "+format, args...)
}
