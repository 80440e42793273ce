package tensor

import (
	"math"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A conversion goes through a short slice of float64, which every float type fits
// exactly, or of int64, which every integer type fits (uint64 as its bits). So it
// takes one loop per type on each side, and rounds once, as dtype.Convert does.

const chunkLen = 512

// eachChunk calls fn for consecutive ranges of at most chunkLen out of total.
func eachChunk(total int, fn func(i, n int)) {
	for i := 0; i < total; i += chunkLen {
		fn(i, min(chunkLen, total-i))
	}
}

// convert stores the values of src into dst, which is as long.
func convert(dst, src dtype.Buf) {
	from := src.DType()
	if from.IsFloat() {
		var chunk [chunkLen]float64
		eachChunk(src.Len(), func(i, n int) {
			loadFloats(chunk[:n], src.Slice(i, i+n))
			storeFloats(dst.Slice(i, i+n), chunk[:n])
		})
		return
	}
	var chunk [chunkLen]int64
	eachChunk(src.Len(), func(i, n int) {
		loadInts(chunk[:n], src.Slice(i, i+n))
		storeInts(dst.Slice(i, i+n), chunk[:n], !from.IsSigned())
	})
}

// loadFloats is the values of b, whose length is dst's; 64-bit integers are rounded.
func loadFloats(dst []float64, b dtype.Buf) {
	switch b.DType() {
	case dtype.Float64:
		copy(dst, dtype.View[float64](b))
	case dtype.Float32:
		assign(dst, dtype.View[float32](b))
	case dtype.Float16:
		for i, v := range dtype.View[uint16](b) {
			dst[i] = float64(dtype.FromFloat16(v))
		}
	case dtype.BFloat16:
		for i, v := range dtype.View[uint16](b) {
			dst[i] = float64(dtype.FromBFloat16(v))
		}
	case dtype.Float8E5, dtype.Float8E4NV:
		for i, v := range dtype.View[uint8](b) {
			dst[i] = float64(dtype.FromFloat8(b.DType(), v))
		}
	case dtype.Uint64:
		assign(dst, dtype.View[uint64](b))
	default:
		var chunk [chunkLen]int64
		eachChunk(len(dst), func(i, n int) {
			loadInts(chunk[:n], b.Slice(i, i+n))
			assign(dst[i:i+n], chunk[:n])
		})
	}
}

// loadInts is the values of b, of an integer type, sign- or zero-extended.
func loadInts(dst []int64, b dtype.Buf) {
	switch b.DType() {
	case dtype.Int8:
		assign(dst, dtype.View[int8](b))
	case dtype.Int16:
		assign(dst, dtype.View[int16](b))
	case dtype.Int32:
		assign(dst, dtype.View[int32](b))
	case dtype.Int64, dtype.Uint64:
		copy(dst, dtype.View[int64](b))
	case dtype.Bool, dtype.Uint8:
		assign(dst, dtype.View[uint8](b))
	case dtype.Uint16:
		assign(dst, dtype.View[uint16](b))
	case dtype.Uint32:
		assign(dst, dtype.View[uint32](b))
	}
}

// storeFloats rounds values into b, or truncates and saturates them if b is of an
// integer type.
func storeFloats(b dtype.Buf, src []float64) {
	switch d := b.DType(); d {
	case dtype.Float64:
		copy(dtype.View[float64](b), src)
	case dtype.Float32:
		assign(dtype.View[float32](b), src)
	case dtype.Float16:
		out := dtype.View[uint16](b)
		for i, v := range src {
			out[i] = dtype.ToFloat16(toOdd32(v))
		}
	case dtype.BFloat16:
		out := dtype.View[uint16](b)
		for i, v := range src {
			out[i] = dtype.ToBFloat16(toOdd32(v))
		}
	case dtype.Float8E5, dtype.Float8E4NV:
		out := dtype.View[uint8](b)
		for i, v := range src {
			out[i] = uint8(dtype.RoundNarrow(d, v, false))
		}
	case dtype.Bool:
		out := dtype.View[uint8](b)
		for i, v := range src {
			out[i] = uint8(dtype.FromFloat(d, v))
		}
	default:
		storeTruncated(b, src)
	}
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

func storeTruncated(b dtype.Buf, src []float64) {
	switch d := b.DType(); d {
	case dtype.Int8:
		truncate(d, dtype.View[int8](b), src)
	case dtype.Int16:
		truncate(d, dtype.View[int16](b), src)
	case dtype.Int32:
		truncate(d, dtype.View[int32](b), src)
	case dtype.Int64:
		truncate(d, dtype.View[int64](b), src)
	case dtype.Uint8:
		truncate(d, dtype.View[uint8](b), src)
	case dtype.Uint16:
		truncate(d, dtype.View[uint16](b), src)
	case dtype.Uint32:
		truncate(d, dtype.View[uint32](b), src)
	case dtype.Uint64:
		truncate(d, dtype.View[uint64](b), src)
	}
}

// truncate is dtype.Saturate; what is safely inside the range is left to Go, whose
// conversion is undefined outside.
func truncate[T dtype.Elem](d dtype.DType, dst []T, src []float64) {
	lo, hi := float64(d.MinInt()), float64(d.MaxInt())
	for i, v := range src {
		if v > lo && v < hi {
			dst[i] = T(v)
		} else {
			dst[i] = T(dtype.Saturate(d, v))
		}
	}
}

// storeInts wraps integers into b, or rounds them if b is of a float type.
func storeInts(b dtype.Buf, src []int64, unsigned bool) {
	d := b.DType()
	switch {
	case d.IsInt() && d != dtype.Bool:
		storeWrapped(b, src)
	case d == dtype.Float64 && !unsigned:
		assign(dtype.View[float64](b), src)
	case d == dtype.Float32 && !unsigned:
		assign(dtype.View[float32](b), src)
	case d == dtype.Float16 || d == dtype.BFloat16:
		storeNarrow(b, src, unsigned)
	default:
		for i, v := range src {
			b.SetBits(i, dtype.FromInt(d, v, unsigned))
		}
	}
}

func storeNarrow(b dtype.Buf, src []int64, unsigned bool) {
	d := b.DType()
	out := dtype.View[uint16](b)
	round := dtype.ToFloat16
	if d == dtype.BFloat16 {
		round = dtype.ToBFloat16
	}
	for i, v := range src {
		if f := float32(v); v <= 1<<24 && (v >= 0 || v >= -1<<24 && !unsigned) { // f is exact
			out[i] = round(f)
		} else {
			out[i] = uint16(dtype.FromInt(d, v, unsigned))
		}
	}
}

func storeWrapped(b dtype.Buf, src []int64) {
	switch b.DType().Size() {
	case 1:
		assign(dtype.View[uint8](b), src)
	case 2:
		assign(dtype.View[uint16](b), src)
	case 4:
		assign(dtype.View[uint32](b), src)
	default:
		copy(dtype.View[int64](b), src)
	}
}

// assign is Go's conversion, element by element.
func assign[D, S dtype.Elem](dst []D, src []S) {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] = D(v)
	}
}
