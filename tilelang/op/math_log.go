package op

import "math"

// The logarithms. All write their argument as m·2^k with m around 1, by integer
// operations on the bits, and take log(m·2^k) = k·log 2 + log m. An argument without
// such a form (zero, negative, subnormal, infinite, NaN) is replaced in a skipped
// region by one that has it; what it lacks is added to k.

// A logSpec is a logarithm in a float type: log(1+r) = r·(unit + tail) + r^2·Q(r).
type logSpec struct {
	*format
	least      uint64  // bits of the least m; the greatest is twice that
	unit, tail float64 // 1/ln(base), to twice the precision
	two, twoLo float64 // log 2, to twice the precision where a float's own is too coarse
	poly       []float64
	logc       *[16]float64 // -log(invc); nil if one polynomial serves all m
}

// Q, by least error relative to the logarithm: 2^-25.0 on sqrt(1/2) <= m <= sqrt(2) and 2^-56.2
// on the r that the tables leave.
var log32 = logSpec{&single, 0x3f3504f3, 1, 0, 0x1.62e43p-1, 0, []float64{
	-0x1.fffffap-2, 0x1.5556f0p-2, -0x1.0004a0p-2, 0x1.98d3a8p-3, -0x1.535db0p-3, 0x1.317d78p-3,
	-0x1.24fbf2p-3, 0x1.65d712p-4,
}, nil}

var log2of32 = logSpec{&single, 0x3f3504f3, 0x1.715476p+0, 0x1.4ae0cp-26, 1, 0, []float64{
	-0x1.715472p-1, 0x1.ec72f0p-2, -0x1.715b30p-2, 0x1.26e7c2p-2, -0x1.e99756p-3, 0x1.b8bcb8p-3,
	-0x1.a6c160p-3, 0x1.022e6ep-3,
}, nil}

var log64 = logSpec{&double, leastM, 1, 0, 0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56, []float64{
	-0x1.fffffffffffc5p-2, 0x1.55555555554a8p-2, -0x1.00000000c2f55p-2, 0x1.9999999c652d3p-3,
	-0x1.55553f9dabea2p-3, 0x1.24922bba68d5bp-3, -0x1.00734627a107bp-3, 0x1.c8163c5345217p-4,
}, &lnc}

var log2of64 = logSpec{&double, leastM, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56, 1, 0, []float64{
	-0x1.71547652b82d3p-1, 0x1.ec709dc3a0368p-2, -0x1.71547653d23d6p-2, 0x1.2776c510a0883p-2,
	-0x1.ec707e690e498p-3, 0x1.a6173bc5a5f57p-3, -0x1.71facb2869bf2p-3, 0x1.48f9931bc5fd8p-3,
}, &log2c}

// log is the logarithm of x.
func log(s logSpec) *Prog {
	return program1(s.d, func(b *builder, x V) V {
		i := b.bitcast(s.unsigned, x)
		rare := s.exponentOutside(b, i, 1, 2*s.bias)
		var scaled, k0 V
		b.skipUnless(rare, func() V {
			scaled = b.bitcast(s.unsigned, b.mul(x, b.c(x, math.Ldexp(1, s.mantissa))))
			k0 = logOutside(b, x, 0, -float64(s.mantissa))
			return k0
		})
		k, t := s.splitPower(b, b.where(rare, scaled, i))
		m := s.mantissaOf(b, t)
		k = b.add(k, b.where(rare, k0, b.c(x, 0)))
		if s.logc == nil {
			return s.logOf(b, k, b.sub(m, b.c(x, 1)), V{})
		}
		index := tableIndex(b, t)
		return s.logOf(b, k, b.fma(m, b.lookupFloats(index, invc[:]), b.c(x, -1)), index)
	})
}

