package exec_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func convert(p *tl.Program, x, z tl.Ptr, n int, TO tl.DType, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	mask := tl.Mask(offs.Lt(n))
	tl.Store(z.Add(offs), tl.Load(x.Add(offs), mask).To(TO), mask)
}

// nearNarrow is numbers that are hard to round to d: its values, the middles between them, and
// what lies next to those.
func nearNarrow(d tl.DType) []float64 {
	x := []float64{math.NaN(), math.Inf(1), 1e300, 1e38, 3.4e38, 1e-50, 5e-324, math.MaxFloat64}
	step := max(1, 1<<d.Bits()>>12)
	for bits := 0; bits < 1<<(d.Bits()-1); bits += step {
		v, w := dtype.ToFloat(d, uint64(bits)), dtype.ToFloat(d, uint64(bits+1))
		for _, y := range []float64{v, (v + w) / 2} {
			x = append(x, y, math.Nextafter(y, math.Inf(1)), math.Nextafter(y, 0))
			f := float32(y)
			x = append(x, float64(math.Nextafter32(f, math.MaxFloat32)), float64(math.Nextafter32(f, 0)))
		}
	}
	for _, y := range x {
		x = append(x, -y)
	}
	return x
}

// TestNarrow rounds to narrow floats as the interpreter does, once, from all types, and reads them.
func TestNarrow(t *testing.T) {
	wide := []tl.DType{tl.Float32, tl.Float64, tl.Int32, tl.Int64, tl.Uint32}
	r := rand.New(rand.NewPCG(1, 2))
	for _, d := range []tl.DType{tl.Float8E5, tl.Float8E4NV, tl.BFloat16, tl.Float16} {
		hard := nearNarrow(d)
		patterns := tensor.Zeros(d, 1<<d.Bits())
		for i := range patterns.Len() {
			patterns.Buf().SetBits(i, uint64(i))
		}
		for _, w := range wide {
			x := tensor.Zeros(w, len(hard))
			for i, v := range hard {
				switch {
				case w.IsFloat():
					x.Buf().SetBits(i, dtype.FromFloat(w, v))
				case i%2 == 0:
					x.Buf().SetBits(i, r.Uint64()>>r.IntN(64))
				default: // next to a middle
					x.Buf().SetBits(i, 1<<r.IntN(31)+1<<r.IntN(31)+uint64(r.IntN(3)-1))
				}
			}
			t.Run(fmt.Sprintf("%v to %v", w, d), func(t *testing.T) { compareConversions(t, x, d) })
			t.Run(fmt.Sprintf("%v to %v", d, w), func(t *testing.T) { compareConversions(t, patterns, w) })
		}
	}
}

func compareConversions(t *testing.T, x *tensor.Tensor, to tl.DType) {
	n := x.Len()
	sameInEngines(t, func(o exec.Options) ([]*tensor.Tensor, error) {
		z := tensor.Zeros(to, n)
		return []*tensor.Tensor{z}, exec.New(convert, o).Launch(exec.Grid{tl.Cdiv(n, 1024)}, x, z, n, to, 1024)
	}, x)
}

// sameInEngines launches in every engine, and compares results with the interpreter's, element by
// element of what they are made of.
func sameInEngines(t *testing.T, launch func(o exec.Options) ([]*tensor.Tensor, error), in ...*tensor.Tensor) {
	t.Helper()
	var want []*tensor.Tensor
	for _, e := range exec.Engines() {
		got, err := launch(exec.Options{Engine: e})
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		for k, x := range got {
			for i := range x.Len() {
				d, a, b := x.DType(), want[k].Buf().Bits(i), x.Buf().Bits(i)
				if v, w := dtype.ToFloat(d, a), dtype.ToFloat(d, b); a == b || d.IsFloat() && v != v && w != w {
					continue
				}
				var of []string
				for _, y := range in {
					of = append(of, fmt.Sprintf("%#x", y.Buf().Bits(i)))
				}
				t.Fatalf("%s, %v: result %d of %s is %#x, want %#x", e, d, k, of, b, a)
			}
		}
	}
}

func multiplyAdd(p *tl.Program, x, y, w, z tl.Ptr, n int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	mask := tl.Mask(offs.Lt(n))
	tl.Store(z.Add(offs), tl.FMA(tl.Load(x.Add(offs), mask), tl.Load(y.Add(offs), mask), tl.Load(w.Add(offs), mask)), mask)
}

// TestNarrowFMA rounds once, also where a product is next to a middle and the addend far below it.
func TestNarrowFMA(t *testing.T) {
	const n = 1 << 16
	r := rand.New(rand.NewPCG(5, 6))
	for _, d := range []tl.DType{tl.Float8E5, tl.Float8E4NV, tl.BFloat16, tl.Float16} {
		var in [3]*tensor.Tensor
		for k := range in {
			in[k] = tensor.Zeros(d, n)
			for i := range n {
				bits := r.Uint64()
				if k == 2 && i%2 == 0 { // the product's rounding error, or nearly
					exact := dtype.ToFloat(d, in[0].Buf().Bits(i)) * dtype.ToFloat(d, in[1].Buf().Bits(i))
					bits = dtype.FromFloat(d, dtype.ToFloat(d, dtype.FromFloat(d, exact))-exact) + bits%3 - 1
				}
				in[k].Buf().SetBits(i, bits&(1<<d.Bits()-1))
			}
		}
		sameInEngines(t, func(o exec.Options) ([]*tensor.Tensor, error) {
			z := tensor.Zeros(d, n)
			return []*tensor.Tensor{z}, exec.New(multiplyAdd, o).Launch(exec.Grid{n / 1024}, in[0], in[1], in[2], z, n, 1024)
		}, in[:]...)
	}
}
