package op

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

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
