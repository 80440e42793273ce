package kerneltest_test

import (
	"fmt"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A rearranger makes what is stored of two tiles of a shape.
type rearranger struct {
	name string
	fn   func(b *kerneltest.Builder, x, y *ir.Value) []*ir.Value
}

func flipped(b *kerneltest.Builder, x *ir.Value, axis int) *ir.Value {
	v := b.Emit(op.Flip, x.Type, x)
	v.Axis = axis
	return v
}

func turned(b *kerneltest.Builder, x *ir.Value) *ir.Value {
	t := x.Type
	axes := make([]int, t.Shape.N)
	for i := range axes {
		axes[i] = t.Shape.N - 1 - i
		t.Shape.D[i] = x.Type.Shape.D[axes[i]]
	}
	v := b.Emit(op.Permute, t, x)
	v.Axes = axes
	return v
}

var rearrangers = []rearranger{
	{"flip", func(b *kerneltest.Builder, x, _ *ir.Value) (z []*ir.Value) {
		for axis := range x.Type.Shape.N {
			v := flipped(b, x, axis)
			z = append(z, v, turned(b, v), flipped(b, v, 0), flipped(b, turned(b, x), axis))
		}
		return z
	}},
	{"reshape", func(b *kerneltest.Builder, x, _ *ir.Value) (z []*ir.Value) {
		n := x.Type.Shape.Len()
		for _, s := range append([]ir.Shape{ir.ShapeOf(1, n), ir.ShapeOf(n)}, kerneltest.ShapesOf(n)...) {
			v := b.Reshape(x, s)
			z = append(z, v, turned(b, v), b.Reshape(turned(b, v), x.Type.Shape))
		}
		if n == 1 {
			z = append(z, b.Reshape(x, ir.Shape{}))
		}
		return z
	}},
	{"join", func(b *kerneltest.Builder, x, y *ir.Value) (z []*ir.Value) {
		if x.Type.Shape.Len() == 1 {
			s := joined(b, b.Reshape(x, ir.Shape{}), b.Reshape(y, ir.Shape{}))
			z = append(z, s, half(b, s, 0), half(b, s, 1))
		}
		v, w := joined(b, x, turned(b, turned(b, y))), joined(b, joined(b, x, x), joined(b, y, x))
		return append(z, v, turned(b, v), b.Reshape(v, ir.ShapeOf(v.Type.Shape.Len())), half(b, v, 0), half(b, v, 1), w, half(b, half(b, w, 1), 0))
	}},
	{"gather", func(b *kerneltest.Builder, x, _ *ir.Value) (z []*ir.Value) {
		for axis := range x.Type.Shape.N {
			d := indexTypes[(axis+int(x.Type.D))%len(indexTypes)]
			v := gathered(b, x, axis, 37, d)
			z = append(z, v, turned(b, v), gathered(b, turned(b, x), axis, 1, d))
		}
		return z
	}},
	{"cat", func(b *kerneltest.Builder, x, y *ir.Value) (z []*ir.Value) {
		for axis := range x.Type.Shape.N {
			v := catenated(b, axis, x, y, flipped(b, x, axis))
			z = append(z, v, turned(b, v), flipped(b, v, axis), catenated(b, axis, y, v), catenated(b, axis, y))
		}
		return z
	}},
}

func joined(b *kerneltest.Builder, x, y *ir.Value) *ir.Value {
	return b.Emit(op.Join, ir.Tile(x.Type.D, append(x.Type.Shape.Dims(), 2)...), x, y)
}

// gathered picks n elements along an axis.
func gathered(b *kerneltest.Builder, x *ir.Value, axis, n int, index dtype.DType) *ir.Value {
	size, t := x.Type.Shape.D[axis], x.Type
	t.Shape.D[axis] = n
	i := b.Offsets(t.Shape)
	i = b.Emit(op.Mul, i.Type, i, b.Broadcast(b.Int(5), t.Shape))
	i = b.Emit(op.Mod, i.Type, i, b.Broadcast(b.Int(size), t.Shape))
	if index != dtype.Int64 {
		i = b.Emit(op.Cast, i.Type.As(index), i)
	}
	v := b.Emit(op.Gather, t, x, i)
	v.Axis = axis
	return v
}

func half(b *kerneltest.Builder, x *ir.Value, index int) *ir.Value {
	t := x.Type
	t.Shape = t.Shape.Drop(t.Shape.N - 1)
	v := b.Emit(op.Split, t, x)
	v.Index = index
	return v
}

func catenated(b *kerneltest.Builder, axis int, xs ...*ir.Value) *ir.Value {
	t := xs[0].Type
	t.Shape.D[axis] = 0
	for _, x := range xs {
		t.Shape.D[axis] += x.Type.Shape.D[axis]
	}
	v := b.Emit(op.Cat, t, xs...)
	v.Axis = axis
	return v
}

var indexTypes = []dtype.DType{dtype.Int32, dtype.Int64, dtype.Uint8, dtype.Int16, dtype.Uint64}

// TestGatherOutside has the same first index outside its axis in every engine.
func TestGatherOutside(t *testing.T) {
	for _, d := range indexTypes {
		for _, s := range []ir.Shape{ir.ShapeOf(3), ir.ShapeOf(40), ir.ShapeOf(5, 7), ir.ShapeOf(7, 40)} {
			for axis := range s.N {
				size := uint64(s.D[axis])
				for first, bad := range []uint64{size, dtype.FromInt(d, -1, true), d.MaxInt(), uint64(d.MinInt()) | size} {
					b := kerneltest.NewBuilder()
					z := b.Emit(op.Gather, ir.Type{D: dtype.Float32, Shape: s}, b.Load(b.Ptr(dtype.Float32), s), b.Load(b.Ptr(d), s))
					z.Axis = axis
					b.Store(b.Ptr(dtype.Float32), z)
					err := sameIR(t, b.Done(), [3]int{1, 1, 1}, func(w *kerneltest.World) {
						w.Add(dtype.Float32, s.Len())
						w.AddBits(d, s.Len(), func(i int) uint64 {
							if i >= s.Len()*first/5 && i%3 == 0 {
								return bad
							}
							return uint64(i) % size
						})
						w.Add(dtype.Float32, s.Len())
					}, map[string]int{})
					if err != nil {
						t.Fatalf("%v, %v along %d: %v", d, s.Dims(), axis, err)
					}
				}
			}
		}
	}
}

// TestRearranged runs the operations that move elements in every engine, for all types.
func TestRearranged(t *testing.T) {
	shapes := []ir.Shape{ir.ShapeOf(1), ir.ShapeOf(17), ir.ShapeOf(5, 7), ir.ShapeOf(2, 1, 33)}
	if long() {
		shapes = append(shapes, ir.ShapeOf(2), ir.ShapeOf(8), ir.ShapeOf(100), ir.ShapeOf(1, 9), ir.ShapeOf(9, 1), ir.ShapeOf(16, 16),
			ir.ShapeOf(3, 40), ir.ShapeOf(3, 4, 5), ir.ShapeOf(3, 2, 2))
	}
	for i, d := range dtype.All() {
		for j, r := range rearrangers {
			for k, s := range shapes {
				if !long() && (i+j+k)%len(shapes) != 0 {
					continue // one shape for each dtype and function
				}
				if !kerneltest.InPart(t, i+j+k) {
					continue
				}
				name := fmt.Sprintf("%s/%v/%v", r.name, d, s.Dims())
				t.Run(name, func(t *testing.T) { rearrange(t, r, d, s) })
			}
		}
	}
}

func rearrange(t *testing.T, r rearranger, d dtype.DType, s ir.Shape) {
	b := kerneltest.NewBuilder()
	z := r.fn(b, b.Load(b.Ptr(d), s), b.Load(b.Ptr(d), s))
	for _, v := range z {
		b.Store(b.Ptr(d), v)
	}
	skipped := map[string]int{}
	err := sameIR(t, b.Done(), [3]int{1, 1, 1}, func(w *kerneltest.World) {
		w.Add(d, s.Len())
		w.Add(d, s.Len())
		for _, v := range z {
			w.Add(d, v.Type.Shape.Len())
		}
	}, skipped)
	if err != nil || len(skipped) > 0 {
		t.Error(err, skipped)
	}
}
