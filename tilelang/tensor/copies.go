package tensor

import (
	"slices"
	"sync/atomic"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Copies is a private copy of each tensor: the same views of fresh memory, which
// share elements where the originals do. Of a storage only the part that the tensors
// span is copied. A virtual tensor is its own copy, and so is None.
func Copies(xs ...*Tensor) []*Tensor {
	spans := map[*Storage]*span{}
	var order []*span
	for _, x := range xs {
		if x.IsVirtual() || x.IsNone() {
			continue
		}
		s := spans[x.must("Copies").st]
		if s == nil {
			s = &span{st: x.st, lo: x.off, hi: x.off}
			spans[x.st] = s
			order = append(order, s)
		}
		if x.n > 0 && s.lo == s.hi {
			s.lo, s.hi = x.off, x.off+x.Span()
		} else if x.n > 0 {
			s.lo, s.hi = min(s.lo, x.off), max(s.hi, x.off+x.Span())
		}
	}
	copySpans(order)
	ys := make([]*Tensor, len(xs))
	for i, x := range xs {
		if x.IsVirtual() || x.IsNone() {
			ys[i] = x
			continue
		}
		s := spans[x.st]
		y := &Tensor{st: s.copied, d: x.d, shape: slices.Clone(x.shape), strides: slices.Clone(x.strides), n: x.n}
		if x.n > 0 {
			y.off = x.off - s.lo
		}
		ys[i] = y
	}
	return ys
}

// A span is the part of a storage that is copied: elements lo to hi.
type span struct {
	st     *Storage
	lo, hi int
	copied *Storage
}

func (s *span) first() uintptr { return s.st.Base() + uintptr(s.lo*s.st.buf.DType().Size()) }
func (s *span) end() uintptr   { return s.st.Base() + uintptr(s.hi*s.st.buf.DType().Size()) }

// copySpans copies spans; those that have memory in common, as two storages made of
// one slice do, have it in common afterwards.
func copySpans(order []*span) {
	slices.SortStableFunc(order, func(a, b *span) int {
		if a.first() < b.first() {
			return -1
		}
		return 1
	})
	for len(order) > 0 {
		n, end := 1, order[0].end()
		for n < len(order) && order[n].first() < end {
			end = max(end, order[n].end())
			n++
		}
		copyTogether(order[:n], int(end-order[0].first()))
		order = order[n:]
	}
}

// copyTogether copies overlapping spans into one region of memory.
func copyTogether(group []*span, bytes int) {
	region := dtype.Alloc("a copy of a tensor", dtype.Uint8, bytes)
	base := group[0].first()
	for _, s := range group {
		src := s.st.buf.Slice(s.lo, s.hi)
		at := int(s.first() - base)
		dst := dtype.RawBuf(src.DType(), region.Slice(at, bytes).Pointer(), s.hi-s.lo)
		copy(dst.Bytes(), src.Bytes())
		s.copied = newStorage(dst)
		s.copied.copyWritten(s.st, s.lo)
	}
}

// copyWritten takes over which elements are defined: those of x from lo on.
func (s *Storage) copyWritten(x *Storage, lo int) {
	b := x.written.Load()
	if b == nil || s.Len() == 0 {
		return
	}
	fresh := &bitset{}
	if b.words != nil {
		fresh.words = make([]atomic.Uint64, (s.Len()+63)/64)
	}
	s.written.Store(fresh)
	if b.words == nil {
		return
	}
	for i := range s.Len() {
		if x.defined(lo+i, lo+i+1) {
			s.define(i, i+1)
		}
	}
}
