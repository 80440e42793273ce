// Package scatter stores tiles to elements whose addresses are not affine: one nest computes all places and elements
// and leaves them in the frame, and if all places are inside the tensor they are copied there, in the order of lanes.
// A mask leaves only the lanes that it lets through, but those of 8 bytes and bools unless, with AVX2, it is a box.
// Lanes that are counted to find their places are moved together, and copied at once.
package scatter

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/bylane"
	"github.com/tiler-go/tiler/exec/amd64/gather"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/nest"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/fuse/packed"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A scatter into a tensor of more bytes than smallOutput prefetches for elements that it comes to so many lanes later.
const ahead = 64

// smallOutput is what a first-level cache holds; AMD's processors with AVX-512 do not wait for lines that the second
// level has, either.
func smallOutput(t *lir.Tier) int {
	if t.EVEX && gather.Slow() {
		return 2 << 20
	}
	return 32 << 10
}

// A scatter is one store.
type scatter struct {
	g    *nest.Nests
	x    *tiles.ExactAccess
	n    int
	near bool                        // places are likely to be close together
	get  func(*nest.Nest) lane.Lanes // a block's elements, nil if they are in the copy
}

// Store translates a Store whose addresses have no form, and reports whether v is such.
func Store(g *nest.Nests, v *ir.Value) bool {
	mem := v.Memory()
	if f := g.Forms.Of(mem.Ptr); f.Ok && f.Base >= 0 || mem.Ptr.Type.Shape.Len() == 1 {
		return false
	}
	x := tiles.Exact(v, 0)
	x.Copy = g.Alloc(x.D.Size() * x.Shape.Len())
	s := of(g, &x)
	s.get = func(n *nest.Nest) lane.Lanes {
		return n.Eval(tiles.Rounded(&n.G.Memory, mem.Val), affine.Identity(x.Shape))
	}
	write := s.write
	if p := packed.Of(v); p != nil && gather.MayPack(x.D, mem.Val.Type.D) {
		write = func(other int) { s.packed(p, other) }
	} else {
		g.NoteLanes(&tiles.Access{V: v, D: x.D})
	}
	g.OrInGo(&x, write, func() {
		n := g.NewNest(x.Shape)
		n.Run(func() { s.fill(n) })
	})
	return true
}

// Copied copies elements of a dense copy to the tensor, or jumps to a label.
func Copied(g *nest.Nests, x *tiles.ExactAccess, other int) { of(g, x).write(other) }

func of(g *nest.Nests, x *tiles.ExactAccess) scatter {
	ptr := x.V.Memory().Ptr
	sums := affine.ComputedBy(ptr, func(o op.Op) bool { return o == op.CumSum })
	return scatter{g: g, x: x, n: x.Shape.Len(), near: affine.Close(ptr) || sums}
}

// fill puts a block's elements into the copy.
func (s scatter) fill(n *nest.Nest) {
	x := s.x
	z := s.get(n)
	b := tiles.Buffer{Off: x.Copy, D: x.D, Shape: x.Shape, Stride: x.Shape.Dense().D, Cell: x.D.Size()}
	at, _ := n.Place(&b, affine.Identity(x.Shape))
	s.g.StoreAs(x.D, z, at, n.Tail)
}

// write writes it, or jumps to a label before anything has happened.
func (s scatter) write(other int) {
	mem := s.x.V.Memory()
	boxed, d := s.boxed(), mem.Val.Type.D
	if s.get != nil && mem.Mask != nil && (boxed && d == s.x.D && d != dtype.Bool || gather.MayList(s.x.D, d)) {
		s.listed(other, boxed)
	} else {
		s.inPlace(other)
	}
}

// boxed reports whether a list of the lanes that a box lets through needs no lanes moved: with AVX2 that takes long.
func (s scatter) boxed() bool {
	g := s.g
	mask := s.x.V.Memory().Mask
	if g.EVEX || mask == nil {
		return false
	}
	b := g.Boxes.Of(mask)
	return b.Ok && g.Require(b.Conds)
}

// listed stores the lanes that the mask lets through, of which it makes a list.
func (s scatter) listed(other int, boxed bool) {
	g := s.g
	l := gather.NewList(g.Builder, s.x.D, s.n, ahead)
	p, outside := bylane.PlaceLanes(g, s.x, 0, true, func(p *bylane.LanePlaces, at func() lane.Lanes) {
		z := s.get(p.Nest)
		if boxed { // the nest goes through these lanes only
			l.AddFirst(at(), z, p.Nest.Tail)
			return
		}
		l.Add(at(), z, p.Active())
	})
	s.inside(outside, other)
	g.RunsOf(s.x.Tensor, other).Lanes(l.Places, g.R64(l.Count), s.n, none)
	switch {
	case s.near && l.MayScatterRows():
		l.ScatterRows(p.Base)
	case s.n >= 2*ahead && (g.EVEX || boxed):
		s.ifLarge(func() { l.ScatterAhead(p.Base, ahead) }, func() { l.Scatter(p.Base) })
	default:
		l.Scatter(p.Base)
	}
}

