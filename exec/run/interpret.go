package run

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tiler-go/tiler/exec/engine"
	"github.com/tiler-go/tiler/exec/grid"
	"github.com/tiler-go/tiler/exec/pool"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// An Interpretation is one interpreted launch.
type Interpretation struct {
	Count int             // programs to run: all, or a few
	Order func(i int) int // the i-th program to run

	setup  *Setup
	extent grid.Extent
	given  []any
	args   []reflect.Value // the same; the first is a place for the program
	out    *tl.Output

	progress
	observer Observer // nil: nobody watches
	report   *reporter
	mu       sync.Mutex
	failed   int // number of the lowest failing program
	failure  *Error
}

// progress is how far the workers are, and whether they are to go on.
type progress struct {
	next, done      atomic.Int64
	stop, cancelled atomic.Bool // a program failed: start no others; the context is done: end those that run, too
}

// Interpretation is a launch of a grid and arguments, interpreted.
func (s *Setup) Interpretation(e grid.Extent, args []any) *Interpretation {
	r := &Interpretation{setup: s, extent: e, given: args, Count: e.Total, Order: Shuffled(e.Total, s.Shuffle)}
	r.args = s.values(args, &r.cancelled)
	if s.Progress != nil {
		r.report = &reporter{setup: s, stop: &r.stop}
	}
	if s.Output != nil {
		r.out = tl.NewOutput(s.Output)
	}
	return r
}

// values is the arguments as the function takes them, after a place for the
// program. Pointers among them heed stop.
func (s *Setup) values(args []any, stop *atomic.Bool) []reflect.Value {
	return s.Fn.Values(args, func(i int, x *tensor.Tensor) tl.Ptr {
		return tl.PointerTo(x, s.Fn.Params()[i].Label(), stop)
	})
}

// Run spreads the programs over workers, which take the next one until there are
// none, a program fails or ctx is done. They are goroutines of their own even if there
// is only one: a kernel may end its goroutine.
func (r *Interpretation) Run(ctx context.Context) error {
	defer context.AfterFunc(ctx, func() { r.cancelled.Store(true) })()
	workers := r.setup.Workers
	if r.observer != nil {
		workers = 1
	}
	free := workers <= 0 // whoever says how many relies on it: one worker is one program after the other
	if free {
		workers = runtime.GOMAXPROCS(0)
	}
	pool.Share(min(workers, r.Count), func() { r.work(ctx) }, func() (done int64, waiting bool) {
		return r.done.Load(), free && r.next.Load() < int64(r.Count)
	})
	switch {
	case r.failure != nil:
		return r.failure
	case r.report != nil && r.report.err != nil:
		return r.report.err
	case r.done.Load() < int64(r.Count):
		return r.setup.Ended(ctx, int(r.done.Load()), r.Count)
	}
	return nil
}

// Shuffled is an order of n programs: ascending if seed is 0, else a permutation that
// seed decides.
func Shuffled(n int, seed uint64) func(i int) int {
	if seed == 0 || n < 2 {
		return func(i int) int { return i }
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	if n <= 1<<20 {
		perm := rng.Perm(n)
		return func(i int) int { return perm[i] }
	}
	// Steps of a size without a common divisor reach everything once.
	step, first := rng.IntN(n), rng.IntN(n)
	for gcd(step, n) != 1 {
		step++
	}
	return func(i int) int {
		hi, lo := bits.Mul64(uint64(i), uint64(step))
		lo, carry := bits.Add64(lo, uint64(first), 0)
		return int(bits.Rem64(hi+carry, lo, uint64(n)))
	}
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// work runs programs one after the other.
func (r *Interpretation) work(ctx context.Context) {
	args := slices.Clone(r.args)
	for !r.stop.Load() && ctx.Err() == nil {
		i := int(r.next.Add(1)) - 1
		if i >= r.Count {
			return
		}
		r.program(r.Order(i), args)
	}
}

// program runs one instance; its failure stops the launch.
func (r *Interpretation) program(i int, args []reflect.Value) {
	p := tl.NewProgram(r.extent.ID(i), r.extent.Num, r.out)
	r.begin(i, p)
	returned := false
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
		switch v := recover(); {
		case returned:
			r.end(nil)
			if done := int(r.done.Add(1)); r.report != nil && (done&15 == 0 || done == r.Count) {
				r.report.done(done, r.Count)
			}
		case v == tl.Interrupt{}:
			r.stop.Store(true)
		case v == nil:
			r.fail(i, p, ErrGoexit)
		default:
			r.fail(i, p, v)
		}
	}()
	args[0] = reflect.ValueOf(p)
	r.setup.Fn.Go.Call(args)
	returned = true
}

func (r *Interpretation) fail(i int, p *tl.Program, v any) {
	if b := newBreach(r.setup.Fn, engine.Interpreted, nil, v); b != nil {
		v = b
	}
	gone := r.lostFault(v)
	if gone != nil {
		v = gone
	}
	f := p.Recover(v, r.setup.Fn.File())
	if p.Line > 0 {
		f.Diag.Pos = r.setup.Fn.At(p.Line)
	}
	r.setup.Fn.Spell(f.Diag)
	r.stop.Store(true)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failure == nil || i < r.failed {
		r.failed = i
		r.failure = r.newError(i, f, v)
		r.failure.lost = gone != nil
		r.end(r.failure)
	}
}
