package frontend

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
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
	types := make([]ir.Type, len(xs))
	for i, x := range xs {
		types[i] = x.Type
	}
	c.holds(rule.DoNotBroadcast(types...))
}

// checkSize reports a tile that is too large.
func (c *call) checkSize(d dtype.DType, s ir.Shape) bool {
	return c.holds(ir.Type{D: d, Shape: s}.Check())
}
