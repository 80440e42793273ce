package frontend

import (
	"go/types"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// elementType is a dtype argument that elements can have.
func (c *call) elementType(v value) (dtype.DType, bool) {
	if v.kind != dtypeKind {
		return 0, false
	}
	return v.d, c.holds(rule.Element(v.d))
}

// shapeArg is a shape of ints, which must be known; first is the place of the first
// among the arguments.
func (c *call) shapeArg(sizes []value, first int) (s ir.Shape, ok bool) {
	if !c.holds(rule.Rank(len(sizes))) {
		return s, false
	}
	s.N = len(sizes)
	for i, v := range sizes {
		if s.D[i], ok = c.staticInt(v, c.argPos(first+i), "a size of a tile"); !ok {
			return s, false
		}
	}
	return s, c.holds(rule.Sizes(s.D[:s.N]))
}

func lowerArange(c *call) value {
	lo, ok := c.staticInt(c.args[0], c.argPos(0), "the start of Arange")
	hi, ok2 := c.staticInt(c.args[1], c.argPos(1), "the end of Arange")
	if !ok || !ok2 {
		return bad
	}
	t, d := rule.Range(lo, hi)
	if !c.holds(d) {
		return bad
	}
	return tileOf(emit.Indexed(c, op.Arange, t, lo))
}

func lowerFull(c *call) value { return lowerFilled(c, c.args[0], c.args[1], c.args[2:], 2) }

func lowerZeros(c *call) value { return lowerFilled(c, c.args[0], intValue(0), c.args[1:], 1) }

func lowerFilled(c *call, d, v value, sizes []value, first int) value {
	t, ok := c.elementType(d)
	if !ok || !c.operand(v) {
		return bad
	}
	shape, ok := c.shapeArg(sizes, first)
	if !ok || !c.checkSize(t, shape) {
		return bad
	}
	if v.kind == tileKind {
		if !c.holds(v.v.Type.Repeated()) {
			return bad
		}
		return tileOf(emit.Broadcast(c, emit.Cast(c, v.v, t), shape))
	}
	x := c.element(t, v)
	if x == nil {
		return bad
	}
	return tileOf(emit.Broadcast(c, x, shape))
}

// element is a Go scalar as an element of type d, nil if it is known not to fit.
func (c *call) element(d dtype.DType, v value) *ir.Value {
	return c.literal(d, v, cast, func() *diag.Diagnostic {
		return c.broken(rule.NotAnElement(v.describe(), d))
	})
}

func lowerZerosLike(c *call) value {
	x := c.args[0]
	if !c.notPointer(x) {
		return bad
	}
	return tileOf(emit.Broadcast(c, c.Constant(x.v.Type.D, 0), x.v.Type.Shape))
}

func lowerTo(c *call) value {
	in := c.operands()
	x := in[0]
	d, ok := c.elementType(in[1])
	if !ok {
		return bad
	}
	from := x.v.Type.D
	if _, wrong := x.v.Type.Cast(d, false); !c.holds(wrong) {
		return bad
	}
	if from == d {
		return x // also keeps a product what it is
	}
	for _, o := range in[2:] {
		if o.s != "TowardZero" {
			continue
		}
		z, wrong := x.v.Type.Cast(d, true)
		if !c.holds(wrong) {
			return bad
		}
		return tileOf(c.Emit(op.CastRTZ, z, x.v))
	}
	return tileOf(emit.Cast(c, x.v, d))
}

func lowerBitcast(c *call) value {
	d, ok := c.elementType(c.args[0])
	if !ok {
		return bad
	}
	x := c.recv.v
	if _, wrong := x.Type.Bitcast(d); !c.holds(wrong) {
		return bad
	}
	return tileOf(emit.Bitcast(c, x, d))
}

// scalarTile is the receiver, which must be a scalar that is not a pointer.
func (c *call) scalarTile() *ir.Value {
	x := c.recv.v
	if !c.holds(x.Type.Single()) {
		return nil
	}
	return x
}

func lowerInt(c *call) value {
	x := c.scalarTile()
	if x == nil {
		return bad
	}
	if !c.holds(x.Type.AsInt()) {
		return bad
	}
	n := c.castedOnce(x, dtype.Int64)
	if x.Type.D == dtype.Uint64 {
		c.check(emit.Compare(c, op.Ge, n, c.int64(0)), c.name+": %v does not fit a Go int", x)
	}
	return scalarOf(types.Int, n)
}

func lowerFloat(c *call) value {
	x := c.scalarTile()
	if x == nil {
		return bad
	}
	return scalarOf(types.Float64, c.castedOnce(x, dtype.Float64))
}

func lowerBool(c *call) value {
	x := c.scalarTile()
	if x == nil || !c.holds(x.Type.AsBool()) {
		return bad
	}
	return scalarOf(types.Bool, x)
}
