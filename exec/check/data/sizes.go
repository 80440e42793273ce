package data

import (
	"slices"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Repeat fills an array of a shape with the elements of one of another shape, which begin again
// in each dimension where they end.
func Repeat(dst, src []byte, shape, was []int) {
	if len(dst) == 0 {
		return
	}
	if len(shape) < 2 || slices.Equal(shape[1:], was[1:]) {
		for at := 0; at < len(dst); {
			at += copy(dst[at:], src)
		}
		return
	}
	to, from := len(dst)/shape[0], len(src)/was[0]
	for i := range shape[0] {
		j := i % was[0]
		Repeat(dst[i*to:(i+1)*to], src[j*from:(j+1)*from], shape[1:], was[1:])
	}
}

// Fitted brings elements that may be indices, or lengths, of a size that shrinks into
// its range, and reports whether they can still mean what they meant.
func Fitted(b dtype.Buf, was, is int) bool {
	vs := Integers(b)
	if len(vs) == 0 || is > was {
		return true
	}
	lo, hi := slices.Min(vs), slices.Max(vs)
	if lo < 0 || hi > int64(was) || hi < int64(is) {
		return true // of something else, or in range
	}
	if 2*is < was {
		return false
	}
	limit := int64(is)
	if hi < int64(was) {
		limit-- // no length, which may be the size itself, but an index
	}
	distinct := map[int64]bool{}
	for _, v := range vs {
		distinct[v] = true
	}
	if len(distinct) < len(vs) || hi == int64(was) {
		for i, v := range vs {
			b.SetBits(i, dtype.FromInt(b.DType(), min(v, limit), false))
		}
		return true
	}
	if len(vs) > is {
		return false
	}
	free := int64(0)
	for i, v := range vs {
		if v <= limit {
			continue
		}
		for distinct[free] {
			free++
		}
		distinct[free] = true
		b.SetBits(i, dtype.FromInt(b.DType(), free, false))
	}
	return true
}

// Integers is the elements of an integer tensor.
func Integers(b dtype.Buf) []int64 {
	vs := make([]int64, b.Len())
	for i := range vs {
		vs[i] = dtype.ToInt(b.DType(), b.Bits(i))
	}
	return vs
}
