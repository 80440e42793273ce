package value

import (
	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// IsScalarConst reports whether v is a constant.
func IsScalarConst(v *ir.Value) bool { return v.Op == op.Const }

// Fold is an op, computed now if all its operands are constants.
func (l *Emitter) Fold(o op.Op, t ir.Type, xs ...*ir.Value) *ir.Value {
	for _, x := range xs {
		if !IsScalarConst(x) {
			return l.Emit(o, t, xs...)
		}
	}
	var in [3]uint64
	for i, x := range xs {
		in[i] = x.Bits
	}
	return l.Constant(t.D, op.Scalar(o, xs[len(xs)-1].Type.D, in[:len(xs)]...))
}

// Cast is x with elements of type d.
func (l *Emitter) Cast(x *ir.Value, d dtype.DType) *ir.Value {
	if x.Type.D != d && x.Op == op.Broadcast && IsScalarConst(x.Args[0]) {
		return l.Broadcast(l.Cast(x.Args[0], d), x.Type.Shape)
	}
	return emit.Cast(l, x, d)
}

// Broadcast is x repeated to a shape that it broadcasts to.
func (l *Emitter) Broadcast(x *ir.Value, s ir.Shape) *ir.Value {
	if x.Type.Shape != s && x.Op == op.Broadcast && !x.Args[0].Type.IsTile() {
		x = x.Args[0]
	}
	return emit.Broadcast(l, x, s)
}

// Shape is the common shape of operands.
func (l *Emitter) Shape(what string, xs ...*ir.Value) ir.Shape {
	s, wrong := emit.Shape(xs...)
	l.Holds(what, wrong)
	return s
}

// Where chooses between x and y, which are promoted together.
func (l *Emitter) Where(cond Tensor, x, y Value) Value {
	c := l.AsBool(cond.IR)
	p, isPtr := x.(Tensor)
	q, both := y.(Tensor)
	if isPtr && both && p.IR.Type.D.IsPointer() && p.IR.Type.D == q.IR.Type.D {
		s := l.Shape("tl.where", c, p.IR, q.IR)
		t := ir.Type{D: p.IR.Type.D, Shape: s}
		return Tensor{IR: l.Emit(op.Where, t, l.Broadcast(c, s), l.Broadcast(p.IR, s), l.Broadcast(q.IR, s))}
	}
	xs, d := l.promote(dtype.Arith, "tl.where", []Value{x, y})
	s := l.Shape("tl.where", c, xs[0], xs[1])
	c = l.Broadcast(c, s)
	for i, x := range xs {
		xs[i] = l.Broadcast(l.Cast(x, d), s)
	}
	return Tensor{IR: l.Fold(op.Where, ir.Type{D: d, Shape: s}, c, xs[0], xs[1])}
}

// Transposed is x with its last two axes swapped.
func (l *Emitter) Transposed(x Tensor) Value {
	_, wrong := x.IR.Type.Transpose()
	l.Holds("tl.trans", wrong)
	return Tensor{IR: emit.Transpose(l, x.IR)}
}

// Condition is a scalar as a bool.
func (l *Emitter) Condition(v Value) *ir.Value {
	t, ok := v.(Tensor)
	if !ok {
		Fail(l.Refuse("%s as a condition", Describe(v)))
	}
	if t.IR.Type.IsTile() {
		Fail(l.Refuse("a condition must be a single bool, not %s", Describe(v)).
			Fix("choose lane by lane with tl.where, or reduce first, for example with tl.max"))
	}
	return l.AsBool(t.IR)
}

// AsBool is x != 0.
func (l *Emitter) AsBool(x *ir.Value) *ir.Value {
	if x.Type.D == dtype.Bool {
		return x
	}
	if x.Type.D.IsPointer() {
		Fail(l.Refuse("a pointer as a condition").Fix("compare it with None"))
	}
	zero := l.Broadcast(l.Constant(x.Type.D, 0), x.Type.Shape)
	return l.Emit(op.Ne, x.Type.As(dtype.Bool), x, zero)
}
