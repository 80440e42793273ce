package exec

import (
	"context"
	"math/rand/v2"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Launch runs the kernel once per program instance of a grid. args are the
// parameters after the program, in order: *tensor.Tensor for tl.Ptr, int, float64,
// bool, tl.DType, string. They are checked before anything runs.
//
// Instances run in any order, on all cores. A program that fails stops the launch;
// the error is that of the lowest failing program id among those that ran, and what
// is in the tensors that were being written is then unspecified.
func (k *Kernel) Launch(g Space, args ...any) error {
	return k.LaunchContext(context.Background(), g, args...)
}

// LaunchContext is Launch, ended early when ctx is done: programs that are running
// finish, no others start, and the error is the context's.
func (k *Kernel) LaunchContext(ctx context.Context, g Space, args ...any) error {
	if k.err != nil {
		return k.err
	}
	if err := checkEngine(k.opts.Engine); err != nil {
		return err
	}
	as, err := k.arguments(args)
	if err != nil {
		return err
	}
	e, err := k.resolve(g, as)
	if err != nil {
		return err
	}
	if k.opts.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, k.opts.Timeout)
		defer cancel()
	}
	r := &interpretation{kernel: k, extent: e, args: k.values(as)}
	if k.opts.Output != nil {
		r.out = tl.NewOutput(k.opts.Output)
	}
	return r.run(ctx)
}

// values is the arguments as the function takes them, after a place for the
// program.
func (k *Kernel) values(args []any) []reflect.Value {
	vs := make([]reflect.Value, len(args)+1)
	for i, a := range args {
		if x, ok := a.(*tensor.Tensor); ok {
			a = tl.PointerTo(x, k.params[i].label(i))
		}
		vs[i+1] = reflect.ValueOf(a)
		if want := k.fn.Type().In(i + 1); vs[i+1].Type() != want {
			vs[i+1] = vs[i+1].Convert(want)
		}
	}
	return vs
}

// An interpretation is one interpreted launch.
type interpretation struct {
	kernel *Kernel
	extent extent
	args   []reflect.Value
	out    *tl.Output
	order  []int // nil: ascending

	next, done atomic.Int64
	stop       atomic.Bool

	mu       sync.Mutex
	failed   int // number of the lowest failing program
	failure  *Error
	reported time.Time
}

// run spreads the programs over workers, which take the next one until there are
// none, a program fails or ctx is done.
func (r *interpretation) run(ctx context.Context) error {
	workers := r.kernel.opts.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if seed := r.kernel.opts.Shuffle; seed != 0 && r.extent.total <= 1<<24 {
		r.order = rand.New(rand.NewPCG(seed, 0)).Perm(r.extent.total)
	}
	workers = min(workers, r.extent.total)
	if workers <= 1 {
		r.work(ctx)
	} else {
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() { r.work(ctx) })
		}
		wg.Wait()
	}
	if r.failure != nil {
		return r.failure
	}
	if r.done.Load() < int64(r.extent.total) {
		return r.interrupted(ctx)
	}
	return nil
}

// work runs programs one after the other.
func (r *interpretation) work(ctx context.Context) {
	finished := false
	defer func() {
		if !finished { // the kernel ended the goroutine
			r.stop.Store(true)
		}
	}()
	for !r.stop.Load() && ctx.Err() == nil {
		i := int(r.next.Add(1)) - 1
		if i >= r.extent.total {
			break
		}
		if r.order != nil {
			i = r.order[i]
		}
		r.program(i)
		r.progress(int(r.done.Add(1)))
	}
	finished = true
}

// program runs one instance; its failure stops the launch.
func (r *interpretation) program(i int) {
	p := tl.NewProgram(r.extent.id(i), r.extent.num, r.out)
	defer func() {
		if v := recover(); v != nil {
			r.fail(i, p, v)
		}
	}()
	args := append([]reflect.Value(nil), r.args...)
	args[0] = reflect.ValueOf(p)
	r.kernel.fn.Call(args)
}

func (r *interpretation) fail(i int, p *tl.Program, v any) {
	f := p.Recover(v, r.kernel.file())
	r.stop.Store(true)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failure == nil || i < r.failed {
		r.failed = i
		r.failure = r.newError(i, f, v)
	}
}

// progress reports a few times a second.
func (r *interpretation) progress(done int) {
	report := r.kernel.opts.Progress
	if report == nil || done&15 != 0 && done != r.extent.total {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := time.Now(); now.Sub(r.reported) > 100*time.Millisecond || done == r.extent.total {
		r.reported = now
		report(done, r.extent.total)
	}
}
