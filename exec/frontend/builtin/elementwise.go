package builtin

import (
	"go/types"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// elementwise is the lowering of an op of one or two operands, the receiver first.
func elementwise(o op.Op) lowerFunc {
	if o.Row().Arity == 1 {
		return one(func(c *Call) value.Value { return c.unary(o, c.operands()[0]) })
	}
	return one(func(c *Call) value.Value {
		in := c.operands()
		return c.binary(o, in[0], in[1])
	})
}

// binary is an elementwise op of two operands, at least one of them a tile.
func (c *Call) binary(o op.Op, x, y value.Value) value.Value {
	in, ok := c.resolve(o.Row().Class, x, y)
	if !ok || !in.meets(o) {
		return value.Bad
	}
	shape, ok := c.shapeOf(in.x...)
	if !ok {
		return value.Bad
	}
	a, b, d := in.x[0], in.x[1], in.d
	if (o == op.FloorDiv || o == op.Mod) && d.IsInt() {
		return integerDivision(c, o, x, a, b, d, shape)
	}
	signed := a.Type.D.IsSigned()
	a = emit.Broadcast(&c.Emitter, emit.Cast(&c.Emitter, a, d), shape)
	b = emit.Broadcast(&c.Emitter, emit.Cast(&c.Emitter, b, d), shape)
	if o == op.Shr && signed && !d.IsSigned() && d != dtype.Bool {
		// Arithmetic if the left operand was signed before promotion.
		return value.Tile(emit.SignedShr(&c.Emitter, a, b))
	}
	return value.Tile(c.Emit(o, ir.Type{D: o.Result(d), Shape: shape}, a, b))
}

// integerDivision fails where the divisor is 0.
func integerDivision(c *Call, o op.Op, x value.Value, a, b *ir.Value, d dtype.DType, shape ir.Shape) value.Value {
	b = emit.Cast(&c.Emitter, b, d)
	if b.Op == op.Const && b.Bits == 0 {
		c.holds(rule.ByZero(x.Describe(), b.Type.String()))
		return value.Bad
	}
	if c.Lane != nil && b.Op != op.Const {
		return c.Refuse(c.Where, c.Name+" in a combining function", "it fails on zero", "divide by a constant, or compute the quotient beforehand")
	}
	a = emit.Broadcast(&c.Emitter, emit.Cast(&c.Emitter, a, d), shape)
	z := c.Emit(o, a.Type, a, emit.Broadcast(&c.Emitter, b, shape))
	z.Text = c.Name
	return value.Tile(z)
}

// unary is an elementwise op of one tile.
func (c *Call) unary(o op.Op, x value.Value) value.Value {
	if !c.notPointer(x) || !c.takes(o, x.IR.Type.D, x) {
		return value.Bad
	}
	return value.Tile(c.Emit(o, x.IR.Type, x.IR))
}

func lowerAdd(c *Call) value.Value {
	x, y := c.Recv, c.Args[0]
	if !c.operand(y) {
		return value.Bad
	}
	if y.Kind == value.TileKind {
		if z, ok := fuseDot(c, x, y); ok {
			return z
		}
		if y.IR.Type.D.IsPointer() {
			return movePointer(c, y, x, 1)
		}
	}
	if x.IR.Type.D.IsPointer() {
		return movePointer(c, x, y, 1)
	}
	return c.binary(op.Add, x, y)
}

func lowerSub(c *Call) value.Value {
	in := c.operands()
	x, y := in[0], in[1]
	if x.Kind == value.TileKind && x.IR.Type.D.IsPointer() {
		if !c.operand(y) {
			return value.Bad
		}
		return movePointer(c, x, y, -1)
	}
	return c.binary(op.Sub, x, y)
}

// movePointer is a pointer moved by integers, times sign.
func movePointer(c *Call, ptr, off value.Value, sign int64) value.Value {
	var n *ir.Value
	switch {
	case off.Kind == value.ScalarKind && off.Basic == types.Int && off.Known:
		n = c.Int64(off.Int() * sign)
		sign = 1
	case off.Kind == value.ScalarKind && off.Basic == types.Int:
		n = off.IR
	case off.Kind == value.TileKind && off.IR.Type.D.IsInt():
		n = off.IR
	default:
		c.holds(rule.NoMove(ptr.Describe(), off.Describe()))
		return value.Bad
	}
	shape, ok := c.shapeOf(ptr.IR, n)
	if !ok {
		return value.Bad
	}
	n = emit.Cast(&c.Emitter, n, dtype.Int64)
	if sign < 0 {
		n = c.Emit(op.Neg, n.Type, n)
	}
	at := emit.Broadcast(&c.Emitter, ptr.IR, shape)
	return value.Pointer(c.Emit(ir.PtrAdd, at.Type, at, emit.Broadcast(&c.Emitter, n, shape)), ptr.Base)
}

func lowerWhere(c *Call) value.Value {
	cond, x, y := c.condition("condition", c.Args[0]), c.Args[1], c.Args[2]
	if cond == nil {
		return value.Bad
	}
	if x.Kind == value.TileKind && y.Kind == value.TileKind && x.IR.Type.D.IsPointer() && y.IR.Type.D.IsPointer() {
		return wherePointers(c, cond, x, y)
	}
	in, ok := c.resolve(op.Where.Row().Class, x, y)
	if !ok {
		return value.Bad
	}
	shape, ok := c.shapeOf(in.x[0], in.x[1], cond)
	if !ok {
		return value.Bad
	}
	a := emit.Broadcast(&c.Emitter, emit.Cast(&c.Emitter, in.x[0], in.d), shape)
	b := emit.Broadcast(&c.Emitter, emit.Cast(&c.Emitter, in.x[1], in.d), shape)
	return value.Tile(c.Emit(op.Where, a.Type, emit.Broadcast(&c.Emitter, cond, shape), a, b))
}

func wherePointers(c *Call, cond *ir.Value, x, y value.Value) value.Value {
	if x.Base != y.Base {
		c.holds(rule.TwoTensors(x.Describe(), y.Describe(), x.Into(), y.Into()))
		return value.Bad
	}
	shape, ok := c.shapeOf(x.IR, y.IR, cond)
	if !ok {
		return value.Bad
	}
	a := emit.Broadcast(&c.Emitter, x.IR, shape)
	return value.Pointer(c.Emit(op.Where, a.Type, emit.Broadcast(&c.Emitter, cond, shape), a, emit.Broadcast(&c.Emitter, y.IR, shape)), x.Base)
}

func lowerExtremum(c *Call, number, nan op.Op) value.Value {
	for _, o := range c.Args[2:] {
		if o.Str == "PropagateNaN" {
			number = nan
		}
	}
	return c.binary(number, c.Args[0], c.Args[1])
}

func lowerClamp(c *Call) value.Value {
	x := c.binary(op.Maximum, c.Args[0], c.Args[1])
	if x.Kind == value.Poison {
		return value.Bad
	}
	return c.binary(op.Minimum, x, c.Args[2])
}

func lowerFMA(c *Call) value.Value {
	in, ok := c.resolve(op.FMA.Row().Class, c.Args...)
	if !ok || !in.meets(op.FMA) {
		return value.Bad
	}
	shape, ok := c.shapeOf(in.x...)
	if !ok {
		return value.Bad
	}
	for i, x := range in.x {
		in.x[i] = emit.Broadcast(&c.Emitter, emit.Cast(&c.Emitter, x, in.d), shape)
	}
	return value.Tile(c.Emit(op.FMA, in.x[0].Type, in.x...))
}

// float32OrMore is a float tile in a dtype that has infinities; not all narrow ones do.
func float32OrMore(c *Call, x value.Value) (z value.Value, ok bool) {
	d := x.IR.Type.D
	if !c.notPointer(x) || !c.takes(op.Ceil, d, x) {
		return value.Bad, false
	}
	if d.IsNarrow() {
		return value.Tile(emit.Cast(&c.Emitter, x.IR, dtype.Float32)), true
	}
	return x, true
}

func lowerIsNaN(c *Call) value.Value {
	x, ok := float32OrMore(c, c.Args[0])
	if !ok {
		return value.Bad
	}
	return c.binary(op.Ne, x, x)
}

// lowerMagnitude compares the magnitude of x with infinity.
func lowerMagnitude(c *Call, compare op.Op) value.Value {
	x, ok := float32OrMore(c, c.Args[0])
	if !ok {
		return value.Bad
	}
	return c.binary(compare, c.unary(op.Abs, x), value.Float(value.Infinity))
}

func lowerSoftmax(c *Call) value.Value {
	x := c.Args[0]
	axis := value.Value{Kind: value.OptionKind, Str: "Axis", List: c.Args[1:2]}
	keep := value.Value{Kind: value.OptionKind, Str: "KeepDims"}
	step := func(name string, f func(c *Call) value.Value, args ...value.Value) value.Value {
		for _, a := range args {
			if a.Poisoned() {
				return value.Bad
			}
		}
		return f(&Call{Run: c.Run, Name: name, Where: c.Where, Args: args, Exprs: c.Exprs})
	}
	greatest := step("tl.Max", func(c *Call) value.Value { return lowerExtreme(c, op.Max) }, x, axis, keep)
	below := step("Tile.Sub", func(c *Call) value.Value { return c.binary(op.Sub, c.Args[0], c.Args[1]) }, x, greatest)
	z := step("tl.Exp", func(c *Call) value.Value { return c.unary(op.Exp, c.Args[0]) }, below)
	sum := step("tl.Sum", lowerSum, z, axis, keep)
	return step("Tile.Div", func(c *Call) value.Value { return c.binary(op.Div, c.Args[0], c.Args[1]) }, z, sum)
}
