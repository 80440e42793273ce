package cell

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tiler-go/tiler/repl/cell/builtin"
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

func (h *host) begin(stop func()) *run {
	r := &run{id: h.s.engine.current(), stop: stop, stopped: make(chan struct{}), ended: make(chan struct{})}
	r.live.Add(1)
	h.now.Store(r)
	h.line = 0
	h.watch(r)
	return r
}

// end is what became of a run.
func (h *host) end(r *run) error {
	h.flush()
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
func (h *host) abandoned() {
	h.s.note("what was running cannot be stopped: it continues in the background until it returns. Function literals made so far no longer work; define them again")
}

// Run runs a cell's statements. A panic ends them.
func (h *host) Run(body func(line *int)) {
	r := h.now.Load()
	defer func() {
		if v := recover(); v != nil {
			r.fail(h.failure(v, h.line, false))
		}
	}()
	body(&h.line)
}

// Go starts a goroutine of the program.
func (h *host) Go(body func(line *int)) {
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
func (h *host) goFailed(r *run, f *Failure) {
	select {
	case <-r.ended:
		h.s.note("%s", f.Error())
	default:
		r.fail(f)
		r.halt(f)
	}
}

// failure is a panic as a failure.
func (h *host) failure(v any, mark int, inGo bool) *Failure {
	v = builtin.PanicValue(v)
	f := &Failure{Value: v, Pos: h.s.markPos(mark), Go: inGo}
	var fault *tl.Fault
	if err, ok := v.(error); ok && errors.As(err, &fault) {
		d := *fault.Diag
		d.Pos = f.Pos
		spell(&d)
		f.Diag, f.Text = &d, d.Msg
		return f
	}
	f.Text = "panic: " + builtin.PanicText(v)
	return f
}

// markPos is the place that a mark of lowered code stands for.
func (s *Session) markPos(mark int) (pos diag.Pos) {
	s.read(func() {
		if cell := mark>>lineBits - 1; cell >= 0 && cell < len(s.sources) {
			pos = diag.Pos{File: s.sources[cell].name, Line: mark & (1<<lineBits - 1)}
		}
	})
	return pos
}

// Deferred is the deferred calls of one call of a function.
type Deferred struct {
	h         *host
	line      *int
	entry     int
	calls     []func()
	panicking bool
	value     any
	outer     *Deferred
}

// NewDefers begins a function that defers.
func (h *host) NewDefers(line *int) *Deferred {
	return &Deferred{h: h, line: line, entry: *line}
}

// Push defers a call.
func (d *Deferred) Push(f func()) { d.calls = append(d.calls, f) }

// Run runs the function's body, and then what it deferred. Panics are as in Go: a
// deferred function may recover, and may panic itself.
func (d *Deferred) Run(body func()) {
	d.try(body)
	for len(d.calls) > 0 {
		f := d.calls[len(d.calls)-1]
		d.calls = d.calls[:len(d.calls)-1]
		d.h.enterDeferred(d)
		d.try(f)
		d.h.leaveDeferred(d)
	}
	if d.panicking {
		panic(d.value)
	}
	*d.line = d.entry
}

// try runs f; a panic is noted.
func (d *Deferred) try(f func()) {
	defer func() {
		if v := recover(); v != nil {
			d.panicking, d.value = true, v
		}
	}()
	f()
}

func (h *host) enterDeferred(d *Deferred) {
	h.mu.Lock()
	defer h.mu.Unlock()
	d.outer = h.deferring[d.line]
	h.deferring[d.line] = d
}

func (h *host) leaveDeferred(d *Deferred) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if d.outer == nil {
		delete(h.deferring, d.line)
	} else {
		h.deferring[d.line] = d.outer
	}
}

// Recover is the program's recover: the goroutine is known by where its lines go.
func (h *host) Recover(line *int) any {
	h.mu.Lock()
	d := h.deferring[line]
	h.mu.Unlock()
	if d == nil || !d.panicking {
		return nil
	}
	d.panicking = false
	return builtin.PanicValue(d.value)
}

// errDeep ends a cell that recurses without end.
var errDeep = errors.New("calls nested over 100000 deep: a recursive function needs a case in which it does not call itself")

// Deep ends the cell because its calls nest too deep.
func (h *host) Deep() {
	h.now.Load().halt(h.whileAt(errDeep))
	runtime.Goexit()
}

// errEndless ends a cell with goroutines of which a kernel does not end.
var errEndless = errors.New("a kernel that is being checked does not end")

// stopKernel ends the programs of a kernel, which nothing else can end.
func (h *host) stopKernel() (resume func()) { return h.now.Load().pause(h.s.engine, errEndless) }

// whileRunning is an error of a cell that runs on another goroutine. The line that it is
// at is looked up when it has ended: see placed.
func whileRunning(err error) error { return &Failure{Value: err, Text: err.Error()} }

// placed gives what ended a run its line. Nothing of the run writes lines any more.
func (h *host) placed(r *run) {
	if f, ok := r.cause().(*Failure); ok && !f.Pos.IsValid() {
		f.Pos = h.s.markPos(h.line)
	}
}

// whileAt is an error with the line that the cell is at.
func (h *host) whileAt(err error) error {
	return &Failure{Value: err, Text: err.Error(), Pos: h.s.markPos(h.line)}
}

// Enter is called by functions that what they call could call again, unseen: the watch
// looks after the size of their stack. The result is a place for lines.
func (h *host) Enter() *int { return new(int) }
