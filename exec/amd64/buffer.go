package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A buffer is scratch memory for a tile.
type buffer struct {
	off    int // of the first element, in the frame
	d      dtype.DType
	shape  ir.Shape
	stride [ir.MaxRank]int // in elements; it is dense, row-major, or a view of one that is
	cell   int             // bytes per element
	atoms  []affine.Atom   // it holds the elements inside these limits; the others are padding
}

// dense reports whether the elements lie in row-major order.
func (b *buffer) dense() bool { return b.shape.IsDense(ir.Shape{D: b.stride}) }

// holds reports whether a dense buffer's memory is that of x, which may be a view of part of it.
func (b *buffer) holds(x *buffer) bool {
	return b.off <= x.off && x.off < b.off+b.cell*b.shape.Len()
}

func (g *memory) newBuffer(t ir.Type) *buffer {
	cell := lane.CellSize(t.D)
	return &buffer{off: g.Alloc(cell * t.Shape.Len()), d: t.D, shape: t.Shape, stride: t.Shape.Dense().D, cell: cell}
}
