package host

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tiler-go/tiler/repl/cell/builtin"
	"github.com/tiler-go/tiler/repl/cell/sugar"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A Failure is a cell that panicked.
type Failure struct {
	Value any              // what it panicked with
	Text  string           // as Go prints it
	Pos   diag.Pos         // the line that was running, if it is known
	Diag  *diag.Diagnostic // of an operation on tiles: what is wrong, and what to do
	Go    bool             // in a goroutine of the program
}

// Error is the failure with its place.
func (f *Failure) Error() string {
	if f.Diag != nil {
		return f.Diag.Error()
	}
	s := f.Text
	if f.Go {
		s += " (in a goroutine)"
	}
	if f.Pos.IsValid() {
		s = f.Pos.String() + ": " + s
	}
	return s
}

// Diagnostic is the failure as a message.
func (f *Failure) Diagnostic() *diag.Diagnostic {
	if f.Diag != nil {
		return f.Diag
	}
	d := diag.At(f.Pos, "%s", f.Text)
	if f.Go {
		d.Note("in a goroutine")
	}
	return d
}

// Unwrap is the error that the cell panicked with, if it was one.
func (f *Failure) Unwrap() error {
	err, _ := f.Value.(error)
	return err
}

// A run is one cell being run.
type run struct {
	id      uint64        // the interpreter's number when it began
	stop    func()        // stops the interpreter
	stopped chan struct{} // closed when it is told to stop
	ended   chan struct{} // closed when the cell has ended
	live    atomic.Int64  // goroutines that it started and that have not ended, and itself
	line    int           // the mark of the line that it is at

	mu      sync.Mutex
	why     error
	failure *Failure
}

// halt tells the run to stop; the first reason counts.
func (r *run) halt(why error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.why != nil {
		return
	}
	r.why = why
	close(r.stopped)
	r.stop()
}

// pause stops the interpreter until resume is called. What else the run has started
// would end with it unseen: then the run ends, and why is the reason.
func (r *run) pause(e *engine, why error) (resume func()) {
	if r.live.Load() > 1 {
		r.halt(why)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.why == nil {
		e.stop()
	}
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.why == nil {
			e.restore(r)
		}
	}
}

func (r *run) cause() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.why
}

func (r *run) fail(f *Failure) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failure == nil {
		r.failure = f
	}
}

func (r *run) mainDone() {
	r.live.Add(-1)
	close(r.ended)
}

// wait waits until everything that was started has ended, after halt; it reports false if that
// takes too long. What the interpreter begins only now missed the stop: it is told again.
func (r *run) wait(limit time.Duration) bool {
	for end := time.Now().Add(limit); r.live.Load() > 0; {
		if time.Now().After(end) {
			return false
		}
		time.Sleep(time.Millisecond)
		r.stop()
	}
	return true
}

func (h *Host) begin(stop func()) *run {
	r := &run{id: h.engine.current(), stop: stop, stopped: make(chan struct{}), ended: make(chan struct{})}
	r.live.Add(1)
	h.now.Store(r)
	h.watch(r)
	return r
}

// end is what became of a run.
func (h *Host) end(r *run) error {
	h.streams.flush()
	if why := r.cause(); why != nil {
		return why
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failure != nil {
		return r.failure
	}
	return nil
}

// abandoned says that something goes on although it was told to stop.
func (h *Host) abandoned() {
	h.env.Note("what was running cannot be stopped: it continues in the background until it returns. Function literals made so far no longer work; define them again")
}

// Run runs a cell's statements. A panic ends them.
func (h *Host) Run(body func(line *int)) {
	r := h.now.Load()
	defer func() {
		if v := recover(); v != nil {
			r.fail(h.failure(v, r.line, false))
		}
	}()
	body(&r.line)
}

// Go starts a goroutine of the program.
func (h *Host) Go(body func(line *int)) {
	r := h.now.Load()
	r.live.Add(1)
	go func() {
		line := 0
		defer r.live.Add(-1)
		defer func() {
			if v := recover(); v != nil {
				h.goFailed(r, h.failure(v, line, true))
			}
		}()
		body(&line)
	}()
}

// goFailed reports a panic in a goroutine: it ends the cell that is running, or is
// printed if there is none.
func (h *Host) goFailed(r *run, f *Failure) {
	select {
	case <-r.ended:
		h.env.Note(f.Error())
	default:
		r.fail(f)
		r.halt(f)
	}
}

// failure is a panic as a failure.
func (h *Host) failure(v any, mark int, inGo bool) *Failure {
	v = builtin.PanicValue(v)
	f := &Failure{Value: v, Pos: h.env.Place(mark), Go: inGo}
	var fault *tl.Fault
	if err, ok := v.(error); ok && errors.As(err, &fault) {
		d := *fault.Diag
		d.Pos = f.Pos
		sugar.Spell(&d)
		f.Diag, f.Text = &d, d.Msg
		return f
	}
	f.Text = "panic: " + builtin.PanicText(v)
	return f
}

// errDeep ends a cell that recurses without end.
var errDeep = errors.New("calls nested over 100000 deep: a recursive function needs a case in which it does not call itself")

// Deep ends the cell because its calls nest too deep.
func (h *Host) Deep() {
	r := h.now.Load()
	r.halt(&Failure{Value: errDeep, Text: errDeep.Error(), Pos: h.env.Place(r.line)})
	runtime.Goexit()
}

// errEndless ends a cell with goroutines of which a kernel does not end.
var errEndless = errors.New("a kernel that is being checked does not end")

// stopKernel ends the programs of a kernel, which nothing else can end.
func (h *Host) stopKernel() (resume func()) { return h.now.Load().pause(h.engine, errEndless) }

// whileRunning is an error of a cell that runs on another goroutine. The line that it is
// at is looked up when it has ended: see placed.
func whileRunning(err error) error { return &Failure{Value: err, Text: err.Error()} }

// placed gives what ended a run its line. Nothing of the run writes lines any more.
func (h *Host) placed(r *run) {
	if f, ok := r.cause().(*Failure); ok && !f.Pos.IsValid() {
		f.Pos = h.env.Place(r.line)
	}
}

// Enter is called by functions that what they call could call again, unseen: the watch
// looks after the size of their stack. The result is a place for lines.
func (h *Host) Enter() *int { return new(int) }
