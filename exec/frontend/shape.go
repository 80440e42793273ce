package frontend

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// Moving elements of a pointer tile keeps what it points into; a product moved is no
// product any more.

// moved is a tile of x's elements.
func (x value) moved(v *ir.Value) value { return pointerTo(v, x.base) }

func (c *call) reshaped(x value, s ir.Shape) value {
	if x.v.Type.Shape == s {
		return x.moved(x.v)
	}
	return x.moved(c.emit(op.Reshape, ir.Type{D: x.v.Type.D, Shape: s}, x.v))
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
	a := axis
	if a < 0 {
		a += t.Shape.N
	}
	if a < 0 || a >= t.Shape.N {
		c.fail("axis %d of %s, which has %d dimensions", axis, t, t.Shape.N)
		return 0, false
	}
	return a, true
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

// expand inserts a dimension of size 1.
func (c *call) expand(x value, axis int) value {
	s := x.v.Type.Shape
	if s.N == ir.MaxRank {
		c.fail("%s already has %d dimensions, the maximum", x.v.Type, ir.MaxRank)
		return bad
	}
	return c.reshaped(x, s.Insert(axis, 1))
}

func lowerCol(c *call) value { return c.expand(c.recv, c.recv.v.Type.Shape.N) }

func lowerExpandDims(c *call) value {
	n := c.recv.v.Type.Shape.N
	axis, ok := c.staticInt(c.args[0], c.argPos(0), "an axis")
	if !ok {
		return bad
	}
	a := axis
	if a < 0 {
		a += n + 1
	}
	if a < 0 || a > n {
		c.fail("axis %d for %s", a, c.recv.v.Type)
		return bad
	}
	return c.expand(c.recv, a)
}

func lowerSqueeze(c *call) value {
	t := c.recv.v.Type
	a, ok := c.axis(c.args[0], 0, t)
	if !ok {
		return bad
	}
	if t.Shape.D[a] != 1 {
		c.fail("axis %d of %s has size %d", a, t, t.Shape.D[a])
		return bad
	}
	return c.reshaped(c.recv, t.Shape.Drop(a))
}

func lowerReshape(c *call) value {
	t := c.recv.v.Type
	s, ok := c.shapeArg(c.args, 0)
	if !ok {
		return bad
	}
	if s.Len() != t.Shape.Len() {
		c.fail("%s to %s: %d elements into %d", t, shape.Index(s.Dims()), t.Shape.Len(), s.Len())
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
	if !t.Shape.BroadcastsTo(s) {
		c.fail("%s to %s: sizes must be equal or 1", t, shape.Index(s.Dims()))
		return bad
	}
	if !c.checkSize(t.D, s) {
		return bad
	}
	return c.recv.moved(c.broadcasted(c.recv.v, s))
}

func lowerBroadcast(c *call) []value {
	x, y := c.args[0], c.args[1]
	s, ok := c.shapeOf(x.v, y.v)
	if !ok {
		return nil
	}
	return []value{x.moved(c.broadcasted(x.v, s)), y.moved(c.broadcasted(y.v, s))}
}

func lowerT(c *call) value {
	x := c.operands()[0]
	n := x.v.Type.Shape.N
	if n < 2 {
		c.fail("%s has fewer than two dimensions", x.v.Type).Fix("make a column or a row of it: x.Col(), x.Row()")
		return bad
	}
	axes := make([]int, n)
	for i := range axes {
		axes[i] = i
	}
	axes[n-1], axes[n-2] = n-2, n-1
	return c.permuted(x, axes)
}

func (c *call) permuted(x value, axes []int) value {
	t := x.v.Type
	t.Shape, _ = t.Shape.Permute(axes)
	v := c.emit(op.Permute, t, x.v)
	v.Axes = axes
	return x.moved(v)
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
	if _, ok := t.Shape.Permute(axes); !ok {
		c.fail("%s of %s: want each axis 0 ... %d once", shape.Index(axes), t, t.Shape.N-1)
		return bad
	}
	return c.permuted(c.recv, axes)
}

// pair is two tiles brought to one shape; their dtypes must agree.
func (c *call) pair() (x, y *ir.Value) {
	a, b := c.args[0], c.args[1]
	if a.v.Type.D != b.v.Type.D || a.base != b.base {
		c.fail("%s and %s differ in dtype", a.v.Type, b.v.Type).Fix("convert one of them with To")
		return nil, nil
	}
	s, ok := c.shapeOf(a.v, b.v)
	if !ok {
		return nil, nil
	}
	return c.broadcasted(a.v, s), c.broadcasted(b.v, s)
}

func lowerJoin(c *call) value {
	x, y := c.pair()
	if x == nil {
		return bad
	}
	if x.Type.Shape.N == ir.MaxRank {
		c.fail("%s already has %d dimensions, the maximum", x.Type, ir.MaxRank)
		return bad
	}
	return c.args[0].moved(c.join(x, y))
}

func (c *call) join(x, y *ir.Value) *ir.Value {
	return c.emit(op.Join, ir.Tile(x.Type.D, append(x.Type.Shape.Dims(), 2)...), x, y)
}

func lowerInterleave(c *call) value {
	x, y := c.pair()
	if x == nil {
		return bad
	}
	t := x.Type
	if t.Shape.N == 0 {
		c.fail("scalars").Fix("use tl.Join")
		return bad
	}
	last := t.Shape.N - 1
	s := t.Shape.With(last, 2*t.Shape.D[last])
	if t.Shape.N < ir.MaxRank {
		return c.reshaped(c.args[0].moved(c.join(x, y)), s)
	}
	// There is no room for one more dimension: interleave the rows.
	flat := ir.ShapeOf(t.Shape.Len())
	joined := c.join(c.reshaped(c.args[0].moved(x), flat).v, c.reshaped(c.args[0].moved(y), flat).v)
	return c.reshaped(c.args[0].moved(joined), s)
}

func lowerSplit(c *call) []value {
	x := c.args[0]
	t := x.v.Type
	if t.Shape.N == 0 || t.Shape.D[t.Shape.N-1] != 2 {
		c.fail("%s: the last dimension must be 2", t).Fix("reshape it first")
		return nil
	}
	half := func(i int) value {
		v := c.emit(op.Split, ir.Type{D: t.D, Shape: t.Shape.Drop(t.Shape.N - 1)}, x.v)
		v.Index = i
		return x.moved(v)
	}
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
		if s.N != t.Shape.N || s.With(a, t.Shape.D[a]) != t.Shape || x.v.Type.D != t.D || x.base != xs[0].base {
			c.fail("%s and %s: dtypes and all sizes but that of axis %d must agree", t, x.v.Type, a)
			return bad
		}
		n += s.D[a]
		args[i] = x.v
	}
	t.Shape.D[a] = n
	if !c.checkSize(t.D, t.Shape) {
		return bad
	}
	v := c.emit(op.Cat, t, args...)
	v.Axis = a
	return xs[0].moved(v)
}

func lowerFlip(c *call) value {
	x := c.args[0]
	a, ok := c.axis(c.args[1], 1, x.v.Type)
	if !ok {
		return bad
	}
	v := c.emit(op.Flip, x.v.Type, x.v)
	v.Axis = a
	return x.moved(v)
}

// int32Like is the type of indices into a tile of type t.
func int32Like(t ir.Type) ir.Type { return t.As(dtype.Int32) }
