package amd64

import (
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/gemm"
	"github.com/tiler-go/tiler/exec/ir"
)

// A Job is a launch as parts that workers carry out in any order: program instances,
// or blocks of one large matrix product.
type Job struct {
	l       *Launch
	tasks   int
	product *gemm.Run // run, or nil
	run     gemm.Run
	single  *routine // of instances; nil if they are left to the portable engine
}

// Job prepares a launch for as many workers.
func (c *Code) Job(l *Launch, workers int) *Job {
	j := &Job{}
	j.Begin(c, l, workers)
	return j
}

// Begin makes j the job of another launch.
func (j *Job) Begin(c *Code, l *Launch, workers int) {
	j.l, j.product, j.single = l, nil, nil
	if c.product != nil && !l.Single && j.run.Begin(c.product, l.Args, l.Grid, l.Stop, max(1, workers)) {
		j.product, j.tasks = &j.run, j.run.Tasks()
		return
	}
	j.tasks, j.single = l.Grid[0]*l.Grid[1]*l.Grid[2], c.single.Get()
}

// Tasks is the number of parts; Whole reports whether they are those of one product.
func (j *Job) Tasks() int  { return j.tasks }
func (j *Job) Whole() bool { return j.product != nil }

// A JobWorker carries out parts of a job on one goroutine.
type JobWorker struct {
	j       *Job
	w       *Worker
	product *multiplier
}

// A multiplier is a worker of a product.
type multiplier struct {
	gemm.Worker
	job  JobWorker // the worker as a part of a job
	slot int       // among those that wait
}

// multipliers are those that wait for use, by whatever product.
var multipliers frame.Spares[multiplier]

// Worker makes a worker.
func (j *Job) Worker() *JobWorker {
	switch {
	case j.product != nil:
		w, slot := multipliers.Take()
		if w == nil {
			w = &multiplier{}
		}
		w.slot = slot
		w.Begin(j.product)
		w.job = JobWorker{j: j, product: w}
		return &w.job
	case j.single == nil:
		return &JobWorker{j: j}
	}
	w := j.single.worker()
	w.Begin(j.l)
	w.job = JobWorker{j: j, w: w}
	return &w.job
}

// Run carries out parts lo to hi-1 and gives the first failure.
func (w *JobWorker) Run(lo, hi int) *ir.Failure {
	if w.w != nil {
		return w.w.Run(lo, hi)
	}
	if w.product != nil {
		w.product.Tasks(lo, hi)
		return nil
	}
	for i := lo; i < hi; i++ {
		if f := w.j.l.Exact(i); f != nil {
			return f
		}
	}
	return nil
}

// Release gives the worker's memory back for other launches.
func (w *JobWorker) Release() {
	switch {
	case w.w != nil:
		w.w.Release()
	case w.product != nil:
		p := w.product
		p.End()
		p.job = JobWorker{}
		multipliers.Give(p, p.slot)
	}
}
