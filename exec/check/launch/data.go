package launch

import (
	"slices"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Data keep their meaning when a size changes: elements that decide where a kernel goes,
// such as indices and lengths, stay in range, distinct where they were, and in order.

// fill gives the tensors of changed arguments their data: those of base, repeated. It
// reports whether the data mean the same.
func (s *sizes) fill(base []any, ch change, args []any) bool {
	done := map[*tensor.Tensor]*tensor.Tensor{}
	for i, a := range base {
		x, ok := a.(*tensor.Tensor)
		if !ok {
			continue
		}
		if done[x] == nil {
			y, ok := s.resized(x, i, ch)
			if !ok {
				return false
			}
			done[x] = y
		}
		args[i] = done[x]
	}
	return true
}

// resized is an argument's tensor in its new shape, with its elements, repeated where it
// is larger.
func (s *sizes) resized(x *tensor.Tensor, arg int, ch change) (y *tensor.Tensor, ok bool) {
	index := s.indices[arg] && x.DType().IsInt() && x.DType() != dtype.Bool
	if !ch.touches(arg) && (!index || !x.IsContiguous()) {
		return x, true
	}
	if index && ch.touches(arg) && ch.to > ch.from {
		return nil, false // more indices: nobody knows which
	}
	shape := ch.shape(x, arg)
	y = tensor.Empty(x.DType(), shape...)
	if x.Undefined() || x.Len() == 0 {
		return y, true
	}
	dst := y.Buf()
	repeat(dst.Bytes(), x.Buf().Bytes(), shape, x.Shape())
	y.MarkDefined()
	return y, !index || fitted(dst, ch)
}

// repeat fills an array of a shape with the elements of one of another shape, which begin again
// in each dimension where they end.
func repeat(dst, src []byte, shape, was []int) {
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
		repeat(dst[i*to:(i+1)*to], src[j*from:(j+1)*from], shape[1:], was[1:])
	}
}

// fitted brings elements that may be indices, or lengths, of a size that shrinks into
// its range, and reports whether they can still mean what they meant.
func fitted(b dtype.Buf, ch change) bool {
	vs := integers(b)
	if len(vs) == 0 || ch.to > ch.from {
		return true
	}
	lo, hi := slices.Min(vs), slices.Max(vs)
	if lo < 0 || hi > int64(ch.from) || hi < int64(ch.to) {
		return true // of something else, or in range
	}
	if 2*ch.to < ch.from {
		return false
	}
	limit := int64(ch.to)
	if hi < int64(ch.from) {
		limit-- // no length, which may be the size itself, but an index
	}
	distinct := map[int64]bool{}
	for _, v := range vs {
		distinct[v] = true
	}
	if len(distinct) < len(vs) || hi == int64(ch.from) {
		for i, v := range vs {
			b.SetBits(i, dtype.FromInt(b.DType(), min(v, limit), false))
		}
		return true
	}
	if len(vs) > ch.to {
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

// integers is the elements of an integer tensor.
func integers(b dtype.Buf) []int64 {
	vs := make([]int64, b.Len())
	for i := range vs {
		vs[i] = dtype.ToInt(b.DType(), b.Bits(i))
	}
	return vs
}
