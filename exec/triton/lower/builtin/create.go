package builtin

import (
	"math"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/exec/triton/number"
	"github.com/tiler-go/tiler/exec/triton/spell"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// creation makes tiles, and changes their elements' type.
var creation = []line{
	{"arange", "start end", lowerArange},
	{"zeros", "shape dtype", func(c *Call) value.Value { return lowerFull(c, c.arg("shape"), int64(0), c.arg("dtype")) }},
	{"full", "shape value dtype", func(c *Call) value.Value { return lowerFull(c, c.arg("shape"), c.arg("value"), c.arg("dtype")) }},
	{"zeros_like", "input", func(c *Call) value.Value {
		x := c.Numeric(c.what, c.arg("input")).IR
		return value.Tensor{IR: c.Broadcast(c.Constant(x.Type.D, 0), x.Type.Shape)}
	}},
	{".to .cast", "input dtype fp_downcast_rounding bitcast", lowerCast},
	{"to_tensor", "x", func(c *Call) value.Value { return c.ToTensor(c.arg("x")) }},
	{"constexpr triton.language.constexpr", "value", func(c *Call) value.Value {
		if v, ok := value.Known(c.arg("value")); ok {
			return v
		}
		return c.arg("value") // as in Triton: what needs a constant says so
	}},
}

func lowerArange(c *Call) value.Value {
	lo, hi := c.StaticInt(c.arg("start"), "the start of tl.arange"), c.StaticInt(c.arg("end"), "the end of tl.arange")
	if hi <= lo {
		value.Fail(c.Refuse("tl.arange(%d, %d) is empty: the end must be above the start", lo, hi))
	}
	if lo < math.MinInt32 || hi-1 > math.MaxInt32 {
		value.Fail(c.Refuse("tl.arange(%d, %d) does not fit int32", lo, hi))
	}
	c.Holds(c.what, rule.Sizes([]int{hi - lo}))
	t := ir.Tile(dtype.Int32, hi-lo)
	c.Holds(c.what, t.Check())
	return value.Tensor{IR: emit.Indexed(c.Emitter, op.Arange, t, lo)}
}

// elementType is a dtype of elements.
func (c *Call) elementType(v value.Value) dtype.DType {
	if s, ok := v.(string); ok {
		if d, known := spell.Type(s); known {
			return d
		}
	}
	t, ok := v.(value.Type)
	if !ok {
		value.Fail(c.Refuse("%s: %s is not a dtype", c.what, value.Describe(v)))
	}
	return t.D
}

func lowerFull(c *Call, shape, v, d value.Value) value.Value {
	if d == nil {
		value.Fail(c.Refuse("%s: no dtype", c.what))
	}
	t := ir.Type{D: c.elementType(d), Shape: scalarShape(c, shape)}
	c.Holds(c.what, rule.Element(t.D))
	c.Holds(c.what, t.Check())
	if number.Is(v) {
		return value.Tensor{IR: c.Broadcast(c.Constant(t.D, number.Bits(v, t.D)), t.Shape)}
	}
	x := c.Numeric(c.what, v).IR
	if x.Type.IsTile() {
		value.Fail(c.Refuse("%s: a value of shape %s", c.what, x.Type.Shape).Fix("use tl.broadcast_to to repeat a tile"))
	}
	return value.Tensor{IR: c.Broadcast(c.Cast(x, t.D), t.Shape)}
}

// scalarShape is a shape, which may be () or [].
func scalarShape(c *Call, v value.Value) ir.Shape {
	if t, ok := v.(value.Tuple); ok && len(t) == 0 {
		return ir.Shape{}
	}
	return c.Sizes(v, c.what)
}

func lowerCast(c *Call) value.Value {
	v := c.arg("input")
	if t, ok := c.arg("dtype").(value.Type); ok && t.D.IsPointer() {
		if p, ok := v.(value.Tensor); ok && p.IR.Type.D == t.D {
			return v
		}
		value.Fail(c.Refuse("%s: a pointer made of %s", c.what, value.Describe(v)).
			Fix("pass the tensor itself as a parameter of the kernel"))
	}
	d := c.elementType(c.arg("dtype"))
	if bits, ok := c.arg("bitcast").(bool); ok && bits {
		x := c.ToTensor(v).IR
		c.must(x.Type.Bitcast(d))
		return value.Tensor{IR: emit.Bitcast(c.Emitter, x, d)}
	}
	if number.Is(v) && c.arg("bitcast") == nil {
		n, isInt := number.Big(v)
		if !isInt || d.IsFloat() || number.Fits(n, d) {
			return value.Tensor{IR: c.Constant(d, number.Bits(v, d))}
		}
	}
	x := c.ToTensor(v)
	if x.IR.Type.D.IsPointer() {
		value.Fail(c.Refuse("%s: a pointer as a number", c.what).
			Fix("compute with the offset before it is added to the pointer"))
	}
	if x.IR.Type.D == d {
		return x // also keeps a product what it is
	}
	if c.arg("fp_downcast_rounding") == "rtz" {
		z := c.must(x.IR.Type.Cast(d, true))
		return value.Tensor{IR: c.Emit(op.CastRTZ, z, x.IR)}
	}
	return value.Tensor{IR: c.Cast(x.IR, d)}
}
