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
			c.must(t.Repeat(s))
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
		c.must(x.Type.Reshape(s))
		return tensor{v: emit.Reshape(&c.emitter, x, s)}
	}},
	{".expand_dims .unsqueeze", "input axis", lowerExpandDims},
	{".squeeze", "x dim", func(c *call) value {
		x := c.toTensor(c.arg("x")).v
		t := c.must(x.Type.Squeeze(c.staticInt(c.arg("dim"), "an axis")))
		return tensor{v: emit.Reshape(&c.emitter, x, t.Shape)}
	}},
	{".trans .permute", "input *", lowerTrans},
	{"join", "a b", func(c *call) value {
		xs := c.pair()
		t := c.must(xs[0].Type.Insert(xs[0].Type.Shape.N, 2))
		return tensor{v: c.Emit(op.Join, t, xs...)}
	}},
	{"interleave", "a b", func(c *call) value {
		xs := c.pair()
		z := c.must(xs[0].Type.Interleave())
		t := c.must(xs[0].Type.Insert(xs[0].Type.Shape.N, 2))
		return tensor{v: emit.Reshape(&c.emitter, c.Emit(op.Join, t, xs...), z.Shape)}
	}},
	{".split", "a", func(c *call) value {
		x := c.toTensor(c.arg("a")).v
		t := c.must(x.Type.Split())
		return tuple{tensor{v: emit.Indexed(&c.emitter, op.Split, t, 0, x)}, tensor{v: emit.Indexed(&c.emitter, op.Split, t, 1, x)}}
	}},
	{"cat", "input other can_reorder dim", func(c *call) value {
		c.args["a"], c.args["b"] = c.arg("input"), c.arg("other")
		xs := []*ir.Value{c.toTensor(c.arg("a")).v, c.toTensor(c.arg("b")).v}
		axis := c.axis(xs[0].Type, "dim", 0, "an axis")
		if !xs[0].Type.Follows(xs[1].Type, axis) {
			c.holds(c.what, xs[0].Type.DoesNotFollow(xs[1].Type, axis))
		}
		t := xs[0].Type
		t.Shape.D[axis] += xs[1].Type.Shape.D[axis]
		return tensor{v: emit.Along(&c.emitter, op.Cat, t, axis, xs...)}
	}},
	{".flip", "x dim", func(c *call) value {
		x := c.toTensor(c.arg("x")).v
		axis := c.axis(x.Type, "dim", -1, "an axis")
		return tensor{v: emit.Along(&c.emitter, op.Flip, x.Type, axis, x)}
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
		t := c.must(x.Type.Insert(axis, 1))
		x = emit.Reshape(&c.emitter, x, t.Shape)
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
	c.must(x.v.Type.Permute(order))
	return tensor{v: emit.Permute(&c.emitter, x.v, order)}
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
