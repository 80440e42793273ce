package primitive

import (
	"math"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// What a float64 has between two float32.
const (
	Dropped  = 1<<29 - 1 // the bits that float64 has more than float32
	HalfLast = 1 << 28   // half of float32's last place
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
	return float32(SumToOdd(float64(x)*float64(y), float64(w)))
}

// SumToOdd is p+w rounded to odd: the exact sum if it is a float64, else that one
// of its two float64 neighbours whose last bit is 1.
func SumToOdd(p, w float64) float64 {
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

// fma32 takes two lanes at a time, whose conversions do not wait for each other.
func fma32(z, x, y, w []float32) {
	x, y, w = x[:len(z)], y[:len(z)], w[:len(z)]
	i := 0
	for ; i+2 <= len(z); i += 2 {
		s0 := float64(x[i])*float64(y[i]) + float64(w[i])
		s1 := float64(x[i+1])*float64(y[i+1]) + float64(w[i+1])
		if plainSum(math.Float64bits(s0)) && plainSum(math.Float64bits(s1)) {
			z[i], z[i+1] = float32(s0), float32(s1)
			continue
		}
		z[i], z[i+1] = FMA32(x[i], y[i], w[i]), FMA32(x[i+1], y[i+1], w[i+1])
	}
	if i < len(z) {
		z[i] = FMA32(x[i], y[i], w[i])
	}
}

// plainSum reports whether rounding twice is harmless for the float64 with bits b, the
// rounded sum of an exact product of two float32 and a third: it is 0, or neither at a
// midpoint of float32 nor below its normal numbers nor close to infinity.
func plainSum(b uint64) bool {
	return b&Dropped != HalfLast && (b<<1-(1023-126)<<53 < 253<<53 || b<<1 == 0)
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
			s := SumToOdd(p, dtype.ToFloat(d, w.Bits(i)))
			z.SetBits(i, uint64(dtype.RoundNarrow(d, s, false)))
		}
	}
}

// Horner32 computes z[i] = c[n-1] + x[i]·(c[n-2] + x[i]·(... + x[i]·c[0])), each step
// an FMA32: what a chain of FMA loops with constant addends does, without memory in
// between. The constants c must be float32 values of magnitude 2^-40 to 2^40, and at
// most 16.
//
// Rounding is that of ../../dot/wide.go. A lane within ±16 needs no other test: sums stay
// below 2^110; and none is subnormal, because a product below half its constant leaves
// that a normal number, and any other is a multiple of 2^-88, as the constant is.
func Horner32(z, x []float32, c []float64) {
	x = x[:len(z)]
	for i := 0; ; {
		i += horner4(z[i:], x[i:], c)
		if i == len(z) {
			return
		}
		for end := min(i+4, len(z)); i < end; i++ {
			a := float32(c[0])
			for _, k := range c[1:] {
				a = FMA32(a, x[i], float32(k))
			}
			z[i] = a
		}
	}
}

// horner4 takes four lanes at a time. It stops before four of which one is beyond ±16
// or meets a midpoint, or where there are no four, and returns how many lanes it has
// done.
func horner4(z, x []float32, c []float64) int {
	i := 0
	for ; i+4 <= len(z); i += 4 {
		in := (*[4]float32)(x[i:])
		v0, v1, v2, v3 := float64(in[0]), float64(in[1]), float64(in[2]), float64(in[3])
		if !(math.Abs(v0) <= 16 && math.Abs(v1) <= 16 && math.Abs(v2) <= 16 && math.Abs(v3) <= 16) {
			return i
		}
		a0, a1, a2, a3 := c[0], c[0], c[0], c[0]
		for _, k := range c[1:] {
			b0 := math.Float64bits(float64(a0*v0)+k) + HalfLast
			b1 := math.Float64bits(float64(a1*v1)+k) + HalfLast
			b2 := math.Float64bits(float64(a2*v2)+k) + HalfLast
			b3 := math.Float64bits(float64(a3*v3)+k) + HalfLast
			if b0&Dropped == 0 || b1&Dropped == 0 || b2&Dropped == 0 || b3&Dropped == 0 {
				return i
			}
			a0, a1 = math.Float64frombits(b0&^Dropped), math.Float64frombits(b1&^Dropped)
			a2, a3 = math.Float64frombits(b2&^Dropped), math.Float64frombits(b3&^Dropped)
		}
		out := (*[4]float32)(z[i:])
		out[0], out[1], out[2], out[3] = float32(a0), float32(a1), float32(a2), float32(a3)
	}
	return i
}

// Horner is the loop of a polynomial by Horner's rule with fused steps, coefficients from the highest power down. For
// float32 they are as Horner32 says.
func Horner(d dtype.DType, c []float64) Loop {
	if d == dtype.Float32 {
		return loop1(func(z, x []float32) { Horner32(z, x, c) })
	}
	return loop1(func(z, x []float64) { horner64(z, x, c) })
}

func horner64(z, x, c []float64) {
	x = x[:len(z)]
	for i, x := range x {
		a := c[0]
		for _, c := range c[1:] {
			a = math.FMA(a, x, c)
		}
		z[i] = a
	}
}