// log1p is the logarithm of 1 + x. k is that of the rounded sum, but m - 1 is
// x·2^-k + (2^-k - 1), rounded once.
func log1p(s logSpec) *Prog {
	return program1(s.d, func(b *builder, x V) V {
		one := b.c(x, 1)
		i := b.bitcast(s.unsigned, b.add(one, x))
		rare := s.exponentOutside(b, i, 1, 2*s.bias-2)
		var scaled, sum, k0 V
		b.skipUnless(rare, func() V {
			scaled = b.mul(x, b.c(x, math.Ldexp(1, -s.mantissa))) // if positive, 1+x is x
			scaled = b.do(Minimum, b.do(Maximum, scaled, b.c(x, 0)), b.c(x, math.Ldexp(1, s.bias-2)))
			sum = b.bitcast(s.unsigned, b.add(one, scaled))
			k0 = logOutside(b, x, -1, float64(s.mantissa))
			return k0
		})
		k, t := s.splitPower(b, b.where(rare, sum, i))
		k = b.add(k, b.where(rare, k0, b.c(x, 0)))
		whole, bias := ^uint64(0)<<s.mantissa&s.mask(), uint64(s.bias)
		if s.d == double.d { // t has the bias too
			bias *= 2
		}
		u := b.sub(b.bits(s.unsigned, bias<<s.mantissa), b.and(t, b.bits(s.unsigned, whole)))
		u = b.bitcast(s.d, u) // 2^-k
		r := b.fma(b.where(rare, scaled, x), u, b.sub(u, one))
		var y V
		if s.logc == nil {
			y = s.logOf(b, k, r, V{})
		} else {
			index := tableIndex(b, t)
			c := b.lookupFloats(index, invc[:])
			y = s.logOf(b, k, b.fma(r, c, b.sub(c, one)), index)
		}
		return b.where(b.eq(x, b.c(x, 0)), x, y) // keeps -0
	})
}

// exponentOutside reports whether the float with bits i is negative or its biased
// exponent is below lo or above hi: by one signed comparison of shifted bits.
func (f *format) exponentOutside(b *builder, i V, lo, hi int) V {
	shift := f.sign - uint64(lo)<<f.mantissa
	last := f.sign + uint64(hi+1-lo)<<f.mantissa - 1
	return b.lt(b.bits(f.signed, last&f.mask()), b.bitcast(f.signed, b.add(i, b.bits(f.unsigned, shift&f.mask()))))
}

// logOutside is what to add to k for the logarithm of an x with a pole at pole: powers
// where x is finite and beyond the pole; at infinity, at the pole, below it and for
// NaN, the logarithm itself.
func logOutside(b *builder, x V, pole, powers float64) V {
	d := b.typ(x)
	p := b.c(x, pole)
	y := b.where(b.eq(x, p), b.c(x, math.Inf(-1)), b.nan(d))
	y = b.where(b.lt(p, x), b.c(x, powers), y)
	return b.where(b.lt(x, b.inf(d)), y, x)
}

// splitPower takes the bits of a positive normal number m·2^k apart: into k as a float,
// and t whose mantissa bits are those of m's bits less s.least, and whose exponent bits
// are k in float32, k plus the bias in float64 (where shifts of signed integers and their
// conversion are not an instruction everywhere).
func (s logSpec) splitPower(b *builder, i V) (k, t V) {
	if s.d == single.d {
		t = b.sub(i, b.bits(s.unsigned, s.least))
		return b.cast(s.d, b.shr(b.bitcast(s.signed, t), b.integer(s.signed, int64(s.mantissa)))), t
	}
	t = b.add(i, b.bits(s.unsigned, uint64(s.bias)<<s.mantissa-s.least))
	// An integer below 2^52 in the low bits of 2^52 is added to it.
	e := b.shr(t, b.integer(s.unsigned, int64(s.mantissa)))
	e = b.or(e, b.bits(s.unsigned, uint64(s.bias+s.mantissa)<<s.mantissa))
	return b.sub(b.bitcast(s.d, e), b.float(s.d, math.Ldexp(1, s.mantissa)+float64(s.bias))), t
}

// mantissaOf is the m of splitPower.
func (s logSpec) mantissaOf(b *builder, t V) V {
	m := b.and(t, b.bits(s.unsigned, 1<<s.mantissa-1))
	return b.bitcast(s.d, b.add(m, b.bits(s.unsigned, s.least)))
}

