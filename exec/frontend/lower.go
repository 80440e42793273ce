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

// A lowering is one run over a kernel: it lowers statements and expressions by their syntax.
type lowering struct{ control }

// control is where a run goes: through regions, whose bodies are functions that it is given, and
// to the start again where more must be known.
type control struct {
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

// place is where the run is: the block that values go to and their position, whether
// control leaves it, the function's variables, and what encloses it.
type place struct {
	block   *ir.Block
	pos     diag.Pos
	flow    flow
	frame   *frame
	regions []*region
	calls   []ast.Node // functions being inlined
	lane    *lane
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

func newLowering(f *gofile.File, k *gofile.Kernel, s *Spec, args []Arg, unroll map[ast.Stmt]reasonToUnroll) *lowering {
	return &lowering{control{spec: s, args: args, unroll: unroll, emitter: emitter{
		source: source{f: f, k: k, assignedIn: map[ast.Node][]types.Object{}, checked: map[ast.Node]bool{}},
		record: record{memo: map[memoKey]*ir.Value{}, headers: map[*ir.Value]ast.Stmt{}, nonneg: map[*ir.Value]bool{}},
		fn:     &ir.Func{Name: k.Name, File: f.Position(k.Node.Pos()).File, Body: &ir.Block{}},
	}}}
}

// run lowers the kernel, and reports whether it must be done again.
func (l *lowering) run() (restart bool) {
	defer func() {
		switch r := recover(); r.(type) {
		case nil:
		case again:
			restart = true
		case tooLarge:
		default:
			panic(r)
		}
	}()
	l.block = l.fn.Body
	l.frame = &frame{vars: map[types.Object]*variable{}}
	l.typeErrorsIn(l.k.Node)
	l.calls = append(l.calls, l.k.Node)
	l.parameters()
	l.regions = []*region{{kind: kernelRegion, mode: returning}}
	l.list(l.k.Body.List, true)
	if l.flow.kind == falls {
		l.at(l.k.Body.Rbrace)
		l.Emit(ir.Return, ir.Type{})
	}
	return false
}

// parameters declares the kernel's parameters.
func (l *control) parameters() {
	i := -1
	for _, field := range l.k.Params.List {
		names := field.Names
		if len(names) == 0 {
			names = []*ast.Ident{nil}
		}
		for _, id := range names {
			v := value{kind: programKind}
			pos, name := field.Pos(), "_"
			if id != nil {
				pos, name = id.Pos(), id.Name
			}
			if i >= 0 {
				v = l.parameter(i, name, pos)
			}
			i++
			if id != nil {
				l.declare(l.f.Info.Defs[id], name, v, pos)
			}
		}
	}
}

// parameter is the Param of the kernel's parameter i, or its value if it is fixed.
func (l *control) parameter(i int, name string, pos token.Pos) value {
	p, a := l.spec.Params[i], l.args[i]
	d := dtype.Int64
	switch p.Kind {
	case gofile.Ptr:
		d = dtype.PointerTo(a.DType)
	case gofile.Float:
		d = dtype.Float64
	case gofile.Bool:
		d = dtype.Bool
	}
	v := l.fn.NewValue(ir.Param, ir.Scalar(d), l.f.Position(pos))
	v.Index, v.Text = i, name
	l.fn.Params = append(l.fn.Params, v)
	if l.spec.Fixed[i] {
		switch p.Kind {
		case gofile.DType:
			return dtypeValue(a.DType)
		case gofile.String:
			return stringValue(a.Str)
		case gofile.Float:
			return floatValue(a.Float)
		case gofile.Bool:
			return boolValue(a.Bool)
		}
		return intValue(int(a.Int))
	}
	switch p.Kind {
	case gofile.Ptr:
		return pointerTo(v, v)
	case gofile.Float:
		return runtime(types.Float64, v)
	case gofile.Bool:
		return runtime(types.Bool, v)
	}
	return runtime(types.Int, v)
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
