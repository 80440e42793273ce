package tiles

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Buffer is scratch memory for a tile.
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

func (g *Memory) NewBuffer(t ir.Type) *Buffer {
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

// Steps is how many elements indices of a dimension are away from its first. Those of
// lanes behind a row's end, which may be anything, are made indices of the dimension.
func (g *Memory) Steps(i lane.Lanes, b *Buffer, dim int) lane.Lanes {
	i = g.Prim(op.Minimum, i.D, i, lane.Const(i.D, uint64(b.Shape.D[dim]-1)))
	if b.Stride[dim] == 1 {
		return i
	}
	return g.Prim(op.Mul, i.D, i, lane.Const(i.D, uint64(b.Stride[dim])))
}
