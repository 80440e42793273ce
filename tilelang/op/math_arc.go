package op

// The inverse trigonometric functions.

// An asinSpec holds P of asin s = s + s·(s^2·P(s^2)) on 0 <= s <= 1/2.
type asinSpec struct {
	*format
	poly []float64
}

// P by least relative error of asin s: 2^-27.6 and 2^-55.6.
var asin32 = asinSpec{&single, []float64{
	0x1.5555c8p-3, 0x1.330204p-4, 0x1.747bb8p-5, 0x1.8c3e54p-6, 0x1.595c58p-5,
}}

var asin64 = asinSpec{&double, []float64{
	0x1.5555555555390p-3, 0x1.333333336e82dp-4, 0x1.6db6db4278dc8p-5, 0x1.f1c72c3945c97p-6,
	0x1.6e89f45af40d0p-6, 0x1.1c6bdb45b1c78p-6, 0x1.c6fed9a3663a4p-7, 0x1.8eb689bb64a8dp-7,
	0x1.ac712631bfb9ep-8, 0x1.3f5d33f3d9fdfp-6, -0x1.08a287f21ad49p-6, 0x1.04eddb947bde9p-5,
}}

// asinOf is the arc sine of s plus rest, with s = |x|, or where |x| > 1/2 (big)
// s = sqrt((1-|x|)/2): asin x is pi/2 less twice that.
func (s asinSpec) asinOf(b *builder, x V, rest func(big V) V) (big, y V) {
	a := b.abs(x)
	half := b.c(x, 0.5)
	big = b.lt(half, a)
	square := b.where(big, b.fma(a, b.c(x, -0.5), half), b.mul(a, a))
	root := b.where(big, b.sqrt(square), a)
	return big, b.add(root, b.fma(b.mul(root, square), b.poly(square, s.poly...), rest(big)))
}

// asin is the arc sine.
func asin(s asinSpec) *Prog {
	return program1(s.d, func(b *builder, x V) V {
		big, y := s.asinOf(b, x, func(big V) V { return b.where(big, b.c(x, -s.pi2/4), b.c(x, 0)) })
		y = b.where(big, b.fma(y, b.c(x, -2), b.c(x, s.pi/2)), y)
		return s.withSign(b, y, s.signOf(b, x))
	})
}

// acos is the arc cosine: pi/2 -+ asinOf where |x| is small, else twice that or pi less
// twice that.
func acos(s asinSpec) *Prog {
	return program1(s.d, func(b *builder, x V) V {
		negative := b.lt(b.bitcast(s.signed, x), b.integer(s.signed, 0)) // -0 too
		big, y := s.asinOf(b, x, func(big V) V {
			small := b.where(negative, b.c(x, s.pi2/2), b.c(x, -s.pi2/2))
			return b.where(big, b.where(negative, b.c(x, -s.pi2/2), b.c(x, 0)), small)
		})
		base := b.where(big, b.where(negative, b.c(x, s.pi), b.c(x, 0)), b.c(x, s.pi/2))
		factor := b.where(big, b.c(x, 2), b.c(x, -1))
		factor = s.flip(b, factor, s.signOf(b, x))
		return b.fma(y, factor, base)
	})
}

// P of atan r = r + r·(r^2·P(r^2)) by least relative error: 2^-25.8 on r <= 1 in
// float32, 2^-55.7 on r <= tan(pi/12) in float64.
var atanPoly32 = []float64{
	-0x1.5554dcp-2, 0x1.9978ecp-3, -0x1.230a94p-3, 0x1.b4deaep-4, -0x1.3550e4p-4, 0x1.61ef22p-5,
	-0x1.0c190ep-6, 0x1.7eaac6p-9,
}

var atanPoly64 = []float64{
	-0x1.55555555553b0p-2, 0x1.999999993c55ep-3, -0x1.249248ec0d6aap-3, 0x1.c71c5095f4911p-4,
	-0x1.7457ae8b19626p-4, 0x1.3a8f72865fca7p-4, -0x1.09a81cfd8dc39p-4, 0x1.6c51159ec9d2bp-5,
}

// atanOf32 is the arc tangent in float32: of |x| or, beyond 1, pi/2 less that of 1/|x|.
func atanOf32() *Prog {
	f := &single
	return program1(f.d, func(b *builder, x V) V {
		a, one, zero := b.abs(x), b.c(x, 1), b.c(x, 0)
		steep := b.lt(one, a)
		r := b.where(steep, b.div(b.c(x, -1), a), a)
		base := b.where(steep, b.c(x, f.pi/2), zero)
		rest := b.where(steep, b.c(x, f.pi2/2), zero)
		return f.withSign(b, addAtan(b, r, base, rest, atanPoly32), f.signOf(b, x))
	})
}

// addAtan is base + rest + atan r.
func addAtan(b *builder, r, base, rest V, poly []float64) V {
	square := b.mul(r, r)
	return b.add(base, b.add(r, b.fma(b.mul(r, square), b.poly(square, poly...), rest)))
}

