package portable_test

import (
	"fmt"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/exec/portable"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// sizes are the lengths that vector code gets wrong.
var sizes = []int{1, 15, 16, 17, 127, 128, 1000}

// missing are ops that are not ops of the IR.
var missing = map[op.Op]bool{
	op.Lookup: true, op.SkipUnless: true, // only in programs
	op.Full:       true,                                                                 // a constant, broadcast
	op.MultipleOf: true, op.MaxContiguous: true, op.MaxConstancy: true, op.Assume: true, // promises
	ir.Param: true, ir.Swizzle: true, // which only machine code has
}

func TestEveryOpIsLowered(t *testing.T) {
	for o := op.None + 1; o < ir.NumOps; o++ {
		if portable.Lowers(o) == missing[o] {
			t.Errorf("%s: lowered is %t", ir.OpName(o), portable.Lowers(o))
		}
	}
}

// TestElementwise runs every elementwise op on every dtype, as a tile and as a
// scalar.
func TestElementwise(t *testing.T) {
	for o := op.None + 1; o < op.NumOps; o++ {
		if o.Row().Family != op.Elementwise && o != op.Scale {
			continue
		}
		for i, d := range dtype.All() {
			if !kerneltest.HasMeaning(o, d) {
				continue
			}
			for _, n := range []int{0, sizes[(int(o)+i)%len(sizes)], 300} {
				shape := ir.ShapeOf(n)
				if n == 0 {
					shape, n = ir.Shape{}, 1
				}
				t.Run(fmt.Sprint(o, d, shape), func(t *testing.T) { elementwiseOp(t, o, d, shape, n) })
			}
		}
	}
}

func elementwiseOp(t *testing.T, o op.Op, d dtype.DType, shape ir.Shape, n int) {
	b := kerneltest.NewBuilder()
	var types []dtype.DType
	for i := range o.Row().Arity {
		if o == op.Where && i == 0 {
			types = append(types, dtype.Bool)
		} else {
			types = append(types, d)
		}
	}
	var args []*ir.Value
	for _, d := range types {
		args = append(args, b.Load(b.Ptr(d), shape))
	}
	z := b.Emit(o, ir.Type{D: o.Result(d), Shape: shape}, args...)
	b.Store(b.Ptr(z.Type.D), z)
	same(t, b.Done(), [3]int{1, 1, 1}, func(w *kerneltest.World) {
		for _, d := range types {
			x := w.Add(d, n)
			if (o == op.FloorDiv || o == op.Mod) && d.IsInt() {
				for i := range n {
					if x.Buf().Bits(i) == 0 {
						x.Buf().SetBits(i, 1)
					}
				}
			}
			if o == op.Scale && len(w.Args) == 2 { // its power is integral
				for i := range n {
					x.Buf().SetBits(i, dtype.FromFloat(d, float64(w.R.IntN(400)-200)))
				}
			}
		}
		w.Add(z.Type.D, n)
	})
}

func TestCasts(t *testing.T) {
	for i, from := range dtype.All() {
		for k, to := range dtype.All() {
			for _, n := range []int{0, sizes[(i+k)%len(sizes)], 300} {
				shape := ir.ShapeOf(n)
				if n == 0 {
					shape, n = ir.Shape{}, 1
				}
				b := kerneltest.NewBuilder()
				x, out := b.Load(b.Ptr(from), shape), b.Ptr(to)
				ops := []op.Op{op.Cast}
				if from.Bits() == to.Bits() {
					ops = append(ops, op.Bitcast)
				}
				if from.IsFloat() && to.IsFloat() && to.Size() < from.Size() {
					ops = append(ops, op.CastRTZ)
				}
				for _, o := range ops {
					b.Store(out, b.Emit(o, x.Type.As(to), x))
					out = b.Emit(ir.PtrAdd, out.Type, out, b.Int(n))
				}
				same(t, b.Done(), [3]int{1, 1, 1}, func(w *kerneltest.World) { w.Add(from, n); w.Add(to, n*len(ops)) })
			}
		}
	}
}

// alongAxes runs build for tiles of several shapes, along each axis.
func alongAxes(t *testing.T, d dtype.DType, build func(b *kerneltest.Builder, x *ir.Value, axis int) []*ir.Value) {
	t.Helper()
	lengths := []int{1, 15, 16, 17, 100, 128, 1000}
	if !long() && d != dtype.Float32 && d != dtype.Int32 {
		lengths = []int{16, 17 + int(d)}
	}
	for _, n := range lengths {
		for _, shape := range kerneltest.ShapesOf(n) {
			for axis := range shape.N {
				b := kerneltest.NewBuilder()
				x := b.Load(b.Ptr(d), shape)
				zs := build(b, x, axis)
				for _, z := range zs {
					b.Store(b.Ptr(z.Type.D), z)
				}
				same(t, b.Done(), [3]int{1, 1, 1}, func(w *kerneltest.World) {
					w.Add(d, n)
					for _, z := range zs {
						w.Add(z.Type.D, z.Type.Shape.Len())
					}
				})
			}
		}
	}
}

func TestReductions(t *testing.T) {
	for _, d := range dtype.All() {
		for _, o := range []op.Op{op.Sum, op.Max, op.Min, op.XorSum, op.OrSum, op.ArgMax, op.ArgMin, op.MaxIndex, op.MinIndex} {
			if !o.Row().In.Has(d) || o == op.Sum && d.IsNarrow() {
				continue
			}
			t.Run(fmt.Sprint(o, d), func(t *testing.T) {
				alongAxes(t, d, func(b *kerneltest.Builder, x *ir.Value, axis int) []*ir.Value {
					z := ir.Type{D: d, Shape: x.Type.Shape.Drop(axis)}
					switch o {
					case op.MaxIndex, op.MinIndex:
						return b.Many(o, []ir.Type{z, z.As(dtype.Int32)}, func(v *ir.Value) { v.Axis = axis }, x)
					case op.ArgMax, op.ArgMin:
						z = z.As(dtype.Int32)
					}
					v := b.Emit(o, z, x)
					v.Axis = axis
					return []*ir.Value{v}
				})
			})
		}
	}
}

func TestScans(t *testing.T) {
	for _, d := range dtype.All() {
		if d.IsNarrow() {
			continue
		}
		for _, o := range []op.Op{op.CumSum, op.CumProd} {
			for _, flags := range []ir.Flags{0, ir.Reverse} {
				t.Run(fmt.Sprint(o, d, flags), func(t *testing.T) {
					alongAxes(t, d, func(b *kerneltest.Builder, x *ir.Value, axis int) []*ir.Value {
						v := b.Emit(o, x.Type, x)
						v.Axis, v.Flags = axis, flags
						return []*ir.Value{v}
					})
				})
			}
		}
	}
}

func TestOrdering(t *testing.T) {
	for _, d := range dtype.All() {
		t.Run(d.String(), func(t *testing.T) {
			for _, flags := range []ir.Flags{0, ir.Descending} {
				alongAxes(t, d, func(b *kerneltest.Builder, x *ir.Value, axis int) []*ir.Value {
					last := x.Type.Shape.N - 1
					set := func(v *ir.Value) { v.Flags = flags }
					sorted := b.Emit(op.Sort, x.Type, x)
					set(sorted)
					out := append(b.Many(op.ArgSort, []ir.Type{x.Type, x.Type.As(dtype.Int32)}, set, x), sorted)
					if k := (x.Type.Shape.D[last] + 1) / 2; axis == last {
						top := ir.Type{D: d, Shape: x.Type.Shape.With(last, k)}
						out = append(out, b.Many(op.TopK, []ir.Type{top, top.As(dtype.Int32)}, func(v *ir.Value) { v.Index = k }, x)...)
					}
					return out
				})
			}
		})
	}
}

func TestHistogram(t *testing.T) {
	for _, d := range dtype.All() {
		if !op.Ints.Has(d) {
			continue
		}
		for _, n := range sizes {
			for _, flags := range []ir.Flags{0, ir.Masked} {
				b := kerneltest.NewBuilder()
				args := []*ir.Value{b.Load(b.Ptr(d), ir.ShapeOf(n))}
				mask := b.Load(b.Ptr(dtype.Bool), ir.ShapeOf(n))
				if flags != 0 {
					args = append(args, mask)
				}
				z := b.Emit(op.Histogram, ir.Tile(dtype.Int32, 9), args...)
				z.Flags = flags
				b.Store(b.Ptr(dtype.Int32), z)
				same(t, b.Done(), [3]int{1, 1, 1}, func(w *kerneltest.World) {
					w.AddBits(d, n, func(int) uint64 { return dtype.FromInt(d, int64(w.R.IntN(14)-3), false) })
					w.Add(dtype.Bool, n)
					w.Add(dtype.Int32, 9)
				})
			}
		}
	}
}

func TestGather(t *testing.T) {
	for i, d := range dtype.All() {
		ix := []dtype.DType{dtype.Int32, dtype.Int64, dtype.Uint8, dtype.Int16}[i%4]
		for _, shape := range []ir.Shape{ir.ShapeOf(17), ir.ShapeOf(5, 7), ir.ShapeOf(3, 4, 5)} {
			for axis := range shape.N {
				for _, m := range []int{1, 6, 40} {
					to := shape.With(axis, m)
					b := kerneltest.NewBuilder()
					x, index := b.Load(b.Ptr(d), shape), b.Load(b.Ptr(ix), to)
					z := b.Emit(op.Gather, ir.Type{D: d, Shape: to}, x, index)
					z.Axis = axis
					b.Store(b.Ptr(d), z)
					same(t, b.Done(), [3]int{1, 1, 1}, func(w *kerneltest.World) {
						w.Add(d, shape.Len())
						w.AddBits(ix, to.Len(), func(int) uint64 { return uint64(w.R.IntN(shape.D[axis])) })
						w.Add(d, to.Len())
					})
				}
			}
		}
	}
}

func TestDot(t *testing.T) {
	for _, d := range dtype.All() {
		results := []dtype.DType{d}
		switch {
		case d == dtype.Float16 || d.IsFP8():
			results = []dtype.DType{dtype.Float32, dtype.Float16}
		case d == dtype.BFloat16:
			results[0] = dtype.Float32
		case d.IsInt() && d.Bits() < 32 && d.IsSigned():
			results[0] = dtype.Int32
		case d.IsInt() && d.Bits() < 32:
			results[0] = dtype.Uint32
		}
		for _, z := range results {
			for _, size := range [][4]int{{0, 1, 1, 1}, {0, 3, 5, 7}, {0, 16, 16, 32}, {2, 4, 9, 6}} {
				for _, flags := range []ir.Flags{0, ir.HasAcc} {
					batch := func(m, n int) ir.Shape {
						if size[0] > 0 {
							return ir.ShapeOf(size[0], m, n)
						}
						return ir.ShapeOf(m, n)
					}
					as, bs, zs := batch(size[1], size[3]), batch(size[3], size[2]), batch(size[1], size[2])
					b := kerneltest.NewBuilder()
					other := d
					if d == dtype.Float8E5 {
						other = dtype.Float8E4NV
					}
					args := []*ir.Value{b.Load(b.Ptr(d), as), b.Load(b.Ptr(other), bs)}
					acc := b.Load(b.Ptr(z), zs)
					if flags != 0 {
						args = append(args, acc)
					}
					v := b.Emit(op.Dot, ir.Type{D: z, Shape: zs}, args...)
					v.Flags = flags
					b.Store(b.Ptr(z), v)
					same(t, b.Done(), [3]int{1, 1, 1}, func(w *kerneltest.World) {
						w.Add(d, as.Len())
						w.Add(other, bs.Len())
						w.Add(z, zs.Len())
						w.Add(z, zs.Len())
					})
				}
			}
		}
	}
}
