package frontend

import (
	"go/types"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// lowerRandom is a random op of a seed and an offset; an int that fits int32 is one.
func lowerRandom(c *call, o op.Op) value {
	seed, off := randOperand(c, "seed", c.args[0]), randOperand(c, "offset", c.args[1])
	if seed == nil || off == nil {
		return bad
	}
	shape, ok := c.shapeOf(off, seed)
	if !ok {
		return bad
	}
	return tileOf(emit.Random(c, o, seed, off, c.args[1].kind == scalarKind, shape))
}

// randOperand is a seed or offset: an integer tile, or a Go int, as int32 if it is
// known to fit.
func randOperand(c *call, what string, v value) *ir.Value {
	if !c.operand(v) {
		return nil
	}
	if v.kind == scalarKind && v.basic == types.Int {
		if v.known && dtype.Int32.FitsInt(v.int()) {
			return c.Constant(dtype.Int32, dtype.FromInt(dtype.Int32, v.int(), false))
		}
		return c.scalarValue(v)
	}
	if v.kind == tileKind && v.v.Type.D.IsInt() {
		return v.v
	}
	c.holds(rule.NoIntegers(what, v.describe()))
	return nil
}
