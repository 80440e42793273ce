package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Reductions along an axis that is not the inner one: the partials are rows of
// memory. Scans: a row, or an element, at a time.

// rowBuffers is memory for rows of a stream, each of a length that a whole block may
// run past.
type rowBuffers struct {
	off, bytes int // of the first row; from row to row
	d          dtype.DType
}

func (g *gen) newRows(d dtype.DType, rows, length int) rowBuffers {
	bytes := (length*lane.CellSize(d)+63)&^63 + 64
	return rowBuffers{g.Alloc(rows * bytes), bytes, d}
}

// reduceRows reduces along an axis that other dimensions, larger than 1, follow.
func (g *gen) reduceRows(r *reducer, results []ir.Type) {
	x := r.in[0].Type.Shape
	size, length := x.D[r.v.Axis], 1
	for i := r.v.Axis + 1; i < x.N; i++ {
		length *= x.D[i]
	}
	held := min(partials, size)
	rows := make([]rowBuffers, len(r.types))
	for i, d := range r.types {
		rows[i] = g.newRows(d, held, length)
	}
	n := g.newNest(x)
	m := affine.Identity(x)
	level := n.levelOf(1 << r.v.Axis) // the loop along the axis is number level-1
	n.after[level-1] = func() {
		g.treeRows(r, rows, held, length)
		g.copyResults(n, r, rows, results, length)
	}
	n.run(func() {
		var block []lane.Lanes
		for _, v := range r.in {
			block = append(block, n.eval(v, m))
		}
		if r.index {
			block = append(block, n.indexLanes(r.v.Axis, level))
		}
		n.takeRow(r, rows, block)
	})
}

// takeRow combines the block at hand into its partial's row, or starts that.
func (n *nest) takeRow(r *reducer, rows []rowBuffers, block []lane.Lanes) {
	g := n.g
	i := n.index[r.v.Axis]
	p := g.BinInt(asm.AND, i, lir.Imm(partials-1))
	at := make([]lir.Arg, len(rows))
	for k, b := range rows {
		at[k] = n.inRow(b, r.v.Axis, p)
	}
	out := make([]lane.Lanes, len(block))
	for k, x := range block {
		out[k] = g.Variable(x)
	}
	start := g.NewLabel()
	g.Use(asm.CMP, g.R64(i), lir.Imm(partials))
	g.Jump(asm.JL, start)
	acc := make([]lane.Lanes, len(rows))
	for k, b := range rows {
		acc[k] = g.Load(lane.CellType(b.d), at[k], nil).As(b.d)
	}
	for k, z := range r.combine(acc, block) {
		g.Assign(out[k], z)
	}
	g.Bind(start)
	for k, b := range rows {
		g.Store(out[k].As(lane.CellType(b.d)), at[k], n.tail)
	}
}

// inRow is where the lanes at hand, of the dimensions behind an axis, lie in a row.
func (n *nest) inRow(b rowBuffers, axis int, row lir.Reg) lir.Arg {
	g := n.g
	cell := lane.CellSize(b.d)
	base := g.NewReg(lir.GPR)
	g.Def(asm.IMUL, g.R64(base), g.R64(row), lir.Imm(int64(b.bytes)))
	at := g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(at), lir.FrameIndex(base, 1, b.off))
	st := denseStrides(n.shape)
	for _, d := range n.dims {
		if d > axis && d != n.inner() {
			at = g.PlusStride(at, n.index[d], lane.Stride{N: int64(st[d] * cell)})
		}
	}
	return lir.MemIndex(at, n.index[n.inner()], cell, n.off*cell)
}

// overRow runs f for every block of a row: at gives the block's place in a buffer's
// row.
func (g *gen) overRow(length int, f func(at func(b rowBuffers, row int) lir.Arg)) {
	g.UpTo(length, g.Lanes, func(j lir.Reg) {
		f(func(b rowBuffers, row int) lir.Arg {
			return lir.FrameIndex(j, lane.CellSize(b.d), b.off+row*b.bytes)
		})
	})
}

