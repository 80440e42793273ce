package builtin

import (
	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// shapes move elements about.
var shapes = []line{
	{".broadcast_to", "input *", func(c *Call) value.Value {
		x, s := c.ToTensor(c.arg("input")).IR, c.Sizes(c.shapeArg(), c.what)
		t := x.Type
		if t.IsTile() || t.Shape.N > 0 {
			c.must(t.Repeat(s))
		}
		c.Holds(c.what, ir.Type{D: t.D, Shape: s}.Check())
		return value.Tensor{IR: c.Broadcast(x, s)}
	}},
	{"broadcast", "x y", func(c *Call) value.Value {
		x, y := c.ToTensor(c.arg("x")).IR, c.ToTensor(c.arg("y")).IR
		s := c.Shape(c.what, x, y)
		return value.Tuple{value.Tensor{IR: c.Broadcast(x, s)}, value.Tensor{IR: c.Broadcast(y, s)}}
	}},
	{".reshape .view", "input *", func(c *Call) value.Value {
		x, s := c.ToTensor(c.arg("input")).IR, c.Sizes(c.inferred(c.shapeArg()), c.what)
		c.must(x.Type.Reshape(s))
		return value.Tensor{IR: emit.Reshape(c.Emitter, x, s)}
	}},
	{".expand_dims .unsqueeze", "input axis", lowerExpandDims},
	{".squeeze", "x dim", func(c *Call) value.Value {
		x := c.ToTensor(c.arg("x")).IR
		t := c.must(x.Type.Squeeze(c.StaticInt(c.arg("dim"), "an axis")))
		return value.Tensor{IR: emit.Reshape(c.Emitter, x, t.Shape)}
	}},
	{".trans .permute", "input *", lowerTrans},
	{"join", "a b", func(c *Call) value.Value {
		xs := c.pair()
		t := c.must(xs[0].Type.Insert(xs[0].Type.Shape.N, 2))
		return value.Tensor{IR: c.Emit(op.Join, t, xs...)}
	}},
	{"interleave", "a b", func(c *Call) value.Value {
		xs := c.pair()
		z := c.must(xs[0].Type.Interleave())
		t := c.must(xs[0].Type.Insert(xs[0].Type.Shape.N, 2))
		return value.Tensor{IR: emit.Reshape(c.Emitter, c.Emit(op.Join, t, xs...), z.Shape)}
	}},
	{".split", "a", func(c *Call) value.Value {
		x := c.ToTensor(c.arg("a")).IR
		t := c.must(x.Type.Split())
		return value.Tuple{value.Tensor{IR: emit.Indexed(c.Emitter, op.Split, t, 0, x)}, value.Tensor{IR: emit.Indexed(c.Emitter, op.Split, t, 1, x)}}
	}},
	{"cat", "input other can_reorder dim", func(c *Call) value.Value {
		c.Args["a"], c.Args["b"] = c.arg("input"), c.arg("other")
		xs := []*ir.Value{c.ToTensor(c.arg("a")).IR, c.ToTensor(c.arg("b")).IR}
		axis := c.axis(xs[0].Type, "dim", 0, "an axis")
		if !xs[0].Type.Follows(xs[1].Type, axis) {
			c.Holds(c.what, xs[0].Type.DoesNotFollow(xs[1].Type, axis))
		}
		t := xs[0].Type
		t.Shape.D[axis] += xs[1].Type.Shape.D[axis]
		return value.Tensor{IR: emit.Along(c.Emitter, op.Cat, t, axis, xs...)}
	}},
	{".flip", "x dim", func(c *Call) value.Value {
		x := c.ToTensor(c.arg("x")).IR
		axis := c.axis(x.Type, "dim", -1, "an axis")
		return value.Tensor{IR: emit.Along(c.Emitter, op.Flip, x.Type, axis, x)}
	}},
}

// shapeArg is sizes, as one tuple or one by one.
func (c *Call) shapeArg() value.Value {
	if len(c.rest) == 1 {
		if t, ok := c.rest[0].(value.Tuple); ok {
			return t
		}
	}
	for _, name := range []string{"shape", "dims"} {
		if v, ok := c.Args[name]; ok {
			return v
		}
	}
	return value.Tuple(c.rest)
}

// inferred is a shape of which -1 is what is left of the elements.
func (c *Call) inferred(v value.Value) value.Value {
	t, ok := v.(value.Tuple)
	if !ok {
		return v
	}
	rest, at := c.ToTensor(c.arg("input")).IR.Type.Shape.Len(), -1
	z := append(value.Tuple{}, t...)
	for i, e := range t {
		switch n := c.StaticInt(e, "a size of a tile"); {
		case n == -1:
			at = i
		case n > 0:
			rest /= n
		}
	}
	if at >= 0 {
		z[at] = int64(rest)
	}
	return z
}

func lowerExpandDims(c *Call) value.Value {
	x := c.ToTensor(c.arg("input")).IR
	for _, a := range value.List(c.arg("axis")) {
		axis, wrong := x.Type.NewAxis(c.StaticInt(a, "an axis"))
		c.Holds(c.what, wrong)
		t := c.must(x.Type.Insert(axis, 1))
		x = emit.Reshape(c.Emitter, x, t.Shape)
	}
	return value.Tensor{IR: x}
}

func lowerTrans(c *Call) value.Value {
	x := c.ToTensor(c.arg("input"))
	axes := c.shapeArg().(value.Tuple)
	if len(axes) == 0 {
		return c.Transposed(x)
	}
	order := make([]int, len(axes))
	for i, a := range axes {
		order[i] = c.StaticInt(a, "an axis")
	}
	c.must(x.IR.Type.Permute(order))
	return value.Tensor{IR: emit.Permute(c.Emitter, x.IR, order)}
}

// pair is two tiles of one type.
func (c *Call) pair() []*ir.Value {
	a, b := c.ToTensor(c.arg("a")).IR, c.ToTensor(c.arg("b")).IR
	if a.Type.D != b.Type.D {
		c.Holds(c.what, rule.DifferInDType(a.Type, b.Type))
	}
	s := c.Shape(c.what, a, b)
	return []*ir.Value{c.Broadcast(a, s), c.Broadcast(b, s)}
}
