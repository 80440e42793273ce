package builtin

import (
	"go/types"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// elementType is a dtype argument that elements can have.
func (c *Call) elementType(v value.Value) (dtype.DType, bool) {
	if v.Kind != value.DTypeKind {
		return 0, false
	}
	return v.D, c.holds(rule.Element(v.D))
}

// shapeArg is a shape of ints, which must be known; first is the place of the first
// among the arguments.
func (c *Call) shapeArg(sizes []value.Value, first int) (s ir.Shape, ok bool) {
	if !c.holds(rule.Rank(len(sizes))) {
		return s, false
	}
	s.N = len(sizes)
	for i, v := range sizes {
		if s.D[i], ok = c.StaticInt(v, c.argPos(first+i), "a size of a tile"); !ok {
			return s, false
		}
	}
	return s, c.holds(rule.Sizes(s.D[:s.N]))
}

func lowerArange(c *Call) value.Value {
	lo, ok := c.StaticInt(c.Args[0], c.argPos(0), "the start of Arange")
	hi, ok2 := c.StaticInt(c.Args[1], c.argPos(1), "the end of Arange")
	if !ok || !ok2 {
		return value.Bad
	}
	t, d := rule.Range(lo, hi)
	if !c.holds(d) {
		return value.Bad
	}
	return value.Tile(emit.Indexed(&c.Emitter, op.Arange, t, lo))
}

func lowerFilled(c *Call, d, v value.Value, sizes []value.Value, first int) value.Value {
	t, ok := c.elementType(d)
	if !ok || !c.operand(v) {
		return value.Bad
	}
	shape, ok := c.shapeArg(sizes, first)
	if !ok || !c.checkSize(t, shape) {
		return value.Bad
	}
	if v.Kind == value.TileKind {
		if !c.holds(v.IR.Type.Repeated()) {
			return value.Bad
		}
		return value.Tile(emit.Broadcast(&c.Emitter, emit.Cast(&c.Emitter, v.IR, t), shape))
	}
	x := c.element(t, v)
	if x == nil {
		return value.Bad
	}
	return value.Tile(emit.Broadcast(&c.Emitter, x, shape))
}

// element is a Go scalar as an element of type d, nil if it is known not to fit.
func (c *Call) element(d dtype.DType, v value.Value) *ir.Value {
	return c.literal(d, v, cast, func() *diag.Diagnostic {
		return c.broken(rule.NotAnElement(v.Describe(), d))
	})
}

func lowerZerosLike(c *Call) value.Value {
	x := c.Args[0]
	if !c.notPointer(x) {
		return value.Bad
	}
	return value.Tile(emit.Broadcast(&c.Emitter, c.Constant(x.IR.Type.D, 0), x.IR.Type.Shape))
}

func lowerTo(c *Call) value.Value {
	in := c.operands()
	x := in[0]
	d, ok := c.elementType(in[1])
	if !ok {
		return value.Bad
	}
	from := x.IR.Type.D
	if _, wrong := x.IR.Type.Cast(d, false); !c.holds(wrong) {
		return value.Bad
	}
	if from == d {
		return x // also keeps a product what it is
	}
	for _, o := range in[2:] {
		if o.Str != "TowardZero" {
			continue
		}
		z, wrong := x.IR.Type.Cast(d, true)
		if !c.holds(wrong) {
			return value.Bad
		}
		return value.Tile(c.Emit(op.CastRTZ, z, x.IR))
	}
	return value.Tile(emit.Cast(&c.Emitter, x.IR, d))
}

func lowerBitcast(c *Call) value.Value {
	d, ok := c.elementType(c.Args[0])
	if !ok {
		return value.Bad
	}
	x := c.Recv.IR
	if _, wrong := x.Type.Bitcast(d); !c.holds(wrong) {
		return value.Bad
	}
	return value.Tile(emit.Bitcast(&c.Emitter, x, d))
}

// scalarTile is the receiver, which must be a scalar that is not a pointer.
func (c *Call) scalarTile() *ir.Value {
	x := c.Recv.IR
	if !c.holds(x.Type.Single()) {
		return nil
	}
	return x
}

func lowerInt(c *Call) value.Value {
	x := c.scalarTile()
	if x == nil {
		return value.Bad
	}
	if !c.holds(x.Type.AsInt()) {
		return value.Bad
	}
	n := c.CastedOnce(x, dtype.Int64)
	if x.Type.D == dtype.Uint64 {
		c.Check(emit.Compare(&c.Emitter, op.Ge, n, c.Int64(0)), c.Name+": %v does not fit a Go int", x)
	}
	return value.Scalar(types.Int, n)
}

func lowerFloat(c *Call) value.Value {
	x := c.scalarTile()
	if x == nil {
		return value.Bad
	}
	return value.Scalar(types.Float64, c.CastedOnce(x, dtype.Float64))
}

func lowerBool(c *Call) value.Value {
	x := c.scalarTile()
	if x == nil || !c.holds(x.Type.AsBool()) {
		return value.Bad
	}
	return value.Scalar(types.Bool, x)
}

// lowerRandom is a random op of a seed and an offset; an int that fits int32 is one.
func lowerRandom(c *Call, o op.Op) value.Value {
	seed, off := randOperand(c, "seed", c.Args[0]), randOperand(c, "offset", c.Args[1])
	if seed == nil || off == nil {
		return value.Bad
	}
	shape, ok := c.shapeOf(off, seed)
	if !ok {
		return value.Bad
	}
	return value.Tile(emit.Random(&c.Emitter, o, seed, off, c.Args[1].Kind == value.ScalarKind, shape))
}

// randOperand is a seed or offset: an integer tile, or a Go int, as int32 if it is
// known to fit.
func randOperand(c *Call, what string, v value.Value) *ir.Value {
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
