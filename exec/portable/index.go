package portable

import (
	"math"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Arithmetic on indices. Sums, differences, multiples and truncations of indices are
// indices, in wrapping arithmetic too. Extending int32 to int64 is not where an
// element wraps: then the result is elements.

// arange is lo, lo+1, ...
func (c *compiler) arange(v *ir.Value) {
	p := &place{t: v.Type, reg: -1, buf: -1, index: &index{ok: oneReg, start: c.constReg(uint64(int64(v.Index)))}}
	p.index.step[0] = oneReg
	p.root = p
	c.places[v.ID] = p
}

// newIndex is a place for v that is an index for certain, or at times.
func (c *compiler) newIndex(v *ir.Value, t ir.Type, always bool) *place {
	p := &place{t: t, reg: -1, buf: -1, index: &index{ok: oneReg, start: c.reg()}, stride: dense(t.Shape)}
	p.root = p
	if !always {
		p.index.ok = c.reg()
		p.buf = c.buffer(v, t.D, t.Shape)
	}
	return p
}

// indexOp lowers a sum, difference, product or cast of indices, or a moved pointer.
func (c *compiler) indexOp(v *ir.Value) {
	for _, a := range v.Args {
		c.need(c.place(a))
	}
	x, _ := c.place(v.Args[0]).formula()
	y := index{ok: oneReg}
	if len(v.Args) == 2 {
		y, _ = c.place(v.Args[1]).formula()
	}
	extends := v.Op == op.Cast && v.Type.D == dtype.Int64 && v.Args[0].Type.D == dtype.Int32
	z := c.newIndex(v, v.Type, x.ok == oneReg && y.ok == oneReg && !extends)
	if v.Type.D.IsPointer() {
		z.base = c.baseReg(v)
	}
	c.places[v.ID] = z
	for k := range v.Type.Shape.N {
		if x.step[k] != zeroReg || y.step[k] != zeroReg {
			z.index.step[k] = c.reg()
		}
	}
	compute := computeIndex(v, *z.index, x, y)
	if z.index.ok == oneReg {
		c.emit(func(w *Worker) bool { compute(w); return true })
		return
	}
	exact := c.sweep([]*ir.Value{v}, true)
	ok := z.index.ok
	c.emit(func(w *Worker) bool {
		w.regs[ok] = 0
		if w.regs[x.ok]&w.regs[y.ok] != 0 && compute(w) {
			w.regs[ok] = 1
			return true
		}
		return exact.run(w)
	})
}

// computeIndex computes the registers of z, the result of v for the operands x and
// y. It returns false if that is no index.
func computeIndex(v *ir.Value, z, x, y index) func(w *Worker) bool {
	n := v.Type.Shape.N
	switch v.Op {
	case op.Cast:
		if v.Type.D == dtype.Int64 && v.Args[0].Type.D == dtype.Int32 {
			return extendIndex(v.Type.Shape, z, x)
		}
		return func(w *Worker) bool { combine(w.regs, n, &z, &x, &x, first); return true }
	case op.Sub:
		return func(w *Worker) bool { combine(w.regs, n, &z, &x, &y, less); return true }
	case op.Mul:
		if x.step == [ir.MaxRank]int{} {
			x, y = y, x
		}
		return func(w *Worker) bool {
			by := w.regs[y.start]
			w.regs[z.start] = w.regs[x.start] * by
			for k := range n {
				if r := z.step[k]; r != zeroReg {
					w.regs[r] = w.regs[x.step[k]] * by
				}
			}
			return true
		}
	}
	return func(w *Worker) bool { combine(w.regs, n, &z, &x, &y, plus); return true }
}

func plus(x, y uint64) uint64  { return x + y }
func less(x, y uint64) uint64  { return x - y }
func first(x, _ uint64) uint64 { return x }

func combine(r []uint64, n int, z, x, y *index, f func(x, y uint64) uint64) {
	r[z.start] = f(r[x.start], r[y.start])
	for k := range n {
		if z.step[k] != zeroReg {
			r[z.step[k]] = f(r[x.step[k]], r[y.step[k]])
		}
	}
}

// extendIndex makes an int64 index of an int32 one of which no element wraps.
func extendIndex(shape ir.Shape, z, x index) func(w *Worker) bool {
	return func(w *Worker) bool {
		a := w.line(&x, dtype.Int32, shape.N)
		if !a.fitsInt32(shape) {
			return false
		}
		w.regs[z.start] = uint64(a.start)
		for k := range shape.N {
			if z.step[k] != zeroReg {
				w.regs[z.step[k]] = uint64(a.step[k])
			}
		}
		return true
	}
}

// A line is an index with the numbers that its registers hold.
type line struct {
	start int64
	step  [ir.MaxRank]int64
}

// line reads the first n axes of an index with elements of type d.
func (w *Worker) line(x *index, d dtype.DType, n int) (a line) {
	a.start = int64(w.regs[x.start])
	for k := range n {
		a.step[k] = int64(w.regs[x.step[k]])
	}
	if d == dtype.Int32 {
		a.start = int64(int32(a.start))
		for k := range n {
			a.step[k] = int64(int32(a.step[k]))
		}
	}
	return a
}

// ends is the least and the greatest element of a line that is small.
func (a *line) ends(shape ir.Shape) (lo, hi int64) {
	lo, hi = a.start, a.start
	for k, d := range shape.D[:shape.N] {
		if span := a.step[k] * int64(d-1); span < 0 {
			lo += span
		} else {
			hi += span
		}
	}
	return lo, hi
}

// fitsInt32 reports whether no element of an int32 line wraps. Its ends are far from
// overflow: a tile has less than 2^30 elements.
func (a *line) fitsInt32(shape ir.Shape) bool {
	lo, hi := a.ends(shape)
	return lo >= math.MinInt32 && hi <= math.MaxInt32
}

// small reports whether all elements are so far from the limits of int64 that sums
// and differences of two of them do not wrap.
func (a *line) small(shape ir.Shape) bool {
	m := math.Abs(float64(a.start))
	for k, d := range shape.D[:shape.N] {
		m += math.Abs(float64(a.step[k])) * float64(d-1)
	}
	return m < 1<<60
}

// at is the element at an index.
func (a *line) at(index *[ir.MaxRank]int, n int) int64 {
	v := a.start
	for k := range n {
		v += int64(index[k]) * a.step[k]
	}
	return v
}

// ramp fills z with the elements of the index p, from lane lo on.
func (w *Worker) ramp(z dtype.Buf, p *place, lo int) {
	a := w.line(p.index, p.t.D, p.t.Shape.N)
	if z.DType().Size() == 4 {
		rampAs(dtype.View[int32](z), &a, p.t.Shape, lo)
	} else {
		rampAs(dtype.View[int64](z), &a, p.t.Shape, lo)
	}
}

func rampAs[T int32 | int64](z []T, a *line, shape ir.Shape, lo int) {
	r := rowsFrom(shape, lo, len(z))
	step := T(a.step[max(shape.N-1, 0)])
	for at := 0; ; {
		n := r.run()
		if n == 0 {
			return
		}
		v := T(a.at(&r.index, shape.N))
		for i := range z[at : at+n] {
			z[at+i] = v
			v += step
		}
		at += n
		r.skip(n)
	}
}
