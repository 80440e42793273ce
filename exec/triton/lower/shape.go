package lower

import (
	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// shapes move elements about.
var shapes = []line{
	{".broadcast_to", "input *", func(c *call) value {
		x, s := c.toTensor(c.arg("input")).v, c.sizes(c.shapeArg(), c.what)
		t := x.Type
		if t.IsTile() || t.Shape.N > 0 {
			_, wrong := t.Repeat(s)
			c.holds(c.what, wrong)
		}
		c.holds(c.what, ir.Type{D: t.D, Shape: s}.Check())
		return tensor{v: c.broadcast(x, s)}
	}},
	{"broadcast", "x y", func(c *call) value {
		x, y := c.toTensor(c.arg("x")).v, c.toTensor(c.arg("y")).v
		s := c.shape(c.what, x, y)
		return tuple{tensor{v: c.broadcast(x, s)}, tensor{v: c.broadcast(y, s)}}
	}},
	{".reshape .view", "input *", func(c *call) value {
		x, s := c.toTensor(c.arg("input")).v, c.sizes(c.inferred(c.shapeArg()), c.what)
		_, wrong := x.Type.Reshape(s)
		c.holds(c.what, wrong)
		return tensor{v: emit.Reshape(c, x, s)}
	}},
	{".expand_dims .unsqueeze", "input axis", lowerExpandDims},
	{".squeeze", "x dim", func(c *call) value {
		x := c.toTensor(c.arg("x")).v
		t, wrong := x.Type.Squeeze(c.staticInt(c.arg("dim"), "an axis"))
		c.holds(c.what, wrong)
		return tensor{v: emit.Reshape(c, x, t.Shape)}
	}},
	{".trans .permute", "input *", lowerTrans},
	{"join", "a b", func(c *call) value {
		xs := c.pair()
		t, wrong := xs[0].Type.Insert(xs[0].Type.Shape.N, 2)
		c.holds(c.what, wrong)
		return tensor{v: c.Emit(op.Join, t, xs...)}
	}},
	{"interleave", "a b", func(c *call) value {
		xs := c.pair()
		z, wrong := xs[0].Type.Interleave()
		c.holds(c.what, wrong)
		t, wrong := xs[0].Type.Insert(xs[0].Type.Shape.N, 2)
		c.holds(c.what, wrong)
		return tensor{v: emit.Reshape(c, c.Emit(op.Join, t, xs...), z.Shape)}
	}},
	{".split", "a", func(c *call) value {
		x := c.toTensor(c.arg("a")).v
		t, wrong := x.Type.Split()
		c.holds(c.what, wrong)
		return tuple{tensor{v: emit.Indexed(c, op.Split, t, 0, x)}, tensor{v: emit.Indexed(c, op.Split, t, 1, x)}}
	}},
	{"cat", "input other can_reorder dim", func(c *call) value {
		c.args["a"], c.args["b"] = c.arg("input"), c.arg("other")
		xs := []*ir.Value{c.toTensor(c.arg("a")).v, c.toTensor(c.arg("b")).v}
		dim := 0
		if c.given("dim") {
			dim = c.staticInt(c.arg("dim"), "an axis")
		}
		axis, wrong := xs[0].Type.Axis(dim)
		c.holds(c.what, wrong)
		if !xs[0].Type.Follows(xs[1].Type, axis) {
			c.holds(c.what, xs[0].Type.DoesNotFollow(xs[1].Type, axis))
		}
		t := xs[0].Type
		t.Shape.D[axis] += xs[1].Type.Shape.D[axis]
		return tensor{v: emit.Along(c, op.Cat, t, axis, xs...)}
	}},
	{".flip", "x dim", func(c *call) value {
		x := c.toTensor(c.arg("x")).v
		dim := -1
		if c.given("dim") {
			dim = c.staticInt(c.arg("dim"), "an axis")
		}
		axis, wrong := x.Type.Axis(dim)
		c.holds(c.what, wrong)
		return tensor{v: emit.Along(c, op.Flip, x.Type, axis, x)}
	}},
}

// shapeArg is sizes, as one tuple or one by one.
func (c *call) shapeArg() value {
	if len(c.rest) == 1 {
		if t, ok := c.rest[0].(tuple); ok {
			return t
		}
	}
	for _, name := range []string{"shape", "dims"} {
		if v, ok := c.args[name]; ok {
			return v
		}
	}
	return tuple(c.rest)
}

// inferred is a shape of which -1 is what is left of the elements.
func (c *call) inferred(v value) value {
	t, ok := v.(tuple)
	if !ok {
		return v
	}
	rest, at := c.toTensor(c.arg("input")).v.Type.Shape.Len(), -1
	z := append(tuple{}, t...)
	for i, e := range t {
		switch n := c.staticInt(e, "a size of a tile"); {
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

func lowerExpandDims(c *call) value {
	x := c.toTensor(c.arg("input")).v
	axes, ok := c.arg("axis").(tuple)
	if !ok {
		axes = tuple{c.arg("axis")}
	}
	for _, a := range axes {
		axis, wrong := x.Type.NewAxis(c.staticInt(a, "an axis"))
		c.holds(c.what, wrong)
		t, wrong := x.Type.Insert(axis, 1)
		c.holds(c.what, wrong)
		x = emit.Reshape(c, x, t.Shape)
	}
	return tensor{v: x}
}

func lowerTrans(c *call) value {
	x := c.toTensor(c.arg("input"))
	axes := c.shapeArg().(tuple)
	if len(axes) == 0 {
		return c.transposed(x)
	}
	order := make([]int, len(axes))
	for i, a := range axes {
		order[i] = c.staticInt(a, "an axis")
	}
	_, wrong := x.v.Type.Permute(order)
	c.holds(c.what, wrong)
	return tensor{v: emit.Permute(c, x.v, order)}
}

// pair is two tiles of one type.
func (c *call) pair() []*ir.Value {
	a, b := c.toTensor(c.arg("a")).v, c.toTensor(c.arg("b")).v
	if a.Type.D != b.Type.D {
		c.holds(c.what, rule.DifferInDType(a.Type, b.Type))
	}
	s := c.shape(c.what, a, b)
	return []*ir.Value{c.broadcast(a, s), c.broadcast(b, s)}
}
