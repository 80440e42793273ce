package cursor

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

// Reach is the first and the last index of each outer dimension that a load's mask lets through, nil if that is the
// first or the last of all. No row ahead of or behind them is reached, not even without any lanes: processors take
// hundreds of cycles for a page that is not there.
type Reach struct{ First, Last [ir.MaxRank]*affine.Sym }

// BlockStart is where the block at hand begins.
func (n *Cursor) BlockStart(row lir.Arg, step lane.Stride) lir.Arg {
	g := n.Mem
	j := n.Index[n.Inner()]
	if n.Off != 0 {
		j = g.BinInt(asm.ADD, j, lir.Imm(int64(n.Off)))
	}
	return lir.Mem(g.PlusStride(row.Base(), j, step), 0)
}

// Read is the lanes of a kept tile in the block at hand; lanes outside what it holds
// are anything.
func (n *Cursor) Read(b *tiles.Buffer, m affine.Axes) lane.Lanes {
	g := n.Mem
	at, step := n.Place(b, m)
	d := b.D
	switch step.N {
	case 0: // the same element in all lanes
		return g.LoadCell(d, at)
	case int64(b.Cell):
		return g.Load(lane.CellType(d), at, n.short()).As(d)
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

// short is the tail if rows are no longer than half a vector, nil otherwise: what lies behind a row may be read.
func (n *Cursor) short() *lane.Lanes {
	if t := n.Tail; t != nil && n.Shape.D[n.Inner()] <= n.Mem.Lanes/2 {
		return t
	}
	return nil
}

// Place is where a kept tile's lanes lie, and how far apart.
func (n *Cursor) Place(b *tiles.Buffer, m affine.Axes) (at lir.Arg, step lane.Stride) {
	r, step := n.rowOf(b, m)
	return n.LanesAt(r, step, b.Cell), step
}

// rowOf is where the row at hand of a kept tile begins, and how far its lanes lie apart.
func (n *Cursor) rowOf(b *tiles.Buffer, m affine.Axes) (r Row, step lane.Stride) {
	r.Off = b.Off
	for i := range b.Shape.N {
		by := lane.Stride{N: int64(b.Stride[i] * b.Cell)}
		if m[i] >= 0 && int(m[i]) == n.Inner() {
			step = by
			continue
		}
		r.Add(n, m[i], by)
	}
	return r, step
}

// A Row says where a row begins: so many bytes behind what a register points to, or the frame
// begins, and how far apart rows are along each dimension of the nest; at an index of the pinned
// one, if the distance along it is not known.
type Row struct {
	Base lir.Reg
	Off  int
	step [ir.MaxRank]lane.Stride
	Pin  int
	Reach
}

// add makes rows lie apart along a dimension, if any.
func (r *Row) Add(n *Cursor, dim int8, by lane.Stride) {
	switch {
	case dim < 0:
	case n.Pinned.Dim != 1<<dim:
		r.step[dim] = by
	case by.R == 0 && r.First[dim] == nil && r.Last[dim] == nil:
		r.Off += n.Pinned.At * int(by.N)
	default:
		r.step[dim], r.Pin = by, n.Pinned.At
	}
}

// LanesAt is where the lanes at hand of a row lie, a step apart: of cells of so many bytes if that is their step.
func (n *Cursor) LanesAt(r Row, step lane.Stride, cell int) lir.Arg {
	off := r.Off
	if step == (lane.Stride{N: int64(cell)}) || step == (lane.Stride{}) {
		r.Off = 0
	}
	row, off := n.RowAt(r), off-r.Off
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

// RowAt is a register with the address of a row, computed once in the outermost loop that it does not change in; 0
// for the beginning of the frame.
func (n *Cursor) RowAt(r Row) lir.Reg {
	if row, ok := n.Starts[r]; ok {
		return row
	}
	g, row := n.Mem, r.Base
	var deps uint
	for i, by := range r.step {
		if by != (lane.Stride{}) {
			deps |= 1 << i
		}
	}
	if deps == 0 && r.Off == 0 {
		return row
	}
	n.At(n.LevelOf(deps), func() {
		if row == 0 || r.Off != 0 {
			row = g.NewReg(lir.GPR)
			if r.Base == 0 {
				g.Def(asm.LEA, g.R64(row), lir.Frame(r.Off))
			} else {
				g.Def(asm.LEA, g.R64(row), lir.Mem(r.Base, r.Off))
			}
		}
		for i, by := range r.step {
			if by != (lane.Stride{}) {
				row = g.PlusStride(row, n.within(n.IndexOf(i), r.First[i], r.Last[i]), by)
			}
		}
	})
	n.Starts[r] = row
	return row
}

// within is an index, or the nearest one that is not ahead of first or behind last, as far as there are such.
func (n *Cursor) within(i lir.Reg, first, last *affine.Sym) lir.Reg {
	i = n.limited(i, first, asm.CMOVL)
	return n.limited(i, last, asm.CMOVG)
}

// limited is an index, or a limit, if there is one, on whose side it is that a conditional move names.
func (n *Cursor) limited(i lir.Reg, limit *affine.Sym, move asm.Op) lir.Reg {
	if limit == nil {
		return i
	}
	z, end := n.Mem.CopyInt(i), n.Mem.SymReg(limit)
	n.Mem.Use(asm.CMP, n.Mem.R64(z), n.Mem.R64(end))
	n.Mem.RMW(move, n.Mem.R64(z), n.Mem.R64(end))
	return z
}

// IndexOf is the index along a dimension.
func (n *Cursor) IndexOf(dim int) lir.Reg {
	if n.Pinned.Dim == 1<<dim {
		return n.Mem.NewInt(int64(n.Pinned.At))
	}
	return n.Index[dim]
}

// Write puts the lanes of the block at hand into a kept tile's memory.
func (n *Cursor) Write(b *tiles.Buffer, m affine.Axes, x lane.Lanes) {
	g := n.Mem
	at, step := n.Place(b, m)
	x.D = lane.CellType(b.D)
	if step.N == int64(b.Cell) || len(n.Dims) == 0 {
		g.Store(x, at, n.Tail)
		return
	}
	g.StoreOneByOne(x, n.BlockStart(at, step), step, n.Tail)
}

// Pick is the elements of a tile in memory at the place of the block at hand, but with
// indices of an axis, which may be known to lie side by side in most blocks.
func (n *Cursor) Pick(b *tiles.Buffer, axis int, i lane.Lanes, m affine.Axes, beside bool) lane.Lanes {
	g, u := n.Mem, dtype.Uint32
	at := g.Steps(g.Cast(u, i.RawInt()), b, axis)
	rest, inner := m, axis
	rest[axis] = -1
	for k := range b.Shape.N {
		if k != axis && m[k] >= 0 && int(m[k]) == n.Inner() {
			rest[k], inner = -1, k
			at = g.Prim(op.Add, u, at, g.Steps(n.IndexLanes(n.Inner(), n.Body()).As(u), b, k))
		}
	}
	row, _ := n.rowOf(b, rest)
	start := n.RowAt(row)
	if !beside || b.D == dtype.Bool || b.Stride[inner] != 1 {
		return g.GatherCells(b.D, at, lir.Mem(start, 0))
	}
	return n.pickBeside(b, at, start)
}

// pickBeside is cells of a tile in memory, loaded at once where they lie side by side, and gathered elsewhere.
func (n *Cursor) pickBeside(b *tiles.Buffer, at lane.Lanes, start lir.Reg) lane.Lanes {
	g, d := n.Mem, lane.CellType(b.D)
	first, from, row := g.NewReg(lir.GPR), g.NewVec(), g.NewVec()
	g.Def(asm.VPBROADCASTD, g.V(from), g.VW(g.Reg(at, 0), 16))
	g.Def(asm.VPSUBD, g.V(row), g.V(g.Reg(at, 0)), g.V(from))
	apart := g.Compare(op.Ne, at.D, lane.Lanes{D: at.D, R: [2]lir.Reg{row, row}}, g.Iota(0))
	together, done := g.NewLabel(), g.NewLabel()
	z := lane.EachHalf(d, func(int) lir.Reg { return g.NewVec() })
	if !lane.Wide(d) {
		z.R[1] = z.R[0]
	}
	g.SkipUnlessAny(apart, together)
	g.Assign(z, g.GatherCells(b.D, at, lir.Mem(start, 0)))
	g.Jump(asm.JMP, done)
	g.Bind(together)
	g.Def(asm.VMOVD, g.R32(first), g.VW(g.Reg(at, 0), 16))
	g.Assign(z, g.Load(d, lir.MemIndex(start, first, b.Cell, 0), nil))
	g.Bind(done)
	return z.As(b.D)
}
