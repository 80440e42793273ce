package run

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
	"github.com/tiler-go/tiler/exec/grid"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pool"
	"github.com/tiler-go/tiler/exec/variant"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Launch is one launch of compiled code.
type Launch struct {
	Extent grid.Extent
	Args   []any

	setup  *Setup
	told   engine.Launch // what the engine knows of it
	job    engine.Job
	spread pool.Schedule
	guards []guarded // the workers' runners
	stop   atomic.Bool
	limit  atomic.Int64 // programs from here on need not run: one has failed

	mu, printed sync.Mutex
	failure     *ir.Failure // of the lowest failing program
	fault       error       // the engine's own: a CrashError or a BreachError
	engine      string
	report      *reporter
}

// NewLaunch is a launch without anything to run yet.
func (s *Setup) NewLaunch() *Launch {
	l := &Launch{setup: s}
	l.told.Print, l.told.Stop = l.print, &l.stop
	l.spread.Begin, l.spread.Stop, l.spread.Limit = l.runner, &l.stop, &l.limit
	return l
}

// A Pool is launches that have ended: a small launch takes no longer than it takes to allocate it.
type Pool struct{ launches sync.Pool }

// Get is NewLaunch, or one that has ended, where there is one.
func (p *Pool) Get(s *Setup) *Launch {
	l, _ := p.launches.Get().(*Launch)
	if l == nil {
		return s.NewLaunch()
	}
	l.setup = s
	return l
}

// Put keeps a launch for another one, if it ended well and nothing can refer to it
// any more.
func (p *Pool) Put(ctx context.Context, l *Launch) {
	if l.failure != nil || l.fault != nil || l.report != nil || ctx.Done() != nil {
		return
	}
	clear(l.told.Args)
	clear(l.Args)
	l.setup = nil
	p.launches.Put(l)
}

// Take makes args those of the launch.
func (l *Launch) Take(args []any) {
	l.Args, l.told.Args = args, engine.Args(l.told.Args, args)
}

// As is the arguments as compiled code takes them.
func (l *Launch) As() []ir.Arg { return l.told.Args }

// Run runs a program of an engine.
func (l *Launch) Run(ctx context.Context, p *variant.Program) error {
	s, e := l.setup, l.Extent
	width := s.Workers
	if width <= 0 {
		width = runtime.GOMAXPROCS(0)
	}
	if s.Progress != nil {
		l.report = &reporter{setup: s, stop: &l.stop}
	}
	if ctx.Done() != nil {
		if ctx.Err() != nil {
			return s.Ended(ctx, 0, e.Total)
		}
		defer context.AfterFunc(ctx, func() { l.stop.Store(true) })()
	}
	if err := l.begin(p, width, false); err != nil {
		return err
	}
	if l.report == nil && (width == 1 || l.small(p)) {
		return l.result(ctx, l.alone(p, width))
	}
	w := &l.spread
	w.Tasks, w.Width, w.Pace = l.job.Tasks, width, &p.Pace
	if l.report != nil {
		w.Report = func(done int) { l.report.done(done*e.Total/max(1, l.job.Tasks), e.Total) }
	}
	w.Run()
	return l.result(ctx, w.Done())
}

// Each runs some instances one by one.
func (l *Launch) Each(ctx context.Context, p *variant.Program, instances []int) error {
	if err := l.begin(p, 1, true); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { l.stop.Store(true) })()
	r := l.runner(0)
	defer r.Release()
	for _, i := range instances {
		if !l.stop.Load() {
			r.Run(i, i+1)
		}
	}
	return l.result(ctx, l.job.Tasks)
}

// result is how the launch ended, done of its tasks done.
func (l *Launch) result(ctx context.Context, done int) error {
	switch {
	case l.fault != nil:
		return l.fault
	case l.failure != nil:
		return l.error(l.failure)
	case l.report != nil && l.report.err != nil:
		return l.report.err
	case done < l.job.Tasks || l.stop.Load():
		return l.setup.Ended(ctx, done*l.Extent.Total/l.job.Tasks, l.Extent.Total)
	}
	return nil
}

