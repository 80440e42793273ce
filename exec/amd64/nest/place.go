package nest

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/gather"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Tiles that lie in memory, as a nest reads and writes them.

// BlockStart is where the block at hand begins.
func (n *cursor) BlockStart(row lir.Arg, step lane.Stride) lir.Arg {
	g := n.G
	j := n.Index[n.Inner()]
	if n.Off != 0 {
		j = g.BinInt(asm.ADD, j, lir.Imm(int64(n.Off)))
	}
	return lir.Mem(g.PlusStride(row.Base(), j, step), 0)
}

// Read is the lanes of a kept tile in the block at hand; lanes outside what it holds
// are anything.
func (n *cursor) Read(b *tiles.Buffer, m affine.Axes) lane.Lanes {
	g := n.G
	at, step := n.Place(b, m)
	d := b.D
	switch step.N {
	case 0: // the same element in all lanes
		return g.LoadCell(d, at)
	case int64(b.Cell):
		return g.Load(lane.CellType(d), at, nil).As(d)
	case -int64(b.Cell):
		return g.LoadBackwards(lane.CellType(d), b.Cell, n.BlockStart(at, step), nil).As(d)
	}
	if at := n.BlockStart(at, step); gather.Near(g.Builder, b.Cell, step) { // what is behind a row is in the frame, too
		return gather.Strided(g.Builder, gather.Block{D: lane.CellType(d), At: at, Step: step}, nil, false).As(d)
	}
	if n.Tail == nil {
		return g.GatherCells(d, g.Multiples(int(step.N)/b.Cell), n.BlockStart(at, step))
	}
	return g.LoadOneByOne(lane.CellType(d), n.BlockStart(at, step), int64(b.Cell), step, n.Tail).As(d)
}

// Place is where a kept tile's lanes lie, and how far apart.
func (n *cursor) Place(b *tiles.Buffer, m affine.Axes) (at lir.Arg, step lane.Stride) {
	r, step := n.rowOf(b, m)
	return n.lanesAt(r, step, b.Cell), step
}

// rowOf is where the row at hand of a kept tile begins, and how far its lanes lie apart.
func (n *cursor) rowOf(b *tiles.Buffer, m affine.Axes) (r rowKey, step lane.Stride) {
	r.off = b.Off
	for i := range b.Shape.N {
		by := lane.Stride{N: int64(b.Stride[i] * b.Cell)}
		if m[i] >= 0 && int(m[i]) == n.Inner() {
			step = by
			continue
		}
		r.add(n, m[i], by)
	}
	return r, step
}

// A rowKey says where a row begins: so many bytes behind what a register points to, or the frame
// begins, and how far apart rows are along each dimension of the nest; at an index of the pinned
// one, if the distance along it is not known.
type rowKey struct {
	base lir.Reg
	off  int
	step [ir.MaxRank]lane.Stride
	pin  int
	last lastRows
}

// add makes rows lie apart along a dimension, if any.
func (r *rowKey) add(n *cursor, dim int8, by lane.Stride) {
	switch {
	case dim < 0:
	case n.Pinned.dim != 1<<dim:
		r.step[dim] = by
	case by.R == 0 && r.last[dim] == nil:
		r.off += n.Pinned.At * int(by.N)
	default:
		r.step[dim], r.pin = by, n.Pinned.At
	}
}

// lanesAt is where the lanes at hand of a row lie, a step apart: of cells of so many bytes if that is their step.
func (n *cursor) lanesAt(r rowKey, step lane.Stride, cell int) lir.Arg {
	off := r.off
	if step == (lane.Stride{N: int64(cell)}) || step == (lane.Stride{}) {
		r.off = 0
	}
	row, off := n.rowAt(r), off-r.off
	switch {
	case step == (lane.Stride{}) && row == 0:
		return lir.Frame(off)
	case step != (lane.Stride{N: int64(cell)}):
		return lir.Mem(row, off)
	case row == 0: // it needs no register
		return lir.FrameIndex(n.Index[n.Inner()], cell, off+n.Off*cell)
	}
	return lir.MemIndex(row, n.Index[n.Inner()], cell, off+n.Off*cell)
}

// rowAt is a register with the address of a row, computed once in the outermost loop that it does not change in; 0
// for the beginning of the frame.
func (n *cursor) rowAt(r rowKey) lir.Reg {
	if row, ok := n.starts[r]; ok {
		return row
	}
	g, row := n.G, r.base
	var deps uint
	for i, by := range r.step {
		if by != (lane.Stride{}) {
			deps |= 1 << i
		}
	}
	if deps == 0 && r.off == 0 {
		return row
	}
	n.At(n.LevelOf(deps), func() {
		if row == 0 || r.off != 0 {
			row = g.NewReg(lir.GPR)
			if r.base == 0 {
				g.Def(asm.LEA, g.R64(row), lir.Frame(r.off))
			} else {
				g.Def(asm.LEA, g.R64(row), lir.Mem(r.base, r.off))
			}
		}
		for i, by := range r.step {
			if by != (lane.Stride{}) {
				row = g.PlusStride(row, n.notBehind(n.indexOf(i), r.last[i]), by)
			}
		}
	})
	n.starts[r] = row
	return row
}

// notBehind is an index, or the last one, if there is one, if that is less.
func (n *cursor) notBehind(i lir.Reg, last *affine.Sym) lir.Reg {
	if last == nil {
		return i
	}
	z, end := n.G.CopyInt(i), n.G.SymReg(last)
	n.G.Use(asm.CMP, n.G.R64(z), n.G.R64(end))
	n.G.RMW(asm.CMOVG, n.G.R64(z), n.G.R64(end))
	return z
}

// indexOf is the index along a dimension.
func (n *cursor) indexOf(dim int) lir.Reg {
	if n.Pinned.dim == 1<<dim {
		return n.G.NewInt(int64(n.Pinned.At))
	}
	return n.Index[dim]
}

// Write puts the lanes of the block at hand into a kept tile's memory.
func (n *cursor) Write(b *tiles.Buffer, m affine.Axes, x lane.Lanes) {
	g := n.G
	at, step := n.Place(b, m)
	x.D = lane.CellType(b.D)
	if step.N == int64(b.Cell) || len(n.Dims) == 0 {
		g.Store(x, at, n.Tail)
		return
	}
	g.StoreOneByOne(x, n.BlockStart(at, step), step, n.Tail)
}

// Pick is the elements of a tile in memory at the place of the block at hand, but with
// indices of an axis.
func (n *values) Pick(b *tiles.Buffer, axis int, i lane.Lanes, m affine.Axes) lane.Lanes {
	g, u := n.G, dtype.Uint32
	at := g.Steps(g.Cast(u, i.RawInt()), b, axis)
	rest := m
	rest[axis] = -1
	for k := range b.Shape.N {
		if k != axis && m[k] >= 0 && int(m[k]) == n.Inner() {
			rest[k] = -1
			at = g.Prim(op.Add, u, at, g.Steps(n.IndexLanes(n.Inner(), n.Body()).As(u), b, k))
		}
	}
	row, _ := n.rowOf(b, rest)
	return g.GatherCells(b.D, at, lir.Mem(n.rowAt(row), 0))
}
