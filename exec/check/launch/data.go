package launch

import (
	"github.com/tiler-go/tiler/exec/check/data"
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
	data.Repeat(dst.Bytes(), x.Buf().Bytes(), shape, x.Shape())
	y.MarkDefined()
	return y, !index || ch.keep || data.Fitted(dst, ch.from, ch.to)
}