// atan2Of32 is the angle of the point (x, y) in float32, by the quotient of the lesser
// and the greater of |x| and |y|.
func atan2Of32() *Prog {
	f := &single
	return program2(f.d, func(b *builder, y, x V) V {
		num, den, steep, left := f.octant(b, y, x)
		den = b.atLeast(den, 0x1p-149) // the origin has angle 0
		r := b.where(b.eq(num, den), b.c(x, 1), b.div(num, den))
		r = b.where(b.xor(steep, left), b.neg(r), r)
		zero := b.c(x, 0)
		base := b.where(steep, b.c(x, f.pi/2), b.where(left, b.c(x, f.pi), zero))
		rest := b.where(steep, b.c(x, f.pi2/2), b.where(left, b.c(x, f.pi2), zero))
		return f.withSign(b, addAtan(b, r, base, rest, atanPoly32), f.signOf(b, y))
	})
}

// octant orders |x| and |y|: num is the lesser and den the greater, steep that |y| is the
// greater, left that x is negative or -0.
func (f *format) octant(b *builder, y, x V) (num, den, steep, left V) {
	ax, ay := b.abs(x), b.abs(y)
	steep = b.lt(ax, ay)
	left = b.lt(b.bitcast(f.signed, x), b.integer(f.signed, 0))
	return b.where(steep, ax, ay), b.where(steep, ay, ax), steep, left
}

// In float64 a quotient above tan(pi/12) is taken relative to tan(pi/6), so that
// r = (num - c·den)/(den + c·num) is at most tan(pi/12) in magnitude.
const (
	atanCenter = 0x1.279a74590331cp-1
	atanNear   = 0x1.126145e9ecd56p-2
)

// The angles that r is relative to, and what they lack, by octant: index 1 is that of
// the center, 2 is set if steep and 4 if left.
var (
	atanBase = [8]float64{
		0x0.0p+0, 0x1.0c152382d7365p-1, 0x1.921fb54442d18p+0, 0x1.0c152382d7366p+0, 0x1.921fb54442d18p+1, 0x1.4f1a6c638d03fp+1, 0x1.921fb54442d18p+0, 0x1.0c152382d7365p+1,
	}
	atanRest = [8]float64{
		0x0.0p+0, 0x1.2a323e45d5c68p-55, 0x1.1a62633145c07p-54, -0x1.7ab6bbf1a522dp-54, 0x1.1a62633145c07p-53, -0x1.815163017d89ap-56, 0x1.1a62633145c07p-54, 0x1.d7bdc12a1851ep-53,
	}
)

// atanOf64 is the arc tangent in float64.
func atanOf64() *Prog {
	f := &double
	return program1(f.d, func(b *builder, x V) V {
		a, one := b.atMost(b.abs(x), 0x1p60), b.c(x, 1)
		steep := b.lt(one, a)
		y := atanOctant(b, b.where(steep, one, a), b.where(steep, a, one), steep, b.integer(f.unsigned, 0), steep)
		return f.withSign(b, y, f.signOf(b, x))
	})
}

// atan2Of64 is the angle of the point (x, y) in float64. What would leave the range of
// normal numbers, and what has no quotient, is scaled in a skipped region.
func atan2Of64() *Prog {
	f := &double
	return program2(f.d, func(b *builder, y, x V) V {
		num, den, steep, left := f.octant(b, y, x)
		rare := f.exponentOutside(b, b.bitcast(f.unsigned, den), f.bias-900, f.bias+1000)
		var rareNum, rareDen V
		b.skipUnless(rare, func() V {
			zero, one, inf := b.c(x, 0), b.c(x, 1), b.inf(f.d)
			scale := b.where(b.lt(den, one), b.c(x, 0x1p200), b.c(x, 0x1p-200))
			infinite := b.eq(den, inf)
			both := b.where(b.eq(num, inf), one, num) // or NaN
			rareNum = b.where(infinite, b.where(b.lt(num, inf), zero, both), b.mul(num, scale))
			rareDen = b.where(b.or(infinite, b.eq(den, zero)), one, b.mul(den, scale))
			return rareDen
		})
		num, den = b.where(rare, rareNum, num), b.where(rare, rareDen, den)
		four := b.where(left, b.integer(f.unsigned, 4), b.integer(f.unsigned, 0))
		return f.withSign(b, atanOctant(b, num, den, steep, four, b.xor(steep, left)), f.signOf(b, y))
	})
}

// atanOctant is the angle in the octant that steep and four (4 or 0) describe of the
// quotient num/den <= 1, which is subtracted if minus.
func atanOctant(b *builder, num, den, steep, four, minus V) V {
	u := double.unsigned
	k := func(v int64) V { return b.integer(u, v) }
	inner := b.lt(b.mul(den, b.c(den, atanNear)), num)
	c := b.where(inner, b.c(den, atanCenter), b.c(den, 0))
	r := b.div(b.fma(b.neg(c), den, num), b.fma(c, num, den))
	r = b.where(minus, b.neg(r), r)
	index := b.or(b.or(b.where(inner, k(1), k(0)), b.where(steep, k(2), k(0))), four)
	return addAtan(b, r, b.lookupFloats(index, atanBase[:]), b.lookupFloats(index, atanRest[:]), atanPoly64)
}
