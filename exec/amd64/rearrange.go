package amd64

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Shape ops that are more than dimensions in another order. Their operand is put into
// memory, and what they give is often that memory, read in another way.

// rearrange translates one.
func (g *gen) rearrange(v *ir.Value) {
	switch {
	case v.Op == op.Join || v.Op == op.Cat:
		g.throughGo(v)
	case !v.Type.IsTile():
		b := g.whole(v.Args[0])
		g.setScalar(v, 0, g.loadCell(v.Type.D, frameAt(b.off+v.Index*b.cell)))
	default:
		g.tiles[v] = g.view(v)
	}
}

// view is the memory of v's operand, read as v.
func (g *gen) view(v *ir.Value) *buffer {
	b := *g.whole(v.Args[0])
	b.shape = v.Type.Shape
	switch v.Op {
	case op.Reshape:
		b.stride = denseStrides(b.shape)
	case op.Split:
		b.off += v.Index * b.cell
	case op.Flip:
		b.off += (b.shape.D[v.Axis] - 1) * b.stride[v.Axis] * b.cell
		b.stride[v.Axis] *= -1
	}
	return &b
}
