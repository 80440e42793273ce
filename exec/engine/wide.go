//go:build !tiler_page

package engine

import (
	"sync"

	"github.com/tiler-go/tiler/exec/amd64"
	"github.com/tiler-go/tiler/exec/grid"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/widen"
)

// wideCode is a kernel of which several programs are done as one, and the same kernel for programs that are left over.
type wideCode struct {
	amd64Code
	wide *widen.Wide
	code func() (*amd64.Code, error) // made for the first launch that it is for
}

// widened is code that does several programs as one, where that is faster.
func widened(f *ir.Func, narrow amd64Code, o amd64.Options) Code {
	w := widen.Of(f)
	if w == nil {
		return narrow
	}
	return wideCode{narrow, w, sync.OnceValues(func() (*amd64.Code, error) { return amd64.Compile(w.Func, o) })}
}

func (c wideCode) Begin(l *Launch, workers int, single bool) Job {
	if single || !c.wide.Takes(l.Args, l.Grid, workers) {
		return c.amd64Code.Begin(l, workers, single)
	}
	code, err := c.code()
	if err != nil {
		return c.amd64Code.Begin(l, workers, single)
	}
	x, _ := l.kept.(*wideJob)
	if x == nil {
		x = &wideJob{}
		x.worker = x.newWorker
		l.kept = x
	}
	x.begin(c, code, l, workers)
	return Job{x.groups + x.rest.len(), x.worker}
}

// A wideJob is a launch whose first tasks are programs as lanes of wide ones, and the others those that are left over.
type wideJob struct {
	wide, narrow amd64Job
	axis, lanes  int
	groups       int    // how many tasks are wide programs
	rest         corner // the other programs
	workers      int
	worker       func() Worker // newWorker
	only         wideWorker    // of a launch on one goroutine

	failing sync.Mutex
	failed  bool // and how is known
	failure *ir.Failure
}

func (x *wideJob) begin(c wideCode, code *amd64.Code, l *Launch, workers int) {
	x.axis, x.lanes, x.workers = c.wide.Axis, c.wide.Lanes, workers
	x.failed, x.failure = false, nil
	x.narrow.begin(c.amd64Code, l, workers, false)
	groups := l.Grid
	groups[x.axis] /= x.lanes
	x.rest = corner{all: grid.Extent{Num: l.Grid}, axis: x.axis, from: groups[x.axis] * x.lanes}
	told := *l
	told.Grid = groups
	x.wide.begin(amd64Code{code, nil}, &told, workers, false)
	x.wide.launch.Exact = x.exact
	x.groups = x.wide.Tasks()
}

// exact does the programs of a wide one that gives up one by one: what does not hold for all may hold for each.
func (x *wideJob) exact(program int) (f *ir.Failure) {
	id := grid.Extent{Num: x.wide.launch.Grid}.ID(program)
	id[x.axis] *= x.lanes
	w := x.narrow.Worker()
	for range x.lanes {
		p := x.rest.all.Number(id[:])
		if f = w.Run(p, p+1); f != nil {
			break
		}
		id[x.axis]++
	}
	w.Release() // not after a panic
	return f
}

// again is how the launch fails: programs of lower numbers than those of a task that fails may be done by later ones.
// No program reads what others write, so that all can be done once more, for the first task that fails.
func (x *wideJob) again() *ir.Failure {
	x.failing.Lock()
	defer x.failing.Unlock()
	if !x.failed {
		w := x.narrow.Worker()
		x.failed, x.failure = true, w.Run(0, x.narrow.Tasks())
		w.Release() // not after a panic
	}
	return x.failure
}

// A wideWorker does tasks of a wideJob.
type wideWorker struct {
	job          *wideJob
	wide, narrow *amd64.JobWorker
}

func (x *wideJob) newWorker() Worker {
	w := &x.only
	if x.workers > 1 {
		w = &wideWorker{}
	}
	*w = wideWorker{job: x}
	return w
}

func (w *wideWorker) Run(lo, hi int) *ir.Failure {
	if f := w.run(lo, hi); f != nil {
		return w.job.again()
	}
	return nil
}

func (w *wideWorker) run(lo, hi int) *ir.Failure {
	x := w.job
	if lo < x.groups {
		if w.wide == nil {
			w.wide = x.wide.Worker()
		}
		if f := w.wide.Run(lo, min(hi, x.groups)); f != nil {
			return f
		}
	}
	if hi <= x.groups {
		return nil
	}
	if w.narrow == nil {
		w.narrow = x.narrow.Worker()
	}
	return x.rest.each(max(lo-x.groups, 0), hi-x.groups, w.narrow.Run)
}

func (w *wideWorker) Release() {
	for _, x := range []*amd64.JobWorker{w.wide, w.narrow} {
		if x != nil {
			x.Release()
		}
	}
}

// A corner is the programs of a grid from a place along an axis on.
type corner struct {
	all        grid.Extent
	axis, from int
}

// own is the corner as a grid of its own.
func (c corner) own() grid.Extent {
	c.all.Num[c.axis] -= c.from
	return c.all
}

func (c corner) len() int {
	n := c.own().Num
	return n[0] * n[1] * n[2]
}

// each does its programs lo to hi-1, those together that follow each other in the grid.
func (c corner) each(lo, hi int, do func(lo, hi int) *ir.Failure) *ir.Failure {
	for lo < hi {
		first := c.program(lo)
		n := 1
		for lo+n < hi && c.program(lo+n) == first+n {
			n++
		}
		if f := do(first, first+n); f != nil {
			return f
		}
		lo += n
	}
	return nil
}

// program is the number in the grid of the corner's i-th program.
func (c corner) program(i int) int {
	id := c.own().ID(i)
	id[c.axis] += c.from
	return c.all.Number(id[:])
}
