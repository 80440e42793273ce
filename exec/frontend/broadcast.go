package frontend

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// broadcasted is x repeated to a shape that it broadcasts to.
func (l *lowering) broadcasted(x *ir.Value, s ir.Shape) *ir.Value {
	if x.Type.Shape == s {
		return x
	}
	return l.emit(op.Broadcast, ir.Type{D: x.Type.D, Shape: s}, x)
}

// shapeOf is the common shape of operands.
func (c *call) shapeOf(xs ...*ir.Value) (s ir.Shape, ok bool) {
	s = xs[0].Type.Shape
	for i, x := range xs[1:] {
		z, ok := s.Broadcast(x.Type.Shape)
		if !ok {
			c.doNotBroadcast(xs[:i+2])
			return s, false
		}
		s = z
	}
	return s, c.checkSize(xs[0].Type.D, s)
}

func (c *call) doNotBroadcast(xs []*ir.Value) {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = x.Type.String()
	}
	f := c.fail("%s do not broadcast", sentence(parts)).Note("shapes are aligned at the last dimension; sizes must be equal or 1")
	a, b := xs[len(xs)-2].Type.Shape, xs[len(xs)-1].Type.Shape
	switch {
	case a.N == 1 && b.N == 1:
		f.Fix("for all pairs of the two, make one a column and one a row: x.Col() and y.Row()")
	case a.N == 1 && b.N == 2 && a.D[0] == b.D[0] || b.N == 1 && a.N == 2 && b.D[0] == a.D[0]:
		f.Fix("make the vector a column: x.Col()")
	default:
		f.Fix("give them the same shape with Reshape, ExpandDims or BroadcastTo")
	}
}

// maxTileBytes bounds one tile, as the language does.
const maxTileBytes = 1 << 30

// checkSize reports a tile that is too large.
func (c *call) checkSize(d dtype.DType, s ir.Shape) bool {
	n := 1
	for _, k := range s.D[:s.N] {
		if n > maxTileBytes/d.Size()/k {
			c.fail("a tile %s is over 1 GiB", ir.Type{D: d, Shape: s}).Fix("use smaller blocks and a larger grid")
			return false
		}
		n *= k
	}
	return true
}
