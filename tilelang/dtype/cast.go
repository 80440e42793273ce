package dtype

import "math"

// A value travels between types as bits: the element's own bit pattern, zero
// extended to 64. These functions are the definition; the loops that casts run in
// are tested against them.

// FromFloat is the bit pattern of v in type d: rounded once for a float, truncated
// and saturated for an integer (NaN is 0), v != 0 for Bool.
func FromFloat(d DType, v float64) uint64 {
	switch {
	case d == Float64:
		return math.Float64bits(v)
	case d == Float32:
		return uint64(math.Float32bits(float32(v)))
	case d.IsNarrow():
		return uint64(RoundNarrow(d, v, false))
	case d == Bool:
		if v != 0 {
			return 1
		}
		return 0
	}
	return Saturate(d, v)
}

// Saturate truncates v toward zero into the integer type d; what lies outside
// becomes the nearest end of its range and NaN becomes 0.
func Saturate(d DType, v float64) uint64 {
	mask := uint64(math.MaxUint64) >> (64 - d.Bits())
	switch {
	case v != v:
		return 0
	case v <= float64(d.MinInt()):
		return uint64(d.MinInt()) & mask
	case v >= float64(d.MaxInt()): // MaxInt rounds up to a power of two where it is inexact
		return d.MaxInt()
	case v < 0:
		return uint64(int64(v)) & mask
	}
	return uint64(v) & mask
}

// ToFloat is the value of a bit pattern of a float type, exactly.
func ToFloat(d DType, bits uint64) float64 {
	switch d {
	case Float64:
		return math.Float64frombits(bits)
	case Float32:
		return float64(math.Float32frombits(uint32(bits)))
	}
	return float64(WidenNarrow(d, uint16(bits)))
}

// ToInt sign- or zero-extends a bit pattern of an integer type to 64 bits.
func ToInt(d DType, bits uint64) int64 {
	if !d.IsSigned() {
		return int64(bits)
	}
	s := 64 - d.Bits()
	return int64(bits<<s) >> s
}

// FromInt is the bit pattern in type d of the 64-bit integer v, which is unsigned
// if unsigned is set: wrapped for an integer, rounded once for a float, v != 0 for
// Bool.
func FromInt(d DType, v int64, unsigned bool) uint64 {
	switch {
	case d == Bool:
		if v != 0 {
			return 1
		}
		return 0
	case d == Float64:
		return math.Float64bits(intToFloat64(v, unsigned))
	case d == Float32:
		return uint64(math.Float32bits(intToFloat32(v, unsigned)))
	case d.IsNarrow():
		return uint64(RoundNarrow(d, intToOdd(v, unsigned), false))
	}
	return uint64(v) & (math.MaxUint64 >> (64 - d.Bits()))
}

func intToFloat64(v int64, unsigned bool) float64 {
	if unsigned {
		return float64(uint64(v))
	}
	return float64(v)
}

func intToFloat32(v int64, unsigned bool) float32 {
	if unsigned {
		return float32(uint64(v))
	}
	return float32(v)
}

// intToOdd is v as a float64, rounded to odd where it has more than 53 bits: no
// narrow float distinguishes it from v.
func intToOdd(v int64, unsigned bool) float64 {
	neg := !unsigned && v < 0
	m := uint64(v)
	if neg {
		m = -m
	}
	if m>>53 != 0 {
		m = m&^0x7ff | b2u(m&0x7ff != 0)<<11
	}
	if neg {
		return -float64(m)
	}
	return float64(m)
}

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Convert is the cast of a bit pattern from one type to another; rtz makes a
// narrowing float cast round toward zero.
func Convert(to, from DType, bits uint64, rtz bool) uint64 {
	if to == from {
		return bits
	}
	if !from.IsFloat() {
		return FromInt(to, ToInt(from, bits), !from.IsSigned())
	}
	v := ToFloat(from, bits)
	if rtz && to == Float32 {
		return uint64(math.Float32bits(truncate32(v)))
	}
	if rtz && to.IsNarrow() {
		return uint64(RoundNarrow(to, v, true))
	}
	return FromFloat(to, v)
}

// IsNaN reports whether a bit pattern of type d is a NaN.
func IsNaN(d DType, bits uint64) bool {
	if !d.IsFloat() {
		return false
	}
	v := ToFloat(d, bits)
	return v != v
}

// NaN is the bit pattern that a NaN of the float type d shows: what a cast makes of one.
func NaN(d DType) uint64 { return FromFloat(d, math.Float64frombits(0x7ff8<<48)) }

// Bitcast is a bit pattern of one type read as another of the same width. Of a float, what
// sign and payload a NaN has is nobody's business, and differs between processors: read as
// another type, all NaNs are the same.
func Bitcast(to, from DType, bits uint64) uint64 {
	if to != from && IsNaN(from, bits) {
		return NaN(from)
	}
	return bits
}

// SameBits reports whether bit patterns of type d are the same; NaNs are.
func SameBits(d DType, a, b uint64) bool { return a == b || IsNaN(d, a) && IsNaN(d, b) }

// truncate32 is v rounded to float32 toward zero.
func truncate32(v float64) float32 {
	r := float32(v)
	if v != v || math.Abs(float64(r)) <= math.Abs(v) {
		return r
	}
	return math.Float32frombits(math.Float32bits(r) - 1)
}
