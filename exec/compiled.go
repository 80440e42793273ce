package exec

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tiler-go/tiler/exec/codemem"
	"github.com/tiler-go/tiler/exec/engine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pool"
	"github.com/tiler-go/tiler/exec/variant"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A compiledLaunch is one launch of compiled code.
type compiledLaunch struct {
	k      *Kernel
	extent extent
	args   []any
	told   engine.Launch // what the engine knows of it
	job    engine.Job
	spread pool.Schedule
	guards []guarded // the workers' runners
	stop   atomic.Bool
	limit  atomic.Int64 // programs from here on need not run: one has failed

	mu, printed sync.Mutex
	failure     *ir.Failure // of the lowest failing program
	fault       error       // the engine's own: a crashError or a breachError
	engine      string
	report      *reporter
}

// newLaunch is a launch without anything to run yet.
func (k *Kernel) newLaunch() *compiledLaunch {
	l := &compiledLaunch{k: k}
	l.told.Print, l.told.Stop = l.print, &l.stop
	l.spread.Begin, l.spread.Stop, l.spread.Limit = l.runner, &l.stop, &l.limit
	return l
}

// anyLaunch is newLaunch, or one that has ended, where there is one: a small launch takes
// no longer than it takes to allocate it.
func (k *Kernel) anyLaunch() *compiledLaunch {
	l, _ := k.launches.Get().(*compiledLaunch)
	if l == nil {
		return k.newLaunch()
	}
	l.k = k
	return l
}

// take makes args those of the launch.
func (l *compiledLaunch) take(args []any) {
	l.args, l.told.Args = args, variant.MachineArgs(l.told.Args, args)
}

// ended keeps the launch for another one, if it ended well and nothing can refer to it
// any more.
func (l *compiledLaunch) ended(ctx context.Context) {
	if l.failure != nil || l.fault != nil || l.report != nil || ctx.Done() != nil {
		return
	}
	clear(l.told.Args)
	clear(l.args)
	k := l.k
	l.k = nil
	k.launches.Put(l)
}

// run runs a program of an engine.
func (l *compiledLaunch) run(ctx context.Context, p *variant.Program) error {
	k, e := l.k, l.extent
	width := k.opts.Workers
	if width <= 0 {
		width = runtime.GOMAXPROCS(0)
	}
	if k.opts.Progress != nil {
		l.report = &reporter{k: k, stop: &l.stop}
	}
	if ctx.Done() != nil {
		if ctx.Err() != nil {
			return k.ended(ctx, 0, e.total)
		}
		defer context.AfterFunc(ctx, func() { l.stop.Store(true) })()
	}
	if err := l.begin(p, width, false); err != nil {
		return err
	}
	if l.report == nil && (width == 1 || l.small(p)) {
		return l.result(ctx, l.alone(p, width))
	}
	s := &l.spread
	s.Tasks, s.Width, s.Pace = l.job.Tasks, width, &p.Pace
	if l.report != nil {
		s.Report = func(done int) { l.report.done(done*e.total/max(1, l.job.Tasks), e.total) }
	}
	s.Run()
	return l.result(ctx, s.Done())
}

// result is how the launch ended, done of its tasks done.
func (l *compiledLaunch) result(ctx context.Context, done int) error {
	switch {
	case l.fault != nil:
		return l.fault
	case l.failure != nil:
		return l.error(l.failure)
	case l.report != nil && l.report.err != nil:
		return l.report.err
	case done < l.job.Tasks || l.stop.Load():
		return l.k.ended(ctx, done*l.extent.total/l.job.Tasks, l.extent.total)
	}
	return nil
}

// small reports whether the launch is too little work for a schedule.
func (l *compiledLaunch) small(p *variant.Program) bool {
	pace := p.Pace.Load()
	return l.job.Tasks == 1 || pace > 0 && time.Duration(pace*int64(l.job.Tasks)/1000) < pool.WakeWorth
}

// alone does all tasks here and now, and returns how many that is. Where others might have helped,
// it notes the pace.
func (l *compiledLaunch) alone(p *variant.Program, width int) int {
	if l.job.Tasks == 0 {
		return 0
	}
	r := l.runner(0)
	defer r.Release()
	if width == 1 || l.job.Tasks == 1 { // to read the clock takes as long as a small one
		r.Run(0, l.job.Tasks)
		return l.job.Tasks
	}
	start := time.Now()
	r.Run(0, l.job.Tasks)
	p.Pace.Store(max(1, time.Since(start).Nanoseconds()*1000/int64(l.job.Tasks)))
	return l.job.Tasks
}

