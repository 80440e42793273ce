package amd64

import (
	"runtime"
	"sync/atomic"

	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Launch is what the instances of one launch share.
type Launch struct {
	Args  []ir.Arg
	Grid  [3]int
	Print func(program int, v *ir.Value, operands []ir.Printed)
	Stop  *atomic.Bool // set to end the launch early
	// Single makes every instance a part of its own, done by the code of one instance
	// even if the launch is one matrix product: for comparing instance by instance.
	Single bool
	// Exact runs one instance in the portable engine: what code gives up on before it
	// has done anything.
	Exact func(program int) *ir.Failure
}

// A Worker runs instances on one goroutine at a time. It owns the frame.
type Worker struct {
	frame.Frame
	code   *routine
	launch *Launch
	once   Launch    // of one instance
	job    JobWorker // the worker as a part of a job
	slot   int       // among those that wait
	alone  bool      // nobody else exchanges elements
}

// NewWorker makes a worker for instances one by one.
func (c *Code) NewWorker() *Worker { return c.single.Get().newWorker() }

// newWorker makes a worker; its frame is all the memory that running takes.
func (r *routine) newWorker() *Worker {
	w := &Worker{Frame: frame.New(r.FrameSize), code: r}
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
	w.launch, w.once = nil, Launch{}
	w.code.workers.Give(w, w.slot)
}

// callBudget bounds a call of code, in nanoseconds.
const callBudget = 100_000

// Begin sets the worker up for a launch.
func (w *Worker) Begin(l *Launch) {
	w.launch = l
	for i := range l.Args {
		a, at := &l.Args[i], scalar.ArgOffset(i)
		if a.Mem.DType() == dtype.Invalid {
			w.Set(at, int64(a.Bits))
			continue
		}
		w.Set(at, int64(uintptr(a.Mem.Pointer())))
		w.Set(at+scalar.ArgSpan, int64(a.Mem.Len()))
		w.Set(at+scalar.ArgGaps, frame.Address(scalar.ArgRuns(a)))
		w.Set(at+scalar.ArgStream, scalar.SizeFlags(a.Mem.Len()*a.Mem.DType().Size()))
	}
	for axis, n := range l.Grid {
		w.Set(scalar.OffNum+8*axis, int64(n))
	}
}

// Run runs instances lo to hi-1 in order and gives the first failure. Between calls of
// the code, which are short, the launch may be stopped.
func (w *Worker) Run(lo, hi int) *ir.Failure {
	g := &w.launch.Grid
	w.Set(scalar.OffNext, int64(lo))
	w.Set(scalar.OffEnd, int64(hi))
	w.setID(lo, g)
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
			return w.failure(w.code.values[w.Word(scalar.OffValue)], 0, 0)
		case scalar.ExitBail:
			if f := w.launch.Exact(w.current()); f != nil {
				return f
			}
			w.Set(scalar.OffNext, w.Word(scalar.OffNext)+1)
			w.setID(int(w.Word(scalar.OffNext)), g)
			entry = 0
		case lir.ExitYield:
			if w.launch.Stop != nil && w.launch.Stop.Load() {
				return nil
			}
			w.Set(lir.BudgetWord, callBudget)
			entry = w.code.Entries[w.Word(lir.ResumeWord)]
		default:
			if f := w.code.helpers[exit-scalar.HelperBase](w); f != nil {
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

// setID sets the program ids of an instance.
func (w *Worker) setID(i int, grid *[3]int) {
	x, y, z := i, 0, 0
	if i >= grid[0] { // dividing takes as long as a small instance
		x, y, z = i%grid[0], i/grid[0]%grid[1], i/grid[0]/grid[1]
	}
	w.Set(scalar.OffID, int64(x))
	w.Set(scalar.OffID+8, int64(y))
	w.Set(scalar.OffID+16, int64(z))
}

// current is the instance being run.
func (w *Worker) current() int { return int(w.Word(scalar.OffNext)) }

func (w *Worker) failure(v *ir.Value, lane int, offset int64) *ir.Failure {
	return &ir.Failure{Program: w.current(), Value: v, Lane: lane, Offset: offset}
}
