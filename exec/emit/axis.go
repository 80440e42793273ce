package emit

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// All is the axis of a reduction over all elements.
const All = -1

// Arrange is x as a reduction along an axis, or All, takes it, the axis that it goes along then,
// and the shape of the result; keep leaves it the axes that are reduced, each of one element.
func Arrange(b Builder, x *ir.Value, axis int, keep bool) (z *ir.Value, along int, result ir.Shape) {
	s := x.Type.Shape
	switch {
	case axis != All && keep:
		return x, axis, s.With(axis, 1)
	case axis != All:
		return x, axis, s.Drop(axis)
	}
	z = Reshape(b, x, ir.ShapeOf(s.Len()))
	if !keep {
		return z, 0, ir.Shape{}
	}
	for i := range s.N {
		s.D[i] = 1
	}
	return z, 0, s
}

// Along is an op along an axis.
func Along(b Builder, o op.Op, t ir.Type, axis int, xs ...*ir.Value) *ir.Value {
	v := b.Emit(o, t, xs...)
	v.Axis = axis
	return v
}

// Reduced is a reduction of x to elements of type d.
func Reduced(b Builder, o op.Op, x *ir.Value, d dtype.DType, axis int) *ir.Value {
	return Along(b, o, ir.Type{D: d, Shape: x.Type.Shape.Drop(axis)}, axis, x)
}

// Found is a reduction of x to an element and its index.
func Found(b Builder, o op.Op, x *ir.Value, axis int) *ir.Value {
	v := Along(b, o, ir.Type{}, axis, x)
	t := ir.Type{D: x.Type.D, Shape: x.Type.Shape.Drop(axis)}
	v.Results = []ir.Type{t, t.As(dtype.Int32)}
	return v
}

// Combined is a reduction or scan by the function of a block, to tiles of a shape.
func Combined(b Builder, o op.Op, xs []*ir.Value, axis int, s ir.Shape, by *ir.Block) *ir.Value {
	v := Along(b, o, ir.Type{}, axis, xs...)
	v.Blocks = []*ir.Block{by}
	for _, x := range xs {
		v.Results = append(v.Results, ir.Type{D: x.Type.D, Shape: s})
	}
	return v
}

// Permute is x with its axes in another order.
func Permute(b Builder, x *ir.Value, axes []int) *ir.Value {
	t := x.Type
	t.Shape, _ = t.Shape.Permute(axes)
	v := b.Emit(op.Permute, t, x)
	v.Axes = axes
	return v
}

// Transpose is x, which has two axes at least, with the last two swapped.
func Transpose(b Builder, x *ir.Value) *ir.Value {
	n := x.Type.Shape.N
	axes := make([]int, n)
	for i := range axes {
		axes[i] = i
	}
	axes[n-1], axes[n-2] = n-2, n-1
	return Permute(b, x, axes)
}
