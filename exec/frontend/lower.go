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

// A lowering is one run over a kernel.
type lowering struct {
	f      *gofile.File
	k      *gofile.Kernel
	spec   *Spec
	args   []Arg
	unroll map[ast.Stmt]reasonToUnroll
	fn     *ir.Func
	diags  diag.List

	place
	record
	assignedIn map[ast.Node][]types.Object
	checked    map[ast.Node]bool // functions whose type errors are reported
	typeErrors bool              // some were reported
	size       int               // values made, to bound inlining and unrolling
	lost       token.Pos         // the first expression that was given up
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
	return &lowering{
		f: f, k: k, spec: s, args: args, unroll: unroll,
		fn:         &ir.Func{Name: k.Name, File: f.Position(k.Node.Pos()).File, Body: &ir.Block{}},
		record:     record{memo: map[memoKey]*ir.Value{}, headers: map[*ir.Value]ast.Stmt{}, nonneg: map[*ir.Value]bool{}},
		assignedIn: map[ast.Node][]types.Object{}, checked: map[ast.Node]bool{},
	}
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
func (l *lowering) parameters() {
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
func (l *lowering) parameter(i int, name string, pos token.Pos) value {
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
func (l *lowering) at(p token.Pos) { l.pos = l.f.Position(p) }

// maxValues bounds a kernel: more are a loop unrolled or a function inlined beyond
// all reason.
const maxValues = 100_000

// Emit appends a value to the current block; in a combining function, to the block
// around it if it does not depend on the lanes.
func (l *lowering) Emit(o op.Op, t ir.Type, args ...*ir.Value) *ir.Value {
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
func (l *lowering) Constant(d dtype.DType, bits uint64) *ir.Value {
	return l.once(memoKey{op.Const, d, bits, nil}, func() *ir.Value {
		v := l.Emit(op.Const, ir.Scalar(d))
		v.Bits = bits
		return v
	})
}

func (l *lowering) int64(n int64) *ir.Value { return l.Constant(dtype.Int64, uint64(n)) }

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

// errorAt begins a message.
func (l *lowering) errorAt(pos diag.Pos, format string, args ...any) *diag.Diagnostic {
	d := diag.At(pos, format, args...)
	l.diags = append(l.diags, d)
	return d
}

func (l *lowering) error(p token.Pos, format string, args ...any) *diag.Diagnostic {
	return l.errorAt(l.f.Position(p), format, args...)
}

// refuse says that something is outside the language.
func (l *lowering) refuse(p token.Pos, what, why, fix string) value {
	d := l.error(p, "%s: not possible in a compiled kernel", what)
	if why != "" {
		d.Note("%s", why)
	}
	if fix != "" {
		d.Fix("%s", fix)
	}
	return bad
}

// typeErrorsIn reports the type errors in a function.
func (l *lowering) typeErrorsIn(n ast.Node) {
	if l.checked[n] {
		return
	}
	l.checked[n] = true
	errors := l.f.ErrorsIn(n)
	l.diags = append(l.diags, errors...)
	l.typeErrors = l.typeErrors || len(errors) > 0
}

// invalid is an expression that go/types gave no type. If it said why, that is
// reported already.
func (l *lowering) invalid(e ast.Expr) value {
	if o := l.f.Info.Uses[gofile.Instantiated(e)]; !l.typeErrors || o != nil && l.f.IsGlobal(o) {
		l.error(e.Pos(), "the compiler does not know what %s is", types.ExprString(e)).
			Note("it sees only this file and the packages tilelang and math").
			Fix("pass it to the kernel as a parameter, or declare it as a constant in this file")
	}
	return bad
}

// suspect remembers that an expression was poison: there must be a message.
func (l *lowering) suspect(p token.Pos) {
	if !l.lost.IsValid() {
		l.lost = p
	}
}
