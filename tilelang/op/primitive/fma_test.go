package primitive

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

func f32(bits uint32) float32 { return math.Float32frombits(bits) }

func TestFMA32(t *testing.T) {
	if got := math.Float32bits(FMA32(f32(0x3f800008), f32(0x337ffff0), f32(0x3f800001))); got != 0x3f800001 {
		t.Errorf("fma = %08x, want 3f800001", got)
	}
}

// TestFMA32Exact compares with exact arithmetic in math/big, near midpoints and in
// the subnormal range, where a second rounding would show.
func TestFMA32Exact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func() float32 {
		switch r.IntN(4) {
		case 0:
			return f32(r.Uint32())
		case 1: // few bits: sums that tie
			return f32(r.Uint32()&0x807ff000 | 0x3f000000)
		case 2:
			return f32(r.Uint32()&0x80000fff | uint32(60+r.IntN(8))<<23)
		}
		return f32(r.Uint32()&0x807fffff | uint32(120+r.IntN(12))<<23)
	}
	for range 300_000 {
		x, y, w := pick(), pick(), pick()
		if p := float64(x) * float64(y); r.IntN(3) == 0 && p == p {
			w = float32(-p * (1 + float64(r.IntN(3)-1)*0x1p-24)) // cancel almost everything
		}
		got, want := FMA32(x, y, w), exactFMA(x, y, w)
		if got != got && want != want {
			continue
		}
		if math.Float32bits(got) != math.Float32bits(want) {
			t.Fatalf("fma(%x, %x, %x) = %x, want %x", math.Float32bits(x), math.Float32bits(y), math.Float32bits(w), math.Float32bits(got), math.Float32bits(want))
		}
	}
}

// exactFMA is x*y+w rounded once, by way of math/big.
func exactFMA(x, y, w float32) float32 {
	p := float64(x) * float64(y)
	if s := p + float64(w); s-s != 0 || s == 0 {
		return float32(s)
	}
	z := new(big.Float).SetPrec(2000).SetFloat64(p)
	z.Add(z, new(big.Float).SetFloat64(float64(w)))
	f, _ := z.Float32()
	return f
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
			if !dtype.SameBits(dtype.Float32, uint64(math.Float32bits(z[i])), uint64(math.Float32bits(want))) {
				t.Fatalf("at %x of %v: %x, want %x", math.Float32bits(v), c, math.Float32bits(z[i]), math.Float32bits(want))
			}
		}
	}
}
