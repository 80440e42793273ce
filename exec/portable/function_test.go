package portable_test

import (
	"fmt"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A laneFn makes the function of a Reduce or Scan: from x..., y... as many results.
type laneFn func(b *kerneltest.Builder, xs []*ir.Value, outer *ir.Value) []*ir.Value

var laneFns = []struct {
	name  string
	types []dtype.DType
	fn    laneFn
}{
	{"sum of halves", []dtype.DType{dtype.Float16}, func(b *kerneltest.Builder, xs []*ir.Value, _ *ir.Value) []*ir.Value {
		return []*ir.Value{b.Emit(op.Add, xs[0].Type, xs[0], xs[1])}
	}},
	{"second", []dtype.DType{dtype.Int64}, func(b *kerneltest.Builder, xs []*ir.Value, _ *ir.Value) []*ir.Value { return xs[1:] }},
	{"log of a sum of exponentials", []dtype.DType{dtype.Float32}, func(b *kerneltest.Builder, xs []*ir.Value, outer *ir.Value) []*ir.Value {
		t := xs[0].Type
		m := b.Emit(op.Maximum, t, xs[0], xs[1])
		x := b.Emit(op.Exp, t, b.Emit(op.Sub, t, xs[0], m))
		y := b.Emit(op.Exp, t, b.Emit(op.Sub, t, xs[1], m))
		k := b.Emit(op.Cast, t, b.Emit(op.ProgramID, ir.Scalar(dtype.Int64)))
		z := b.Emit(op.Add, t, m, b.Emit(op.Log, t, b.Emit(op.Add, t, x, y)))
		return []*ir.Value{b.Emit(op.Add, t, z, b.Emit(op.Mul, t, k, b.Emit(op.Cast, t, outer)))}
	}},
	{"a constant", []dtype.DType{dtype.Int32}, func(b *kerneltest.Builder, xs []*ir.Value, _ *ir.Value) []*ir.Value {
		return []*ir.Value{b.Constant(dtype.Int32, 7)}
	}},
	{"swapped pairs", []dtype.DType{dtype.Float32, dtype.Float32}, func(b *kerneltest.Builder, xs []*ir.Value, _ *ir.Value) []*ir.Value {
		return []*ir.Value{xs[3], xs[0]}
	}},
	{"mean and spread", []dtype.DType{dtype.Float32, dtype.Float64}, func(b *kerneltest.Builder, xs []*ir.Value, _ *ir.Value) []*ir.Value {
		x, y := b.Emit(op.Cast, xs[1].Type, xs[0]), b.Emit(op.Cast, xs[1].Type, xs[2])
		d := b.Emit(op.Sub, x.Type, y, x)
		m := b.Emit(op.Add, xs[0].Type, xs[0], xs[2])
		s := b.Emit(op.FMA, d.Type, d, d, b.Emit(op.Add, d.Type, xs[1], xs[3]))
		return []*ir.Value{m, s}
	}},
	{"greatest, with two more", []dtype.DType{dtype.Int32, dtype.Uint8, dtype.Bool}, func(b *kerneltest.Builder, xs []*ir.Value, _ *ir.Value) []*ir.Value {
		c := b.Emit(op.Ge, ir.Scalar(dtype.Bool), xs[0], xs[3])
		var out []*ir.Value
		for i := range 3 {
			out = append(out, b.Emit(op.Where, xs[i].Type, c, xs[i], xs[i+3]))
		}
		return out
	}},
}

func TestLaneFunctions(t *testing.T) {
	for _, c := range laneFns {
		t.Run(c.name, func(t *testing.T) {
			for _, shape := range []ir.Shape{ir.ShapeOf(1), ir.ShapeOf(17), ir.ShapeOf(300), ir.ShapeOf(5, 20), ir.ShapeOf(33, 3), ir.ShapeOf(2, 18, 20)} {
				for axis := range shape.N {
					for _, flags := range []ir.Flags{0, ir.Reverse} {
						laneFunction(t, op.Scan, c.types, c.fn, shape, axis, flags)
					}
					laneFunction(t, op.Reduce, c.types, c.fn, shape, axis, 0)
				}
			}
		})
	}
}

func laneFunction(t *testing.T, o op.Op, types []dtype.DType, fn laneFn, shape ir.Shape, axis int, flags ir.Flags) {
	t.Helper()
	if o == op.Scan && len(types) > 2 {
		return // the language has none
	}
	b := kerneltest.NewBuilder()
	var args []*ir.Value
	var lanes, results []ir.Type
	for _, d := range types {
		args = append(args, b.Load(b.Ptr(d), shape))
		lanes = append(lanes, ir.Scalar(d))
		results = append(results, ir.Type{D: d, Shape: shape})
		if o == op.Reduce {
			results[len(results)-1].Shape = shape.Drop(axis)
		}
	}
	outer := b.Scalar()
	block := b.Block(append(lanes, lanes...), func(xs []*ir.Value) {
		b.Emit(ir.Yield, ir.Type{}, fn(b, xs, outer)...)
	})
	zs := b.Many(o, results, func(v *ir.Value) { v.Axis, v.Flags, v.Blocks = axis, flags, []*ir.Block{block} }, args...)
	for _, z := range zs {
		b.Store(b.Ptr(z.Type.D), z)
	}
	f := b.Done()
	params := append([]*ir.Value(nil), f.Params...)
	same(t, f, [3]int{2, 1, 1}, func(w *kerneltest.World) {
		for _, p := range params {
			switch n := p.Index - len(types) - 1; {
			case !p.Type.D.IsPointer():
				w.Ints(3)
			case n < 0:
				w.Add(p.Type.D.Elem(), shape.Len())
			default:
				w.Add(p.Type.D.Elem(), results[n].Shape.Len())
			}
		}
	})
}

func TestPrint(t *testing.T) {
	f := ir.MustParse(`func k(v1 *f16 "x", v2 i64 "n") "k.go" {
  v10 i32[6] = arange
  v11 i32[2,3] = reshape v10
  v12 i64[6] = cast v10
  v13 *f16[6] = broadcast v1
  v14 *f16[6] = ptradd v13 v12
  v15 f16[6] = load v14
  v16 f16[2,3] = reshape v15
  v17 f16[3,2] = permute v16 axes=1,0
  v18 bool[2,3] = lt v11 v11
  v19 i64 = program_id
  print v17 v11 v18 v2 axes=0,0,0,1 "first"
  print "nothing"
  print v14 v19 v10 "second"
  return
}`)
	o, _ := same(t, f, [3]int{2, 1, 1}, func(w *kerneltest.World) { w.Add(dtype.Float16, 6); w.Ints(42) })
	if len(o.Printed) != 14 {
		t.Errorf("%d values printed, want 14: %s", len(o.Printed), fmt.Sprint(o.Printed))
	}
}
