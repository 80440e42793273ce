package op

import (
	"math"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// CastLoop is the loop that converts lanes of type from to type to, with the
// meaning of dtype.Convert. z and x may be the same memory only if the types are
// equally wide.
func CastLoop(to, from dtype.DType) Loop { return casts[to][from] }

// CastRTZLoop rounds toward zero; it is defined for float to narrower float.
func CastRTZLoop(to, from dtype.DType) Loop {
	return func(z, x, _, _ dtype.Buf) {
		for i := range z.Len() {
			z.SetBits(i, dtype.Convert(to, from, x.Bits(i), true))
		}
	}
}

var casts = buildCasts()

func buildCasts() (t [dtype.Count][dtype.Count]Loop) {
	for to := dtype.Bool; to < dtype.Count; to++ {
		for from := dtype.Bool; from < dtype.Count; from++ {
			t[to][from] = castLoop(to, from)
		}
	}
	return t
}

func castLoop(to, from dtype.DType) Loop {
	switch {
	case to == from:
		return func(z, x, _, _ dtype.Buf) { copy(z.Bytes(), x.Bytes()) }
	case from.IsNarrow():
		return castFromNarrow(to, from)
	case to.IsNarrow():
		return castToNarrow(to, from)
	case to == dtype.Bool:
		return toBool[from]
	case from == dtype.Bool:
		return fromInt[uint8](to)
	}
	return fromNumber(to, from)
}

// castFromNarrow widens to float32, which is exact, and goes on from there.
func castFromNarrow(to, from dtype.DType) Loop {
	widen := widenLoop(from)
	if to == dtype.Float32 {
		return widen
	}
	onward := castLoop(to, dtype.Float32)
	return func(z, x, _, _ dtype.Buf) {
		var mem [128]float32
		for lo := 0; lo < z.Len(); lo += len(mem) {
			n := min(len(mem), z.Len()-lo)
			t := dtype.BufOf(dtype.Float32, mem[:n])
			widen(t, x.Slice(lo, lo+n), dtype.Buf{}, dtype.Buf{})
			onward(z.Slice(lo, lo+n), t, dtype.Buf{}, dtype.Buf{})
		}
	}
}

func widenLoop(from dtype.DType) Loop {
	switch from {
	case dtype.Float16:
		return convert(dtype.FromFloat16)
	case dtype.BFloat16:
		return convert(dtype.FromBFloat16)
	}
	return convert(func(b uint8) float32 { return dtype.FromFloat8(from, b) })
}

func castToNarrow(to, from dtype.DType) Loop {
	switch {
	case from == dtype.Float32 && to == dtype.Float16:
		return convert(dtype.ToFloat16)
	case from == dtype.Float32 && to == dtype.BFloat16:
		return convert(dtype.ToBFloat16)
	}
	return func(z, x, _, _ dtype.Buf) {
		for i := range z.Len() {
			z.SetBits(i, dtype.Convert(to, from, x.Bits(i), false))
		}
	}
}

// convert makes a loop of a lane function.
func convert[Z, X dtype.Elem](f func(X) Z) Loop {
	return loop1(func(z []Z, x []X) {
		for i := range z {
			z[i] = f(x[i])
		}
	})
}

var toBool = [dtype.Count]Loop{
	dtype.Int8: nonzero[uint8](), dtype.Uint8: nonzero[uint8](),
	dtype.Int16: nonzero[uint16](), dtype.Uint16: nonzero[uint16](),
	dtype.Int32: nonzero[uint32](), dtype.Uint32: nonzero[uint32](),
	dtype.Int64: nonzero[uint64](), dtype.Uint64: nonzero[uint64](),
	dtype.Float32: nonzero[float32](), dtype.Float64: nonzero[float64](),
}

func nonzero[X number]() Loop { return convert(func(x X) uint8 { return b2i(x != 0) }) }

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
	case dtype.Uint8:
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

// fromInt wraps, extends by the source's signedness, or rounds once: exactly what
// Go's conversion of an integer does.
func fromInt[X integer](to dtype.DType) Loop {
	switch to {
	case dtype.Int8, dtype.Uint8:
		return convert(func(x X) uint8 { return uint8(x) })
	case dtype.Int16, dtype.Uint16:
		return convert(func(x X) uint16 { return uint16(x) })
	case dtype.Int32, dtype.Uint32:
		return convert(func(x X) uint32 { return uint32(x) })
	case dtype.Int64, dtype.Uint64:
		return convert(func(x X) uint64 { return uint64(x) })
	case dtype.Float32:
		return convert(func(x X) float32 { return float32(x) })
	}
	return convert(func(x X) float64 { return float64(x) })
}

func fromFloat[X float](to dtype.DType) Loop {
	switch to {
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
	case dtype.Float32:
		return convert(func(x X) float32 { return float32(x) })
	}
	return convert(func(x X) float64 { return float64(x) })
}

// saturate truncates into lo..hi; the comparison is with the float64 nearest to
// each end, which is the end itself or the power of two just outside.
func saturate[Z integer, X float](lo, hi Z) Loop {
	flo, fhi := float64(lo), float64(hi)
	return convert(func(x X) Z {
		switch v := float64(x); {
		case v != v:
			return 0
		case v <= flo:
			return lo
		case v >= fhi:
			return hi
		default:
			return Z(v)
		}
	})
}
