package op

import (
	"math"
	"math/bits"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Sine, cosine and tangent. Sine and cosine reduce by half turns: x = n·pi + r with
// |r| <= pi/2, so that one odd polynomial serves both and the parity of n is the sign.
// Up to a bound three fused steps by the parts of pi do that; the first is exact, and
// three parts outlast any cancellation. Larger arguments take a skipped region in which
// the reduction is integer arithmetic on the bits of 1/pi.

// A sinSpec holds P of sin r = r + r·(r^2·P(r^2)) on |r| <= pi/2.
type sinSpec struct {
	*format
	bound float64 // of the fused reduction
	poly  []float64
}

// P by least relative error of sin r: 2^-27.2 and 2^-61.2.
var sin32 = sinSpec{&single, 0x1p17, []float64{
	-0x1.55554cp-3, 0x1.110ed8p-7, -0x1.9f704cp-13, 0x1.5dbcdcp-19,
}}

var sin64 = sinSpec{&double, 0x1p25, []float64{
	-0x1.5555555555555p-3, 0x1.11111111110c8p-7, -0x1.a01a01a014d97p-13, 0x1.71de3a52a3545p-19,
	-0x1.ae6454d670022p-26, 0x1.6123cdb6642fdp-33, -0x1.ae43bcfad5f15p-41, 0x1.8839958551ae3p-49,
}}

// sin is the sine. The + 0 keeps the sign of zero: r times +0 has it, r times r^2·P
// has not, because P is negative.
func sin(s sinSpec) *Prog {
	return program1(s.d, func(b *builder, x V) V {
		magic := b.c(x, s.magic)
		t := b.fma(x, b.c(x, 1/math.Pi), magic)
		r := s.reducePi(b, x, b.sub(t, magic))
		return s.sinOf(b, x, r, t, 0)
	})
}

// cos is the cosine: of x = (n+1/2)·pi + r it is the sine of r, negative for even n.
func cos(s sinSpec) *Prog {
	return program1(s.d, func(b *builder, x V) V {
		magic := b.c(x, s.magic+1) // odd, for the sign
		t := b.add(b.fma(x, b.c(x, 1/math.Pi), b.c(x, -0.5)), magic)
		r := s.reducePi(b, x, b.add(b.sub(t, magic), b.c(x, 0.5)))
		return s.sinOf(b, x, r, t, 0.5)
	})
}

// reducePi is x - n·pi.
func (f *format) reducePi(b *builder, x, n V) V {
	r := b.fma(n, b.c(x, -f.pi), x)
	r = b.fma(n, b.c(x, -f.pi2), r)
	return b.fma(n, b.c(x, -f.pi3), r)
}

// sinOf is the sine of x + shift·pi, given the r and t (its parity in the low bit) that
// hold for small x; shift is 0 or 1/2.
func (s sinSpec) sinOf(b *builder, x, r, t V, shift float64) V {
	sign := b.shl(b.bitcast(s.unsigned, t), b.integer(s.unsigned, int64(s.d.Bits()-1)))
	huge := b.lt(b.c(x, s.bound), b.abs(x))
	var hugeR, hugeSign V
	b.skipUnless(huge, func() V {
		var hi, lo V
		hi, lo, hugeSign = s.reduceHuge(b, x, 0, shift)
		hugeR = b.cast(s.d, b.add(hi, lo))
		if shift == 0 {
			hugeSign = b.xor(hugeSign, s.signOf(b, x))
		}
		hugeR = b.add(hugeR, b.sub(x, x)) // NaN at infinity
		return hugeR
	})
	r = b.where(huge, hugeR, r)
	sign = b.where(huge, hugeSign, sign)
	square := b.mul(r, r)
	tail := b.fma(r, r, b.neg(square))
	v := b.fma(tail, b.c(x, s.poly[0]), b.c(x, 0))
	y := b.fma(r, b.fma(square, b.poly(square, s.poly...), v), r)
	return s.flip(b, y, sign)
}

// reduceHuge reduces |x| + shift·pi by multiples of pi/2^halvings, for |x| >= 2^17 in
// float32 and 2^25 in float64: it is (n + f)·pi/2^halvings with |f| <= 1/2, hi + lo that
// f times pi/2^halvings in float64, and sign the parity of n in the sign bit.
//
// With |x| = m·2^s for an integer m, only those bits of 1/pi matter whose weight after
// scaling is at most 1: three words of them times m, of which two words are kept.
func (f *format) reduceHuge(b *builder, x V, halvings int, shift float64) (hi, lo, sign V) {
	u, width := f.unsigned, f.d.Bits()
	k := func(v int) V { return b.integer(u, int64(v)) }
	i := b.and(b.bitcast(u, x), b.bits(u, f.sign-1))
	m := b.or(b.and(i, b.bits(u, 1<<f.mantissa-1)), b.bits(u, 1<<f.mantissa))
	// The table begins with a word of zeros, so weight 1 is its last bit.
	at := b.add(b.shr(i, k(f.mantissa)), k(width-1-f.bias-f.mantissa+halvings))
	index, up := b.shr(at, k(bits.Len(uint(width-1)))), b.and(at, k(width-1))
	down := b.sub(k(width), up)
	var word [3]V
	next := b.lookup(u, index, invPiWords(width))
	for j := range word {
		this := next
		next = b.lookup(u, b.add(index, k(j+1)), invPiWords(width))
		word[j] = b.or(b.shl(this, up), b.shr(next, down))
	}
	carry := b.umulhi(m, word[2])
	low := b.add(b.mul(m, word[1]), carry)
	high := b.add(b.add(b.mul(m, word[0]), b.umulhi(m, word[1])), b.where(b.lt(low, carry), k(1), k(0)))
	if shift != 0 {
		high = b.add(high, b.bits(u, f.sign>>1))
	}
	doubled := b.shl(high, k(1))
	sign = b.and(b.xor(high, doubled), b.bits(u, f.sign))
	doubled = b.or(doubled, b.shr(low, k(width-1)))
	hi, lo = f.fractionOfPi(b, doubled, b.shl(low, k(1)), math.Ldexp(1, -halvings))
	return hi, lo, sign
}

// fractionOfPi is (high + low·2^-width)·2^-width·pi·unit, high being signed.
func (f *format) fractionOfPi(b *builder, high, low V, unit float64) (hi, lo V) {
	d := double.d
	scaled := func(v V, from dtype.DType, power int) V {
		return b.mul(b.cast(d, b.bitcast(from, v)), b.float(d, math.Ldexp(1, power)))
	}
	if f.d == dtype.Float32 {
		v := b.add(scaled(high, dtype.Int32, -32), scaled(b.shr(low, b.integer(f.unsigned, 1)), dtype.Int32, -63))
		return b.mul(v, b.float(d, math.Pi*unit)), b.float(d, 0)
	}
	half, mask := b.integer(f.unsigned, 32), b.bits(f.unsigned, 1<<32-1)
	top := b.bitcast(f.unsigned, b.shr(b.bitcast(f.signed, high), b.integer(f.signed, 32)))
	first := scaled(top, dtype.Int64, -32)
	second := scaled(b.and(high, mask), dtype.Int64, -64)
	third := b.add(scaled(b.shr(low, half), dtype.Int64, -96), scaled(b.and(low, mask), dtype.Int64, -128))
	sum := b.add(first, second)
	rest := b.add(b.sub(second, b.sub(sum, first)), third)
	turns := b.add(sum, rest)
	rest = b.sub(rest, b.sub(turns, sum))
	pi := b.float(d, f.pi*unit)
	hi = b.mul(turns, pi)
	lo = b.fma(turns, b.float(d, f.pi2*unit), b.mul(rest, pi))
	return hi, b.add(b.fma(turns, pi, b.neg(hi)), lo)
}

// invPiWords are the bits of 1/pi in words of the given width, after one word of zeros:
// 8 words of 32 bits or 32 of 64.
func invPiWords(width int) []uint64 {
	words := make([]uint64, 32)
	copy(words[1:], invPi[:])
	if width == 64 {
		return words
	}
	for i := range 7 {
		words[i+1] = invPi[i/2] >> (32 - i%2*32) & (1<<32 - 1)
	}
	return words[:8]
}

// invPi are the first 1216 bits of 1/pi.
var invPi = [19]uint64{
	0x517cc1b727220a94, 0xfe13abe8fa9a6ee0, 0x6db14acc9e21c820, 0xff28b1d5ef5de2b0,
	0xdb92371d2126e970, 0x0324977504e8c90e, 0x7f0ef58e5894d39f, 0x74411afa975da242,
	0x74ce38135a2fbf20, 0x9cc8eb1cc1a99cfa, 0x4e422fc5defc941d, 0x8ffc4bffef02cc07,
	0xf79788c5ad05368f, 0xb69b3f6793e584db, 0xa7a31fb34f2ff516, 0xba93dd63f5f2f8bd,
	0x9e839cfbc5294975, 0x35fdafd88fc6ae84, 0x2b0198237e3db5d5,
}
