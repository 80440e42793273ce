package frontend

import (
	"go/types"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// lowerRandom is a random op of a seed and an offset: the counter is the offset's low and
// high words (the high one 0 for offsets of up to 32 bits), the key the seed's,
// sign-extended.
func lowerRandom(c *call, o op.Op) value {
	seed, off := randOperand(c, "seed", c.args[0]), randOperand(c, "offset", c.args[1])
	if seed == nil || off == nil {
		return bad
	}
	shape, ok := c.shapeOf(off, seed)
	if !ok {
		return bad
	}
	c0, c1 := emit.Cast(c, off, dtype.Uint32), c.Constant(dtype.Uint32, 0)
	if off.Type.D.Bits() == 64 {
		c1 = emit.HighWord(c, emit.Cast(c, off, dtype.Uint64))
		if c.args[1].kind == scalarKind { // an int that fits int32 is one
			narrow := emit.Cast(c, emit.Cast(c, off, dtype.Int32), dtype.Int64)
			c1 = c.Emit(op.Where, c1.Type, emit.Compare(c, op.Eq, narrow, off), c.Constant(dtype.Uint32, 0), c1)
		}
	}
	k0, long := emit.Cast(c, seed, dtype.Uint32), emit.Cast(c, seed, dtype.Int64)
	in := []*ir.Value{c0, c1, k0, emit.HighWord(c, emit.Cast(c, long, dtype.Uint64))}
	for i, x := range in {
		in[i] = emit.Broadcast(c, x, shape)
	}
	return tileOf(c.Emit(o, ir.Type{D: o.Result(dtype.Uint32), Shape: shape}, in...))
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
