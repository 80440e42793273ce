package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/gather"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
)

// Tiles that lie in memory, as a nest reads and writes them.

// loadStrided is a load whose lanes lie a stride apart, which is not one element.
func (n *nest) loadStrided(a *access, row lir.Arg, step lane.Stride, mask *lane.Lanes) lane.Lanes {
	g, size := n.g, int64(a.d.Size())
	at := n.blockStart(row, step)
	if step.N == -size {
		return g.LoadBackwards(a.d, int(size), at, mask)
	}
	if elements := int(step.N / size); mask == nil && step.R == 0 {
		switch {
		case size >= 4 && gather.MayGather(step.N):
			return gather.Apart(g.Builder, a.d, at, elements)
		case gather.MaySpread(g.Builder, int(size), elements):
			return gather.Spread(g.Builder, a.d, at, elements)
		}
	}
	return g.LoadOneByOne(a.d, at, size, step, mask)
}

// blockStart is where the block at hand begins.
func (n *nest) blockStart(row lir.Arg, step lane.Stride) lir.Arg {
	g := n.g
	j := n.index[n.inner()]
	if n.off != 0 {
		j = g.BinInt(asm.ADD, j, lir.Imm(int64(n.off)))
	}
	return lir.Mem(g.PlusStride(row.Base(), j, step), 0)
}

// read is the lanes of a kept tile in the block at hand; lanes outside what it holds
// are anything.
func (n *nest) read(b *buffer, m affine.Axes) lane.Lanes {
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
func (n *nest) place(b *buffer, m affine.Axes) (at lir.Arg, step lane.Stride) {
	g, st := n.g, &b.stride
	var row lir.Reg
	var deps uint
	for i := range b.shape.N {
		if m[i] >= 0 && int(m[i]) != n.inner() {
			deps |= 1 << m[i]
		}
	}
	for i := range b.shape.N {
		if m[i] >= 0 && int(m[i]) == n.inner() {
			step.N = int64(st[i] * b.cell)
		}
	}
	if deps == 0 && step.N == int64(b.cell) { // it needs no register
		return lir.FrameIndex(n.index[n.inner()], b.cell, b.off+n.off*b.cell), step
	}
	n.at(n.levelOf(deps), func() {
		row = g.NewReg(lir.GPR)
		g.Def(asm.LEA, g.R64(row), lir.Frame(b.off))
		for i := range b.shape.N {
			if m[i] >= 0 && int(m[i]) != n.inner() {
				row = g.PlusStride(row, n.index[m[i]], lane.Stride{N: int64(st[i] * b.cell)})
			}
		}
	})
	if step.N == int64(b.cell) {
		return lir.MemIndex(row, n.index[n.inner()], b.cell, n.off*b.cell), step
	}
	return lir.Mem(row, 0), step
}

// write puts the lanes of the block at hand into a kept tile's memory.
func (n *nest) write(b *buffer, m affine.Axes, x lane.Lanes) {
	g := n.g
	at, step := n.place(b, m)
	x.D = lane.CellType(b.d)
	if step.N == int64(b.cell) || len(n.dims) == 0 {
		g.Store(x, at, n.tail)
		return
	}
	g.StoreOneByOne(x, n.blockStart(at, step), step, n.tail)
}
