package cast

import (
	"math"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

var values = pairs()

func pairs() (t [dtype.Count][dtype.Count]Loop) {
	for to := dtype.Bool; to < dtype.Count; to++ {
		for from := dtype.Bool; from < dtype.Count; from++ {
			t[to][from] = pair(to, from)
		}
	}
	return t
}

func pair(to, from dtype.DType) Loop {
	switch {
	case to == from:
		return copyAll
	case from.IsNarrow():
		return fromNarrow(to, from)
	case from == dtype.Float32 && to == dtype.Float16:
		return loop(narrow16)
	case from == dtype.Float32 && to == dtype.BFloat16:
		return loop(narrowB16)
	}
	return fromNumber(to, from)
}

// fromNarrow widens to float32, which is exact, and goes on from there.
func fromNarrow(to, from dtype.DType) Loop {
	switch to {
	case dtype.Float32:
		return widen[float32](from)
	case dtype.Float64:
		return widen[float64](from)
	}
	first, onward := widen[float32](from), pair(to, dtype.Float32)
	return func(z, x dtype.Buf) {
		var mem [128]float32
		for lo := 0; lo < z.Len(); lo += len(mem) {
			n := min(len(mem), z.Len()-lo)
			t := dtype.BufOf(dtype.Float32, mem[:n])
			first(t, x.Slice(lo, lo+n))
			onward(z.Slice(lo, lo+n), t)
		}
	}
}

func widen[Z float32 | float64](from dtype.DType) Loop {
	switch from {
	case dtype.Float16:
		return loop(widen16[Z])
	case dtype.BFloat16:
		return loop(widenB16[Z])
	}
	return loop(func(z []Z, x []uint8) {
		x = x[:len(z)]
		for i := range z {
			z[i] = Z(dtype.FromFloat8(from, x[i]))
		}
	})
}

// widen16 takes the way of normal numbers by itself, and others to their definition.
func widen16[Z float32 | float64](z []Z, x []uint16) {
	x = x[:len(z)]
	for i, h := range x {
		if mag := uint32(h & 0x7fff); mag-0x400 < 0x7c00-0x400 {
			z[i] = Z(math.Float32frombits(uint32(h&0x8000)<<16 | (mag<<13 + (127-15)<<23)))
		} else {
			z[i] = Z(dtype.FromFloat16(h))
		}
	}
}

func widenB16[Z float32 | float64](z []Z, x []uint16) {
	x = x[:len(z)]
	for i := range z {
		z[i] = Z(dtype.FromBFloat16(x[i]))
	}
}

// narrow16 takes the way of what becomes a normal number by itself, and others to
// their definition.
func narrow16(z []uint16, x []float32) {
	x = x[:len(z)]
	for i, v := range x {
		b := math.Float32bits(v)
		if mag := b &^ (1 << 31); mag-0x38800000 < 0x477ff000-0x38800000 {
			mag += 0xfff + mag>>13&1
			z[i] = uint16(b>>16&0x8000) | uint16((mag-(127-15)<<23)>>13)
		} else {
			z[i] = dtype.ToFloat16(v)
		}
	}
}

func narrowB16(z []uint16, x []float32) {
	x = x[:len(z)]
	for i := range z {
		z[i] = dtype.ToBFloat16(x[i])
	}
}

func fromNumber(to, from dtype.DType) Loop {
	switch from {
	case dtype.Int8:
		return fromInt[int8](to)
	case dtype.Int16:
		return fromInt[int16](to)
	case dtype.Int32:
		return fromInt[int32](to)
	case dtype.Int64:
		return fromInt[int64](to)
	case dtype.Bool, dtype.Uint8:
		return fromInt[uint8](to)
	case dtype.Uint16:
		return fromInt[uint16](to)
	case dtype.Uint32:
		return fromInt[uint32](to)
	case dtype.Uint64:
		return fromInt[uint64](to)
	case dtype.Float32:
		return fromFloat[float32](to)
	}
	return fromFloat[float64](to)
}

// integer is the types of whole numbers.
type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// fromInt wraps, extends by the source's signedness, or rounds once: exactly what
// Go's conversion of an integer does.
func fromInt[X integer](to dtype.DType) Loop {
	unsigned := X(0)-1 > 0
	switch to {
	case dtype.Bool:
		return loop(nonzero[X])
	case dtype.Int8, dtype.Uint8:
		return loop(goCast[uint8, X])
	case dtype.Int16, dtype.Uint16:
		return loop(goCast[uint16, X])
	case dtype.Int32, dtype.Uint32:
		return loop(goCast[uint32, X])
	case dtype.Int64, dtype.Uint64:
		return loop(goCast[uint64, X])
	case dtype.Float8E5, dtype.Float8E4NV:
		return each(func(x X) uint8 { return uint8(dtype.FromInt(to, int64(x), unsigned)) })
	case dtype.Float16:
		return intTo16[X](to, unsigned, dtype.ToFloat16)
	case dtype.BFloat16:
		return intTo16[X](to, unsigned, dtype.ToBFloat16)
	case dtype.Float32:
		return loop(goCast[float32, X])
	}
	return loop(goCast[float64, X])
}

// intTo16 goes through float32 where that is exact.
func intTo16[X integer](to dtype.DType, unsigned bool, round func(float32) uint16) Loop {
	return each(func(x X) uint16 {
		if f := float32(x); -1<<24 < f && f < 1<<24 {
			return round(f)
		}
		return uint16(dtype.FromInt(to, int64(x), unsigned))
	})
}

func nonzero[X integer | float32 | float64](z []uint8, x []X) {
	x = x[:len(z)]
	for i := range z {
		v := uint8(0)
		if x[i] != 0 {
			v = 1
		}
		z[i] = v
	}
}

func goCast[Z, X dtype.Elem](z []Z, x []X) {
	x = x[:len(z)]
	for i := range z {
		z[i] = Z(x[i])
	}
}

func fromFloat[X float32 | float64](to dtype.DType) Loop {
	switch to {
	case dtype.Bool:
		return loop(nonzero[X])
	case dtype.Int8:
		return saturate[int8, X](math.MinInt8, math.MaxInt8)
	case dtype.Int16:
		return saturate[int16, X](math.MinInt16, math.MaxInt16)
	case dtype.Int32:
		return saturate[int32, X](math.MinInt32, math.MaxInt32)
	case dtype.Int64:
		return saturate[int64, X](math.MinInt64, math.MaxInt64)
	case dtype.Uint8:
		return saturate[uint8, X](0, math.MaxUint8)
	case dtype.Uint16:
		return saturate[uint16, X](0, math.MaxUint16)
	case dtype.Uint32:
		return saturate[uint32, X](0, math.MaxUint32)
	case dtype.Uint64:
		return saturate[uint64, X](0, math.MaxUint64)
	case dtype.Float8E5, dtype.Float8E4NV:
		return each(func(x X) uint8 { return uint8(dtype.RoundNarrow(to, float64(x), false)) })
	case dtype.Float16:
		return each(func(x X) uint16 { return dtype.ToFloat16(toOdd32(float64(x))) })
	case dtype.BFloat16:
		return each(func(x X) uint16 { return dtype.ToBFloat16(toOdd32(float64(x))) })
	case dtype.Float32:
		return loop(goCast[float32, X])
	}
	return loop(goCast[float64, X])
}

// toOdd32 is v as a float32; where that is inexact, the one of the two neighbours
// whose last bit is 1. Rounding that to a narrower float is rounding v once: the last
// bit says that something lies beyond it.
func toOdd32(v float64) float32 {
	f := float32(v)
	b := math.Float32bits(f)
	switch {
	case float64(f) == v || b&1 == 1 || v != v:
		return f
	case math.Abs(float64(f)) < math.Abs(v):
		return math.Float32frombits(b + 1)
	}
	return math.Float32frombits(b - 1)
}

// saturate truncates into lo..hi, NaN to 0; the comparison is with the float64 nearest to
// each end, which is the end itself or the power of two just outside.
func saturate[Z integer, X float32 | float64](lo, hi Z) Loop {
	flo, fhi := float64(lo), float64(hi)
	return loop(func(z []Z, x []X) {
		for i, x := range x {
			switch v := float64(x); {
			case flo < v && v < fhi:
				z[i] = Z(v)
			case v <= flo:
				z[i] = lo
			case v >= fhi:
				z[i] = hi
			default:
				z[i] = 0
			}
		}
	})
}
