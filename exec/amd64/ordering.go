package amd64

import (
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/order"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// ordering translates a gather, a histogram or a sort. What has no code is left to Go.
func (g *gen) ordering(v *ir.Value) {
	if v.Op == op.Gather {
		g.gather(v)
		return
	}
	if !g.sort(v) {
		g.throughGo(v)
	}
}

// sort reports whether rows of v are sorted by code.
func (g *gen) sort(v *ir.Value) bool {
	x := v.Args[0].Type
	n := x.Shape.D[x.Shape.N-1]
	if v.Op != op.Sort && v.Op != op.ArgSort && v.Op != op.TopK || lane.Wide(x.D) || x.D == dtype.Bool || n < 2 || n > order.Longest {
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
