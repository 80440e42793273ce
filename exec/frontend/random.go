package frontend

import (
	"go/types"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// lowerRandom is a random op of a seed and an offset; an int that fits int32 is one.
func lowerRandom(c *call, o op.Op) value.Value {
	seed, off := randOperand(c, "seed", c.args[0]), randOperand(c, "offset", c.args[1])
	if seed == nil || off == nil {
		return value.Bad
	}
	shape, ok := c.shapeOf(off, seed)
	if !ok {
		return value.Bad
	}
	return value.Tile(emit.Random(c, o, seed, off, c.args[1].Kind == value.ScalarKind, shape))
}

// randOperand is a seed or offset: an integer tile, or a Go int, as int32 if it is
// known to fit.
func randOperand(c *call, what string, v value.Value) *ir.Value {
	if !c.operand(v) {
		return nil
	}
	if v.Kind == value.ScalarKind && v.Basic == types.Int {
		if v.Known && dtype.Int32.FitsInt(v.Int()) {
			return c.Constant(dtype.Int32, dtype.FromInt(dtype.Int32, v.Int(), false))
		}
		return c.ScalarValue(v)
	}
	if v.Kind == value.TileKind && v.IR.Type.D.IsInt() {
		return v.IR
	}
	c.holds(rule.NoIntegers(what, v.Describe()))
	return nil
}
