package op

import (
	"math"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// FMA32 is x*y+w rounded once to float32. The product is exact in float64, so the
// float64 sum differs from the exact value by one rounding; that can change the
// float32 result only where the sum lies at a midpoint of float32's grid, or where
// that grid is coarser (subnormal results). There the sum is first rounded to odd,
// which no later rounding can mistake.
func FMA32(x, y, w float32) float32 {
	s := float64(x)*float64(y) + float64(w)
	if b := math.Float64bits(s); b&0x1fffffff != 0x10000000 && b<<1 >= (1023-126)<<53 {
		return float32(s)
	}
	return float32(sumToOdd(float64(x)*float64(y), float64(w)))
}

// sumToOdd is p+w rounded to odd: the exact sum if it is a float64, else that one
// of its two float64 neighbours whose last bit is 1.
func sumToOdd(p, w float64) float64 {
	s := p + w
	if s-s != 0 { // infinite or NaN
		return s
	}
	r := s - p
	err := (p - (s - r)) + (w - r)
	b := math.Float64bits(s)
	if err == 0 || b&1 == 1 {
		return s
	}
	if (err > 0) == (s > 0) {
		return math.Float64frombits(b + 1)
	}
	return math.Float64frombits(b - 1)
}

func fma32(z, x, y, w []float32) {
	for i := range z {
		s := float64(x[i])*float64(y[i]) + float64(w[i])
		if b := math.Float64bits(s); b&0x1fffffff != 0x10000000 && b<<1 >= (1023-126)<<53 {
			z[i] = float32(s)
			continue
		}
		z[i] = FMA32(x[i], y[i], w[i])
	}
}

func fma64(z, x, y, w []float64) {
	for i := range z {
		z[i] = math.FMA(x[i], y[i], w[i])
	}
}

// fmaNarrow is the FMA of a narrow float: the product of two is exact in float64,
// and a sum rounded to odd there rounds right to any of them.
func fmaNarrow(d dtype.DType) Loop {
	return func(z, x, y, w dtype.Buf) {
		for i := range z.Len() {
			p := dtype.ToFloat(d, x.Bits(i)) * dtype.ToFloat(d, y.Bits(i))
			s := sumToOdd(p, dtype.ToFloat(d, w.Bits(i)))
			z.SetBits(i, uint64(dtype.RoundNarrow(d, s, false)))
		}
	}
}
