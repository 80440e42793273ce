package portable

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Masks as rectangles. A comparison of two indices whose difference varies along one
// axis holds for an interval of that axis; the and of two boxes is their
// intersection.

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

// newBox is a place for v that is a box at times.
func (c *compiler) newBox(v *ir.Value) *place {
	p := &place{t: v.Type, reg: -1, box: &box{ok: c.reg()}, buf: c.buffer(v, v.Type.D, v.Type.Shape), stride: dense(v.Type.Shape)}
	p.root = p
	c.places[v.ID] = p
	return p
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
	px, py := c.place(v.Args[0]), c.place(v.Args[1])
	x, okX := px.formula()
	y, okY := py.formula()
	d := v.Args[0].Type.D
	shape := v.Type.Shape
	var varies []int // axes along which the difference may vary
	for k := range shape.N {
		if x.step[k] != zeroReg || y.step[k] != zeroReg {
			varies = append(varies, k)
		}
	}
	if !okX || !okY || len(varies) == 0 {
		return false
	}
	z := c.newBox(v)
	for k := range shape.N {
		c.wholeAxis(z.box, k, shape.D[k])
	}
	for _, k := range varies {
		z.box.lo[k], z.box.hi[k] = c.reg(), c.reg()
	}
	b := *z.box
	exact := c.sweep([]*ir.Value{v}, true)
	c.emit(func(w *Worker) bool {
		w.regs[b.ok] = 0
		if w.regs[x.ok]&w.regs[y.ok] == 0 {
			return exact.run(w)
		}
		p, q := w.line(&x, d, shape.N), w.line(&y, d, shape.N)
		if !p.comparable(d, shape) || !q.comparable(d, shape) || !w.interval(v.Op, &b, varies, shape, p, q) {
			return exact.run(w)
		}
		w.regs[b.ok] = 1
		return true
	})
	return true
}

// comparable reports whether the elements of an index are those of its formula in
// ordinary arithmetic, and a difference of two such elements does not wrap.
func (a *line) comparable(d dtype.DType, shape ir.Shape) bool {
	if d == dtype.Int32 {
		return a.fitsInt32(shape)
	}
	return a.small(shape)
}

// interval sets b to where p o q holds. It returns false if that is no box.
func (w *Worker) interval(o op.Op, b *box, varies []int, shape ir.Shape, p, q line) bool {
	axis := varies[0]
	for _, k := range varies {
		w.regs[b.lo[k]], w.regs[b.hi[k]] = 0, uint64(shape.D[k])
		if p.step[k] != q.step[k] && shape.D[k] > 1 {
			if shape.D[axis] > 1 && p.step[axis] != q.step[axis] && axis != k {
				return false
			}
			axis = k
		}
	}
	// Everything becomes s + i·t < 0.
	s, t := p.start-q.start, p.step[axis]-q.step[axis]
	switch o {
	case op.Le:
		s--
	case op.Gt:
		s, t = -s, -t
	case op.Ge:
		s, t = -s-1, -t
	}
	lo, hi := negative(s, t, int64(shape.D[axis]))
	w.regs[b.lo[axis]], w.regs[b.hi[axis]] = uint64(lo), uint64(hi)
	return true
}

// negative is for which i of 0 ... n-1 s + i·t is below 0.
func negative(s, t, n int64) (lo, hi int64) {
	switch {
	case t == 0 || n == 1:
		if s < 0 {
			return 0, n
		}
		return 0, 0
	case t > 0: // below -s/t, rounded up
		if s >= 0 {
			return 0, 0
		}
		return 0, min(n, (-s-1)/t+1)
	}
	// Above s/-t, rounded down.
	if s < 0 {
		return 0, n
	}
	return min(n, s/-t+1), n
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
	z := c.newBox(v)
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

// boxLanes writes the lanes of the box p, from lane lo on.
func (w *Worker) boxLanes(z []uint8, p *place, lo int) {
	n := p.t.Shape.N
	var from, to [ir.MaxRank]int
	for k := range n {
		from[k], to[k] = int(w.regs[p.box.lo[k]]), int(w.regs[p.box.hi[k]])
	}
	r := rowsFrom(p.t.Shape, lo, len(z))
	for at := 0; ; {
		m := r.run()
		if m == 0 {
			return
		}
		inside := true
		for k := range n - 1 {
			inside = inside && r.index[k] >= from[k] && r.index[k] < to[k]
		}
		row := z[at : at+m]
		clear(row)
		if first := r.index[n-1]; inside {
			for i := max(from[n-1]-first, 0); i < min(to[n-1]-first, m); i++ {
				row[i] = 1
			}
		}
		at += m
		r.skip(m)
	}
}
