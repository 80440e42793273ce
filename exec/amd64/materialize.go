package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/cost"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// keeps reports whether v lies in memory, now or once it has been put there.
func (g *memory) keeps(v *ir.Value) bool { return g.tiles[v] != nil || g.plan.Kept(v) }

// inMemory reports whether reading v is reading memory that is already filled.
func (g *memory) inMemory(v *ir.Value) bool { return g.tiles[v] != nil }

// materialize puts all of a kept tile that is needed into memory, in the scope where
// it is defined.
func (g *nests) materialize(v *ir.Value) {
	if g.filling[v] {
		scalar.Refuse("%s that needs itself", v.Name())
	}
	if !fuse.Lazy(v) {
		scalar.Refuse("%s (%s) is used before it is computed", v.Name(), ir.OpName(v.Op))
	}
	g.filling[v] = true
	g.AheadInScopeOf(v, func() { g.fillNest(v, nil) })
	delete(g.filling, v)
	if g.IsCold() && g.Innermost(v) {
		g.NoteCold(v)
	}
}

// fillNest writes the loops that fill v's memory: a given buffer, or one of its own.
func (g *nests) fillNest(v *ir.Value, b *buffer) {
	if b == nil && g.gathers(v) {
		b = g.newBuffer(v.Type)
		g.costs.Note(v, cost.ByLane, affine.WhyNot(v.Memory().Ptr))
		g.exact(v, b.off, 1, false)
		b.atoms = g.newNest(v.Type.Shape).gathered(v)
		g.tiles[v] = b
		return
	}
	n := g.newNest(v.Type.Shape)
	m := affine.Identity(v.Type.Shape)
	if b == nil {
		n.atoms = n.limits(v, m)
		b = g.newBuffer(v.Type)
		b.atoms = n.atoms
	}
	n.run(func() { n.write(b, m, n.fresh(v, m)) })
	g.tiles[v] = b
}

// fresh is v's lanes computed here, not read from the memory that is being filled.
func (n *values) fresh(v *ir.Value, m affine.Axes) lane.Lanes {
	if n.g.keeps(v) && n.g.tiles[v] == nil {
		return n.computeFresh(v, m, n.body())
	}
	return n.eval(v, m)
}

// whole puts all elements of a tile into memory and gives it: for operations that
// look at the tile as an array.
func (g *nests) whole(v *ir.Value) *buffer {
	b := g.tiles[v]
	if g.DepthOf(v) < len(g.Enclosing)-1 && fuse.Lazy(v) && (b == nil || len(b.atoms) > 0) {
		g.InScopeOf(v, func() { b = g.whole(v) })
		return b
	}
	switch {
	case b != nil && len(b.atoms) == 0 && b.dense():
		return b
	case b != nil && fuse.Lazy(v) && v.Type.Shape.Len() > 1 && affine.UpTo(b.atoms) && !g.IsCold() && g.Innermost(v):
		g.complete(v, b)
		return b
	case b != nil || !fuse.Lazy(v):
		b = g.spill(v)
		if !fuse.Lazy(v) && !g.IsCold() && g.Innermost(v) { // it was a view
			g.tiles[v] = b
		}
		return b
	}
	b = g.newBuffer(v.Type)
	n := g.newNest(v.Type.Shape)
	m := affine.Identity(v.Type.Shape)
	n.run(func() { n.write(b, m, n.fresh(v, m)) })
	if g.Innermost(v) {
		g.tiles[v] = b
		if g.IsCold() {
			g.NoteCold(v)
		}
	}
	return b
}

// complete puts the padding into a tile's memory, in rows that have any.
func (g *nests) complete(v *ir.Value, b *buffer) {
	n := g.newNest(v.Type.Shape)
	m := affine.Identity(v.Type.Shape)
	n.rows, n.atoms = true, b.atoms
	size := v.Type.Shape.D[n.inner()]
	var pads []lane.Lanes
	n.at(len(n.dims)-1, func() { pads = n.rowPads([]*ir.Value{v}, m, size) })
	n.start = func(end lir.Arg) lir.Arg {
		first, zero := g.CopyInt(g.InReg(end)), g.NewInt(0)
		g.Use(asm.CMP, g.R64(first), lir.Imm(0))
		g.RMW(asm.CMOVL, g.R64(first), g.R64(zero))
		g.RMW(asm.AND, g.R64(first), lir.Imm(int64(-g.Lanes)))
		return g.R64(first)
	}
	n.run(func() {
		n.atoms = nil // so that they are looked at
		n.write(b, m, g.Blend(n.inside(b.atoms), n.read(b, m), pads[0]))
		n.atoms = b.atoms
	})
	b.atoms = nil
}

// tile translates a tile where it stands, if it does not wait for its users.
func (g *operations) tile(v *ir.Value) {
	switch f := ir.Family(v.Op); {
	case fuse.Lazy(v):
		switch {
		case g.plan.Of(v).Early:
			g.materialize(v)
		case v.Op == op.Load && !g.plan.Of(v).Sure:
			g.mustFail(v)
		}
	case v.Op == op.Load: // a scalar
		g.scalarLoad(v)
	case f == op.Reducing:
		g.reduction(v)
	case f == op.Scanning:
		g.scanning(v)
	case f == op.Shape:
		g.rearrange(v)
	case f == op.Ordering:
		g.ordering(v)
	case f == op.DotProduct:
		g.dot(v)
	case f == op.Atomic:
		g.atomic(v)
	case v.CanFail():
		g.dividing(v)
	case v.Op == ir.Result:
	default:
		scalar.Refuse("%s", ir.OpName(v.Op))
	}
}

// mustFail makes a load fail where it stands if it is to fail at all: for one whose
// lanes may never be needed.
func (g *nests) mustFail(v *ir.Value) {
	if f := g.Forms.Of(v.Memory().Ptr); !f.Ok || f.Base < 0 {
		g.materialize(v)
		return
	}
	g.prepare(&access{v: v, d: v.Type.D})
}
