package frontend

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

// A run is one over a kernel: it starts again where more must be known.
type run struct {
	emitter
	spec   *Spec
	args   []Arg
	unroll map[ast.Stmt]reasonToUnroll
}

// An emitter appends values to the kernel's Func: it computes with values and variables, and
// evaluates no syntax.
type emitter struct {
	source
	place
	record
	fn   *ir.Func
	size int // values made, to bound inlining and unrolling
}

// place is where the run is: the block that values go to and their position, the function's
// variables, and the combining function around it.
type place struct {
	block *ir.Block
	pos   diag.Pos
	frame *frame
	lane  *lane
}

// record is what the run keeps of variables and values.
type record struct {
	journal []write
	seq     int // of the newest variable
	memo    map[memoKey]*ir.Value
	memoLog []memoKey
	headers map[*ir.Value]ast.Stmt // block arguments of loops, and results of closed ones
	nonneg  map[*ir.Value]bool
}

// memoKey names a scalar that need not be computed twice in a block: a constant, or
// a checked conversion.
type memoKey struct {
	op   op.Op
	d    dtype.DType
	bits uint64
	of   *ir.Value
}

// tooLarge is panicked with when a kernel grows without bound.
type tooLarge struct{}

func newRun(f *gofile.File, k *gofile.Kernel, s *Spec, args []Arg, unroll map[ast.Stmt]reasonToUnroll) run {
	return run{spec: s, args: args, unroll: unroll, emitter: emitter{
		source: source{f: f, k: k, assignedIn: map[ast.Node][]types.Object{}, checked: map[ast.Node]bool{}},
		record: record{memo: map[memoKey]*ir.Value{}, headers: map[*ir.Value]ast.Stmt{}, nonneg: map[*ir.Value]bool{}},
		fn:     &ir.Func{Name: k.Name, File: f.Position(k.Node.Pos()).File, Body: &ir.Block{}},
	}}
}

// at makes p the position of the values that are emitted next.
func (l *emitter) at(p token.Pos) { l.pos = l.f.Position(p) }

// maxValues bounds a kernel: more are a loop unrolled or a function inlined beyond
// all reason.
const maxValues = 100_000

// Emit appends a value to the current block; in a combining function, to the block
// around it if it does not depend on the lanes.
func (l *emitter) Emit(o op.Op, t ir.Type, args ...*ir.Value) *ir.Value {
	if l.size++; l.size > maxValues {
		l.errorAt(l.pos, "kernel %s grows beyond %d operations", l.k.Name, maxValues).
			Note("functions are inlined, and loops whose index decides a shape are unrolled").Fix("use fewer or smaller such loops")
		panic(tooLarge{})
	}
	v := l.fn.NewValue(o, t, l.pos, args...)
	b := l.block
	if l.lane != nil && !l.lane.mark(v) {
		b = l.lane.outer
	}
	b.Values = append(b.Values, v)
	return v
}

// Constant is a scalar constant.
func (l *emitter) Constant(d dtype.DType, bits uint64) *ir.Value {
	return l.once(memoKey{op.Const, d, bits, nil}, func() *ir.Value {
		v := l.Emit(op.Const, ir.Scalar(d))
		v.Bits = bits
		return v
	})
}

func (l *emitter) int64(n int64) *ir.Value { return l.Constant(dtype.Int64, uint64(n)) }

// once is make's value, made the first time only in this block and those within.
func (r *record) once(k memoKey, make func() *ir.Value) *ir.Value {
	if v := r.memo[k]; v != nil {
		return v
	}
	v := make()
	r.memo[k] = v
	r.memoLog = append(r.memoLog, k)
	return v
}

// forget drops what was made since the memo was mark long: its block is closed.
func (r *record) forget(mark int) {
	for _, k := range r.memoLog[mark:] {
		delete(r.memo, k)
	}
	r.memoLog = r.memoLog[:mark]
}

// lane is a combining function being lowered: its block computes with the elements
// that are its arguments, and what does not depend on them goes to the block around.
type lane struct {
	outer *ir.Block
	on    map[*ir.Value]bool // values that depend on the elements
	seq   int                // variables up to here are outside
}

// mark reports whether v depends on the elements, and remembers it.
func (x *lane) mark(v *ir.Value) bool {
	for _, a := range v.Args {
		if x.on[a] {
			x.on[v] = true
			return true
		}
	}
	return v.IsTerm()
}
