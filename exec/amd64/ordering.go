package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/order"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// ordering translates a gather, a histogram or a sort. What has no code is left to Go.
func (g *gen) ordering(v *ir.Value) {
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
func histogram(g *gen, v *ir.Value) {
	x, bins := v.Args[0], int64(v.Type.Shape.Len())
	counts, places := g.newBuffer(ir.Tile(dtype.Int32, int(bins)+1)), g.Alloc(4*g.Lanes)
	zeros := g.newNest(counts.shape)
	zeros.run(func() { zeros.write(counts, affine.Identity(counts.shape), lane.Const(dtype.Int32, 0)) })
	n, m, u := g.newNest(x.Type.Shape), affine.Identity(x.Type.Shape), dtype.Uint32
	none, mask := lane.Const(u, uint64(bins)), (*ir.Value)(nil)
	if v.Flags&ir.Masked != 0 {
		mask = v.Args[1]
		n.atoms = maskLimits(n, mask, m)
	}
	n.run(func() {
		var at lane.Lanes
		if i := n.eval(x, m); lane.Wide(i.D) {
			i = i.RawInt()
			at = g.Cast(u, g.Prim(op.Minimum, i.D, i, lane.Const(i.D, uint64(bins))))
		} else {
			at = g.Prim(op.Minimum, u, g.Cast(dtype.Int32, i).As(u), none)
		}
		on, _ := n.loadMask(mask, m)
		if active := n.withTail(on); active != nil {
			at = g.Blend(*active, at, none)
		}
		g.Store(at, lir.Frame(places), nil)
		count := func(at lir.Reg) { g.Use(asm.ADD, lir.FrameIndex(at, 4, counts.off).Sized(4), lir.Imm(1)) }
		for i := 0; i < g.Lanes; i += 2 {
			two, first := g.LoadInt(lir.Frame(places+4*i)), g.NewReg(lir.GPR)
			g.Def(asm.MOV, g.R32(first), g.R32(two))
			if count(first); len(n.dims) == 0 { // a single element
				break
			}
			g.RMW(asm.SHR, g.R64(two), lir.Imm(32))
			count(two)
		}
	})
	counts.shape = v.Type.Shape
	g.tiles[v] = counts
}

// sort reports whether rows of v are sorted by code.
func (g *gen) sort(v *ir.Value) bool {
	x := v.Args[0].Type
	n := x.Shape.D[x.Shape.N-1]
	sorts := v.Op == op.Sort || v.Op == op.ArgSort || v.Op == op.TopK
	if !sorts || lane.Wide(x.D) || x.D == dtype.Bool || n < 2 || n > order.Longest {
		return false
	}
	s := order.Sorter{
		Builder: g.Builder, D: lane.CellType(x.D), N: n, Keep: n, Rows: x.Shape.Len() / n, Width: 8, Where: -1,
		Descending: v.Op == op.TopK || v.Flags&ir.Descending != 0,
	}
	switch v.Op {
	case op.Sort:
		s.Width = 4
	case op.TopK:
		s.Keep = v.Index
	}
	s.In = g.whole(v.Args[0]).off
	out := g.resultBuffers(v)
	if s.Out = out[0].off; len(out) > 1 {
		s.Where = out[1].off
	}
	s.Write()
	return true
}
