package tensor

import "github.com/tiler-go/tiler/tilelang/dtype"

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
			storeFloats(dst.Slice(i, i+n), chunk[:n], from)
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

// storeFloats rounds values, all of which are values of type from, into b.
func storeFloats(b dtype.Buf, src []float64, from dtype.DType) {
	d := b.DType()
	in32 := from != dtype.Float64 // float32 holds them: the short way rounds once too
	switch {
	case d == dtype.Float64:
		copy(dtype.View[float64](b), src)
	case d == dtype.Float32:
		assign(dtype.View[float32](b), src)
	case d == dtype.Float16 && in32:
		out := dtype.View[uint16](b)
		for i, v := range src {
			out[i] = dtype.ToFloat16(float32(v))
		}
	case d == dtype.BFloat16 && in32:
		out := dtype.View[uint16](b)
		for i, v := range src {
			out[i] = dtype.ToBFloat16(float32(v))
		}
	default:
		for i, v := range src {
			b.SetBits(i, dtype.FromFloat(d, v))
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
	default:
		for i, v := range src {
			b.SetBits(i, dtype.FromInt(d, v, unsigned))
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