// logOf is k·log 2 + log(1+r), or that plus the table's entry.
func (s logSpec) logOf(b *builder, k, r, index V) V {
	q := b.poly(r, s.poly...)
	var y V
	if s.unit == 1 {
		y = b.fma(b.mul(r, r), q, r)
	} else {
		y = b.fma(r, b.c(r, s.unit), b.mul(r, b.fma(r, q, b.c(r, s.tail))))
	}
	if s.twoLo != 0 {
		y = b.fma(k, b.c(k, s.twoLo), y)
	}
	if s.logc != nil {
		if c := b.lookupFloats(index, s.logc[:]); s.unit == 1 {
			k = b.fma(k, b.c(k, s.two), c)
		} else {
			k = b.add(k, c)
		}
	} else if s.unit == 1 {
		return b.fma(k, b.c(k, s.two), y)
	}
	return b.add(k, y)
}

// leastM is the least m of the tables. Sixteen intervals divide the bits from leastM to
// 2·leastM evenly; 1 lies in one of them with 1/48 on either side.
const leastM = 0x3fe6555555555555

// tableIndex is the index of m's interval in its low bits.
func tableIndex(b *builder, t V) V { return b.shr(t, b.integer(b.typ(t), 48)) }

// lookupFloats is a lookup in a table of float64.
func (b *builder) lookupFloats(index V, table []float64) V {
	bits := make([]uint64, len(table))
	for i, v := range table {
		bits[i] = math.Float64bits(v)
	}
	return b.lookup(double.d, index, bits)
}

// invc is 1/c for the middle c of each interval; c is 1 in that of 1.
var invc = [16]float64{
	0x1.66c1464d2636cp+0, 0x1.5799dd3ba77cbp+0, 0x1.49fe466018894p+0, 0x1.3d382ebfeb5cdp+0,
	0x1.315fb702aafa9p+0, 0x1.2664403f58f7bp+0, 0x1.1c30797d77242p+0, 0x1.12a0a680b34edp+0,
	0x1.09949214e8378p+0, 0x1.0000000000000p+0, 0x1.e6ccd560bfa2cp-1, 0x1.cb6e8b6567087p-1,
	0x1.b2e0cf7216be5p-1, 0x1.9ce5f847ae5e6p-1, 0x1.8944e39660ba7p-1, 0x1.7731e98f31430p-1,
}

// lnc is ln c and log2c its logarithm to base 2, of 1/invc.
var lnc = [16]float64{
	-0x1.598fb0f62bc52p-2, -0x1.2d5df6461e59ap-2, -0x1.03fcfee7d288fp-2, -0x1.b71ff27d57906p-3,
	-0x1.692f23142fed9p-3, -0x1.1e2c8f29ea385p-3, -0x1.abe1b84ffe1d3p-4, -0x1.1fb23c24900f5p-4,
	-0x1.2cf95e727aee9p-5, 0, 0x1.9d7559246a35bp-5, 0x1.bbbc85786c88fp-4,
	0x1.4e5a9581c87a5p-3, 0x1.b8928b6b77023p-3, 0x1.0e299684dc6aep-2, 0x1.3e57040be908ep-2,
}

var log2c = [16]float64{
	-0x1.f28a20f0ca159p-2, -0x1.b2c7de1a91324p-2, -0x1.7715729a6a1f7p-2, -0x1.3cc2f6fc6d253p-2,
	-0x1.048a0dfc056b9p-2, -0x1.9cdca53f6684cp-3, -0x1.34a6c3400a51dp-3, -0x1.9f0ed4258d736p-4,
	-0x1.b236be1232b6cp-5, 0, 0x1.2a3f478c3698ap-4, 0x1.401691ab538fep-3,
	0x1.e25ee1c2eb0b7p-3, 0x1.3dce4b56c6fe9p-2, 0x1.85c314795c624p-2, 0x1.cb44748577952p-2,
}
