package nest

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/cost"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
)

// Materialize puts all of a kept tile that is needed into memory, in the scope where
// it is defined.
func (g *Nests) Materialize(v *ir.Value) {
	if g.Filling[v] {
		scalar.Refuse("%s that needs itself", v.Name())
	}
	if !fuse.Lazy(v) && !fuse.OnDemand(g.Plan, v) {
		scalar.Refuse("%s (%s) is used before it is computed", v.Name(), ir.OpName(v.Op))
	}
	g.Filling[v] = true
	g.AheadInScopeOf(v, func() { g.FillNest(v, nil, nil) })
	delete(g.Filling, v)
	if g.IsCold() && g.Innermost(v) {
		g.NoteCold(v)
	}
}

// FillNest writes the loops that fill v's memory: a given buffer, where a mask, if any, holds; or one of its own.
func (g *Nests) FillNest(v *ir.Value, b *tiles.Buffer, in *ir.Value) {
	if b == nil && g.Gathers(v) {
		b = g.NewBuffer(v.Type)
		g.Costs.Note(v, cost.ByLane, affine.WhyNot(v.Memory().Ptr))
		g.Exact(v, b.Off, 1, false)
		b.Atoms = g.NewNest(v.Type.Shape).Gathered(v)
		g.Tiles[v] = b
		return
	}
	n := g.NewNest(v.Type.Shape)
	n.Short = true
	m := affine.Identity(v.Type.Shape)
	if b == nil {
		b = g.NewBuffer(v.Type)
		b.Atoms = n.Limit(v)
	} else if n.Atoms = g.WantedRows(v); in != nil && n.G.Boxes.Of(in).Ok {
		n.Atoms = affine.Union(n.MaskLimits(in, m), n.Atoms)
	} else if tile, atoms := fuse.Steady(g.Plan, v, 2*g.Lanes, n.Varies, n.MaskLimits); tile != nil && g.Tiles[tile] == b {
		n.Atoms = affine.Union(atoms, n.Atoms)
	}
	n.Run(func() { n.Write(b, m, n.Fresh(v, m)) })
	g.Tiles[v] = b
}

// Fresh is v's lanes computed here, not read from the memory that is being filled.
func (n *values) Fresh(v *ir.Value, m affine.Axes) lane.Lanes {
	if n.G.Keeps(v) && n.G.Tiles[v] == nil {
		return n.ComputeFresh(v, m, n.Body())
	}
	return n.Eval(v, m)
}

// Whole puts all elements of a tile into memory and gives it: for operations that
// look at the tile as an array.
func (g *Nests) Whole(v *ir.Value) *tiles.Buffer {
	b := g.Tiles[v]
	if g.DepthOf(v) < len(g.Enclosing)-1 && fuse.Lazy(v) && (b == nil || len(b.Atoms) > 0) {
		g.InScopeOf(v, func() { b = g.Whole(v) })
		return b
	}
	switch {
	case b != nil && len(b.Atoms) == 0 && b.Dense():
		return b
	case b != nil && fuse.Lazy(v) && v.Type.Shape.Len() > 1 && affine.UpTo(b.Atoms) && !g.IsCold() && g.Innermost(v):
		g.complete(v, b)
		return b
	case b != nil || !fuse.Lazy(v):
		b = g.Spill(v)
		if !fuse.Lazy(v) && !g.IsCold() && g.Innermost(v) { // it was a view
			g.Tiles[v] = b
		}
		return b
	}
	b = g.NewBuffer(v.Type)
	n := g.NewNest(v.Type.Shape)
	n.Short = true
	m := affine.Identity(v.Type.Shape)
	n.Atoms = g.WantedRows(v)
	n.Run(func() { n.Write(b, m, n.Fresh(v, m)) })
	if g.Innermost(v) {
		g.Tiles[v] = b
		if g.IsCold() {
			g.NoteCold(v)
		}
	}
	return b
}

// complete puts the padding into a tile's memory, in rows that have any.
func (g *Nests) complete(v *ir.Value, b *tiles.Buffer) {
	n := g.NewNest(v.Type.Shape)
	m := affine.Identity(v.Type.Shape)
	n.Rows, n.Atoms = true, b.Atoms
	size := v.Type.Shape.D[n.Inner()]
	var pads []lane.Lanes
	n.At(len(n.Dims)-1, func() { pads = n.RowPads([]*ir.Value{v}, m, size) })
	n.start = func(end lir.Arg) lir.Arg {
		first, zero := g.CopyInt(g.InReg(end)), g.NewInt(0)
		g.Use(asm.CMP, g.R64(first), lir.Imm(0))
		g.RMW(asm.CMOVL, g.R64(first), g.R64(zero))
		g.RMW(asm.AND, g.R64(first), lir.Imm(int64(-g.Lanes)))
		return g.R64(first)
	}
	n.Run(func() {
		n.Atoms = nil // so that they are looked at
		n.Write(b, m, g.Blend(n.inside(b.Atoms), n.Read(b, m), pads[0]))
		n.Atoms = b.Atoms
	})
	b.Atoms = nil
}