// begin prepares the launch; a panic of the engine there is a crash, too.
func (l *compiledLaunch) begin(p *variant.Program, width int, single bool) (err error) {
	defer func() {
		if v := recover(); v != nil {
			l.fault = &crashError{kernel: l.k.fn.Name, what: v}
			err = l.fault
		}
	}()
	if l.limit.Load() != math.MaxInt64 { // to store it takes twenty times as long as to look
		l.limit.Store(math.MaxInt64)
	}
	l.engine = p.Engine
	l.told.Grid, l.told.Total = l.extent.num, l.extent.total
	l.job = p.Code.Begin(&l.told, width, single)
	n := max(1, min(width, l.job.Tasks))
	if n > cap(l.guards) {
		l.guards = make([]guarded, n)
	}
	l.guards = l.guards[:n]
	return nil
}

// runner makes what does tasks on one goroutine.
func (l *compiledLaunch) runner(part int) pool.Runner {
	g := &l.guards[part]
	if g.body == nil {
		g.l, g.body = l, g.do
	}
	g.w = l.job.Worker()
	return g
}

// guarded is a worker whose faults and panics are the launch's. It is kept with the launch.
type guarded struct {
	l      *compiledLaunch
	w      engine.Worker
	lo, hi int    // the tasks at hand
	body   func() // do
	broken bool
}

// Run does tasks lo to hi-1.
func (g *guarded) Run(lo, hi int) {
	defer func() {
		if v := recover(); v != nil {
			g.crashed(v)
		}
	}()
	g.lo, g.hi = lo, hi
	if err := codemem.Protect(g.body); err != nil {
		g.crashed(err)
	}
}

func (g *guarded) do() { g.l.failed(g.w.Run(g.lo, g.hi)) }

func (g *guarded) crashed(v any) {
	g.broken = true
	g.l.stop.Store(true)
	g.l.mu.Lock()
	defer g.l.mu.Unlock()
	g.l.fault = &crashError{kernel: g.l.k.fn.Name, what: v, near: g.lo * g.l.extent.total / max(1, g.l.job.Tasks)}
	if b := g.l.k.newBreach(g.l.engine, g.l.args, v); b != nil {
		g.l.fault = b
	}
}

// Release gives the worker back, unless it was left in the middle of something.
func (g *guarded) Release() {
	if !g.broken {
		g.w.Release()
	}
	g.w = nil // others have it from now on
}

// failed notes a failure. The programs before it go on, so that the lowest one that
// fails is found, whoever is faster.
func (l *compiledLaunch) failed(f *ir.Failure) {
	if f == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failure == nil || f.Program < l.failure.Program {
		l.failure = f
		l.limit.Store(int64(f.Program))
	}
}

// A crashError is a launch that ended because the engine, not the kernel, was wrong.
type crashError struct {
	kernel string
	what   any
	near   int // a program around which it crashed
}

func (e *crashError) Error() string {
	return fmt.Sprintf("%s: its compiled code crashed: %v\n\tthis is a bug in the compiler, not in the kernel; the kernel is interpreted from now on, and what this launch wrote is unspecified", e.kernel, e.what)
}

func (e *crashError) Unwrap() error {
	err, _ := e.what.(error)
	return err
}

// print prints what a program prints as the interpreter would.
func (l *compiledLaunch) print(program int, v *ir.Value, operands []ir.Printed) {
	values := make([]any, len(operands))
	for i, o := range operands {
		values[i] = printable(o)
	}
	out := tl.NewOutput(l.k.opts.Output)
	if l.k.opts.Output == nil {
		out = nil
	}
	l.printed.Lock()
	defer l.printed.Unlock()
	tl.NewProgram(l.extent.id(program), l.extent.num, out).Print(v.Text, values...)
}

// printable is a printed operand as the value that the interpreter prints.
func printable(o ir.Printed) any {
	if !o.GoScalar {
		return tl.TileOf(o.Elems, o.Type.Shape.Dims()...)
	}
	bits := o.Elems.Bits(0)
	switch d := o.Type.D; {
	case d == dtype.Bool:
		return bits != 0
	case d.IsFloat():
		return dtype.ToFloat(d, bits)
	}
	return int(dtype.ToInt(o.Type.D, bits))
}

// error is a failure as the interpreter reports it: the instance is run again,
// interpreted, for the message. If it does not fail there, because it has changed its
// own input, the failure itself says what there is to say.
func (l *compiledLaunch) error(f *ir.Failure) error {
	if err := l.k.interpretOne(l.extent, l.args, f.Program); err != nil {
		return err
	}
	id := l.extent.id(f.Program)
	return fmt.Errorf("%s: program %s: %s failed (lane %d, offset %d)", f.Value.Pos, tuple(id[:l.extent.axes]), ir.OpName(f.Value.Op), f.Lane, f.Offset)
}

// interpretOne runs one instance interpreted and gives its failure.
func (k *Kernel) interpretOne(e extent, args []any, program int) error {
	r := &interpretation{kernel: k, extent: e, given: args, out: tl.NewOutput(io.Discard)}
	r.args = k.values(args, &r.cancelled)
	r.program(program, slices.Clone(r.args))
	if r.failure != nil {
		return r.failure
	}
	return nil
}
