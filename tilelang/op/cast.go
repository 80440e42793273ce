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

// BitcastLoop is the loop of a Bitcast, with the meaning of dtype.Bitcast.
func BitcastLoop(to, from dtype.DType) Loop {
	if to == from || !from.IsFloat() {
		return func(z, x, _, _ dtype.Buf) { copy(z.Bytes(), x.Bytes()) }
	}
	switch from.Size() {
	case 1:
		return floatBits[uint8](from)
	case 2:
		return floatBits[uint16](from)
	case 4:
		return floatBits[uint32](from)
	}
	return floatBits[uint64](from)
}

// floatBits copies the bits of floats of type d; NaNs become the same one. Those above
// infinity, the sign aside, are NaN, but for float8e4nv, which has no infinity.
func floatBits[T unsigned](d dtype.DType) Loop {
	nan, sign, top := T(dtype.NaN(d)), T(1)<<(d.Bits()-1), T(dtype.FromFloat(d, math.Inf(1)))
	return func(z, x, _, _ dtype.Buf) {
		in, out := dtype.View[T](x), dtype.View[T](z)
		for i, v := range in {
			if v&^sign > top {
				v = nan
			}
			out[i] = v
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
		return loop1(widen16)
	case dtype.BFloat16:
		return loop1(widenB16)
	}
	return loop1(func(z []float32, x []uint8) {
		x = x[:len(z)]
		for i := range z {
			z[i] = dtype.FromFloat8(from, x[i])
		}
	})
}

// widen16 takes the way of normal numbers by itself, and others to their definition.
func widen16(z []float32, x []uint16) {
	x = x[:len(z)]
	for i, h := range x {
		if mag := uint32(h & 0x7fff); mag-0x400 < 0x7c00-0x400 {
			z[i] = math.Float32frombits(uint32(h&0x8000)<<16 | (mag<<13 + (127-15)<<23))
		} else {
			z[i] = dtype.FromFloat16(h)
		}
	}
}

func widenB16(z []float32, x []uint16) {
	x = x[:len(z)]
	for i := range z {
		z[i] = dtype.FromBFloat16(x[i])
	}
}

func castToNarrow(to, from dtype.DType) Loop {
	switch {
	case from == dtype.Float32 && to == dtype.Float16:
		return loop1(narrow16)
	case from == dtype.Float32 && to == dtype.BFloat16:
		return loop1(narrowB16)
	}
	return func(z, x, _, _ dtype.Buf) {
		for i := range z.Len() {
			z.SetBits(i, dtype.Convert(to, from, x.Bits(i), false))
		}
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

func nonzero[X number]() Loop {
	return loop1(func(z []uint8, x []X) {
		x = x[:len(z)]
		for i := range z {
			z[i] = b2i(x[i] != 0)
		}
	})
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
		return loop1(goCast[uint8, X])
	case dtype.Int16, dtype.Uint16:
		return loop1(goCast[uint16, X])
	case dtype.Int32, dtype.Uint32:
		return loop1(goCast[uint32, X])
	case dtype.Int64, dtype.Uint64:
		return loop1(goCast[uint64, X])
	case dtype.Float32:
		return loop1(goCast[float32, X])
	}
	return loop1(goCast[float64, X])
}

func goCast[Z, X number](z []Z, x []X) {
	x = x[:len(z)]
	for i := range z {
		z[i] = Z(x[i])
	}
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
		return loop1(goCast[float32, X])
	}
	return loop1(goCast[float64, X])
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
