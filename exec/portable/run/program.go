package run

import (
	"sync/atomic"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/exec/portable/rows"
	"github.com/tiler-go/tiler/exec/portable/storage"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Program is a Func ready to run. It does not change: any number of workers may
// run it at the same time.
type Program struct {
	code   []Step
	regs   []uint64 // what registers hold at first: constants are in place
	params []param
	tiles  storage.Layout
	Needs
}

// Needs is what the hungriest steps of a program need of a worker.
type Needs struct {
	Lanes   lanes.Needs
	moved   int // registers moved at a time by the largest move
	Sorted  int // elements of the longest row that is sorted
	Streams int // that a reduction or scan combines at a time
}

// A Step does one thing. It returns false if that ends the instance with a failure,
// or because the launch was stopped.
type Step func(w *Worker) bool

// A param is where a parameter goes.
type param struct {
	reg  int // of a scalar; a pointer's holds 0, its offset
	elem dtype.DType
	ptr  bool
}

// Registers with a fixed meaning.
const (
	ZeroReg    = iota // always 0
	OneReg            // always 1
	ProgramReg        // the instance's id, three axes
	GridReg    = ProgramReg + 3
	firstReg   = GridReg + 3
)

// A Launch is what the instances of one launch have in common.
type Launch struct {
	Args []ir.Arg
	Grid [3]int // sizes; 1 for an axis that the grid does not have
	// Print takes what a program prints; nil discards it. It is called by several
	// workers at once.
	Print func(program int, v *ir.Value, operands []ir.Printed)
	// Stop, once true, ends instances between two rounds of a loop, and keeps others
	// from starting. It may be nil.
	Stop *atomic.Bool
}

// A Worker is the memory that running a program takes. It runs one instance at a
// time.
type Worker struct {
	p    *Program
	PC   int // the next step
	Regs []uint64
	Bufs []dtype.Buf

	room
	dot      dot.Adder
	exchange exchanged // what the running atomic does

	Launch   *Launch
	args     []ir.Arg
	Instance int // number of the running instance
	failure  ir.Failure
	stopped  bool
}

// room is what single steps need.
type room struct {
	lanes  lanes.Room
	moved  []uint64
	x, y   []dtype.Buf // streams of a reduction or scan
	Sorted rows.SortRoom
	single lanes.Single
}

// NewWorker makes a worker.
func (p *Program) NewWorker() *Worker {
	streams := func() []dtype.Buf { return make([]dtype.Buf, p.Streams) }
	return &Worker{p: p, Regs: append([]uint64(nil), p.regs...), Bufs: p.tiles.Alloc(), room: room{
		lanes: lanes.NewRoom(&p.Lanes), moved: make([]uint64, p.moved), x: streams(), y: streams(),
		Sorted: rows.NewSortRoom(p.Sorted), single: lanes.NewSingle(),
	}}
}

// Run runs instances lo to hi-1, counted with the first axis of the grid running
// fastest, one after the other. It returns the first failure; those after it have
// not run. It returns nil also if the launch was stopped.
func (w *Worker) Run(l *Launch, lo, hi int) *ir.Failure {
	w.bind(l)
	defer w.release()
	for i := lo; i < hi && !w.Halted(); i++ {
		w.enter(i)
		if !w.instance() {
			if w.stopped {
				return nil
			}
			f := w.failure
			return &f
		}
	}
	return nil
}

func (w *Worker) bind(l *Launch) {
	w.Launch, w.stopped = l, false
	w.args = append(w.args[:0], l.Args...)
	for i, p := range w.p.params {
		if p.ptr {
			w.args[i].Mem = l.Args[i].Mem.As(p.elem)
		} else {
			w.Regs[p.reg] = l.Args[i].Bits
		}
	}
	for k, n := range l.Grid {
		w.Regs[GridReg+k] = uint64(n)
	}
}

// release forgets the caller's memory.
func (w *Worker) release() {
	w.Launch, w.failure = nil, ir.Failure{}
	clear(w.args)
	clear(w.lanes.Bound)
}

// enter makes i the running instance.
func (w *Worker) enter(i int) {
	w.Instance = i
	for k, n := range w.Launch.Grid {
		w.Regs[ProgramReg+k] = uint64(i % n)
		i /= n
	}
}

func (w *Worker) instance() bool {
	code := w.p.code
	for w.PC = 0; w.PC < len(code); {
		s := code[w.PC]
		w.PC++
		if !s(w) {
			return false
		}
	}
	return true
}

// Halted reports whether the launch has been stopped.
func (w *Worker) Halted() bool {
	if s := w.Launch.Stop; s != nil && s.Load() {
		w.stopped = true
	}
	return w.stopped
}

// Fail ends the instance: v failed at a lane.
func (w *Worker) Fail(v *ir.Value, lane int, offset int64) bool {
	w.failure = ir.Failure{Program: w.Instance, Value: v, Lane: lane, Offset: offset}
	return false
}
