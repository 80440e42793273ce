package portable

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/run"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Masks as rectangles. A comparison that package affine knows as a box is an interval of an axis; the and of two boxes
// is their intersection.

// lowerBox lowers a comparison or an and that can give a box, or returns false.
func lowerBox(c *compiler, v *ir.Value) bool {
	switch {
	case v.Op >= op.Lt && v.Op <= op.Ge:
		return lowerBounds(c, v)
	case v.Op == op.And && v.Type.D == dtype.Bool:
		return lowerIntersection(c, v)
	}
	return false
}

// wholeAxis makes axis k of b reach from end to end.
func wholeAxis(c *compiler, b *run.Box, k, size int) {
	b.Lo[k], b.Hi[k] = run.ZeroReg, c.ConstReg(uint64(size))
}

// boxOf is a box of all of a shape.
func boxOf(c *compiler, shape ir.Shape) (b run.Box) {
	b.OK = run.OneReg
	for k := range shape.N {
		wholeAxis(c, &b, k, shape.D[k])
	}
	return b
}

// boxAxis is the interval of an axis of the given size that shows axis k of x, or a
// new one where k is -1.
func boxAxis(c *compiler, x *place, k, size int) (lo, hi int) {
	switch {
	case k < 0 || wholeBox(c, x.Box, k, x.Type.Shape.D[k]):
		return run.ZeroReg, c.ConstReg(uint64(size))
	case x.Type.Shape.D[k] == size:
		return x.Box.Lo[k], x.Box.Hi[k]
	}
	// One element, true or false, is repeated.
	lo, hi = c.Reg(), c.Reg()
	xlo, xhi := x.Box.Lo[k], x.Box.Hi[k]
	c.Emit(func(w *run.Worker) bool {
		w.Regs[lo], w.Regs[hi] = w.Regs[xlo]*uint64(size), w.Regs[xhi]*uint64(size)
		return true
	})
	return lo, hi
}

// lowerBounds lowers <, <=, > or >= of two indices.
func lowerBounds(c *compiler, v *ir.Value) bool {
	known := c.scalars.boxes.Of(v)
	if !known.Ok {
		return false
	}
	shape, b := v.Type.Shape, boxOf(c, v.Type.Shape)
	for _, a := range known.Atoms {
		syms := c.scalars.forms.Syms
		clamped := func(x *affine.Sym) int {
			return c.scalars.symReg(syms.Min(syms.Max(x, syms.Constant(0)), syms.Constant(int64(shape.D[a.Dim]))))
		}
		if a.Lo != nil {
			b.Lo[a.Dim] = clamped(a.Lo)
		} else {
			b.Hi[a.Dim] = clamped(a.Hi)
		}
	}
	b.OK = c.scalars.holds(known.Conds)
	c.formed(v, b.OK).Box = &b
	c.elsewise(v, b.OK)
	return true
}

// lowerIntersection lowers the and of two boxes, or of a box and a condition.
func lowerIntersection(c *compiler, v *ir.Value) bool {
	x, y := c.place(v.Args[0]), c.place(v.Args[1])
	if x.Box == nil {
		x, y = y, x
	}
	if x.Box == nil || y.Box == nil && !y.IsSplat() {
		return false
	}
	c.need(x)
	c.need(y)
	z := c.formed(v, -1)
	z.Box = &run.Box{OK: c.Reg()}
	a, n := *x.Box, v.Type.Shape.N
	var b run.Box
	if y.Box != nil {
		b = *y.Box
	} else {
		b = boxOf(c, v.Type.Shape)
		b.Hi[0] = c.Reg() // nothing or everything
		hi, size, cond := b.Hi[0], uint64(v.Type.Shape.D[0]), y.Reg
		c.Emit(func(w *run.Worker) bool { w.Regs[hi] = w.Regs[cond] * size; return true })
	}
	for k := range n {
		if wholeBox(c, &a, k, v.Type.Shape.D[k]) && wholeBox(c, &b, k, v.Type.Shape.D[k]) {
			wholeAxis(c, z.Box, k, v.Type.Shape.D[k])
		} else {
			z.Box.Lo[k], z.Box.Hi[k] = c.Reg(), c.Reg()
		}
	}
	zb := *z.Box
	exact := c.sweep([]*ir.Value{v}, true)
	c.Emit(func(w *run.Worker) bool {
		r := w.Regs
		r[zb.OK] = r[a.OK] & r[b.OK]
		if r[zb.OK] == 0 {
			return exact.Run(w)
		}
		for k := range n {
			if zb.Lo[k] != run.ZeroReg {
				r[zb.Lo[k]] = max(r[a.Lo[k]], r[b.Lo[k]])
				r[zb.Hi[k]] = min(r[a.Hi[k]], r[b.Hi[k]])
			}
		}
		return true
	})
	return true
}

// wholeBox reports whether axis k of b is certain to reach from end to end.
func wholeBox(c *compiler, b *run.Box, k, size int) bool {
	return b.Lo[k] == run.ZeroReg && b.Hi[k] == c.ConstReg(uint64(size))
}
