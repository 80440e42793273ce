package op

import "github.com/tiler-go/tiler/tilelang/dtype"

// mathPrograms are the programs of the math functions, for float32 and float64.
// Each is within 2 ulp of exact over the whole range and right at zeros,
// infinities, NaN and subnormals.
func mathPrograms() map[Op]progs {
	return map[Op]progs{
		Round:   both(round(&single), round(&double)),
		Exp:     both(exp(exp32), exp(exp64)),
		Exp2:    both(exp2(exp2of32), exp2(exp2of64)),
		Expm1:   both(expm1(expm1of32), expm1(expm1of64)),
		Sigmoid: both(sigmoid(exp32), sigmoid(exp64)),
		Tanh:    both(tanh(tanh32), tanh(tanh64)),
		Erf:     both(erf(erf32), erf(erf64)),
		Log:     both(log(log32), log(log64)),
		Log2:    both(log(log2of32), log(log2of64)),
		Log1p:   both(log1p(log32), log1p(log64)),
		Pow:     both(powOf32(), powOf64()),
		Rsqrt:   both(rsqrt(&single), rsqrt(&double)),
		Sin:     both(sin(sin32), sin(sin64)),
		Cos:     both(cos(sin32), cos(sin64)),
		Tan:     both(tanOf32(), tanOf64()),
		Asin:    both(asin(asin32), asin(asin64)),
		Acos:    both(acos(asin32), acos(asin64)),
		Atan:    both(atanOf32(), atanOf64()),
		Atan2:   both(atan2Of32(), atan2Of64()),
	}
}

// both puts a program for each wide float into its cell.
func both(f32, f64 *Prog) (p progs) {
	p[dtype.Float32], p[dtype.Float64] = f32, f64
	return p
}

// A format is a float type as programs see it: its bits and the constants that
// depend on its width.
type format struct {
	d        dtype.DType
	signed   dtype.DType // integers of the same width
	unsigned dtype.DType
	mantissa int // stored bits
	bias     int
	sign     uint64 // the sign bit

	// x + magic rounds x, if below 2^(mantissa-1) in magnitude, to an integer, which
	// then stands in the low bits.
	magic float64

	// The sums of the parts are ln 2 and pi to twice and three times the precision. All
	// parts are positive: x - 0·part keeps the sign of a zero x.
	log2e        float64
	ln2, ln2lo   float64
	pi, pi2, pi3 float64
}

var single = format{
	d: dtype.Float32, signed: dtype.Int32, unsigned: dtype.Uint32, mantissa: 23, bias: 127, sign: 1 << 31, magic: 0x1.8p23,
	log2e: 0x1.715476p+0, ln2: 0x1.62e42ep-1, ln2lo: 0x1.efa39ep-25,
	pi: 0x1.921fb4p+1, pi2: 0x1.4442dp-23, pi3: 0x1.84698ap-47,
}

var double = format{
	d: dtype.Float64, signed: dtype.Int64, unsigned: dtype.Uint64, mantissa: 52, bias: 1023, sign: 1 << 63, magic: 0x1.8p52,
	log2e: 0x1.71547652b82fep+0, ln2: 0x1.62e42fefa39efp-1, ln2lo: 0x1.abc9e3b39803fp-56,
	pi: 0x1.921fb54442d18p+1, pi2: 0x1.1a62633145c06p-53, pi3: 0x1.c1cd129024e09p-106,
}

// c is a constant of x's type.
func (b *builder) c(x V, v float64) V { return b.float(b.typ(x), v) }

// atMost and atLeast clamp x to a constant that is neither 0 nor NaN, and keep a
// NaN: one instruction on every machine.
func (b *builder) atMost(x V, hi float64) V  { return b.do(MinimumNaN, x, b.c(x, hi)) }
func (b *builder) atLeast(x V, lo float64) V { return b.do(MaximumNaN, x, b.c(x, lo)) }

// pow2 is 2^n as a float, where t's low bits are n plus the bias.
func (f *format) pow2(b *builder, t V) V {
	return b.bitcast(f.d, b.shl(b.bitcast(f.signed, t), b.integer(f.signed, int64(f.mantissa))))
}

// signOf is x's sign bit, as an integer; withSign puts it onto a magnitude, and flip
// changes the sign of any x where the bit is set.
func (f *format) signOf(b *builder, x V) V {
	return b.and(b.bitcast(f.unsigned, x), b.bits(f.unsigned, f.sign))
}

func (f *format) withSign(b *builder, x, sign V) V {
	return b.bitcast(f.d, b.or(b.bitcast(f.unsigned, x), sign))
}

func (f *format) flip(b *builder, x, sign V) V {
	return b.bitcast(f.d, b.xor(b.bitcast(f.unsigned, x), sign))
}

// mask is all ones in the width of the format.
func (f *format) mask() uint64 { return f.sign<<1 - 1 }

// rsqrt is 1/sqrt(x), each correctly rounded.
func rsqrt(f *format) *Prog {
	return program1(f.d, func(b *builder, x V) V { return b.div(b.c(x, 1), b.sqrt(x)) })
}
