package nest

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A buffer is scratch memory for a tile.
type Buffer struct {
	Off    int // of the first element, in the frame
	D      dtype.DType
	Shape  ir.Shape
	Stride [ir.MaxRank]int // in elements; it is dense, row-major, or a view of one that is
	Cell   int             // bytes per element
	Atoms  []affine.Atom   // it holds the elements inside these limits; the others are padding
}

// Dense reports whether the elements lie in row-major order.
func (b *Buffer) Dense() bool { return b.Shape.IsDense(ir.Shape{D: b.Stride}) }

// Holds reports whether a dense buffer's memory is that of x, which may be a view of part of it.
func (b *Buffer) Holds(x *Buffer) bool {
	return b.Off <= x.Off && x.Off < b.Off+b.Cell*b.Shape.Len()
}

func (g *memory) NewBuffer(t ir.Type) *Buffer {
	cell := lane.CellSize(t.D)
	return &Buffer{Off: g.Alloc(cell * t.Shape.Len()), D: t.D, Shape: t.Shape, Stride: t.Shape.Dense().D, Cell: cell}
}

// Part is the memory of the elements of b that begin at an index of an axis, as a tile
// of some shape, which may have fewer dimensions.
func (b *Buffer) Part(axis, at int, shape ir.Shape) *Buffer {
	z := *b
	z.Off += at * b.Stride[axis] * b.Cell
	z.Shape = shape
	return &z
}
