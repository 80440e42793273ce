package tensor

import (
	"slices"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/lattice"
	"github.com/tiler-go/tiler/tilelang/tensor/stride"
)

// Span is the distance in elements from x's first element to its last, plus 1: the
// length of the memory that x lies in. An empty tensor has span 0.
func (x *Tensor) Span() int {
	if x.must("Span").n == 0 {
		return 0
	}
	return stride.Span(x.shape, x.strides)
}

// HasGaps reports whether some offset below Span is no element of x.
func (x *Tensor) HasGaps() bool {
	return x.must("HasGaps").n > 0 && x.footprint().offsets.HasGaps()
}

// Contains reports whether the memory off elements after x's first element is an
// element of x. It is exact for any strides.
func (x *Tensor) Contains(off int) bool {
	return x.must("Contains").n > 0 && x.footprint().offsets.Has(off)
}

// IndexOf is the index of the element off elements after x's first one, nil if that
// is no element of x. Where several indices name the same memory it is one of them.
func (x *Tensor) IndexOf(off int) []int {
	if x.must("IndexOf").n == 0 {
		return nil
	}
	return lattice.Index(x.axes(1), off)
}

// Overlaps reports whether x and y have memory in common: exactly, also for views
// that interleave and for tensors made separately over one Go slice.
func (x *Tensor) Overlaps(y *Tensor) bool {
	x.must("Overlaps")
	y.must("Overlaps")
	if x.n == 0 || y.n == 0 || x.st != y.st && (x.st.virtual || y.st.virtual) {
		return false
	}
	xs, ys := x.d.Size(), y.d.Size()
	xLo, yLo := x.st.Base()+uintptr(x.off*xs), y.st.Base()+uintptr(y.off*ys)
	xHi, yHi := xLo+uintptr(x.Span()*xs), yLo+uintptr(y.Span()*ys)
	if xHi <= yLo || yHi <= xLo {
		return false
	}
	if !x.HasGaps() && !y.HasGaps() {
		return true
	}
	// Byte a+p of x is byte b+q of y for some a+p, b+q of their lattices. With y's
	// lattice counted from its far end, every sign is positive: one membership test.
	bytes := []lattice.Axis{{N: xs, Step: 1}, {N: ys, Step: 1}}
	return lattice.New(slices.Concat(x.axes(xs), y.axes(ys), bytes)...).Has(int(yHi-xLo) - 1)
}

// axes are x's, with strides of units.
func (x *Tensor) axes(unit int) []lattice.Axis {
	axes := make([]lattice.Axis, len(x.shape))
	for k, n := range x.shape {
		axes[k] = lattice.Axis{N: n, Step: x.strides[k] * unit}
	}
	return axes
}

// Offsets is where the elements of a tensor with gaps lie, counted from the first; nil if there are no gaps.
func Offsets(x *Tensor) *lattice.Set {
	if !x.HasGaps() {
		return nil
	}
	return x.footprint().offsets
}

// A footprint is what follows from a tensor's shape and strides.
type footprint struct {
	offsets *lattice.Set // of the elements, counted from the first
	mem     dtype.Buf    // from the first element to the last; nothing of a virtual tensor
}

// footprint is kept once it has been asked for.
func (x *Tensor) footprint() *footprint {
	if l := x.foot.Load(); l != nil {
		return l
	}
	l := &footprint{offsets: lattice.New(x.axes(1)...), mem: dtype.NewBuf(x.d, 0)}
	if !x.st.virtual {
		l.mem = x.st.buf.Slice(x.off, x.off+x.Span()).As(x.d)
	}
	x.foot.Store(l)
	return l
}
