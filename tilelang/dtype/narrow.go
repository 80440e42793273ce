package dtype

import "math"

// A format describes a float narrower than float32 by its fields. Rounding is the
// same arithmetic for all of them: from a float64 that holds the value exactly, or
// to odd where it cannot, so that every conversion rounds once.
type format struct {
	mant     int  // fraction bits
	bias     int  // exponent bias
	maxBits  uint // bit pattern of the largest finite value
	infBits  uint // what an overflow becomes
	nanBits  uint // canonical NaN
	saturate bool // overflow gives maxBits instead of infBits
}

var formats = [Count]format{
	Float8E5:   {mant: 2, bias: 15, maxBits: 0x7b, infBits: 0x7c, nanBits: 0x7f},
	Float8E4NV: {mant: 3, bias: 7, maxBits: 0x7e, infBits: 0x7e, nanBits: 0x7f, saturate: true},
	Float16:    {mant: 10, bias: 15, maxBits: 0x7bff, infBits: 0x7c00, nanBits: 0x7e00},
	BFloat16:   {mant: 7, bias: 127, maxBits: 0x7f7f, infBits: 0x7f80, nanBits: 0x7fc0},
}

// NarrowFields is the form of a narrow float: how many bits its fraction has, its exponent's bias, and the bit
// patterns of what an overflow becomes and of NaN.
func NarrowFields(d DType) (fraction, bias int, overflow, nan uint) {
	f := &formats[d]
	return f.mant, f.bias, f.infBits, f.nanBits
}

// signShift is the position of the sign bit of d.
func signShift(d DType) uint { return uint(d.Bits() - 1) }

// RoundNarrow is the bit pattern of v rounded to the narrow float d, to nearest
// even, or toward zero if rtz is set.
func RoundNarrow(d DType, v float64, rtz bool) uint16 {
	f := &formats[d]
	sign := uint(math.Float64bits(v)>>63) << signShift(d)
	if v != v {
		return uint16(sign | f.nanBits)
	}
	a := math.Abs(v)
	if math.IsInf(a, 0) && !f.saturate {
		return uint16(sign | f.infBits)
	}
	bits := f.roundMagnitude(a, rtz)
	switch {
	case bits <= f.maxBits:
	case rtz:
		bits = f.maxBits
	default:
		bits = f.infBits
	}
	return uint16(sign | bits)
}

// roundMagnitude rounds a >= 0 to f's grid and returns exponent and fraction as
// one integer, which carries into the exponent by itself; above maxBits it means
// overflow.
func (f *format) roundMagnitude(a float64, rtz bool) uint {
	const fracBits, bias64 = 52, 1023
	b := math.Float64bits(a)
	exp := int(b>>fracBits) - bias64
	if exp > 1023 || exp > f.bias+1 {
		return f.maxBits + 1
	}
	if b>>fracBits == 0 {
		return 0 // zero, or a float64 subnormal, far below half of any narrow one
	}
	frac := b&(1<<fracBits-1) | 1<<fracBits
	shift := uint(fracBits - f.mant)
	biased := exp + f.bias
	if biased < 1 { // subnormal in f: the unit in the last place stays
		shift += uint(1 - biased)
		biased = 1
	}
	if shift > 54 {
		return 0
	}
	q := frac >> shift
	rest, half := frac&(1<<shift-1), uint64(1)<<(shift-1)
	if !rtz && (rest > half || rest == half && q&1 == 1) {
		q++
	}
	// q still holds the implicit bit when normal, which adds 1 to the exponent field.
	return uint(q) + uint(biased-1)<<uint(f.mant)
}

// WidenNarrow is the value of a narrow float's bit pattern.
func WidenNarrow(d DType, bits uint16) float32 {
	f := &formats[d]
	mag := uint(bits) & (1<<signShift(d) - 1)
	sign := uint32(bits>>signShift(d)) << 31
	var v uint32
	switch {
	case mag > f.infBits && !f.saturate, f.saturate && mag == f.nanBits:
		v = 0x7fc00000
	case mag == f.infBits && !f.saturate:
		v = 0x7f800000
	default:
		v = math.Float32bits(f.magnitude(mag))
	}
	return math.Float32frombits(sign | v)
}

func (f *format) magnitude(mag uint) float32 {
	exp, frac := int(mag>>uint(f.mant)), mag&(1<<uint(f.mant)-1)
	if exp == 0 {
		return float32(math.Ldexp(float64(frac), 1-f.bias-f.mant))
	}
	return float32(math.Ldexp(float64(frac|1<<uint(f.mant)), exp-f.bias-f.mant))
}

// F16 and BF16 are the fast forms of the conversions that matter: the generic
// arithmetic above defines them, tests compare all patterns.

// FromFloat16 is the value of a float16 bit pattern.
func FromFloat16(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	mag := uint32(h & 0x7fff)
	switch {
	case mag >= 0x7c00: // infinity or NaN
		if mag > 0x7c00 {
			return math.Float32frombits(sign | 0x7fc00000)
		}
		return math.Float32frombits(sign | 0x7f800000)
	case mag >= 0x0400:
		return math.Float32frombits(sign | (mag<<13 + (127-15)<<23))
	}
	// A subnormal is mag units of 2^-24, exact in float32.
	return math.Float32frombits(sign | math.Float32bits(float32(mag)*0x1p-24))
}

// ToFloat16 rounds v to float16, to nearest even.
func ToFloat16(v float32) uint16 {
	b := math.Float32bits(v)
	sign := uint16(b >> 16 & 0x8000)
	b &= 0x7fffffff
	switch {
	case b > 0x7f800000:
		return sign | 0x7e00
	case b >= 0x477ff000: // 65520 and above round to infinity
		return sign | 0x7c00
	case b >= 0x38800000: // normal: add half an ulp, ties to even, and rebias
		b += 0xfff + b>>13&1
		return sign | uint16((b-(127-15)<<23)>>13)
	}
	// Below 2^-14 the grid is 2^-24: adding 0.5 puts that grid at float32's last bit.
	r := math.Float32frombits(b) + 0.5
	return sign | uint16(math.Float32bits(r)-0x3f000000)
}

// FromBFloat16 is the value of a bfloat16 bit pattern.
func FromBFloat16(h uint16) float32 { return math.Float32frombits(uint32(h) << 16) }

// ToBFloat16 rounds v to bfloat16, to nearest even.
func ToBFloat16(v float32) uint16 {
	b := math.Float32bits(v)
	if b&0x7fffffff > 0x7f800000 {
		return uint16(b>>16)&0x8000 | 0x7fc0
	}
	return uint16((b + 0x7fff + b>>16&1) >> 16)
}

// widen8 holds the 256 values of each fp8 format.
var widen8 = [2][256]float32{widenTable(Float8E5), widenTable(Float8E4NV)}

func widenTable(d DType) (t [256]float32) {
	for i := range t {
		t[i] = WidenNarrow(d, uint16(i))
	}
	return t
}

// FromFloat8 is the value of an fp8 bit pattern of type d.
func FromFloat8(d DType, b uint8) float32 { return widen8[d-Float8E5][b] }
