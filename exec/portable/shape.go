package portable

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/run"
	"github.com/tiler-go/tiler/exec/portable/storage"
	"github.com/tiler-go/tiler/exec/portable/strided"
)

// lowerBroadcast repeats axes of size 1: a view.
func lowerBroadcast(c *compiler, v *ir.Value) {
	x := c.place(v.Args[0])
	var from [ir.MaxRank]int
	for i := range v.Type.Shape.N {
		from[i] = i - (v.Type.Shape.N - x.Type.Shape.N)
	}
	c.places[v.ID] = c.view(x, v.Type.Shape, from)
}

// lowerPermute reorders axes: a view.
func lowerPermute(c *compiler, v *ir.Value) {
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

// lowerReshape is a view where axes of size 1 come or go, or elements lie in row-major
// order.
func lowerReshape(c *compiler, v *ir.Value) {
	x := c.place(v.Args[0])
	from, same := sameAxes(x.Type.Shape, v.Type.Shape)
	switch {
	case !v.Type.IsTile() && x.Reg < 0:
		lowerElement(c, v, x)
	case x.IsSplat():
		c.places[v.ID] = c.view(x, v.Type.Shape, from)
	case same && (x.Box == nil || !losesAxis(c, x, from, v.Type.Shape)):
		c.places[v.ID] = c.view(x, v.Type.Shape, from)
	default:
		x = c.packed(v, x)
		f := run.Form{Type: v.Type, Reg: -1, Base: x.Base, Buf: x.Buf, Off: x.Off, Stride: v.Type.Shape.Dense()}
		c.places[v.ID] = &place{Form: f, root: x.root}
	}
}

// losesAxis reports whether an axis of x's box that may be empty is none of the
// axes in from.
func losesAxis(c *compiler, x *place, from [ir.MaxRank]int, shape ir.Shape) bool {
	kept := 0
	for _, k := range from[:shape.N] {
		if k >= 0 {
			kept |= 1 << k
		}
	}
	for k := range x.Type.Shape.N {
		if kept>>k&1 == 0 && !wholeBox(c, x.Box, k, x.Type.Shape.D[k]) {
			return true
		}
	}
	return false
}

// lowerElement puts the only element of x into a register.
func lowerElement(c *compiler, v *ir.Value, x *place) {
	f := c.feed(x, x.Type.Shape)
	z := c.held(v, c.Reg()).Reg
	c.Emit(func(w *run.Worker) bool { w.Regs[z] = f.Bits(w, 0); return true })
}

// lowerSplit is one half of a last axis of size 2: a view.
func lowerSplit(c *compiler, v *ir.Value) {
	x := c.place(v.Args[0])
	last := x.Type.Shape.N - 1
	if !x.IsSplat() {
		x = c.solid(v, x)
	}
	if !v.Type.IsTile() && !x.IsSplat() {
		f, z := c.feed(x, x.Type.Shape), c.held(v, c.Reg()).Reg
		c.Emit(func(w *run.Worker) bool { w.Regs[z] = f.Bits(w, v.Index); return true })
		return
	}
	z := c.view(x, v.Type.Shape, [ir.MaxRank]int{0, 1, 2, 3, 4})
	z.Off += v.Index * x.Stride.D[last]
	c.places[v.ID] = z
}

// lowerFlip reverses an axis: a view.
func lowerFlip(c *compiler, v *ir.Value) {
	x := c.place(v.Args[0])
	if !x.IsSplat() {
		x = c.solid(v, x)
	}
	z := c.view(x, v.Type.Shape, [ir.MaxRank]int{0, 1, 2, 3, 4})
	z.Off += (x.Type.Shape.D[v.Axis] - 1) * x.Stride.D[v.Axis]
	z.Stride.D[v.Axis] = -x.Stride.D[v.Axis]
	c.places[v.ID] = z
}

// lowerJoin puts two tiles side by side in a new last axis.
func lowerJoin(c *compiler, v *ir.Value) {
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
	assemble(c, v, pieces[:])
}

// lowerCat puts tiles one after the other along an axis.
func lowerCat(c *compiler, v *ir.Value) {
	var pieces []piece
	at := 0
	for _, a := range v.Args {
		pieces = append(pieces, piece{c.solidTile(v, c.place(a)), v.Axis, at})
		at += a.Type.Shape.D[v.Axis]
	}
	assemble(c, v, pieces)
}

// solidTile is x with elements in a buffer, a scalar as a tile of no axes too.
func (c *compiler) solidTile(v *ir.Value, x *place) *place {
	if !x.Type.IsTile() || x.IsSplat() {
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
func assemble(c *compiler, v *ir.Value, pieces []piece) {
	for i, a := range v.Args {
		if v.Type.D.IsPointer() && c.place(a).Base != c.place(v.Args[0]).Base {
			c.refuse(v, "pointers into different tensors, the first and number %d", i)
		}
	}
	z := c.define(v)
	var moves []strided.Nest
	for _, p := range pieces {
		c.Store.Read(p.x.Buf, storage.AnyTime)
		var s strided.Nest
		s.To, s.From = p.at*z.Stride.D[p.axis], p.x.Off
		for k := range v.Type.Shape.N {
			s.Add(p.x.Type.Shape.D[k], z.Stride.D[k], p.x.Stride.D[k])
		}
		moves = append(moves, s)
	}
	c.Store.Write(z.Buf, 0)
	c.Emit(func(w *run.Worker) bool {
		for i := range moves {
			moves[i].Copy(w.Bufs[z.Buf], w.Bufs[pieces[i].x.Buf])
		}
		return true
	})
}
