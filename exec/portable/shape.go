package portable

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/storage"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// broadcast repeats axes of size 1: a view.
func (c *compiler) broadcast(v *ir.Value) {
	x := c.place(v.Args[0])
	var from [ir.MaxRank]int
	for i := range v.Type.Shape.N {
		from[i] = i - (v.Type.Shape.N - x.t.Shape.N)
	}
	c.places[v.ID] = c.view(x, v.Type.Shape, from)
}

// permute reorders axes: a view.
func (c *compiler) permute(v *ir.Value) {
	var from [ir.MaxRank]int
	copy(from[:], v.Axes)
	c.places[v.ID] = c.view(c.place(v.Args[0]), v.Type.Shape, from)
}

// sameAxes is which axis of x each axis of z is, if the two differ only by axes of
// size 1.
func sameAxes(x, z ir.Shape) (from [ir.MaxRank]int, ok bool) {
	k := 0
	for i := range z.N {
		if z.D[i] == 1 {
			from[i] = -1
			continue
		}
		for k < x.N && x.D[k] == 1 {
			k++
		}
		if k == x.N || x.D[k] != z.D[i] {
			return from, false
		}
		from[i] = k
		k++
	}
	for k < x.N && x.D[k] == 1 {
		k++
	}
	return from, k == x.N
}

// reshape is a view where axes of size 1 come or go, or elements lie in row-major
// order.
func (c *compiler) reshape(v *ir.Value) {
	x := c.place(v.Args[0])
	from, same := sameAxes(x.t.Shape, v.Type.Shape)
	switch {
	case !v.Type.IsTile() && x.reg < 0:
		c.element(v, x)
	case x.isSplat():
		c.places[v.ID] = c.view(x, v.Type.Shape, from)
	case same && (x.box == nil || !c.losesAxis(x, from, v.Type.Shape)):
		c.places[v.ID] = c.view(x, v.Type.Shape, from)
	default:
		x = c.packed(v, x)
		z := &place{t: v.Type, reg: -1, base: x.base, buf: x.buf, off: x.off, stride: dense(v.Type.Shape), root: x.root}
		c.places[v.ID] = z
	}
}

// losesAxis reports whether an axis of x's box that may be empty is none of the
// axes in from.
func (c *compiler) losesAxis(x *place, from [ir.MaxRank]int, shape ir.Shape) bool {
	kept := 0
	for _, k := range from[:shape.N] {
		if k >= 0 {
			kept |= 1 << k
		}
	}
	for k := range x.t.Shape.N {
		if kept>>k&1 == 0 && !c.wholeBox(x.box, k, x.t.Shape.D[k]) {
			return true
		}
	}
	return false
}

// element puts the only element of x into a register.
func (c *compiler) element(v *ir.Value, x *place) {
	f := c.feed(x, x.t.Shape)
	z := c.held(v, c.reg()).reg
	c.emit(func(w *Worker) bool { w.regs[z] = f.bits(w, 0); return true })
}

// split is one half of a last axis of size 2: a view.
func (c *compiler) split(v *ir.Value) {
	x := c.place(v.Args[0])
	last := x.t.Shape.N - 1
	if !x.isSplat() {
		x = c.solid(v, x)
	}
	if !v.Type.IsTile() && !x.isSplat() {
		f, z := c.feed(x, x.t.Shape), c.held(v, c.reg()).reg
		c.emit(func(w *Worker) bool { w.regs[z] = f.bits(w, v.Index); return true })
		return
	}
	z := c.view(x, v.Type.Shape, [ir.MaxRank]int{0, 1, 2, 3, 4})
	z.off += v.Index * x.stride[last]
	c.places[v.ID] = z
}

// flip reverses an axis: a view.
func (c *compiler) flip(v *ir.Value) {
	x := c.place(v.Args[0])
	if !x.isSplat() {
		x = c.solid(v, x)
	}
	z := c.view(x, v.Type.Shape, [ir.MaxRank]int{0, 1, 2, 3, 4})
	z.off += (x.t.Shape.D[v.Axis] - 1) * x.stride[v.Axis]
	z.stride[v.Axis] = -x.stride[v.Axis]
	c.places[v.ID] = z
}

