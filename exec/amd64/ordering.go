package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/gather"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/order"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// ordering translates a gather, a histogram or a sort. What has no code is left to Go.
func (g *operations) ordering(v *ir.Value) {
	switch {
	case v.Op == op.Gather:
		g.gather(v)
	case v.Op == op.Histogram && v.Args[0].Type.D != dtype.Bool:
		histogram(g, v)
	case !g.sort(v):
		g.throughGo(v)
	}
}

// histogram counts lane by lane in memory. One that is masked off, or no bin's, is counted in a cell behind the bins.
// AVX2 counts a block where it is made; with AVX-512 that waits for the block's store, and all places come first.
func histogram(g *operations, v *ir.Value) {
	x, bins := v.Args[0], int64(v.Type.Shape.Len())
	counts, places := g.NewBuffer(ir.Tile(dtype.Int32, int(bins)+1)), ir.Type{D: dtype.Uint32, Shape: x.Type.Shape}
	zeros := g.NewNest(counts.Shape)
	zeros.Run(func() { zeros.Write(counts, affine.Identity(counts.Shape), lane.Const(dtype.Int32, 0)) })
	count := func(_ gather.Lane, at lir.Reg) {
		g.Use(asm.ADD, lir.FrameIndex(at, 4, counts.Off).Sized(4), lir.Imm(1))
	}
	n, m, u := g.NewNest(x.Type.Shape), affine.Identity(x.Type.Shape), dtype.Uint32
	none, mask := lane.Const(u, uint64(bins)), (*ir.Value)(nil)
	if v.Flags&ir.Masked != 0 {
		mask = v.Args[1]
	}
	block := func() lane.Lanes {
		at := n.Eval(x, m)
		if lane.Wide(at.D) {
			at = at.RawInt()
			at = g.Cast(u, g.Prim(op.Minimum, at.D, at, lane.Const(at.D, uint64(bins))))
		} else {
			at = g.Prim(op.Minimum, u, g.Cast(dtype.Int32, at).As(u), none)
		}
		if on, some := n.LoadMask(mask, m); some {
			at = g.Blend(on, at, none)
		}
		return at
	}
	if g.EVEX {
		b := g.NewBuffer(places)
		n.Run(func() { n.Write(b, m, block()) })
		gather.Rounds(g.Builder, x.Type.Shape.Len(), func(first gather.Lane, lanes int) { gather.Each(g.Builder, first, lanes, b.Off, count) })
	} else {
		if mask != nil {
			n.Atoms = n.MaskLimits(mask, m)
		}
		off, lanes := g.Alloc(4*g.Lanes), min(g.Lanes, x.Type.Shape.Len())
		n.Run(func() {
			at := block()
			if n.Tail != nil {
				at = g.Blend(*n.Tail, at, none)
			}
			g.Store(at, lir.Frame(off), nil)
			gather.Each(g.Builder, gather.Lane{}, lanes, off, count)
		})
	}
	counts.Shape = v.Type.Shape
	g.Tiles[v] = counts
}

// sort reports whether rows of v are sorted by code.
func (g *operations) sort(v *ir.Value) bool {
	x := v.Args[0].Type
	sorts := v.Op == op.Sort || v.Op == op.ArgSort || v.Op == op.TopK
	if !sorts || x.D == dtype.Bool {
		return false
	}
	n := x.Shape.D[x.Shape.N-1]
	s := order.Sorter{
		Builder: g.Builder, D: lane.CellType(x.D), N: n, Keep: n, Rows: x.Shape.Len() / n, Width: 8, Where: -1,
		Descending: v.Op == op.TopK || v.Flags&ir.Descending != 0, Values: v.Op == op.Sort,
	}
	switch v.Op {
	case op.Sort:
		s.Width = lane.CellSize(x.D)
	case op.TopK:
		s.Keep = v.Index
	}
	if !s.Sorts() {
		return false
	}
	s.In = g.Whole(v.Args[0]).Off
	out := g.resultBuffers(v)
	if s.Out = out[0].Off; len(out) > 1 {
		s.Where = out[1].Off
	}
	s.Write()
	return true
}
