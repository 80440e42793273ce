package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/gather"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
)

// Tiles that lie in memory, as a nest reads and writes them.

// loadStrided is a load whose lanes lie a stride apart, which is not one element.
func (n *cursor) loadStrided(a *access, row lir.Arg, step lane.Stride, mask *lane.Lanes) lane.Lanes {
	g, size := n.g, int64(a.d.Size())
	at := n.blockStart(row, step)
	switch elements := int(step.N / size); {
	case step.N == -size:
		return g.LoadBackwards(a.d, int(size), at, mask)
	case mask != nil && (step.R != 0 || !gather.MayMaskApart(g.Builder, int(size), elements)):
	case step.R == 0 && size >= 4 && gather.MayGather(step.N):
		return gather.Apart(g.Builder, a.d, at, elements, mask)
	case step.R == 0 && gather.MaySpread(g.Builder, int(size), elements):
		return gather.Spread(g.Builder, a.d, at, elements)
	case size == 4:
		return gather.Single(g.Builder, a.d, at, step)
	}
	return g.LoadOneByOne(a.d, at, size, step, mask)
}

// blockStart is where the block at hand begins.
func (n *cursor) blockStart(row lir.Arg, step lane.Stride) lir.Arg {
	g := n.g
	j := n.index[n.inner()]
	if n.off != 0 {
		j = g.BinInt(asm.ADD, j, lir.Imm(int64(n.off)))
	}
	return lir.Mem(g.PlusStride(row.Base(), j, step), 0)
}

// read is the lanes of a kept tile in the block at hand; lanes outside what it holds
// are anything.
func (n *cursor) read(b *buffer, m affine.Axes) lane.Lanes {
	g := n.g
	at, step := n.place(b, m)
	d := b.d
	switch step.N {
	case 0: // the same element in all lanes
		return g.LoadCell(d, at)
	case int64(b.cell):
		return g.Load(lane.CellType(d), at, nil).As(d)
	case -int64(b.cell):
		return g.LoadBackwards(lane.CellType(d), b.cell, n.blockStart(at, step), nil).As(d)
	}
	if n.tail == nil {
		return g.GatherCells(d, g.Multiples(int(step.N)/b.cell), n.blockStart(at, step))
	}
	return g.LoadOneByOne(lane.CellType(d), n.blockStart(at, step), int64(b.cell), step, n.tail).As(d)
}

// place is where a kept tile's lanes lie, and how far apart.
func (n *cursor) place(b *buffer, m affine.Axes) (at lir.Arg, step lane.Stride) {
	r, step := n.rowOf(b, m)
	return n.lanesAt(r, step, b.cell), step
}

// rowOf is where the row at hand of a kept tile begins, and how far its lanes lie apart.
func (n *cursor) rowOf(b *buffer, m affine.Axes) (r rowKey, step lane.Stride) {
	r.off = b.off
	for i := range b.shape.N {
		by := lane.Stride{N: int64(b.stride[i] * b.cell)}
		if m[i] >= 0 && int(m[i]) == n.inner() {
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
	case n.pinned.dim != 1<<dim:
		r.step[dim] = by
	case by.R == 0 && r.last[dim] == nil:
		r.off += n.pinned.at * int(by.N)
	default:
		r.step[dim], r.pin = by, n.pinned.at
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
		return lir.FrameIndex(n.index[n.inner()], cell, off+n.off*cell)
	}
	return lir.MemIndex(row, n.index[n.inner()], cell, off+n.off*cell)
}

// rowAt is a register with the address of a row, computed once in the outermost loop that it does not change in; 0
// for the beginning of the frame.
func (n *cursor) rowAt(r rowKey) lir.Reg {
	if row, ok := n.starts[r]; ok {
		return row
	}
	g, row := n.g, r.base
	var deps uint
	for i, by := range r.step {
		if by != (lane.Stride{}) {
			deps |= 1 << i
		}
	}
	if deps == 0 && r.off == 0 {
		return row
	}
	n.at(n.levelOf(deps), func() {
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
	z, end := n.g.CopyInt(i), n.g.SymReg(last)
	n.g.Use(asm.CMP, n.g.R64(z), n.g.R64(end))
	n.g.RMW(asm.CMOVG, n.g.R64(z), n.g.R64(end))
	return z
}

// indexOf is the index along a dimension.
func (n *cursor) indexOf(dim int) lir.Reg {
	if n.pinned.dim == 1<<dim {
		return n.g.NewInt(int64(n.pinned.at))
	}
	return n.index[dim]
}

// write puts the lanes of the block at hand into a kept tile's memory.
func (n *cursor) write(b *buffer, m affine.Axes, x lane.Lanes) {
	g := n.g
	at, step := n.place(b, m)
	x.D = lane.CellType(b.d)
	if step.N == int64(b.cell) || len(n.dims) == 0 {
		g.Store(x, at, n.tail)
		return
	}
	g.StoreOneByOne(x, n.blockStart(at, step), step, n.tail)
}
