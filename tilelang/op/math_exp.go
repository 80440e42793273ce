package op

// The exponential family. All reduce x = n·ln 2 + r with |r| <= ln(2)/2 in two fused
// steps, of which the first is exact, and scale a polynomial in r by 2^n.

// An expSpec is what exp needs to know of a float type.
type expSpec struct {
	*format
	lo, hi float64 // beyond which the result is 0 or infinite
	poly   []float64
}

// e^r on |r| <= ln(2)/2 by least relative error, 1 + r exact: 2^-28.2 in float32,
// 2^-57.8 in float64.
var exp32 = expSpec{&single, -104, 89, []float64{
	1, 1, 0x1.fffffcp-2, 0x1.555492p-3, 0x1.5558bp-5, 0x1.12399cp-7, 0x1.6a4ecep-10,
}}

var exp64 = expSpec{&double, -746, 710, []float64{
	1, 1, 0x1.000000000000ap-1, 0x1.555555555550dp-3, 0x1.5555555550778p-5, 0x1.111111112449cp-7,
	0x1.6c16c18445a72p-10, 0x1.a01a0138b8b5ap-13, 0x1.a01999e8558efp-16, 0x1.71df0bdaa2e39p-19,
	0x1.28ad7f15baa44p-22, 0x1.ad9fdccfc2daep-26,
}}

// exp is e^x: clamped where the result is 0 or infinite anyway, so that n stays small.
func exp(s expSpec) *Prog {
	return program1(s.d, func(b *builder, x V) V {
		return s.expOf(b, b.atLeast(b.atMost(x, s.hi), s.lo))
	})
}

// expOf is e^x for x between s.lo and s.hi, or NaN.
func (s expSpec) expOf(b *builder, x V) V {
	n, r := s.reduceExp(b, x)
	return b.scale(b.poly(r, s.poly...), n)
}

// reduceExp finds n and r with x = n·ln 2 + r.
func (f *format) reduceExp(b *builder, x V) (n, r V) {
	magic := b.c(x, f.magic)
	n = b.sub(b.fma(x, b.c(x, f.log2e), magic), magic)
	r = b.fma(n, b.c(x, -f.ln2), x)
	return n, b.fma(n, b.c(x, -f.ln2lo), r)
}

// 2^r on |r| <= 1/2 by least relative error, 1 exact: 2^-28.3 and 2^-57.7.
var exp2of32 = expSpec{&single, -151, 129, []float64{
	1, 0x1.62e43p-1, 0x1.ebfbdcp-3, 0x1.c6af7cp-5, 0x1.3b2dep-7, 0x1.5f082ep-10, 0x1.416b5ep-13,
}}

var exp2of64 = expSpec{&double, -1076, 1025, []float64{
	1, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c59cp-3, 0x1.c6b08d704a0d4p-5, 0x1.3b2ab6fba1264p-7,
	0x1.5d87fe78b3c69p-10, 0x1.4309130be434fp-13, 0x1.ffcbfbf8427bdp-17, 0x1.62bfce2bf7beep-20,
	0x1.b5260f36e7318p-24, 0x1.e61119e571f31p-28, 0x1.e80be15949760p-32,
}}

// exp2 is 2^x; n is x rounded and r = x - n is exact.
func exp2(s expSpec) *Prog {
	return program1(s.d, func(b *builder, x V) V {
		x = b.atLeast(b.atMost(x, s.hi), s.lo)
		magic := b.c(x, s.magic)
		n := b.sub(b.add(x, magic), magic)
		return b.scale(b.poly(b.sub(x, n), s.poly...), n)
	})
}

// (e^r - 1 - r)/r^2 on |r| <= ln(2)/2 by least error relative to e^r - 1: 2^-26.1
// and 2^-61.5.
var expm1of32 = expSpec{&single, -18, 89, []float64{
	0x1.fffffep-2, 0x1.5554b4p-3, 0x1.5556f2p-5, 0x1.12254cp-7, 0x1.6b9c7p-10,
}}

var expm1of64 = expSpec{&double, -38, 710, []float64{
	0.5, 0x1.5555555555559p-3, 0x1.5555555555559p-5, 0x1.111111110f708p-7, 0x1.6c16c16c167a5p-10,
	0x1.a01a01af98918p-13, 0x1.a01a019e6999dp-16, 0x1.71ddf94d7b74dp-19, 0x1.27e4f8c6f98c2p-22,
	0x1.af5cd2c95ed10p-26, 0x1.1f3864f10a583p-29,
}}

