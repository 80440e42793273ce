package op

import "math"

// Coefficients of sin r = r + r·(r^2·P(r^2)) and cos r = 1 - r^2/2 + r^4·Q(r^2) on
// |r| <= pi/4, in float64. For float32 results: 2^-28.0 and 2^-33.0. For float64:
// 2^-57.9 and 2^-63.9.
var (
	tanSin32 = []float64{-0x1.55554526803a4p-3, 0x1.11073af152e6dp-7, -0x1.9943dc41593acp-13}
	tanCos32 = []float64{0x1.55554a1157d4bp-5, -0x1.6c0c33a416018p-10, 0x1.99eb9ad9e1d18p-16}
	tanSin64 = []float64{
		-0x1.5555555555548p-3, 0x1.111111110f730p-7, -0x1.a01a019be9215p-13, 0x1.71de35552b09bp-19,
		-0x1.ae5e4b839f23bp-26, 0x1.5d8b55886b3a8p-33,
	}
	tanCos64 = []float64{
		0x1.555555555554bp-5, -0x1.6c16c16c15015p-10, 0x1.a01a019c8f26ap-16, -0x1.27e4f7f193bcfp-22,
		0x1.1ee9dbd1b4fc7p-29, -0x1.8fa686745b72fp-37,
	}
)

// tanOf32 is the tangent in float32, computed in float64: of x = n·pi/2 + r it is
// sin r/cos r for even n and cos r/-sin r for odd.
func tanOf32() *Prog {
	return program1(single.d, func(b *builder, x V) V {
		wide := b.cast(double.d, x)
		magic := b.c(wide, double.magic)
		t := b.fma(wide, b.c(wide, 2/math.Pi), magic)
		n := b.sub(t, magic)
		r := b.fma(n, b.c(n, -double.pi2/2), b.fma(n, b.c(n, -double.pi/2), wide))
		t = b.bitcast(double.unsigned, t)
		huge := b.lt(b.c(x, 0x1p27), b.abs(x))
		var hugeR, hugeT V
		b.skipUnless(huge, func() V {
			hi, _, sign := single.reduceHuge(b, x, 1, 0)
			sign = b.shr(sign, b.integer(single.unsigned, 31))
			hugeT = b.cast(double.unsigned, sign)
			hugeR = double.flip(b, hi, double.signOf(b, wide))
			hugeR = b.add(hugeR, b.sub(wide, wide)) // NaN at infinity
			return hugeR
		})
		r = b.where(huge, hugeR, r)
		odd := isOdd(b, b.where(huge, hugeT, t))
		square := b.mul(r, r)
		sin := b.fma(r, b.fma(square, b.poly(square, tanSin32...), b.c(r, 0)), r) // + 0 as in sin
		cos := b.poly(square, append([]float64{1, -0.5}, tanCos32...)...)
		y := b.div(b.where(odd, cos, sin), b.where(odd, b.neg(sin), cos))
		return b.cast(single.d, y)
	})
}

// isOdd reports whether the last bit of the unsigned i is set.
func isOdd(b *builder, i V) V {
	d := b.typ(i)
	return b.ne(b.and(i, b.integer(d, 1)), b.integer(d, 0))
}

// tanOf64 is the tangent in float64: as for float32, but r, sin r and cos r are sums of
// two floats, and the quotient is corrected by its remainder.
func tanOf64() *Prog {
	f := &double
	return program1(f.d, func(b *builder, x V) V {
		magic := b.c(x, f.magic)
		t := b.fma(x, b.c(x, 2/math.Pi), magic)
		n := b.sub(t, magic)
		r1 := b.fma(n, b.c(x, -f.pi/2), x)
		p := b.mul(n, b.c(x, f.pi2/2))
		r := b.sub(r1, p)
		rest := b.sub(b.sub(b.sub(r1, r), p), b.fma(n, b.c(x, f.pi2/2), b.neg(p)))
		rest = b.fma(n, b.c(x, -f.pi3/2), rest)
		t = b.bitcast(f.unsigned, t)
		huge := b.lt(b.c(x, 0x1p25), b.abs(x))
		var hugeR, hugeRest, hugeT V
		b.skipUnless(huge, func() V {
			hi, lo, sign := f.reduceHuge(b, x, 1, 0)
			hugeT = b.shr(sign, b.integer(f.unsigned, 63))
			sign = f.signOf(b, x)
			hugeR = b.add(f.flip(b, hi, sign), b.sub(x, x)) // NaN at infinity
			hugeRest = f.flip(b, lo, sign)
			return hugeR
		})
		r, rest = b.where(huge, hugeR, r), b.where(huge, hugeRest, rest)
		y := tanOf(b, r, rest, isOdd(b, b.where(huge, hugeT, t)))
		return b.where(b.eq(x, b.c(x, 0)), x, y)
	})
}

// tanOf is the tangent of r + rest, or its negative inverse if odd.
func tanOf(b *builder, r, rest, odd V) V {
	square := b.mul(r, r)
	half := b.mul(square, b.c(r, -0.5))
	v := b.fma(b.mul(r, square), b.poly(square, tanSin64...), b.fma(half, rest, rest))
	sin := b.add(r, v)
	sinRest := b.sub(v, b.sub(sin, r))
	one := b.c(r, 1)
	v = b.fma(b.mul(square, square), b.poly(square, tanCos64...), b.neg(b.mul(r, rest)))
	v = b.add(half, v)
	cos := b.add(one, v)
	cosRest := b.sub(v, b.sub(cos, one))
	num, numRest := b.where(odd, cos, sin), b.where(odd, cosRest, sinRest)
	den, denRest := b.where(odd, b.neg(sin), cos), b.where(odd, b.neg(sinRest), cosRest)
	inverse := b.div(one, den)
	q := b.mul(num, inverse)
	remainder := b.add(b.fma(b.neg(q), den, num), b.fma(b.neg(q), denRest, numRest))
	return b.fma(remainder, inverse, q)
}
