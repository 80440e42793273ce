// Package cast converts memory from one dtype to another, many elements at a time. What a conversion means is
// dtype.Convert, dtype.Bitcast; here are loops that are fast, one for each pair of types. Tiles and tensors use them.
package cast

import (
	"math"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Loop converts x into z, which is as long. They may be the same memory only if their types are equally wide.
type Loop func(z, x dtype.Buf)

// Values is the loop that converts elements of type from to type to, with the meaning of dtype.Convert.
func Values(to, from dtype.DType) Loop { return values[to][from] }

// Convert stores the values of x in z, which is as long.
func Convert(z, x dtype.Buf) { values[z.DType()][x.DType()](z, x) }

// TowardZero is the loop that rounds toward zero; it is defined for float to narrower float.
func TowardZero(to, from dtype.DType) Loop {
	return func(z, x dtype.Buf) {
		for i := range z.Len() {
			z.SetBits(i, dtype.Convert(to, from, x.Bits(i), true))
		}
	}
}

// Bits is the loop that reads elements as another type of the same width, with the meaning of dtype.Bitcast.
func Bits(to, from dtype.DType) Loop {
	if to == from || !from.IsFloat() {
		return copyAll
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
func floatBits[T uint8 | uint16 | uint32 | uint64](d dtype.DType) Loop {
	nan, sign, top := T(dtype.NaN(d)), T(1)<<(d.Bits()-1), T(dtype.FromFloat(d, math.Inf(1)))
	return loop(func(z, x []T) {
		for i, v := range x {
			if v&^sign > top {
				v = nan
			}
			z[i] = v
		}
	})
}

// Fill stores the values of type from that fn gives for each index, converted, in z.
func Fill[T dtype.Elem](z dtype.Buf, from dtype.DType, fn func(i int) T) {
	var chunk [512]T
	convert := Values(z.DType(), from)
	for lo := 0; lo < z.Len(); lo += len(chunk) {
		part := z.Slice(lo, min(lo+len(chunk), z.Len()))
		for i := range part.Len() {
			chunk[i] = fn(lo + i)
		}
		convert(part, dtype.BufOf(from, chunk[:part.Len()]))
	}
}

// loop gives a loop over Go's slices its shape.
func loop[Z, X dtype.Elem](f func(z []Z, x []X)) Loop {
	return func(z, x dtype.Buf) {
		zs := dtype.View[Z](z)
		f(zs, dtype.View[X](x)[:len(zs)])
	}
}

// each makes a loop of a function of one element.
func each[Z, X dtype.Elem](f func(X) Z) Loop {
	return loop(func(z []Z, x []X) {
		for i := range z {
			z[i] = f(x[i])
		}
	})
}

func copyAll(z, x dtype.Buf) { copy(z.Bytes(), x.Bytes()) }