// join puts two tiles side by side in a new last axis.
func (c *compiler) join(v *ir.Value) {
	var pieces [2]piece
	for i, a := range v.Args {
		x := c.place(a)
		var from [ir.MaxRank]int
		for k := range from {
			from[k] = k
		}
		shape := v.Type.Shape.With(v.Type.Shape.N-1, 1)
		from[shape.N-1] = -1
		pieces[i] = piece{c.view(c.solidTile(v, x), shape, from), v.Type.Shape.N - 1, i}
	}
	c.assemble(v, pieces[:])
}

// cat puts tiles one after the other along an axis.
func (c *compiler) cat(v *ir.Value) {
	var pieces []piece
	at := 0
	for _, a := range v.Args {
		pieces = append(pieces, piece{c.solidTile(v, c.place(a)), v.Axis, at})
		at += a.Type.Shape.D[v.Axis]
	}
	c.assemble(v, pieces)
}

// solidTile is x with elements in a buffer, a scalar as a tile of no axes too.
func (c *compiler) solidTile(v *ir.Value, x *place) *place {
	if !x.t.IsTile() || x.isSplat() {
		return c.copied(v, x)
	}
	return c.solid(v, x)
}

// A piece is elements that lie from index at of an axis on in a larger tile.
type piece struct {
	x        *place
	axis, at int
}

// assemble makes v of pieces.
func (c *compiler) assemble(v *ir.Value, pieces []piece) {
	for i, a := range v.Args {
		if v.Type.D.IsPointer() && c.place(a).base != c.place(v.Args[0]).base {
			c.refuse(v, "pointers into different tensors, the first and number %d", i)
		}
	}
	z := c.define(v)
	var moves []nest
	for _, p := range pieces {
		c.store.Read(p.x.buf, storage.AnyTime)
		var s nest
		s.to, s.from = p.at*z.stride[p.axis], p.x.off
		for k := range v.Type.Shape.N {
			s.add(p.x.t.Shape.D[k], z.stride[k], p.x.stride[k])
		}
		moves = append(moves, s)
	}
	c.store.Write(z.buf, 0)
	c.emit(func(w *Worker) bool {
		for i := range moves {
			moves[i].copy(w.bufs[z.buf], w.bufs[pieces[i].x.buf])
		}
		return true
	})
}

// A nest is a loop nest that copies elements from place to place.
type nest struct {
	to, from int // where the first element goes and comes from
	n        int // loops, the innermost last
	count    [ir.MaxRank]int
	toStep   [ir.MaxRank]int
	fromStep [ir.MaxRank]int
}

// add adds a loop inside those that are there, or makes one of it and the innermost.
func (s *nest) add(count, toStep, fromStep int) {
	if count == 1 {
		return
	}
	if k := s.n - 1; k >= 0 && s.toStep[k] == count*toStep && s.fromStep[k] == count*fromStep {
		s.count[k] *= count
		s.toStep[k], s.fromStep[k] = toStep, fromStep
		return
	}
	s.count[s.n], s.toStep[s.n], s.fromStep[s.n] = count, toStep, fromStep
	s.n++
}

// copy carries s out.
func (s *nest) copy(z, x dtype.Buf) {
	switch z.DType().Size() {
	case 1:
		copyNest(dtype.View[uint8](z), dtype.View[uint8](x), s)
	case 2:
		copyNest(dtype.View[uint16](z), dtype.View[uint16](x), s)
	case 4:
		copyNest(dtype.View[uint32](z), dtype.View[uint32](x), s)
	default:
		copyNest(dtype.View[uint64](z), dtype.View[uint64](x), s)
	}
}

func copyNest[T dtype.Elem](z, x []T, s *nest) {
	to, from, last := s.to, s.from, s.n-1
	if s.n == 0 {
		z[to] = x[from]
		return
	}
	var i [ir.MaxRank]int
	for {
		copyRun(z, x, to, from, s.toStep[last], s.fromStep[last], s.count[last])
		k := last - 1
		for ; k >= 0; k-- {
			to += s.toStep[k]
			from += s.fromStep[k]
			if i[k]++; i[k] < s.count[k] {
				break
			}
			to -= s.count[k] * s.toStep[k]
			from -= s.count[k] * s.fromStep[k]
			i[k] = 0
		}
		if k < 0 {
			return
		}
	}
}

// copyRun copies n elements in order.
func copyRun[T dtype.Elem](z, x []T, to, from, toStep, fromStep, n int) {
	if toStep == 1 {
		dtype.CopyRun(z[to:to+n], x, from, fromStep)
		return
	}
	for range n {
		z[to] = x[from]
		to += toStep
		from += fromStep
	}
}
