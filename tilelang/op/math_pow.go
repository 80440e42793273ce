package op

import "math"

// The power: x^y = e^(y·log |x|), with the sign of x where y is odd. float32 computes it
// in float64 to base 2; float64 keeps the logarithm and its product with y as sums of two
// floats.

// powLog32 is log2(1+r)/r on the r of the tables, powExp32 is 2^r on |r| <= 1/2, by least
// relative error: 2^-38.1 and 2^-29.0.
var powLog32 = []float64{
	0x1.71547652bd68ap+0, -0x1.71547652de5ccp-1, 0x1.ec70976bd3af2p-2, -0x1.71546d757a50bp-2,
	0x1.27bff88caea1fp-2, -0x1.ed060d308b5c1p-3,
}

var powExp32 = []float64{
	0x1.000000026167fp+0, 0x1.62e430c7e67cdp-1, 0x1.ebfbdadc482e5p-3, 0x1.c6aed4bab3174p-5,
	0x1.3b2dbbef66f85p-7, 0x1.5f456a217679ep-10, 0x1.41d31e200f131p-13,
}

// powOf32 is x^y in float32. Its range lies well inside that of float64, which does the
// last rounding, to subnormal numbers too.
func powOf32() *Prog {
	f := &double
	return program2(single.d, func(b *builder, x, y V) V {
		rare := single.exponentOutside(b, b.bitcast(single.unsigned, x), 1, 2*single.bias)
		rare = b.or(rare, b.ne(b.sub(y, y), b.c(y, 0))) // y is infinite or NaN
		x, y = b.cast(f.d, x), b.cast(f.d, y)
		i := b.bitcast(f.unsigned, b.abs(x))
		k, t := log2of64.splitPower(b, i)
		index := tableIndex(b, t)
		r := b.fma(log2of64.mantissaOf(b, t), b.lookupFloats(index, invc[:]), b.c(x, -1))
		log := b.fma(r, b.poly(r, powLog32...), b.add(k, b.lookupFloats(index, log2c[:])))
		e := b.mul(y, log)
		var rareE, rareSign V
		b.skipUnless(rare, func() V {
			rareE, _, rareSign = f.powOutside(b, x, y, log, b.c(x, 0))
			return rareE
		})
		e = b.atLeast(b.atMost(b.where(rare, rareE, e), 160), -160)
		magic := b.c(e, f.magic+float64(f.bias))
		t = b.add(e, magic)
		z := b.mul(b.poly(b.sub(e, b.sub(t, magic)), powExp32...), f.pow2(b, t))
		return b.cast(single.d, f.flip(b, z, b.where(rare, rareSign, b.integer(f.unsigned, 0))))
	})
}

// powOutside corrects y·log|x| for the arguments to which that does not apply: x not a
// positive normal number, y infinite or NaN. log and rest are right where x is finite and
// not 0. The sign is that of the result, as bits.
func (f *format) powOutside(b *builder, x, y, log, rest V) (e, eRest, sign V) {
	zero, one, inf := b.c(x, 0), b.c(x, 1), b.inf(f.d)
	a := b.abs(x)
	finite := b.lt(a, inf)
	log = b.where(b.eq(a, zero), b.c(x, math.Inf(-1)), b.where(finite, log, a))
	// Powers of 1, to the 0, and of -1 to an infinity are 1, beside NaN too.
	unit := b.or(b.or(b.eq(y, zero), b.eq(x, one)), b.and(b.eq(a, one), b.eq(b.abs(y), inf)))
	e = b.where(unit, zero, b.mul(y, log))

	half := b.mul(y, b.c(y, 0.5))
	integral, even := b.eq(b.trunc(y), y), b.eq(b.trunc(half), half)
	negative := b.lt(b.bitcast(f.signed, x), b.integer(f.signed, 0))
	odd := b.and(integral, b.not(even))
	sign = b.where(b.and(negative, odd), b.bits(f.unsigned, f.sign), b.integer(f.unsigned, 0))
	undefined := b.and(b.and(b.lt(x, zero), finite), b.not(integral))
	return b.where(undefined, b.nan(f.d), e), b.where(unit, zero, rest), sign
}

// powLog64 is Q of log(1+r) = r - r^2/2 - r^3/2·Q(r), by least error relative to the
// logarithm: 2^-68.3.
var powLog64 = []float64{
	-0x1.5555555555555p-1, 0x1.fffffffffff39p-2, -0x1.999999999a96bp-2, 0x1.5555555720f7cp-2,
	-0x1.2492491d439bbp-2, 0x1.ffffd55c6fb57p-3, -0x1.c71c8bf9e63d2p-3, 0x1.9a6596eda8e20p-3,
	-0x1.74c342f8347b8p-3,
}

// ln 2 as a multiple of 2^-43, of which 2^10 multiples are exact, and what that lacks.
const (
	ln2Short = 0x1.62e42fefa3800p-1
	ln2Rest  = 0x1.ef35793c76730p-45
)