// treeRows combines the partials' rows pairwise; row 0 is the result.
func (g *gen) treeRows(r *reducer, rows []rowBuffers, held, length int) {
	load := func(b rowBuffers, at lir.Arg) lane.Lanes { return g.Load(lane.CellType(b.d), at, nil).As(b.d) }
	for d := partials / 2; d > 0; d /= 2 {
		if held <= d {
			continue
		}
		for p := range held - d {
			g.overRow(length, func(at func(b rowBuffers, row int) lir.Arg) {
				var x, y []lane.Lanes
				for _, b := range rows {
					x, y = append(x, load(b, at(b, p))), append(y, load(b, at(b, p+d)))
				}
				for k, z := range r.combine(x, y) {
					g.Store(z.As(lane.CellType(rows[k].d)), at(rows[k], p), nil)
				}
			})
		}
		held = d
	}
}

// copyResults copies row 0 of each stream to its result, behind the results of the
// outer loops' indices before.
func (g *gen) copyResults(n *nest, r *reducer, rows []rowBuffers, results []ir.Type, length int) {
	for i, t := range results {
		if (r.v.Op == op.ArgMax || r.v.Op == op.ArgMin) && i == 0 {
			continue
		}
		out := g.resultBuffer(r.v, i, t)
		m := n.dropped(r.v.Axis)
		for k := r.v.Axis; k < out.shape.N; k++ {
			m[k] = -1 // the row itself
		}
		to := n.cellOf(out, m)
		b := rows[i]
		g.UpTo(length, g.Lanes, func(j lir.Reg) {
			x := g.Load(lane.CellType(b.d), lir.FrameIndex(j, lane.CellSize(b.d), b.off), nil)
			g.Store(x, lir.MemIndex(to.Base(), j, lane.CellSize(b.d), 0), nil)
		})
	}
}

// scanning translates a scan: its operands lie in memory, and so does its result.
func (g *gen) scanning(v *ir.Value) {
	in := make([]*buffer, len(v.Args))
	out := make([]*buffer, len(v.Args))
	for i, a := range v.Args {
		in[i] = g.whole(a)
		out[i] = g.newBuffer(a.Type)
		for _, u := range g.resultValues(v, i) {
			g.tiles[u] = out[i]
		}
	}
	d := v.Args[0].Type.D
	combine := func(prev, cur []lane.Lanes) []lane.Lanes {
		return []lane.Lanes{g.Elementwise(v.Op.Row().Combine, d, prev[0], cur[0])}
	}
	if v.Op == op.Scan {
		combine = func(prev, cur []lane.Lanes) []lane.Lanes {
			return g.lanesOfBlock(v.Blocks[0], append(append([]lane.Lanes(nil), prev...), cur...))
		}
	}
	s := scan{g: g, in: in, out: out, combine: combine, reverse: v.Flags&ir.Reverse != 0}
	x := v.Args[0].Type.Shape
	s.outer, s.size, s.length = 1, x.D[v.Axis], 1
	for i, n := range x.D[:x.N] {
		if i < v.Axis {
			s.outer *= n
		} else if i > v.Axis {
			s.length *= n
		}
	}
	s.write()
}

// A scan is the loops of one, over outer blocks of size rows of length elements.
type scan struct {
	g                   *gen
	in, out             []*buffer
	combine             func(prev, cur []lane.Lanes) []lane.Lanes
	reverse             bool
	outer, size, length int
}

func (s *scan) write() {
	g := s.g
	block := s.size * s.length
	g.UpTo(s.outer*block, block, s.block)
}