// none is the place of a lane that is masked off.
const none = -1

// inside jumps to other if a lane is outside.
func (s scatter) inside(outside lane.Lanes, other int) {
	g := s.g
	inside := g.NewLabel()
	g.SkipUnlessAny(outside, inside)
	g.Jump(asm.JMP, other)
	g.Bind(inside)
}

// ifLarge writes code for a tensor of more bytes than smallOutput, and for others.
func (s scatter) ifLarge(large, small func()) {
	g := s.g
	cached, done := g.NewLabel(), g.NewLabel()
	span := lir.Frame(scalar.ArgOffset(s.x.Tensor) + scalar.ArgSpan).Sized(8)
	g.Use(asm.CMP, span, lir.Imm(int64(smallOutput(g.Tier)/s.x.D.Size())))
	g.Jump(asm.JLE, cached)
	large()
	g.Jump(asm.JMP, done)
	g.Bind(cached)
	small()
	g.Bind(done)
}

// inPlace stores elements that lie in the copy in the order of lanes, as their places do.
func (s scatter) inPlace(other int) {
	g := s.g
	idle, masked := lane.Lanes{}, s.x.V.Memory().Mask != nil
	if masked {
		idle = g.Variable(lane.Const(dtype.Bool, 0)) // somewhere if a lane is masked off
	}
	places := g.Alloc(4 * s.n)
	p, outside := bylane.PlaceLanes(g, s.x, places, false, func(p *bylane.LanePlaces, at func() lane.Lanes) {
		if s.get != nil {
			s.fill(p.Nest)
		}
		p.Put(at)
		if masked {
			g.Assign(idle, g.PrimBool(op.Or, []lane.Lanes{idle, p.Idle()}))
		}
	})
	s.inside(outside, other)
	p.InRuns(other)
	to := inPlace{s, p}
	done := g.NewLabel()
	if masked {
		all := g.NewLabel()
		g.SkipUnlessAny(idle, all)
		p.EachLane(s.n, func(l gather.Lane, at lir.Reg) { to.one(l, at, bylane.Nowhere) })
		g.Jump(asm.JMP, done)
		g.Bind(all)
	}
	one := func(l gather.Lane, at lir.Reg) { to.one(l, at, bylane.Stays) }
	switch {
	case s.near && s.n%g.Lanes == 0:
		gather.ToRows(g.Builder, s.n, s.x.D.Size(), p.Places, p.Base, s.x.Copy, one)
	case s.n >= 2*ahead:
		s.ifLarge(to.prefetched, func() { p.EachLane(s.n, one) })
	default:
		p.EachLane(s.n, one)
	}
	g.Bind(done)
}

// An inPlace is a scatter of a copy to places in the frame.
type inPlace struct {
	scatter
	p *bylane.LanePlaces
}

// one copies an element to the tensor, at a place.
func (s inPlace) one(l gather.Lane, at lir.Reg, off int) {
	size := s.x.D.Size()
	s.g.CopyElement(size, s.g.NewReg(lir.GPR), s.p.Element(at, off, 0), l.In(size, s.x.Copy))
}

// prefetched copies elements none of which is masked off. Stores happen in order: without a prefetch each one that
// misses the cache holds up those behind it.
func (s inPlace) prefetched() {
	g := s.g
	fetch := func(_ gather.Lane, at lir.Reg) { g.Use(asm.PREFETCHW, s.p.Element(at, bylane.Stays, 0).Sized(1)) }
	one := func(l gather.Lane, at lir.Reg) { s.one(l, at, bylane.Stays) }
	s.p.EachLane(ahead, fetch)
	each := func(l gather.Lane, lanes int, f func(gather.Lane, lir.Reg)) {
		gather.Each(g.Builder, l, lanes, s.p.Places, f)
	}
	gather.Rounds(g.Builder, s.n-ahead, func(l gather.Lane, lanes int) {
		each(l.Behind(ahead), lanes, fetch)
		each(l, lanes, one)
	})
	gather.Rounds(g.Builder, ahead, func(l gather.Lane, lanes int) { each(l.Behind(s.n-ahead), lanes, one) })
}
