package frontend

import (
	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// shapeOf is the common shape of operands.
func (c *call) shapeOf(xs ...*ir.Value) (s ir.Shape, ok bool) {
	s, wrong := emit.Shape(xs...)
	return s, c.holds(wrong)
}

// checkSize reports a tile that is too large.
func (c *call) checkSize(d dtype.DType, s ir.Shape) bool {
	return c.holds(ir.Type{D: d, Shape: s}.Check())
}
