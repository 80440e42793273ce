package portable

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A place says how a value is held. A scalar is in a register. A tile is one of:
//
//   - a splat: all elements are the register reg;
//   - an index or a box, where the register ok of that form holds 1 at the time;
//   - else elements of the buffer buf, at off + Σ index·stride.
//
// A form whose ok is oneReg always holds, and needs no buffer.
type place struct {
	t     ir.Type
	reg   int // -1: neither scalar nor splat
	base  int // register: the parameter that a pointer points into
	index *index
	box   *box

	buf, off int // buf is -1 if there are never elements
	stride   ir.Shape
	root     *place // whose elements these are; of a view, what it is a view of
	group    *group // of a root: it computes the elements, but is not a step yet
}

// An index is a tile of integers or pointers given by a formula: registers hold
// start and, for each axis, step; element i is start + Σ i·step. For int32 it wraps,
// and only the low 32 bits of the registers count.
type index struct {
	ok, start int
	step      [ir.MaxRank]int
}

// A box is a tile of bools that are true inside a rectangle: where for each axis
// lo <= i < hi, which are registers. A rectangle that is empty is so on any axis.
type box struct {
	ok     int
	lo, hi [ir.MaxRank]int
}

// lanesOf is the element type that the lanes of a value of type d have in memory: a
// pointer is its offset.
func lanesOf(d dtype.DType) dtype.DType {
	if d.IsPointer() {
		return dtype.Int64
	}
	return d
}

// indexable reports whether tiles of type d can have the form of an index.
func indexable(d dtype.DType) bool {
	return d == dtype.Int32 || d == dtype.Int64 || d.IsPointer()
}

// inBuffer reports whether p's elements are always in its buffer.
func (p *place) inBuffer() bool { return p.reg < 0 && p.index == nil && p.box == nil }

// isSplat reports whether p is a tile of one register.
func (p *place) isSplat() bool { return p.reg >= 0 }

// plain reports whether p's elements are always in its buffer in row-major order.
func (p *place) plain() bool { return p.inBuffer() && p.t.Shape.IsDense(p.stride) }

// formula is p as an index, if it has that form; ok then says when it holds.
func (p *place) formula() (index, bool) {
	switch {
	case p.index != nil:
		return *p.index, true
	case p.reg >= 0 && indexable(p.t.D):
		return index{ok: oneReg, start: p.reg}, true
	}
	return index{}, false
}

// need makes the elements that p is a view of exist from the next step on.
func (c *compiler) need(p *place) {
	if g := p.root.group; g != nil {
		c.flush(g)
	}
}

// view is x in another arrangement: axis i of shape is axis from[i] of x, or one
// along which nothing changes where that is -1 or x's axis has size 1.
func (c *compiler) view(x *place, shape ir.Shape, from [ir.MaxRank]int) *place {
	z := &place{t: ir.Type{D: x.t.D, Shape: shape}, reg: x.reg, base: x.base, buf: x.buf, off: x.off, root: x.root}
	if z.isSplat() {
		z.root = z
		return z
	}
	if x.index != nil {
		z.index = &index{ok: x.index.ok, start: x.index.start}
	}
	if x.box != nil {
		z.box = &box{ok: x.box.ok}
	}
	for i := range shape.N {
		k := from[i]
		if k >= 0 && x.t.Shape.D[k] == shape.D[i] {
			z.stride.D[i] = x.stride.D[k]
			if z.index != nil {
				z.index.step[i] = x.index.step[k]
			}
		}
		if z.box != nil {
			z.box.lo[i], z.box.hi[i] = c.boxAxis(x, k, shape.D[i])
		}
	}
	return z
}

// solid is x with its elements in a buffer, whatever form they have had. The buffer
// is a temporary one unless x has elements there anyway.
func (c *compiler) solid(v *ir.Value, x *place) *place {
	c.need(x)
	if x.inBuffer() {
		return x
	}
	return c.copied(v, x)
}

// packed is solid in row-major order.
func (c *compiler) packed(v *ir.Value, x *place) *place {
	c.need(x)
	if x.plain() {
		return x
	}
	return c.copied(v, x)
}

// copied is a copy of x in a buffer.
func (c *compiler) copied(v *ir.Value, x *place) *place {
	z := c.newPlace(v, ir.Type{D: x.t.D, Shape: x.t.Shape})
	z.base = x.base
	if !x.t.IsTile() { // one element, for steps that want a buffer
		z = &place{t: x.t, reg: -1, buf: c.buffer(v, x.t.D, x.t.Shape)}
		z.root = z
	}
	c.store.Before(func() {
		f := c.feed(x, x.t.Shape)
		c.store.Write(z.buf, 0)
		c.emit(func(w *Worker) bool {
			f.copyTo(w, w.bufs[z.buf])
			return true
		})
	})
	return z
}
