package op

// An erfSpec approximates the error function by x + x·P(x^2) up to split and by
// 1 - 2^Q(|x|) from there on, Q being the logarithm of erfc.
type erfSpec struct {
	*format
	split, hi float64 // from hi on the result is 1
	small     []float64
	large     []float64
	exp2      []float64 // 2^r on |r| <= 1/2
}

// P by least relative error and Q by least relative error of the result: 2^-25.9 and
// 2^-25.3; 2^-55.3 and 2^-55.8.
var erf32 = erfSpec{&single, 0.92, 3.93, []float64{
	0x1.06eba6p-3, -0x1.8126eap-2, 0x1.ce1b0ep-4, -0x1.b6938ep-6, 0x1.476872p-8, -0x1.3ac55ap-11,
}, []float64{
	-0x1.73bec6p-9, -0x1.9d9b32p+0, -0x1.e0ff3ap-1, -0x1.0c5ea4p-3, 0x1.6e1a88p-6, -0x1.d50112p-10,
}, []float64{
	0x1.000000p+0, 0x1.62e42ap-1, 0x1.ebf9c2p-3, 0x1.c6b6d8p-5, 0x1.3ce8acp-7, 0x1.5bda40p-10,
}}

var erf64 = erfSpec{&double, 0.875, 5.95, []float64{
	0x1.06eba8214db68p-3, -0x1.812746b03796dp-2, 0x1.ce2f21a03c3b5p-4, -0x1.b82ce3106d825p-6,
	0x1.565bccb5b0cd4p-8, -0x1.c02da30029eacp-11, 0x1.f9a11eb17d346p-14, -0x1.f4aa4bb240d4cp-17,
	0x1.b7e8500679e3fp-20, -0x1.4f7a365ab63adp-23, 0x1.6783da3354ab5p-27,
}, []float64{
	-0x1.3bfdaf422842dp-24, -0x1.a0be769f620b9p+0, -0x1.d63f58c83808dp-1, -0x1.2fa1fcfc8cb6bp-3,
	0x1.c3c85b0309ba6p-6, 0x1.59cb50b2a5c27p-12, -0x1.4371e8f8fc8e9p-9, 0x1.be0a9d7e29632p-11,
	-0x1.b5583c9159c09p-17, -0x1.10db429dd5d50p-13, 0x1.458911c8a2952p-14, -0x1.da5b84f8df39bp-16,
	0x1.f606faeea80e0p-18, -0x1.9187285fc78fcp-20, 0x1.e4f2b5901aae7p-23, -0x1.aeca20625746dp-26,
	0x1.0a374f0d4609dp-29, -0x1.994e209f09e58p-34, 0x1.26cba8886c465p-39,
}, exp2of64.poly}

// erf is the error function. The power of two of the large branch stays normal, so that
// its exponent may be added to the bits.
func erf(s erfSpec) *Prog {
	return program1(s.d, func(b *builder, x V) V {
		a := b.atMost(b.abs(x), s.hi)
		square := b.mul(a, a)
		small := b.fma(a, b.poly(square, s.small...), a)

		q := b.poly(a, s.large...)
		magic := b.c(x, s.magic)
		t := b.add(q, magic)
		r := b.sub(q, b.sub(t, magic))
		power := b.shl(b.bitcast(s.unsigned, t), b.integer(s.unsigned, int64(s.mantissa)))
		e := b.bitcast(s.d, b.add(b.bitcast(s.unsigned, b.poly(r, s.exp2...)), power))
		large := b.sub(b.c(x, 1), e)

		y := b.where(b.lt(b.c(x, s.split), a), large, small)
		return s.withSign(b, y, s.signOf(b, x))
	})
}
