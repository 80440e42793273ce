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
	run := func(engine string) *tensor.Tensor {
		z := tensor.Zeros(to, n)
		if err := exec.New(convert, exec.Options{Engine: engine}).Launch(exec.Grid{tl.Cdiv(n, 1024)}, x, z, n, to, 1024); err != nil {
			t.Fatal(err)
		}
		return z
	}
	want := run("interpreted").Buf()
	for _, e := range exec.Engines()[1:] {
		got := run(e).Buf()
		for i := range n {
			a, b := dtype.ToFloat(to, want.Bits(i)), dtype.ToFloat(to, got.Bits(i))
			if want.Bits(i) != got.Bits(i) && !(to.IsFloat() && a != a && b != b) {
				t.Errorf("%s: %#x becomes %#x, want %#x", e, x.Buf().Bits(i), got.Bits(i), want.Bits(i))
				return
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
		run := func(engine string) dtype.Buf {
			z := tensor.Zeros(d, n)
			if err := exec.New(multiplyAdd, exec.Options{Engine: engine}).Launch(exec.Grid{n / 1024}, in[0], in[1], in[2], z, n, 1024); err != nil {
				t.Fatal(err)
			}
			return z.Buf()
		}
		want := run("interpreted")
		for _, e := range exec.Engines()[1:] {
			got := run(e)
			for i := range n {
				a, b := dtype.ToFloat(d, want.Bits(i)), dtype.ToFloat(d, got.Bits(i))
				if want.Bits(i) != got.Bits(i) && (a == a || b == b) {
					t.Fatalf("%s, %v: fma(%#x, %#x, %#x) is %#x, want %#x", e, d, in[0].Buf().Bits(i), in[1].Buf().Bits(i), in[2].Buf().Bits(i), got.Bits(i), want.Bits(i))
				}
			}
		}
	}
}
