package op

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// TestNarrowLoops compares the loops that convert narrow floats with dtype.Convert:
// every pattern there is, and float32 values on and beside every boundary.
func TestNarrowLoops(t *testing.T) {
	f32 := dtype.Float32
	for d := dtype.Float8E5; d <= dtype.BFloat16; d++ {
		n := 1 << d.Bits()
		narrow, wide := dtype.NewBuf(d, n), dtype.NewBuf(f32, n)
		for i := range n {
			narrow.SetBits(i, uint64(i))
		}
		CastLoop(f32, d)(wide, narrow, dtype.Buf{}, dtype.Buf{})
		for i := range n {
			if got, want := wide.Bits(i), dtype.Convert(f32, d, uint64(i), false); !sameBits(f32, got, want) {
				t.Fatalf("%s %#x widens to %#x, want %#x", d, i, got, want)
			}
		}
		in, out := dtype.NewBuf(f32, 7*n), dtype.NewBuf(d, 7*n)
		r := rand.New(rand.NewPCG(1, uint64(d)))
		for i := range n {
			v := wide.Bits(i)
			half := uint64(1) << (22 - map[dtype.DType]int{dtype.Float8E5: 2, dtype.Float8E4NV: 3, dtype.Float16: 10, dtype.BFloat16: 7}[d])
			for k, b := range []uint64{v, v - 1, v + 1, v + half, v + half - 1, v + half + 1, uint64(r.Uint32())} {
				in.SetBits(7*i+k, b)
			}
		}
		CastLoop(d, f32)(out, in, dtype.Buf{}, dtype.Buf{})
		for i := range in.Len() {
			if got, want := out.Bits(i), dtype.Convert(d, f32, in.Bits(i), false); !sameBits(d, got, want) {
				t.Fatalf("%#x rounds to %s %#x, want %#x", in.Bits(i), d, got, want)
			}
		}
	}
}

func sameBits(d dtype.DType, x, y uint64) bool {
	v, w := dtype.ToFloat(d, x), dtype.ToFloat(d, y)
	return x == y || v != v && w != w
}

// someFloat is ordinary, short, huge, tiny or subnormal.
func someFloat(r *rand.Rand) float32 {
	switch r.IntN(6) {
	case 0:
		return float32(r.IntN(9) - 4)
	case 1:
		return float32(r.IntN(16384)-8192) / 4096
	case 2:
		return (r.Float32() - 0.5) * 0x1p64
	case 3:
		return r.Float32() * 0x1p-70
	case 4:
		return math.Float32frombits(r.Uint32N(1 << 24))
	}
	return float32(r.NormFloat64())
}

// TestHorner32 compares with FMA32 step by step.
func TestHorner32(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 3000 {
		c := make([]float64, 1+r.IntN(16))
		for i := range c {
			c[i] = float64(float32(math.Ldexp(r.Float64()+1, r.IntN(20)-10) * float64(1-2*r.IntN(2))))
			if round%3 == 0 {
				c[i] = math.Ldexp(float64(1+r.IntN(64)), r.IntN(74)-40) // ties, extremes
			}
		}
		x, z := make([]float32, r.IntN(12)), make([]float32, 12)
		for i := range x {
			x[i] = someFloat(r)
			switch r.IntN(6) {
			case 0:
				x[i] = float32(-c[r.IntN(len(c))] / c[r.IntN(len(c))]) // cancels
			case 1:
				x[i] = float32(math.Ldexp(r.Float64(), -r.IntN(149)))
			}
		}
		Horner32(z[:len(x)], x, c)
		for i, v := range x {
			want := float32(c[0])
			for _, k := range c[1:] {
				want = FMA32(want, v, float32(k))
			}
			if !sameBits(dtype.Float32, uint64(math.Float32bits(z[i])), uint64(math.Float32bits(want))) {
				t.Fatalf("at %x of %v: %x, want %x", math.Float32bits(v), c, math.Float32bits(z[i]), math.Float32bits(want))
			}
		}
	}
}
