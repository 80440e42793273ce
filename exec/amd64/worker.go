package amd64

import (
	"runtime"

	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/instance"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Launch is what the instances of one launch share.
type Launch = instance.Launch

// A Worker runs instances on one goroutine at a time.
type Worker struct {
	instance.Instance
	code  *routine
	once  Launch                  // of one instance
	job   JobWorker               // the worker as a part of a job
	slot  int                     // among those that wait
	alone bool                    // nobody else exchanges elements
	exact func(i int) *ir.Failure // runs an instance of a part that its code has given up
}

// NewWorker makes a worker for instances one by one.
func (c *Code) NewWorker() *Worker { return c.single.Get().newWorker() }

// newWorker makes a worker; its frame is all the memory that running takes.
func (r *routine) newWorker() *Worker {
	w := &Worker{Instance: instance.Instance{Frame: frame.New(r.FrameSize)}, code: r}
	w.exact = w.outside
	for _, d := range r.data {
		copy(w.Bytes(d.Off, len(d.Bytes)), d.Bytes)
	}
	return w
}

// worker is a worker that waits for use, or a new one; release makes it wait.
func (r *routine) worker() *Worker {
	w, slot := r.workers.Take()
	if w == nil {
		w = r.newWorker()
	}
	w.slot = slot
	return w
}

// Release makes the worker wait for use.
func (w *Worker) Release() {
	w.Launch, w.once = nil, Launch{}
	w.code.workers.Give(w, w.slot)
}

// callBudget bounds a call of code, in nanoseconds.
const callBudget = 100_000

// Run runs instances lo to hi-1 in order and gives the first failure. Between calls of
// the code, which are short, the launch may be stopped.
func (w *Worker) Run(lo, hi int) *ir.Failure {
	w.Set(scalar.OffEnd, int64(hi))
	w.GoTo(lo)
	w.Set(lir.BudgetWord, callBudget)
	if w.code.exchanges {
		dtype.BeginExchange()
		defer w.endExchanges()
	}
	entry := 0
	for {
		w.call(entry)
		runtime.KeepAlive(w) // who holds a worker holds its code
		switch exit := w.Word(lir.ExitWord); exit {
		case scalar.ExitDone:
			return nil
		case scalar.ExitFail:
			return w.Failure(w.code.values[w.Word(scalar.OffValue)], 0, 0)
		case scalar.ExitBail:
			if f := w.Launch.Exact(w.Current()); f != nil {
				return f
			}
			w.GoTo(w.Current() + 1)
			entry = 0
		case lir.ExitYield:
			if w.Launch.Stop != nil && w.Launch.Stop.Load() {
				return nil
			}
			w.Set(lir.BudgetWord, callBudget)
			entry = w.code.Entries[w.Word(lir.ResumeWord)]
		default:
			if f := w.code.helpers[exit-scalar.HelperBase](&w.Instance); f != nil {
				return f
			}
			entry = w.code.Entries[w.Word(lir.ResumeWord)]
		}
	}
}

// call enters the code. If it exchanges elements, it does so without locks while nobody else does: until
// the call ends, or longer where the code is in the midst of it.
func (w *Worker) call(entry int) {
	if !w.code.exchanges {
		w.CallAt(w.code.Entry, entry)
		return
	}
	if !w.alone {
		w.alone = dtype.BeginAlone()
		w.Set(scalar.OffAlone, 0)
		if w.alone {
			w.Set(scalar.OffAlone, 1)
		}
	}
	w.CallAt(w.code.Entry, entry)
	if w.alone && w.Word(scalar.OffAlone) != staying {
		w.endAlone()
	}
}

func (w *Worker) endAlone() {
	w.alone = false
	dtype.EndAlone()
}

// endExchanges follows the last call, whether that has returned or not.
func (w *Worker) endExchanges() {
	if w.alone {
		w.endAlone()
	}
	dtype.EndExchange()
}
