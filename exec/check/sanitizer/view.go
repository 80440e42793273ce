package sanitizer

import (
	"cmp"
	"slices"

	"github.com/tiler-go/tiler/exec/check/shadow"
	tl "github.com/tiler-go/tiler/tilelang"
)

// A view is a tensor that the kernel was given, and where its elements' shadow is.
type view struct {
	base    *tl.Base
	name    string
	span    int64 // elements from the first to the last
	gaps    bool  // some of them are not the view's
	partial bool  // some of them were not written when the launch began
	shadow  *region
	first   int // cell of element 0
	unit    int // cells per element
	written bool
	output  output
	walk    walk
	axes    []axis // of more than one element, the largest stride first; nil if they do not nest
}

// An axis is a dimension of a tensor.
type axis struct{ dim, size, stride int }

func newView(b *tl.Base, c *Checker) *view {
	x := b.Tensor
	v := &view{base: b, name: b.Name, span: int64(x.Span()), gaps: x.HasGaps(), partial: x.Undefined(), unit: 1}
	c.place(v)
	shape, strides := x.Shape(), x.Strides()
	for d, n := range shape {
		if n > 1 && strides[d] > 0 {
			v.axes = append(v.axes, axis{d, n, strides[d]})
		}
	}
	slices.SortStableFunc(v.axes, func(a, b axis) int { return cmp.Compare(b.stride, a.stride) })
	for i := 1; i < len(v.axes); i++ {
		if v.axes[i-1].stride < v.axes[i].size*v.axes[i].stride {
			v.axes = nil
			break
		}
	}
	return v
}

// inside reports whether an offset is an element of the view.
func (v *view) inside(off int64) bool {
	return off >= 0 && off < v.span && (!v.gaps || v.base.Tensor.Contains(int(off)))
}

// A region is the shadow of memory that one or several views share.
type region struct {
	lo, hi   uintptr // addresses; of virtual tensors, 0 and 0
	size     int     // bytes that a cell stands for
	cells    []shadow.Cell
	sparse   map[int]*shadow.Cell // in place of cells where there is no memory
	declined []uint64             // cells that a store's mask did not let it come to
	views    []*view
}

// place finds the shadow of a view's memory, which it may share with earlier ones.
func (c *seen) place(v *view) {
	x := v.base.Tensor
	size := x.DType().Size()
	if x.IsVirtual() {
		for _, r := range c.regions {
			if r.sparse != nil && r.views[0].base.Tensor.Storage() == x.Storage() {
				r.views, v.shadow, v.first = append(r.views, v), r, x.Offset()
				return
			}
		}
		v.shadow, v.first = &region{size: size, sparse: map[int]*shadow.Cell{}, views: []*view{v}}, x.Offset()
		c.regions = append(c.regions, v.shadow)
		return
	}
	lo := x.Storage().Base() + uintptr(x.Offset()*size)
	r := &region{lo: lo, hi: lo + uintptr(x.Span()*size), size: size, views: []*view{v}}
	kept := c.regions[:0:0]
	for _, old := range c.regions {
		if old.sparse != nil || old.hi <= r.lo || r.hi <= old.lo {
			kept = append(kept, old)
			continue
		}
		r.lo, r.hi, r.size = min(r.lo, old.lo), max(r.hi, old.hi), min(r.size, old.size)
		r.views = append(r.views, old.views...)
	}
	c.regions = append(kept, r)
	r.cells = make([]shadow.Cell, int(r.hi-r.lo)/r.size)
	for _, w := range r.views {
		y := w.base.Tensor
		w.shadow = r
		w.first = int(y.Storage().Base()+uintptr(y.Offset()*y.DType().Size())-r.lo) / r.size
		w.unit = y.DType().Size() / r.size
	}
}

// cell is the first cell of an element of v.
func (v *view) cell(off int64) *shadow.Cell {
	i := v.first + int(off)*v.unit
	r := v.shadow
	if r.sparse == nil {
		return &r.cells[i]
	}
	p := r.sparse[i]
	if p == nil {
		p = new(shadow.Cell)
		r.sparse[i] = p
	}
	return p
}

// Shadow is the bytes of shadow memory in use, and the bytes of tensors that it is for.
func (c *seen) Shadow() (shadow, memory int) {
	for _, r := range c.regions {
		shadow += 16 * (len(r.cells) + len(r.sparse))
		memory += int(r.hi - r.lo)
	}
	return shadow, memory
}
