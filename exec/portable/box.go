package portable

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Masks as rectangles. A comparison that package affine knows as a box is an interval of an axis; the and of two boxes
// is their intersection.

// boxOp lowers a comparison or an and that can give a box, or returns false.
func (c *compiler) boxOp(v *ir.Value) bool {
	switch {
	case v.Op >= op.Lt && v.Op <= op.Ge:
		return c.compareIndices(v)
	case v.Op == op.And && v.Type.D == dtype.Bool:
		return c.intersect(v)
	}
	return false
}

// wholeAxis makes axis k of b reach from end to end.
func (c *compiler) wholeAxis(b *box, k, size int) {
	b.lo[k], b.hi[k] = zeroReg, c.constReg(uint64(size))
}

// boxAxis is the interval of an axis of the given size that shows axis k of x, or a
// new one where k is -1.
func (c *compiler) boxAxis(x *place, k, size int) (lo, hi int) {
	switch {
	case k < 0 || c.wholeBox(x.box, k, x.t.Shape.D[k]):
		return zeroReg, c.constReg(uint64(size))
	case x.t.Shape.D[k] == size:
		return x.box.lo[k], x.box.hi[k]
	}
	// One element, true or false, is repeated.
	lo, hi = c.reg(), c.reg()
	xlo, xhi := x.box.lo[k], x.box.hi[k]
	c.emit(func(w *Worker) bool {
		w.regs[lo], w.regs[hi] = w.regs[xlo]*uint64(size), w.regs[xhi]*uint64(size)
		return true
	})
	return lo, hi
}

// compareIndices lowers <, <=, > or >= of two indices.
func (c *compiler) compareIndices(v *ir.Value) bool {
	known := c.scalars.boxes.Of(v)
	if !known.Ok {
		return false
	}
	shape, b := v.Type.Shape, &box{}
	for k := range shape.N {
		c.wholeAxis(b, k, shape.D[k])
	}
	for _, a := range known.Atoms {
		syms := c.scalars.forms.Syms
		clamped := func(x *affine.Sym) int {
			return c.scalars.symReg(syms.Min(syms.Max(x, syms.Constant(0)), syms.Constant(int64(shape.D[a.Dim]))))
		}
		if a.Lo != nil {
			b.lo[a.Dim] = clamped(a.Lo)
		} else {
			b.hi[a.Dim] = clamped(a.Hi)
		}
	}
	b.ok = c.scalars.holds(known.Conds)
	c.formed(v, b.ok).box = b
	c.elsewise(v, b.ok)
	return true
}

// intersect lowers the and of two boxes, or of a box and a condition.
func (c *compiler) intersect(v *ir.Value) bool {
	x, y := c.place(v.Args[0]), c.place(v.Args[1])
	if x.box == nil {
		x, y = y, x
	}
	if x.box == nil || y.box == nil && !y.isSplat() {
		return false
	}
	c.need(x)
	c.need(y)
	z := c.formed(v, -1)
	z.box = &box{ok: c.reg()}
	a, b := *x.box, box{ok: oneReg}
	n := v.Type.Shape.N
	if y.box != nil {
		b = *y.box
	} else {
		for k := range n {
			c.wholeAxis(&b, k, v.Type.Shape.D[k])
		}
		b.hi[0] = c.reg() // nothing or everything
		hi, size, cond := b.hi[0], uint64(v.Type.Shape.D[0]), y.reg
		c.emit(func(w *Worker) bool { w.regs[hi] = w.regs[cond] * size; return true })
	}
	for k := range n {
		if c.wholeBox(&a, k, v.Type.Shape.D[k]) && c.wholeBox(&b, k, v.Type.Shape.D[k]) {
			c.wholeAxis(z.box, k, v.Type.Shape.D[k])
		} else {
			z.box.lo[k], z.box.hi[k] = c.reg(), c.reg()
		}
	}
	zb := *z.box
	exact := c.sweep([]*ir.Value{v}, true)
	c.emit(func(w *Worker) bool {
		r := w.regs
		r[zb.ok] = r[a.ok] & r[b.ok]
		if r[zb.ok] == 0 {
			return exact.run(w)
		}
		for k := range n {
			if zb.lo[k] != zeroReg {
				r[zb.lo[k]] = max(r[a.lo[k]], r[b.lo[k]])
				r[zb.hi[k]] = min(r[a.hi[k]], r[b.hi[k]])
			}
		}
		return true
	})
	return true
}

// wholeBox reports whether axis k of b is certain to reach from end to end.
func (c *compiler) wholeBox(b *box, k, size int) bool {
	return b.lo[k] == zeroReg && b.hi[k] == c.constReg(uint64(size))
}

// interval is the indices that the registers of a box hold, of the first n axes.
func (w *Worker) interval(b *box, n int) (from, to [ir.MaxRank]int) {
	for k := range n {
		from[k], to[k] = int(w.regs[b.lo[k]]), int(w.regs[b.hi[k]])
	}
	return from, to
}