// lncShort and lncRest are lnc as such a multiple and what that lacks.
var (
	lncShort = [16]float64{
		-0x1.598fb0f62c000p-2, -0x1.2d5df6461e800p-2, -0x1.03fcfee7d2800p-2, -0x1.b71ff27d58000p-3,
		-0x1.692f231430000p-3, -0x1.1e2c8f29ea000p-3, -0x1.abe1b84ffe000p-4, -0x1.1fb23c2490000p-4,
		-0x1.2cf95e727c000p-5, 0, 0x1.9d7559246c000p-5, 0x1.bbbc85786c000p-4,
		0x1.4e5a9581c8000p-3, 0x1.b8928b6b77000p-3, 0x1.0e299684dc800p-2, 0x1.3e57040be9000p-2,
	}
	lncRest = [16]float64{
		0x1.d6fe0b3abef2ep-45, 0x1.3301ef93c4ba7p-45, -0x1.1e050c9e05a4dp-47, 0x1.be8047ca8454ep-45,
		0x1.26ffb94c7da94p-47, -0x1.c27eee65bdea1p-46, -0x1.d300bb640ff40p-48, -0x1.e9ff178ad649cp-49,
		0x1.1170089b26c35p-45, 0, -0x1.ca4fea12c1eb9p-45, 0x1.11e022df03bcdp-45,
		0x1.e9401fc868ec8p-45, 0x1.17fc67e803f5ep-50, -0x1.51fece7daedd4p-46, 0x1.1bf9d9450ea69p-47,
	}
)

// powOf64 is x^y in float64.
func powOf64() *Prog {
	f := &double
	return program2(f.d, func(b *builder, x, y V) V {
		i := b.bitcast(f.unsigned, x)
		rare := f.exponentOutside(b, i, 1, 2*f.bias)
		rare = b.or(rare, b.ne(b.sub(y, y), b.c(y, 0))) // y is infinite or NaN
		var scaled, k0 V
		b.skipUnless(rare, func() V {
			a := b.abs(x)
			subnormal := b.lt(a, b.c(x, 0x1p-1022))
			scaled = b.bitcast(f.unsigned, b.where(subnormal, b.mul(a, b.c(x, 0x1p52)), a))
			k0 = b.where(subnormal, b.c(x, -52), b.c(x, 0))
			return k0
		})
		k, t := log64.splitPower(b, b.where(rare, scaled, i))
		log, rest := logPair(b, b.add(k, b.where(rare, k0, b.c(x, 0))), t)
		e := b.mul(y, log)
		rest = b.fma(y, rest, b.fma(y, log, b.neg(e)))
		var rareE, rareRest, rareSign V
		b.skipUnless(rare, func() V {
			rareE, rareRest, rareSign = f.powOutside(b, x, y, log, rest)
			return rareRest
		})
		e, rest = b.where(rare, rareE, e), b.where(rare, rareRest, rest)
		rest = b.where(b.lt(b.abs(e), b.c(e, 800)), rest, b.c(e, 0))
		z := expPair(b, b.atLeast(b.atMost(e, 710), -746), rest)
		return f.flip(b, z, b.where(rare, rareSign, b.integer(f.unsigned, 0)))
	})
}

// logPair is the natural logarithm of m·2^k as a sum of two floats, right to 2^-64.
func logPair(b *builder, k, t V) (log, rest V) {
	index := tableIndex(b, t)
	m, c := log64.mantissaOf(b, t), b.lookupFloats(index, invc[:])
	one := b.c(k, 1)
	// m·c = 1 + r + tail exactly.
	product := b.mul(m, c)
	tail := b.fma(m, c, b.neg(product))
	r := b.sub(product, one)
	tail = b.mul(tail, b.fma(r, b.sub(r, one), one)) // tail/(1+r)

	whole := b.fma(k, b.c(k, ln2Short), b.lookupFloats(index, lncShort[:])) // exact
	rest = b.fma(k, b.c(k, ln2Rest), b.lookupFloats(index, lncRest[:]))
	sum := b.add(whole, r)
	rest = b.add(rest, b.add(b.sub(whole, sum), r))
	half := b.mul(r, b.c(r, -0.5))
	square := b.mul(r, half)
	hi := b.add(sum, square)
	rest = b.add(rest, b.add(b.fma(r, half, b.neg(square)), b.add(b.sub(sum, hi), square)))
	rest = b.add(b.add(rest, tail), b.mul(b.mul(r, square), b.poly(r, powLog64...)))
	log = b.add(hi, rest)
	return log, b.add(b.sub(hi, log), rest)
}

// expPair is e^(x + rest).
func expPair(b *builder, x, rest V) V {
	f := &double
	magic := b.c(x, f.magic)
	n := b.sub(b.fma(x, b.c(x, f.log2e), magic), magic)
	r := b.fma(n, b.c(x, -f.ln2), x)
	r = b.add(r, b.fma(n, b.c(x, -f.ln2lo), rest))
	return b.scale(b.poly(r, exp64.poly...), n)
}