// expm1 is e^x - 1 = 2^n·((e^r - 1) - (2^-n - 1)). Where n is 0 the second term is +0
// and the first keeps the sign of zero: r·(r·Q + 0) is +0 times r there.
func expm1(s expSpec) *Prog {
	return program1(s.d, func(b *builder, x V) V {
		x = b.atLeast(b.atMost(x, s.hi), s.lo)
		magic := b.c(x, s.magic+float64(s.bias+1))
		t := b.fma(x, b.c(x, -s.log2e), magic) // magic - n
		n := b.sub(magic, t)
		r := b.fma(n, b.c(x, -s.ln2lo), b.fma(n, b.c(x, -s.ln2), x))
		u := s.pow2(b, t) // 2^(1-n), or 0 for the greatest n
		r1 := b.sub(r, b.fma(u, b.c(x, 0.5), b.c(x, -1)))
		return b.scale(b.fma(r, b.fma(r, b.poly(r, s.poly...), b.c(x, 0)), r1), n)
	})
}

// sigmoid is 1/(1+e^-x), by way of e^-|x| <= 1: as that, or as e^x/(1+e^x) so that
// results near 0 keep their precision.
func sigmoid(s expSpec) *Prog {
	return program1(s.d, func(b *builder, x V) V {
		minus := b.bitcast(s.d, b.or(b.bitcast(s.unsigned, x), b.bits(s.unsigned, s.sign)))
		e := s.expOf(b, b.atLeast(minus, s.lo))
		one := b.c(x, 1)
		y := b.where(b.lt(x, b.c(x, 0)), e, one)
		return b.fma(b.neg(y), b.div(e, b.add(e, one)), y)
	})
}

// A tanhSpec holds Q of (e^2r - 1)/2 = r + r^2·Q(r) on |r| <= ln(2)/4.
type tanhSpec struct {
	*format
	hi   float64 // from where the result is 1
	tail bool    // keep the rounding error of a sum
	poly []float64
}

var tanh32 = tanhSpec{&single, 9.02, false, double2(expm1of32.poly)}

var tanh64 = tanhSpec{&double, 19.07, true, double2(expm1of64.poly)}

// double2 turns (e^r - 1 - r)/r^2 into (e^2r - 1 - 2r)/2r^2.
func double2(p []float64) []float64 {
	q := make([]float64, len(p))
	k := 2.0
	for i := range p {
		q[i] = p[i] * k
		k *= 2
	}
	return q
}

// tanh is N/(N+1) for N = (e^2|x| - 1)/2 = 2^n·(h + (1-2^-n)/2). That is N - N·N/(N+1),
// and 1 - 1/(N+1), which both lose less than the quotient where N is below 1 and
// above: A - A·A/(N+1) with A the lesser of N and 1. All but A is kept times 2^-n.
func tanh(s tanhSpec) *Prog {
	return program1(s.d, func(b *builder, x V) V {
		a := b.atMost(b.abs(x), s.hi)
		magic := b.c(x, s.magic+float64(s.bias))
		t := b.fma(a, b.c(x, 2*s.log2e), magic)
		n := b.sub(t, magic)
		r := b.fma(n, b.c(x, -s.ln2lo/2), b.fma(n, b.c(x, -s.ln2/2), a))
		e := s.pow2(b, t)
		one := b.bits(s.signed, 2*uint64(s.bias)<<s.mantissa)
		u := b.bitcast(s.d, b.sub(one, b.bitcast(s.signed, e))) // 2^-n
		k := b.fma(u, b.c(x, -0.5), b.c(x, 0.5))                // 0, or above |r|
		w := b.add(k, r)
		if s.tail {
			w = b.add(w, b.fma(b.mul(r, r), b.poly(r, s.poly...), b.sub(r, b.sub(w, k))))
		} else {
			w = b.fma(b.mul(r, r), b.poly(r, s.poly...), w)
		}
		m := b.where(b.lt(w, u), w, u)
		y := b.mul(m, e)
		y = b.fma(b.neg(y), b.div(m, b.add(w, u)), y)
		return s.withSign(b, y, s.signOf(b, x))
	})
}
