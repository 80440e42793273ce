package builtin

import (
	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// Moving elements of a pointer tile keeps what it points into; a product moved is no
// product any more.

func (c *Call) reshaped(x value.Value, s ir.Shape) value.Value {
	return x.Moved(emit.Reshape(&c.Emitter, x.IR, s))
}

// axis resolves a possibly negative axis of a shape.
func (c *Call) axis(v value.Value, at int, t ir.Type) (int, bool) {
	axis, ok := c.StaticInt(v, c.argPos(at), "an axis")
	if !ok {
		return 0, false
	}
	return c.resolveAxis(axis, t)
}

func (c *Call) resolveAxis(axis int, t ir.Type) (int, bool) {
	a, d := t.Axis(axis)
	return a, c.holds(d)
}

func lowerShape(c *Call) value.Value {
	v := value.Value{Kind: value.ListKind}
	for _, d := range c.Recv.IR.Type.Shape.Dims() {
		v.List = append(v.List, value.Int(d))
	}
	return v
}

func lowerDim(c *Call) value.Value {
	a, ok := c.axis(c.Args[0], 0, c.Recv.IR.Type)
	if !ok {
		return value.Bad
	}
	return value.Int(c.Recv.IR.Type.Shape.D[a])
}

// lowerIsNil is known: a launch with the tensor is compiled apart from one without.
func lowerIsNil(c *Call) value.Value {
	if c.Recv.Base == nil {
		c.holds(rule.NoPlace(c.Recv.Describe()))
		return value.Bad
	}
	if c.Recv.Base.Op != ir.Param {
		c.fail("the pointer is into one of several tensors").Fix("ask the parameters")
		return value.Bad
	}
	return value.Bool(c.Run.Args[c.Recv.Base.Index].None)
}

// expand inserts a dimension of size 1.
func expand(c *Call, x value.Value, axis int) value.Value {
	t, d := x.IR.Type.Insert(axis, 1)
	if !c.holds(d) {
		return value.Bad
	}
	return c.reshaped(x, t.Shape)
}

func lowerExpandDims(c *Call) value.Value {
	axis, ok := c.StaticInt(c.Args[0], c.argPos(0), "an axis")
	if !ok {
		return value.Bad
	}
	a, d := c.Recv.IR.Type.NewAxis(axis)
	if !c.holds(d) {
		return value.Bad
	}
	return expand(c, c.Recv, a)
}

func lowerSqueeze(c *Call) value.Value {
	t := c.Recv.IR.Type
	a, ok := c.axis(c.Args[0], 0, t)
	if !ok {
		return value.Bad
	}
	z, d := t.Squeeze(a)
	if !c.holds(d) {
		return value.Bad
	}
	return c.reshaped(c.Recv, z.Shape)
}

func lowerReshape(c *Call) value.Value {
	s, ok := c.shapeArg(c.Args, 0)
	if !ok {
		return value.Bad
	}
	if _, d := c.Recv.IR.Type.Reshape(s); !c.holds(d) {
		return value.Bad
	}
	return c.reshaped(c.Recv, s)
}

func lowerBroadcastTo(c *Call) value.Value {
	t := c.Recv.IR.Type
	s, ok := c.shapeArg(c.Args, 0)
	if !ok {
		return value.Bad
	}
	if _, d := t.Repeat(s); !c.holds(d) {
		return value.Bad
	}
	if !c.checkSize(t.D, s) {
		return value.Bad
	}
	return c.Recv.Moved(emit.Broadcast(&c.Emitter, c.Recv.IR, s))
}

func lowerBroadcast(c *Call) []value.Value {
	x, y := c.Args[0], c.Args[1]
	s, ok := c.shapeOf(x.IR, y.IR)
	if !ok {
		return nil
	}
	return []value.Value{x.Moved(emit.Broadcast(&c.Emitter, x.IR, s)), y.Moved(emit.Broadcast(&c.Emitter, y.IR, s))}
}

func lowerT(c *Call) value.Value {
	x := c.operands()[0]
	if _, d := x.IR.Type.Transpose(); !c.holds(d) {
		return value.Bad
	}
	return x.Moved(emit.Transpose(&c.Emitter, x.IR))
}

func lowerPermute(c *Call) value.Value {
	t := c.Recv.IR.Type
	axes := make([]int, len(c.Args))
	for i, v := range c.Args {
		a, ok := c.StaticInt(v, c.argPos(i), "an axis")
		if !ok {
			return value.Bad
		}
		axes[i] = a
	}
	if len(axes) != t.Shape.N {
		c.fail("%d axes for %s", len(axes), t)
		return value.Bad
	}
	if _, d := t.Permute(axes); !c.holds(d) {
		return value.Bad
	}
	return c.Recv.Moved(emit.Permute(&c.Emitter, c.Recv.IR, axes))
}

// pair is two tiles brought to one shape; their dtypes must agree.
func (c *Call) pair() (x, y *ir.Value) {
	a, b := c.Args[0], c.Args[1]
	if a.IR.Type.D != b.IR.Type.D || a.Base != b.Base {
		c.holds(rule.DifferInDType(a.IR.Type, b.IR.Type))
		return nil, nil
	}
	s, ok := c.shapeOf(a.IR, b.IR)
	if !ok {
		return nil, nil
	}
	return emit.Broadcast(&c.Emitter, a.IR, s), emit.Broadcast(&c.Emitter, b.IR, s)
}

func lowerJoin(c *Call) value.Value {
	x, y := c.pair()
	if x == nil {
		return value.Bad
	}
	if _, d := x.Type.Insert(x.Type.Shape.N, 2); !c.holds(d) {
		return value.Bad
	}
	return c.Args[0].Moved(newJoin(c, x, y))
}

func newJoin(c *Call, x, y *ir.Value) *ir.Value {
	return c.Emit(op.Join, ir.Tile(x.Type.D, append(x.Type.Shape.Dims(), 2)...), x, y)
}

func lowerInterleave(c *Call) value.Value {
	x, y := c.pair()
	if x == nil {
		return value.Bad
	}
	t := x.Type
	z, d := t.Interleave()
	if !c.holds(d) {
		return value.Bad
	}
	s := z.Shape
	if t.Shape.N < ir.MaxRank {
		return c.reshaped(c.Args[0].Moved(newJoin(c, x, y)), s)
	}
	// There is no room for one more dimension: interleave the rows.
	flat := ir.ShapeOf(t.Shape.Len())
	joined := newJoin(c, c.reshaped(c.Args[0].Moved(x), flat).IR, c.reshaped(c.Args[0].Moved(y), flat).IR)
	return c.reshaped(c.Args[0].Moved(joined), s)
}

func lowerSplit(c *Call) []value.Value {
	x := c.Args[0]
	t := x.IR.Type
	z, d := t.Split()
	if !c.holds(d) {
		return nil
	}
	half := func(i int) value.Value { return x.Moved(emit.Indexed(&c.Emitter, op.Split, z, i, x.IR)) }
	return []value.Value{half(0), half(1)}
}

func lowerCat(c *Call) value.Value {
	xs := c.Args[1:]
	if len(xs) == 0 {
		c.fail("no tiles")
		return value.Bad
	}
	t := xs[0].IR.Type
	a, ok := c.axis(c.Args[0], 0, t)
	if !ok {
		return value.Bad
	}
	n := 0
	args := make([]*ir.Value, len(xs))
	for i, x := range xs {
		s := x.IR.Type.Shape
		if !t.Follows(x.IR.Type, a) || x.Base != xs[0].Base {
			c.holds(t.DoesNotFollow(x.IR.Type, a))
			return value.Bad
		}
		n += s.D[a]
		args[i] = x.IR
	}
	t.Shape.D[a] = n
	if !c.checkSize(t.D, t.Shape) {
		return value.Bad
	}
	return xs[0].Moved(emit.Along(&c.Emitter, op.Cat, t, a, args...))
}

func lowerFlip(c *Call) value.Value {
	x := c.Args[0]
	a, ok := c.axis(c.Args[1], 1, x.IR.Type)
	if !ok {
		return value.Bad
	}
	return x.Moved(emit.Along(&c.Emitter, op.Flip, x.IR.Type, a, x.IR))
}

// int32Like is the type of indices into a tile of type t.
func int32Like(t ir.Type) ir.Type { return t.As(dtype.Int32) }

// shapeOf is the common shape of operands.
func (c *Call) shapeOf(xs ...*ir.Value) (s ir.Shape, ok bool) {
	s, wrong := emit.Shape(xs...)
	return s, c.holds(wrong)
}

// checkSize reports a tile that is too large.
func (c *Call) checkSize(d dtype.DType, s ir.Shape) bool {
	return c.holds(ir.Type{D: d, Shape: s}.Check())
}
