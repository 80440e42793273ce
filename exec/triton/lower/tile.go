package lower

import (
	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// isScalarConst reports whether v is a constant.
func isScalarConst(v *ir.Value) bool { return v.Op == op.Const }

// fold is an op, computed now if all its operands are constants.
func (l *emitter) fold(o op.Op, t ir.Type, xs ...*ir.Value) *ir.Value {
	for _, x := range xs {
		if !isScalarConst(x) {
			return l.Emit(o, t, xs...)
		}
	}
	var in [3]uint64
	for i, x := range xs {
		in[i] = x.Bits
	}
	return l.Constant(t.D, op.Scalar(o, xs[len(xs)-1].Type.D, in[:len(xs)]...))
}

// cast is x with elements of type d.
func (l *emitter) cast(x *ir.Value, d dtype.DType) *ir.Value {
	if x.Type.D != d && x.Op == op.Broadcast && isScalarConst(x.Args[0]) {
		return l.broadcast(l.cast(x.Args[0], d), x.Type.Shape)
	}
	return emit.Cast(l, x, d)
}

// broadcast is x repeated to a shape that it broadcasts to.
func (l *emitter) broadcast(x *ir.Value, s ir.Shape) *ir.Value {
	if x.Type.Shape != s && x.Op == op.Broadcast && !x.Args[0].Type.IsTile() {
		x = x.Args[0]
	}
	return emit.Broadcast(l, x, s)
}

// shape is the common shape of operands.
func (l *emitter) shape(what string, xs ...*ir.Value) ir.Shape {
	s, wrong := emit.Shape(xs...)
	l.holds(what, wrong)
	return s
}

// staticInt is an integer that must be known.
func (l *place) staticInt(v value, what string) int {
	c, ok := known(v)
	n, isInt := c.(int64)
	if b, isBool := c.(bool); isBool {
		n, isInt = 0, true
		if b {
			n = 1
		}
	}
	if !ok || !isInt {
		fail(l.refuse("%s must be known before the kernel runs, not %s", what, describe(v)).
			Fix("pass it as a tl.constexpr parameter"))
	}
	return int(n)
}

// sizes is a shape that must be known: a tuple or a number.
func (l *place) sizes(v value, what string) ir.Shape {
	t, ok := v.(tuple)
	if !ok {
		t = tuple{v}
	}
	l.holds(what, rule.Rank(len(t)))
	var s ir.Shape
	s.N = len(t)
	for i, e := range t {
		s.D[i] = l.staticInt(e, "a size of a tile")
	}
	l.holds(what, rule.Sizes(s.D[:s.N]))
	return s
}

// where chooses between x and y, which are promoted together.
func (l *emitter) where(cond tensor, x, y value) value {
	c := l.asBool(cond.v)
	p, isPtr := x.(tensor)
	q, both := y.(tensor)
	if isPtr && both && p.v.Type.D.IsPointer() && p.v.Type.D == q.v.Type.D {
		s := l.shape("tl.where", c, p.v, q.v)
		return tensor{v: l.Emit(op.Where, ir.Type{D: p.v.Type.D, Shape: s}, l.broadcast(c, s), l.broadcast(p.v, s), l.broadcast(q.v, s))}
	}
	xs, d := l.promote(dtype.Arith, "tl.where", []value{x, y})
	s := l.shape("tl.where", c, xs[0], xs[1])
	t := ir.Type{D: d, Shape: s}
	return tensor{v: l.fold(op.Where, t, l.broadcast(c, s), l.broadcast(l.cast(xs[0], d), s), l.broadcast(l.cast(xs[1], d), s))}
}

// transposed is x with its last two axes swapped.
func (l *emitter) transposed(x tensor) value {
	_, wrong := x.v.Type.Transpose()
	l.holds("tl.trans", wrong)
	return tensor{v: emit.Transpose(l, x.v)}
}
