package exec

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

	"github.com/tiler-go/tiler/exec/pool"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Launch runs the kernel once per program instance of a grid. args are the
// parameters after the program, in order: *tensor.Tensor for tl.Ptr, int, float64,
// bool, tl.DType, string. They are checked before anything runs.
//
// Instances run in any order, on all cores. A program that fails stops the launch;
// the error is that of the lowest failing program id (with Options.Shuffle, of those that
// ran), and what is in the tensors that were being written is then unspecified.
func (k *Kernel) Launch(g Space, args ...any) error {
	return k.LaunchContext(context.Background(), g, args...)
}

// LaunchContext is Launch, ended early when ctx is done: no other programs start,
// those that are running end at their next access to memory, and the error is the
// context's.
func (k *Kernel) LaunchContext(ctx context.Context, g Space, args ...any) error {
	l, err := k.prepare(g, args)
	if err != nil {
		return err
	}
	if ctx == nil {
		ctx = context.Background()
	}
	if k.opts.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, k.opts.Timeout)
		defer cancel()
	}
	p, err := k.choose(l.args, l.told.Args)
	if err != nil {
		return err
	}
	if p == nil {
		return k.interpret(ctx, l.extent, l.args)
	}
	return k.launchProgram(ctx, p, l)
}

// prepare is a launch of a grid and arguments, which it checks.
func (k *Kernel) prepare(g Space, args []any) (l *compiledLaunch, err error) {
	if err := k.usable(); err != nil {
		return nil, err
	}
	if err := k.use.Check(k.opts.Engine); err != nil {
		return nil, err
	}
	l = k.anyLaunch()
	if l.args, err = k.fn.Accept(args, l.args[:0]); err != nil {
		return nil, err
	}
	if err := k.fn.RefuseVirtual(l.args); err != nil {
		return nil, err
	}
	l.take(l.args)
	return l, k.measure(&l.extent, g, l.args)
}

// interpret runs a launch by calling the kernel's function.
func (k *Kernel) interpret(ctx context.Context, e extent, args []any) error {
	return k.interpretation(e, args).print().run(ctx)
}

// print has programs print where the options say; it returns r.
func (r *interpretation) print() *interpretation {
	if w := r.kernel.opts.Output; w != nil {
		r.out = tl.NewOutput(w)
	}
	return r
}

// interpretation prepares the instances of a grid.
func (k *Kernel) interpretation(e extent, args []any) *interpretation {
	r := &interpretation{kernel: k, extent: e, given: args, count: e.total, order: shuffled(e.total, k.opts.Shuffle)}
	r.args = k.values(args, &r.cancelled)
	if k.opts.Progress != nil {
		r.report = &reporter{k: k, stop: &r.stop}
	}
	return r
}

// values is the arguments as the function takes them, after a place for the
// program. Pointers among them heed stop.
func (k *Kernel) values(args []any, stop *atomic.Bool) []reflect.Value {
	return k.fn.Values(args, func(i int, x *tensor.Tensor) tl.Ptr {
		return tl.PointerTo(x, k.fn.Params()[i].Label(), stop)
	})
}

// An interpretation is one interpreted launch.
type interpretation struct {
	kernel *Kernel
	extent extent
	given  []any
	args   []reflect.Value // the same; the first is a place for the program
	out    *tl.Output
	count  int             // programs to run: all, or a few
	order  func(i int) int // the i-th program to run

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

// run spreads the programs over workers, which take the next one until there are
// none, a program fails or ctx is done. They are goroutines of their own even if there
// is only one: a kernel may end its goroutine.
func (r *interpretation) run(ctx context.Context) error {
	defer context.AfterFunc(ctx, func() { r.cancelled.Store(true) })()
	workers := r.kernel.opts.Workers
	if r.observer != nil {
		workers = 1
	}
	free := workers <= 0 // whoever says how many relies on it: one worker is one program after the other
	if free {
		workers = runtime.GOMAXPROCS(0)
	}
	pool.Share(min(workers, r.count), func() { r.work(ctx) }, func() (done int64, waiting bool) {
		return r.done.Load(), free && r.next.Load() < int64(r.count)
	})
	switch {
	case r.failure != nil:
		return r.failure
	case r.report != nil && r.report.err != nil:
		return r.report.err
	case r.done.Load() < int64(r.count):
		return r.kernel.ended(ctx, int(r.done.Load()), r.count)
	}
	return nil
}

// shuffled is an order of n programs: ascending if seed is 0, else a permutation that
// seed decides.
func shuffled(n int, seed uint64) func(i int) int {
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
func (r *interpretation) work(ctx context.Context) {
	args := slices.Clone(r.args)
	for !r.stop.Load() && ctx.Err() == nil {
		i := int(r.next.Add(1)) - 1
		if i >= r.count {
			return
		}
		r.program(r.order(i), args)
	}
}

// program runs one instance; its failure stops the launch.
func (r *interpretation) program(i int, args []reflect.Value) {
	p := tl.NewProgram(r.extent.id(i), r.extent.num, r.out)
	r.begin(i, p)
	returned := false
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
		switch v := recover(); {
		case returned:
			r.end(nil)
			if done := int(r.done.Add(1)); r.report != nil && (done&15 == 0 || done == r.count) {
				r.report.done(done, r.count)
			}
		case v == tl.Interrupt{}:
			r.stop.Store(true)
		case v == nil:
			r.fail(i, p, errGoexit)
		default:
			r.fail(i, p, v)
		}
	}()
	args[0] = reflect.ValueOf(p)
	r.kernel.fn.Go.Call(args)
	returned = true
}

func (r *interpretation) fail(i int, p *tl.Program, v any) {
	if b := r.kernel.newBreach(interpreted, nil, v); b != nil {
		v = b
	}
	gone := r.lostFault(v)
	if gone != nil {
		v = gone
	}
	f := p.Recover(v, r.kernel.fn.File())
	if p.Line > 0 {
		f.Diag.Pos = r.kernel.fn.At(p.Line)
	}
	r.kernel.fn.Spell(f.Diag)
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
