package portable

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
	code    []step
	regs    []uint64 // what registers hold at first: constants are in place
	params  []param
	tiles   storage.Layout
	lanes   lanes.Needs
	moved   int // registers moved at a time by the largest move
	sorted  int // elements of the longest row that is sorted
	streams int // that a reduction or scan combines at a time
}

// A step does one thing. It returns false if that ends the instance with a failure,
// or because the launch was stopped.
type step func(w *Worker) bool

// A param is where a parameter goes.
type param struct {
	reg  int // of a scalar; a pointer's holds 0, its offset
	elem dtype.DType
	ptr  bool
}

// Registers with a fixed meaning.
const (
	zeroReg    = iota // always 0
	oneReg            // always 1
	programReg        // the instance's id, three axes
	gridReg    = programReg + 3
	firstReg   = gridReg + 3
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
	pc   int // the next step
	regs []uint64
	bufs []dtype.Buf

	room
	dot      dot.Adder
	exchange exchanged // what the running atomic does

	launch  *Launch
	args    []ir.Arg
	program int // number of the running instance
	failure ir.Failure
	stopped bool
}

// room is what single steps need.
type room struct {
	lanes  lanes.Room
	moved  []uint64
	x, y   []dtype.Buf // streams of a reduction or scan
	sorted rows.SortRoom
	single lanes.Single
}

// NewWorker makes a worker.
func (p *Program) NewWorker() *Worker {
	streams := func() []dtype.Buf { return make([]dtype.Buf, p.streams) }
	return &Worker{p: p, regs: append([]uint64(nil), p.regs...), bufs: p.tiles.Alloc(), room: room{
		lanes: lanes.NewRoom(&p.lanes), moved: make([]uint64, p.moved), x: streams(), y: streams(),
		sorted: rows.NewSortRoom(p.sorted), single: lanes.NewSingle(),
	}}
}

// Run runs instances lo to hi-1, counted with the first axis of the grid running
// fastest, one after the other. It returns the first failure; those after it have
// not run. It returns nil also if the launch was stopped.
func (w *Worker) Run(l *Launch, lo, hi int) *ir.Failure {
	w.bind(l)
	defer w.release()
	for i := lo; i < hi && !w.halted(); i++ {
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
	w.launch, w.stopped = l, false
	w.args = append(w.args[:0], l.Args...)
	for i, p := range w.p.params {
		if p.ptr {
			w.args[i].Mem = l.Args[i].Mem.As(p.elem)
		} else {
			w.regs[p.reg] = l.Args[i].Bits
		}
	}
	for k, n := range l.Grid {
		w.regs[gridReg+k] = uint64(n)
	}
}

// release forgets the caller's memory.
func (w *Worker) release() {
	w.launch, w.failure = nil, ir.Failure{}
	clear(w.args)
	clear(w.lanes.Bound)
}

// enter makes i the running instance.
func (w *Worker) enter(i int) {
	w.program = i
	for k, n := range w.launch.Grid {
		w.regs[programReg+k] = uint64(i % n)
		i /= n
	}
}

func (w *Worker) instance() bool {
	code := w.p.code
	for w.pc = 0; w.pc < len(code); {
		s := code[w.pc]
		w.pc++
		if !s(w) {
			return false
		}
	}
	return true
}

// halted reports whether the launch has been stopped.
func (w *Worker) halted() bool {
	if s := w.launch.Stop; s != nil && s.Load() {
		w.stopped = true
	}
	return w.stopped
}

// fail ends the instance: v failed at a lane.
func (w *Worker) fail(v *ir.Value, lane int, offset int64) bool {
	w.failure = ir.Failure{Program: w.program, Value: v, Lane: lane, Offset: offset}
	return false
}
