package frontend

import (
	"go/types"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// random is a random op of a seed and an offset: the counter is the offset's low and
// high words (the high one 0 for offsets of up to 32 bits), the key the seed's,
// sign-extended.
func (c *call) random(o op.Op) value {
	seed, off := c.randOperand("seed", c.args[0]), c.randOperand("offset", c.args[1])
	if seed == nil || off == nil {
		return bad
	}
	shape, ok := c.shapeOf(off, seed)
	if !ok {
		return bad
	}
	c0, c1 := c.casted(off, dtype.Uint32), c.constant(dtype.Uint32, 0)
	if off.Type.D.Bits() == 64 {
		c1 = c.highWord(off)
		if c.args[1].kind == scalarKind { // an int that fits int32 is one
			narrow := c.casted(c.casted(off, dtype.Int32), dtype.Int64)
			c1 = c.emit(op.Where, c1.Type, c.compare(op.Eq, narrow, off), c.constant(dtype.Uint32, 0), c1)
		}
	}
	in := []*ir.Value{c0, c1, c.casted(seed, dtype.Uint32), c.highWord(c.casted(seed, dtype.Int64))}
	for i, x := range in {
		in[i] = c.broadcasted(x, shape)
	}
	return tileOf(c.emit(o, ir.Type{D: o.Result(dtype.Uint32), Shape: shape}, in...))
}

// highWord is the upper 32 bits of 64.
func (c *call) highWord(x *ir.Value) *ir.Value {
	x = c.casted(x, dtype.Uint64)
	if x.Op == op.Const {
		return c.constant(dtype.Uint32, x.Bits>>32)
	}
	return c.casted(c.emit(op.Shr, x.Type, x, c.broadcasted(c.constant(dtype.Uint64, 32), x.Type.Shape)), dtype.Uint32)
}

// randOperand is a seed or offset: an integer tile, or a Go int, as int32 if it is
// known to fit.
func (c *call) randOperand(what string, v value) *ir.Value {
	if !c.operand(v) {
		return nil
	}
	if v.kind == scalarKind && v.basic == types.Int {
		if v.known && dtype.Int32.FitsInt(v.int()) {
			return c.constant(dtype.Int32, dtype.FromInt(dtype.Int32, v.int(), false))
		}
		return c.scalarValue(v)
	}
	if v.kind == tileKind && v.v.Type.D.IsInt() {
		return v.v
	}
	c.holds(rule.NoIntegers(what, v.describe()))
	return nil
}
