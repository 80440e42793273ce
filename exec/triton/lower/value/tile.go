package value

import (
	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
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
		return Tensor{IR: l.pointers(c, p.IR, q.IR)}
	}
	xs, d := l.promote(dtype.Arith, "tl.where", []Value{x, y})
	s := l.Shape("tl.where", c, xs[0], xs[1])
	c = l.Broadcast(c, s)
	for i, x := range xs {
		xs[i] = l.Broadcast(l.Cast(x, d), s)
	}
	return Tensor{IR: l.Fold(op.Where, ir.Type{D: d, Shape: s}, c, xs[0], xs[1])}
}

// pointers chooses between pointers. By one bool it is an If, since these may point into two
// tensors; a tile of pointers has one.
func (l *Emitter) pointers(c, x, y *ir.Value) *ir.Value {
	s := l.Shape("tl.where", c, x, y)
	x, y = l.Broadcast(x, s), l.Broadcast(y, s)
	if c.Type.IsTile() {
		if a, b := parameter(x), parameter(y); a != nil && b != nil && a != b {
			l.Holds("tl.where", rule.TwoTensors(x.Type.String(), y.Type.String(), a.Text, b.Text))
		}
		return l.Emit(op.Where, x.Type, l.Broadcast(c, s), x, y)
	}
	v := l.Emit(ir.If, ir.Type{}, c)
	v.Results = []ir.Type{x.Type}
	outer := l.Block
	for _, p := range []*ir.Value{x, y} {
		l.Block = &ir.Block{}
		l.Emit(ir.Yield, ir.Type{}, p)
		v.Blocks = append(v.Blocks, l.Block)
	}
	l.Block = outer
	return emit.Result(l, v, 0)
}

// parameter is the tensor that a pointer points into, nil if that is not known now.
func parameter(x *ir.Value) *ir.Value {
	for x.Op == ir.PtrAdd || x.Op == op.Broadcast || x.Op == op.Reshape {
		x = x.Args[0]
	}
	if x.Op != ir.Param {
		return nil
	}
	return x
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