// small reports whether the launch is too little work for a schedule.
func (l *Launch) small(p *variant.Program) bool {
	pace := p.Pace.Load()
	return l.job.Tasks == 1 || pace > 0 && time.Duration(pace*int64(l.job.Tasks)/1000) < pool.WakeWorth
}

// alone does all tasks here and now, and returns how many that is. Where others might have helped,
// it notes the pace.
func (l *Launch) alone(p *variant.Program, width int) int {
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
func (l *Launch) begin(p *variant.Program, width int, single bool) (err error) {
	defer func() {
		if v := recover(); v != nil {
			l.fault = &CrashError{kernel: l.setup.Fn.Name, What: v}
			err = l.fault
		}
	}()
	if l.limit.Load() != math.MaxInt64 { // to store it takes twenty times as long as to look
		l.limit.Store(math.MaxInt64)
	}
	l.engine = p.Engine
	l.told.Grid, l.told.Total = l.Extent.Num, l.Extent.Total
	l.job = p.Code.Begin(&l.told, width, single)
	n := max(1, min(width, l.job.Tasks))
	if n > cap(l.guards) {
		l.guards = make([]guarded, n)
	}
	l.guards = l.guards[:n]
	return nil
}

// runner makes what does tasks on one goroutine.
func (l *Launch) runner(part int) pool.Runner {
	g := &l.guards[part]
	if g.body == nil {
		g.l, g.body = l, g.do
	}
	g.w = l.job.Worker()
	return g
}

// guarded is a worker whose faults and panics are the launch's. It is kept with the launch.
type guarded struct {
	l      *Launch
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
	g.l.fault = &CrashError{kernel: g.l.setup.Fn.Name, What: v, Near: g.lo * g.l.Extent.Total / max(1, g.l.job.Tasks)}
	if b := newBreach(g.l.setup.Fn, g.l.engine, g.l.Args, v); b != nil {
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
func (l *Launch) failed(f *ir.Failure) {
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

// A CrashError is a launch that ended because the engine, not the kernel, was wrong.
type CrashError struct {
	kernel string
	What   any
	Near   int // a program around which it crashed
}

func (e *CrashError) Error() string {
	return fmt.Sprintf("%s: its compiled code crashed: %v\n\tthis is a bug in the compiler, not in the kernel; the kernel is interpreted from now on, and what this launch wrote is unspecified", e.kernel, e.What)
}

func (e *CrashError) Unwrap() error {
	err, _ := e.What.(error)
	return err
}

// print prints what a program prints as the interpreter would.
func (l *Launch) print(program int, v *ir.Value, operands []ir.Printed) {
	values := make([]any, len(operands))
	for i, o := range operands {
		values[i] = printable(o)
	}
	out := tl.NewOutput(l.setup.Output)
	if l.setup.Output == nil {
		out = nil
	}
	l.printed.Lock()
	defer l.printed.Unlock()
	tl.NewProgram(l.Extent.ID(program), l.Extent.Num, out).Print(v.Text, values...)
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
func (l *Launch) error(f *ir.Failure) error {
	if err := l.setup.interpretOne(l.Extent, l.Args, f.Program); err != nil {
		return err
	}
	id := l.Extent.ID(f.Program)
	return fmt.Errorf("%s: program %s: %s failed (lane %d, offset %d)",
		f.Value.Pos, grid.Tuple(id[:l.Extent.Axes]), ir.OpName(f.Value.Op), f.Lane, f.Offset)
}

// interpretOne runs one instance interpreted and gives its failure.
func (s *Setup) interpretOne(e grid.Extent, args []any, program int) error {
	r := &Interpretation{setup: s, extent: e, given: args, out: tl.NewOutput(io.Discard)}
	r.args = s.values(args, &r.cancelled)
	r.program(program, slices.Clone(r.args))
	if r.failure != nil {
		return r.failure
	}
	return nil
}
