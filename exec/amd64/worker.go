package amd64

import (
	"encoding/binary"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/codemem"
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
	code   *Code
	frame  dtype.Buf // bytes
	launch *Launch
	job    JobWorker // the worker as a part of a job
}

// NewWorker makes a worker; its frame is all the memory that running takes.
func (c *Code) NewWorker() *Worker {
	w := &Worker{code: c, frame: dtype.NewBuf(dtype.Uint8, c.frame)}
	for _, d := range c.data {
		copy(w.frame.Bytes()[d.off:], d.bytes)
	}
	return w
}

// callBudget bounds a call of code, in units of about a nanosecond: what it costs the
// garbage collector to wait.
const callBudget = 100_000

// streamBytes is the size from which on results are not expected to be found in a
// cache when they are next read: a core's part of the last-level cache is less.
const streamBytes = 32 << 20

func (w *Worker) word(off int) int64 {
	return int64(binary.LittleEndian.Uint64(w.frame.Bytes()[off:]))
}

func (w *Worker) setWord(off int, v int64) {
	binary.LittleEndian.PutUint64(w.frame.Bytes()[off:], uint64(v))
}

// Begin sets the worker up for a launch.
func (w *Worker) Begin(l *Launch) {
	w.launch = l
	for i, a := range l.Args {
		off := argOffset(i)
		if !w.code.f.Params[i].Type.D.IsPointer() {
			w.setWord(off, int64(a.Bits))
			continue
		}
		w.setWord(off, int64(uintptr(a.Mem.Pointer())))
		w.setWord(off+argSpan, int64(a.Mem.Len()))
		gaps := int64(0)
		if a.Owns != nil {
			gaps = 1
		}
		w.setWord(off+argGaps, gaps)
		w.setWord(off+argStream, int64(btoi(a.Mem.Len()*a.Mem.DType().Size() >= streamBytes)))
	}
	for axis, n := range l.Grid {
		w.setWord(offNum+8*axis, int64(n))
	}
}

// Run runs instances lo to hi-1 in order and gives the first failure. Between calls of
// the code, which are short, the launch may be stopped.
func (w *Worker) Run(lo, hi int) *ir.Failure {
	g := w.launch.Grid
	w.setWord(offNext, int64(lo))
	w.setWord(offEnd, int64(hi))
	w.setID(lo, g)
	w.setWord(offBudget, callBudget)
	entry := 0
	for {
		w.call(entry)
		switch exit := w.word(offExit); exit {
		case exitDone:
			return nil
		case exitFail:
			return w.failure(w.code.values[w.word(offValue)], 0, 0)
		case exitBail:
			if f := w.launch.Exact(w.current()); f != nil {
				return f
			}
			w.setWord(offNext, w.word(offNext)+1)
			w.setID(int(w.word(offNext)), g)
			entry = 0
		case exitYield:
			if w.launch.Stop != nil && w.launch.Stop.Load() {
				return nil
			}
			w.setWord(offBudget, callBudget)
			entry = w.code.entries[w.word(offResume)]
		default:
			if f := w.code.helpers[exit-helperBase](w); f != nil {
				return f
			}
			entry = w.code.entries[w.word(offResume)]
		}
	}
}

// setID sets the program ids of an instance.
func (w *Worker) setID(i int, grid [3]int) {
	w.setWord(offID, int64(i%grid[0]))
	w.setWord(offID+8, int64(i/grid[0]%grid[1]))
	w.setWord(offID+16, int64(i/grid[0]/grid[1]))
}

// call enters the code. The frame's memory does not move, and outlives the call.
func (w *Worker) call(entry int) {
	w.code.entry.CallAt(entry, w.frame.Pointer())
}

// current is the instance being run.
func (w *Worker) current() int { return int(w.word(offNext)) }

func (w *Worker) failure(v *ir.Value, lane int, offset int64) *ir.Failure {
	return &ir.Failure{Program: w.current(), Value: v, Lane: lane, Offset: offset}
}

// region is n elements of type d in the frame.
func (w *Worker) region(d dtype.DType, off, n int) dtype.Buf {
	return dtype.RawBuf(d, unsafe.Add(w.frame.Pointer(), off), n)
}

// elements is a tile of type d in the frame, in the elements' own bit patterns.
func (w *Worker) elements(d dtype.DType, off, n int) dtype.Buf {
	cells := w.region(cellType(d), off, n)
	if cellType(d) == d {
		z := dtype.NewBuf(d, n)
		copy(z.Bytes(), cells.Bytes())
		return z
	}
	z := dtype.NewBuf(d, n)
	for i := range n {
		z.SetBits(i, unlane(d, cells.Bits(i)))
	}
	return z
}

// setElements is the opposite.
func (w *Worker) setElements(off int, x dtype.Buf) {
	d := x.DType()
	cells := w.region(cellType(d), off, x.Len())
	for i := range x.Len() {
		cells.SetBits(i, laneBits(d, x.Bits(i)))
	}
}

// Code is a Func as machine code.
type Code struct {
	f       *ir.Func
	mem     *codemem.Code
	entry   codemem.Entry
	entries []int // where helper exits come back
	helpers []helperFunc
	values  map[int64]*ir.Value // by ID
	frame   int                 // bytes
	data    []frameData
	listing *asm.Assembler
	product *Product // the launch as one matrix product, nil if the Func is not one
	workers sync.Pool
}

// frameData is constants that code expects in the frame.
type frameData struct {
	off   int
	bytes []byte
}

// Options say how to compile.
type Options struct {
	AVX512  bool // else AVX2
	Ordered bool // arguments may overlap: no load is moved past a store
	Listing bool // keep what WriteListing needs
	// Unchecked leaves out that the accesses of an instance are checked, to measure what
	// that costs. Code for anything else is never compiled so.
	Unchecked bool
	// Runner makes small Funcs runnable in Go: the portable engine.
	Runner func(f *ir.Func) (Runner, error)

	single bool // run instances one by one only
}

// Compile translates a verified Func. What the engine cannot translate is an error.
func Compile(f *ir.Func, o Options) (c *Code, err error) {
	defer func() {
		if v := recover(); v != nil {
			u, ok := v.(errUnsupported)
			if !ok {
				panic(v)
			}
			c, err = nil, u
		}
	}()
	g := newGen(f, o.AVX512, o.Ordered)
	g.runner, g.unchecked = o.Runner, o.Unchecked
	g.function()
	c, err = g.assemble(o)
	if err == nil && !o.single && !o.Ordered {
		c.product = newGen(f, o.AVX512, false).compileProduct(o)
	}
	return c, err
}

// assemble makes executable memory of the unit.
func (g *gen) assemble(o Options) (*Code, error) {
	bytes, entries, size, listing, err := g.unit.finish((g.frame+frameAlign-1)&^(frameAlign-1), o.Listing)
	if err != nil {
		return nil, err
	}
	mem, err := codemem.Write(bytes)
	if err != nil {
		return nil, err
	}
	if err := mem.Seal(); err != nil {
		return nil, err
	}
	entry, err := mem.Acquire()
	if err != nil {
		return nil, err
	}
	c := &Code{f: g.f, mem: mem, entry: entry, entries: entries, helpers: g.helpers, frame: size + frameAlign, values: map[int64]*ir.Value{}, data: g.data}
	g.f.Values(func(v *ir.Value) { c.values[int64(v.ID)] = v })
	if o.Listing {
		c.listing = listing
	}
	return c, nil
}

// Free gives the code's memory back; no worker may run any more.
func (c *Code) Free() {
	c.entry.Release()
	c.mem.Free()
}
