package value

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Run is one over a kernel: it starts again where more must be known.
type Run struct {
	Emitter
	Spec   *Spec
	Args   []Arg
	Unroll map[ast.Stmt]ReasonToUnroll
}

// An Emitter appends values to the kernel's Func: it computes with values and variables, and
// evaluates no syntax.
type Emitter struct {
	source
	place
	record
	Func *ir.Func
	size int // values made, to bound inlining and unrolling
}

// place is where the run is: the block that values go to and their position, the function's
// variables, and the combining function around it.
type place struct {
	Block *ir.Block
	Pos   diag.Pos
	Frame *Frame
	Lane  *Lane
}

// record is what the run keeps of variables and values.
type record struct {
	Journal []write
	Seq     int // of the newest variable
	memo    map[memoKey]*ir.Value
	MemoLog []memoKey
	Headers map[*ir.Value]ast.Stmt // block arguments of loops, and results of closed ones
	Nonneg  map[*ir.Value]bool
}

// memoKey names a scalar that need not be computed twice in a block: a constant, or
// a checked conversion.
type memoKey struct {
	op   op.Op
	d    dtype.DType
	bits uint64
	of   *ir.Value
}

// TooLarge is panicked with when a kernel grows without bound.
type TooLarge struct{}

// NewRun is a run that begins.
func NewRun(f *gofile.File, k *gofile.Kernel, s *Spec, args []Arg, unroll map[ast.Stmt]ReasonToUnroll) Run {
	return Run{Spec: s, Args: args, Unroll: unroll, Emitter: Emitter{
		source: source{
			File: f, Kernel: k,
			assignedIn: map[ast.Node][]types.Object{}, owns: map[ownership]bool{}, checked: map[ast.Node]bool{},
			Globals: map[types.Object]Value{},
		},
		record: record{memo: map[memoKey]*ir.Value{}, Headers: map[*ir.Value]ast.Stmt{}, Nonneg: map[*ir.Value]bool{}},
		Func:   &ir.Func{Name: k.Name, File: f.Position(k.Node.Pos()).File, Body: &ir.Block{}},
	}}
}

// At makes p the position of the values that are emitted next. Inlined, it would be code at each place that emits.
//
//go:noinline
func (l *Emitter) At(p token.Pos) { l.Pos = l.File.Position(p) }

// maxValues bounds a kernel: more are a loop unrolled or a function inlined beyond
// all reason.
const maxValues = 100_000

// Emit appends a value to the current block; in a combining function, to the block
// around it if it does not depend on the lanes.
func (l *Emitter) Emit(o op.Op, t ir.Type, args ...*ir.Value) *ir.Value {
	if l.size++; l.size > maxValues {
		l.errorAt(l.Pos, "kernel %s grows beyond %d operations", l.Kernel.Name, maxValues).
			Note("functions are inlined, and loops whose index decides a shape are unrolled").Fix("use fewer or smaller such loops")
		panic(TooLarge{})
	}
	v := l.Func.NewValue(o, t, l.Pos, args...)
	b := l.Block
	if l.Lane != nil && !l.Lane.mark(v) {
		b = l.Lane.Outer
	}
	b.Values = append(b.Values, v)
	return v
}

// Constant is a scalar constant.
func (l *Emitter) Constant(d dtype.DType, bits uint64) *ir.Value {
	return l.Once(op.Const, d, bits, nil, func() *ir.Value {
		v := l.Emit(op.Const, ir.Scalar(d))
		v.Bits = bits
		return v
	})
}

// Int64 is an int64 constant.
func (l *Emitter) Int64(n int64) *ir.Value { return l.Constant(dtype.Int64, uint64(n)) }

// Once is make's value, made the first time only in this block and those within: an op, or a
// constant of some bits.
func (r *record) Once(o op.Op, d dtype.DType, bits uint64, of *ir.Value, make func() *ir.Value) *ir.Value {
	k := memoKey{o, d, bits, of}
	if v := r.memo[k]; v != nil {
		return v
	}
	v := make()
	r.memo[k] = v
	r.MemoLog = append(r.MemoLog, k)
	return v
}

// Forget drops what was made since the memo was mark long: its block is closed.
func (r *record) Forget(mark int) {
	for _, k := range r.MemoLog[mark:] {
		delete(r.memo, k)
	}
	r.MemoLog = r.MemoLog[:mark]
}

// Lane is a combining function being lowered: its block computes with the elements
// that are its arguments, and what does not depend on them goes to the block around.
type Lane struct {
	Outer *ir.Block
	On    map[*ir.Value]bool // values that depend on the elements
	Seq   int                // variables up to here are outside
}

// mark reports whether v depends on the elements, and remembers it.
func (x *Lane) mark(v *ir.Value) bool {
	for _, a := range v.Args {
		if x.On[a] {
			x.On[v] = true
			return true
		}
	}
	return v.IsTerm()
}

// snapshot is what a retry restores.
type snapshot struct {
	Emitter // a copy: the cursor fields are used
	values  int
	outer   int // values of the block around a combining function
}

// Snapshot is what Restore goes back to.
func (l *Emitter) Snapshot() snapshot {
	s := snapshot{Emitter: *l, values: len(l.Block.Values)}
	if l.Lane != nil {
		s.outer = len(l.Lane.Outer.Values)
	}
	return s
}

// Restore takes back what has been done since.
func (l *Emitter) Restore(s snapshot) {
	l.Undo(len(s.Journal))
	l.Forget(len(s.MemoLog))
	l.Block, l.Pos, l.Frame, l.Lane = s.Block, s.Pos, s.Frame, s.Lane
	l.Diags = l.Diags[:len(s.Diags)]
	l.Block.Values = l.Block.Values[:s.values]
	if l.Lane != nil {
		l.Lane.Outer.Values = l.Lane.Outer.Values[:s.outer]
	}
}
