package frontend

import (
	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// Moving elements of a pointer tile keeps what it points into; a product moved is no
// product any more.

// moved is a tile of x's elements.
func (x value) moved(v *ir.Value) value { return pointerTo(v, x.base) }

func (c *call) reshaped(x value, s ir.Shape) value {
	return x.moved(emit.Reshape(c, x.v, s))
}

// axis resolves a possibly negative axis of a shape.
func (c *call) axis(v value, at int, t ir.Type) (int, bool) {
	axis, ok := c.staticInt(v, c.argPos(at), "an axis")
	if !ok {
		return 0, false
	}
	return c.resolveAxis(axis, t)
}

func (c *call) resolveAxis(axis int, t ir.Type) (int, bool) {
	a, d := t.Axis(axis)
	return a, c.holds(d)
}

func lowerShape(c *call) value {
	v := value{kind: listKind}
	for _, d := range c.recv.v.Type.Shape.Dims() {
		v.list = append(v.list, intValue(d))
	}
	return v
}

func lowerDim(c *call) value {
	a, ok := c.axis(c.args[0], 0, c.recv.v.Type)
	if !ok {
		return bad
	}
	return intValue(c.recv.v.Type.Shape.D[a])
}

// lowerIsNil is known: a launch with the tensor is compiled apart from one without.
func lowerIsNil(c *call) value {
	if c.recv.base == nil {
		c.holds(rule.NoPlace(c.recv.describe()))
		return bad
	}
	return boolValue(c.run.args[c.recv.base.Index].None)
}

// expand inserts a dimension of size 1.
func expand(c *call, x value, axis int) value {
	t, d := x.v.Type.Insert(axis, 1)
	if !c.holds(d) {
		return bad
	}
	return c.reshaped(x, t.Shape)
}

func lowerCol(c *call) value { return expand(c, c.recv, c.recv.v.Type.Shape.N) }

func lowerExpandDims(c *call) value {
	axis, ok := c.staticInt(c.args[0], c.argPos(0), "an axis")
	if !ok {
		return bad
	}
	a, d := c.recv.v.Type.NewAxis(axis)
	if !c.holds(d) {
		return bad
	}
	return expand(c, c.recv, a)
}

func lowerSqueeze(c *call) value {
	t := c.recv.v.Type
	a, ok := c.axis(c.args[0], 0, t)
	if !ok {
		return bad
	}
	z, d := t.Squeeze(a)
	if !c.holds(d) {
		return bad
	}
	return c.reshaped(c.recv, z.Shape)
}

func lowerReshape(c *call) value {
	s, ok := c.shapeArg(c.args, 0)
	if !ok {
		return bad
	}
	if _, d := c.recv.v.Type.Reshape(s); !c.holds(d) {
		return bad
	}
	return c.reshaped(c.recv, s)
}

func lowerRavel(c *call) value { return c.reshaped(c.recv, ir.ShapeOf(c.recv.v.Type.Shape.Len())) }

func lowerBroadcastTo(c *call) value {
	t := c.recv.v.Type
	s, ok := c.shapeArg(c.args, 0)
	if !ok {
		return bad
	}
	if _, d := t.Repeat(s); !c.holds(d) {
		return bad
	}
	if !c.checkSize(t.D, s) {
		return bad
	}
	return c.recv.moved(emit.Broadcast(c, c.recv.v, s))
}

func lowerBroadcast(c *call) []value {
	x, y := c.args[0], c.args[1]
	s, ok := c.shapeOf(x.v, y.v)
	if !ok {
		return nil
	}
	return []value{x.moved(emit.Broadcast(c, x.v, s)), y.moved(emit.Broadcast(c, y.v, s))}
}

func lowerT(c *call) value {
	x := c.operands()[0]
	if _, d := x.v.Type.Transpose(); !c.holds(d) {
		return bad
	}
	return x.moved(emit.Transpose(c, x.v))
}

func lowerPermute(c *call) value {
	t := c.recv.v.Type
	axes := make([]int, len(c.args))
	for i, v := range c.args {
		a, ok := c.staticInt(v, c.argPos(i), "an axis")
		if !ok {
			return bad
		}
		axes[i] = a
	}
	if len(axes) != t.Shape.N {
		c.fail("%d axes for %s", len(axes), t)
		return bad
	}
	if _, d := t.Permute(axes); !c.holds(d) {
		return bad
	}
	return c.recv.moved(emit.Permute(c, c.recv.v, axes))
}

// pair is two tiles brought to one shape; their dtypes must agree.
func (c *call) pair() (x, y *ir.Value) {
	a, b := c.args[0], c.args[1]
	if a.v.Type.D != b.v.Type.D || a.base != b.base {
		c.holds(rule.DifferInDType(a.v.Type, b.v.Type))
		return nil, nil
	}
	s, ok := c.shapeOf(a.v, b.v)
	if !ok {
		return nil, nil
	}
	return emit.Broadcast(c, a.v, s), emit.Broadcast(c, b.v, s)
}

func lowerJoin(c *call) value {
	x, y := c.pair()
	if x == nil {
		return bad
	}
	if _, d := x.Type.Insert(x.Type.Shape.N, 2); !c.holds(d) {
		return bad
	}
	return c.args[0].moved(newJoin(c, x, y))
}

func newJoin(c *call, x, y *ir.Value) *ir.Value {
	return c.Emit(op.Join, ir.Tile(x.Type.D, append(x.Type.Shape.Dims(), 2)...), x, y)
}

func lowerInterleave(c *call) value {
	x, y := c.pair()
	if x == nil {
		return bad
	}
	t := x.Type
	z, d := t.Interleave()
	if !c.holds(d) {
		return bad
	}
	s := z.Shape
	if t.Shape.N < ir.MaxRank {
		return c.reshaped(c.args[0].moved(newJoin(c, x, y)), s)
	}
	// There is no room for one more dimension: interleave the rows.
	flat := ir.ShapeOf(t.Shape.Len())
	joined := newJoin(c, c.reshaped(c.args[0].moved(x), flat).v, c.reshaped(c.args[0].moved(y), flat).v)
	return c.reshaped(c.args[0].moved(joined), s)
}

func lowerSplit(c *call) []value {
	x := c.args[0]
	t := x.v.Type
	z, d := t.Split()
	if !c.holds(d) {
		return nil
	}
	half := func(i int) value { return x.moved(emit.Indexed(c, op.Split, z, i, x.v)) }
	return []value{half(0), half(1)}
}

func lowerCat(c *call) value {
	xs := c.args[1:]
	if len(xs) == 0 {
		c.fail("no tiles")
		return bad
	}
	t := xs[0].v.Type
	a, ok := c.axis(c.args[0], 0, t)
	if !ok {
		return bad
	}
	n := 0
	args := make([]*ir.Value, len(xs))
	for i, x := range xs {
		s := x.v.Type.Shape
		if !t.Follows(x.v.Type, a) || x.base != xs[0].base {
			c.holds(t.DoesNotFollow(x.v.Type, a))
			return bad
		}
		n += s.D[a]
		args[i] = x.v
	}
	t.Shape.D[a] = n
	if !c.checkSize(t.D, t.Shape) {
		return bad
	}
	return xs[0].moved(emit.Along(c, op.Cat, t, a, args...))
}

func lowerFlip(c *call) value {
	x := c.args[0]
	a, ok := c.axis(c.args[1], 1, x.v.Type)
	if !ok {
		return bad
	}
	return x.moved(emit.Along(c, op.Flip, x.v.Type, a, x.v))
}

// int32Like is the type of indices into a tile of type t.
func int32Like(t ir.Type) ir.Type { return t.As(dtype.Int32) }