// block scans one outer block, which begins at element o.
func (s *scan) block(o lir.Reg) {
	g := s.g
	first, step := 0, s.length
	if s.reverse {
		first, step = (s.size-1)*s.length, -s.length
	}
	at := g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(at), lir.Mem(o, first))
	if s.length == 1 {
		s.chain(at, step)
		return
	}
	s.row(at, func(j lir.Reg) []lane.Lanes { return s.load(s.in, at, j) })
	if s.size > 1 {
		left := g.NewInt(int64(s.size - 1))
		prev := g.NewReg(lir.GPR)
		again := g.NewLabel()
		inner := g.BeginLoop()
		g.Bind(again)
		g.Move64(prev, at)
		g.RMW(asm.ADD, g.R64(at), lir.Imm(int64(step)))
		before := g.Here()
		s.row(at, func(j lir.Reg) []lane.Lanes { return s.combine(s.load(s.out, prev, j), s.load(s.in, at, j)) })
		later := g.SpendRound(g.WorkSince(before), s.size)
		g.RMW(asm.SUB, g.R64(left), lir.Imm(1))
		g.Jump(asm.JNE, again)
		g.EndLoop(inner)
		g.Spent(later)
	}
}

// chain scans rows of one element, the first of which is at: what comes before stays in
// registers, because waiting for memory takes longer.
func (s *scan) chain(at lir.Reg, step int) {
	g := s.g
	one := g.NewMask()
	g.SetFirstLanes(one, g.NewInt(1))
	load := func() (x []lane.Lanes) {
		for _, b := range s.in {
			x = append(x, g.LoadCell(b.d, lir.FrameIndex(at, b.cell, b.off)))
		}
		return x
	}
	store := func(x []lane.Lanes) {
		for i, b := range s.out {
			g.StoreCell(x[i], lir.FrameIndex(at, b.cell, b.off), &one)
		}
	}
	first := load()
	store(first)
	if s.size == 1 {
		return
	}
	prev := make([]lane.Lanes, len(first))
	for i, x := range first {
		prev[i] = g.Variable(x)
	}
	left := g.NewInt(int64(s.size - 1))
	again := g.NewLabel()
	inner := g.BeginLoop()
	g.Bind(again)
	g.RMW(asm.ADD, g.R64(at), lir.Imm(int64(step)))
	before := g.Here()
	z := s.combine(prev, load())
	store(z)
	for i := range prev {
		g.Assign(prev[i], z[i])
	}
	if g.EVEX {
		g.NarrowSince(before)
	}
	later := g.SpendRound(g.WorkSince(before), s.size)
	g.RMW(asm.SUB, g.R64(left), lir.Imm(1))
	g.Jump(asm.JNE, again)
	g.EndLoop(inner)
	g.Spent(later)
}

// row writes the elements of one row, block by block; the last block is masked, for
// the rows that follow in memory may have been written.
func (s *scan) row(at lir.Reg, compute func(j lir.Reg) []lane.Lanes) {
	g := s.g
	store := func(j lir.Reg, mask *lane.Lanes) {
		for i, z := range compute(j) {
			g.Store(z.As(lane.CellType(s.out[i].d)), s.place(s.out[i], at, j), mask)
		}
	}
	full := s.length / g.Lanes * g.Lanes
	if full > 0 {
		g.UpTo(full, g.Lanes, func(j lir.Reg) { store(j, nil) })
	}
	if left := s.length - full; left > 0 {
		mask := g.NewMask()
		g.SetFirstLanes(mask, g.NewInt(int64(left)))
		store(g.NewInt(int64(full)), &mask)
	}
}

func (s *scan) load(from []*buffer, at, j lir.Reg) (z []lane.Lanes) {
	for _, b := range from {
		z = append(z, s.g.Load(lane.CellType(b.d), s.place(b, at, j), nil).As(b.d))
	}
	return z
}

// place is element at+j of a buffer.
func (s *scan) place(b *buffer, at, j lir.Reg) lir.Arg {
	base := s.g.NewReg(lir.GPR)
	s.g.Def(asm.LEA, s.g.R64(base), lir.FrameIndex(at, b.cell, b.off))
	return lir.MemIndex(base, j, b.cell, 0)
}
