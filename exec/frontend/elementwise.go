package frontend

import (
	"go/types"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// elementwise is the lowering of an op of one or two operands, the receiver first.
func elementwise(o op.Op) lowerFunc {
	if o.Row().Arity == 1 {
		return one(func(c *call) value { return c.unary(o, c.operands()[0]) })
	}
	return one(func(c *call) value {
		in := c.operands()
		return c.binary(o, in[0], in[1])
	})
}

// binary is an elementwise op of two operands, at least one of them a tile.
func (c *call) binary(o op.Op, x, y value) value {
	in, ok := c.resolve(o.Row().Class, x, y)
	if !ok || !in.meets(o) {
		return bad
	}
	shape, ok := c.shapeOf(in.x...)
	if !ok {
		return bad
	}
	a, b, d := in.x[0], in.x[1], in.d
	if (o == op.FloorDiv || o == op.Mod) && d.IsInt() {
		return integerDivision(c, o, x, a, b, d, shape)
	}
	signed := a.Type.D.IsSigned()
	a, b = emit.Broadcast(c, emit.Cast(c, a, d), shape), emit.Broadcast(c, emit.Cast(c, b, d), shape)
	if o == op.Shr && signed && !d.IsSigned() && d != dtype.Bool {
		// Arithmetic if the left operand was signed before promotion.
		return tileOf(emit.SignedShr(c, a, b))
	}
	return tileOf(c.Emit(o, ir.Type{D: o.Result(d), Shape: shape}, a, b))
}

// integerDivision fails where the divisor is 0.
func integerDivision(c *call, o op.Op, x value, a, b *ir.Value, d dtype.DType, shape ir.Shape) value {
	b = emit.Cast(c, b, d)
	if b.Op == op.Const && b.Bits == 0 {
		c.holds(rule.ByZero(x.describe(), b.Type.String()))
		return bad
	}
	if c.lane != nil && b.Op != op.Const {
		return c.refuse(c.p, c.name+" in a combining function", "it fails on zero", "divide by a constant, or compute the quotient beforehand")
	}
	a = emit.Broadcast(c, emit.Cast(c, a, d), shape)
	z := c.Emit(o, a.Type, a, emit.Broadcast(c, b, shape))
	z.Text = c.name
	return tileOf(z)
}

// unary is an elementwise op of one tile.
func (c *call) unary(o op.Op, x value) value {
	if !c.notPointer(x) || !c.takes(o, x.v.Type.D, x) {
		return bad
	}
	return tileOf(c.Emit(o, x.v.Type, x.v))
}

func lowerAdd(c *call) value {
	x, y := c.recv, c.args[0]
	if !c.operand(y) {
		return bad
	}
	if y.kind == tileKind {
		if z, ok := fuseDot(c, x, y); ok {
			return z
		}
		if y.v.Type.D.IsPointer() {
			return movePointer(c, y, x, 1)
		}
	}
	if x.v.Type.D.IsPointer() {
		return movePointer(c, x, y, 1)
	}
	return c.binary(op.Add, x, y)
}

func lowerSub(c *call) value {
	in := c.operands()
	x, y := in[0], in[1]
	if x.kind == tileKind && x.v.Type.D.IsPointer() {
		if !c.operand(y) {
			return bad
		}
		return movePointer(c, x, y, -1)
	}
	return c.binary(op.Sub, x, y)
}

// movePointer is a pointer moved by integers, times sign.
func movePointer(c *call, ptr, off value, sign int64) value {
	var n *ir.Value
	switch {
	case off.kind == scalarKind && off.basic == types.Int && off.known:
		n = c.int64(off.int() * sign)
		sign = 1
	case off.kind == scalarKind && off.basic == types.Int:
		n = off.v
	case off.kind == tileKind && off.v.Type.D.IsInt():
		n = off.v
	default:
		c.holds(rule.NoMove(ptr.describe(), off.describe()))
		return bad
	}
	shape, ok := c.shapeOf(ptr.v, n)
	if !ok {
		return bad
	}
	n = emit.Cast(c, n, dtype.Int64)
	if sign < 0 {
		n = c.Emit(op.Neg, n.Type, n)
	}
	at := emit.Broadcast(c, ptr.v, shape)
	return pointerTo(c.Emit(ir.PtrAdd, at.Type, at, emit.Broadcast(c, n, shape)), ptr.base)
}

func lowerWhere(c *call) value {
	cond, x, y := c.condition("condition", c.args[0]), c.args[1], c.args[2]
	if cond == nil {
		return bad
	}
	if x.kind == tileKind && y.kind == tileKind && x.v.Type.D.IsPointer() && y.v.Type.D.IsPointer() {
		return wherePointers(c, cond, x, y)
	}
	in, ok := c.resolve(op.Where.Row().Class, x, y)
	if !ok {
		return bad
	}
	shape, ok := c.shapeOf(in.x[0], in.x[1], cond)
	if !ok {
		return bad
	}
	a, b := emit.Broadcast(c, emit.Cast(c, in.x[0], in.d), shape), emit.Broadcast(c, emit.Cast(c, in.x[1], in.d), shape)
	return tileOf(c.Emit(op.Where, a.Type, emit.Broadcast(c, cond, shape), a, b))
}

func wherePointers(c *call, cond *ir.Value, x, y value) value {
	if x.base != y.base {
		c.holds(rule.TwoTensors(x.describe(), y.describe(), x.base.Text, y.base.Text))
		return bad
	}
	shape, ok := c.shapeOf(x.v, y.v, cond)
	if !ok {
		return bad
	}
	a := emit.Broadcast(c, x.v, shape)
	return pointerTo(c.Emit(op.Where, a.Type, emit.Broadcast(c, cond, shape), a, emit.Broadcast(c, y.v, shape)), x.base)
}

func lowerExtremum(c *call, number, nan op.Op) value {
	for _, o := range c.args[2:] {
		if o.s == "PropagateNaN" {
			number = nan
		}
	}
	return c.binary(number, c.args[0], c.args[1])
}

func lowerClamp(c *call) value {
	x := c.binary(op.Maximum, c.args[0], c.args[1])
	if x.kind == poison {
		return bad
	}
	return c.binary(op.Minimum, x, c.args[2])
}

func lowerFMA(c *call) value {
	in, ok := c.resolve(op.FMA.Row().Class, c.args...)
	if !ok || !in.meets(op.FMA) {
		return bad
	}
	shape, ok := c.shapeOf(in.x...)
	if !ok {
		return bad
	}
	for i, x := range in.x {
		in.x[i] = emit.Broadcast(c, emit.Cast(c, x, in.d), shape)
	}
	return tileOf(c.Emit(op.FMA, in.x[0].Type, in.x...))
}

// float32OrMore is a float tile in a dtype that has infinities; not all narrow ones do.
func float32OrMore(c *call, x value) (z value, ok bool) {
	d := x.v.Type.D
	if !c.notPointer(x) || !c.takes(op.Ceil, d, x) {
		return bad, false
	}
	if d.IsNarrow() {
		return tileOf(emit.Cast(c, x.v, dtype.Float32)), true
	}
	return x, true
}

func lowerIsNaN(c *call) value {
	x, ok := float32OrMore(c, c.args[0])
	if !ok {
		return bad
	}
	return c.binary(op.Ne, x, x)
}

// lowerMagnitude compares the magnitude of x with infinity.
func lowerMagnitude(c *call, compare op.Op) value {
	x, ok := float32OrMore(c, c.args[0])
	if !ok {
		return bad
	}
	return c.binary(compare, c.unary(op.Abs, x), floatValue(infinity))
}

func lowerSoftmax(c *call) value {
	x := c.args[0]
	axis := value{kind: optionKind, s: "Axis", list: c.args[1:2]}
	keep := value{kind: optionKind, s: "KeepDims"}
	step := func(name string, f func(c *call) value, args ...value) value {
		for _, a := range args {
			if a.poisoned() {
				return bad
			}
		}
		return f(&call{run: c.run, name: name, p: c.p, args: args, exprs: c.exprs})
	}
	greatest := step("tl.Max", func(c *call) value { return lowerExtreme(c, op.Max) }, x, axis, keep)
	below := step("Tile.Sub", func(c *call) value { return c.binary(op.Sub, c.args[0], c.args[1]) }, x, greatest)
	z := step("tl.Exp", func(c *call) value { return c.unary(op.Exp, c.args[0]) }, below)
	sum := step("tl.Sum", lowerSum, z, axis, keep)
	return step("Tile.Div", func(c *call) value { return c.binary(op.Div, c.args[0], c.args[1]) }, z, sum)
}
