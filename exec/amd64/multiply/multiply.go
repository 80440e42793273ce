// Package multiply writes the product of two tiles that lie in the frame: its chains, k ascending, a few rows and
// vectors of columns at a time. All sizes are known, so the code has no edge that is not written out. It knows no IR.
package multiply

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Product is batches of matrices, dense, m rows by k, and k by n; their products are added to others.
type Product struct {
	*elementwise.Builder
	D           dtype.DType // of the chain
	M, N, K     int
	Batches     int
	Chain       dot.Chain
	Instruction bool // pairs, an even K of elements, are multiplied by the instruction for them
	A, B, C     int  // in the frame
	Fresh       bool // the chains begin with zeros, which are not in C
	// Wanted is how many first rows and columns of C anybody looks at, 0 for all of them, and how many first elements of
	// chains in ascending order are not zeros in both matrices. More rows and columns may be computed.
	Wanted     [3]lir.Reg
	rows, vecs int // of the register block
}

// Write writes the code.
func (p *Product) Write() {
	p.block()
	switch {
	case p.Instruction:
		p.pairUp()
		p.write()
	case p.Chain != dot.Ascending:
		p.Flushing(p.write)
	default:
		p.write()
	}
}

// block chooses the register block: with two loads of b per step and one broadcast per
// row, the more rows the better, as far as registers go.
func (p *Product) block() {
	lanesPerReg := p.Bytes / lane.CellSize(p.D)
	p.vecs = min(2, (p.N+lanesPerReg-1)/lanesPerReg)
	p.rows = 8
	switch {
	case p.vecs == 1 && p.EVEX:
		p.rows = 12
	case !p.EVEX && p.vecs == 2:
		p.rows = 4
	}
	switch {
	case !p.D.IsFloat():
		p.rows = min(p.rows, 4)
	case p.Chain == dot.Tiles: // two chains in place of one
		p.rows = p.rows * 3 / 4
	}
}

// write writes the code for register blocks, and for blocks of a row if only a few rows may be wanted.
func (p *Product) write() {
	if p.Wanted[0] == 0 {
		p.blocks()
		return
	}
	done := p.NewLabel()
	p.Use(asm.CMP, p.R64(p.Wanted[0]), lir.Imm(0))
	p.Jump(asm.JLE, done)
	if row, most := p.byRow(); most > 0 {
		many := p.NewLabel()
		p.Use(asm.CMP, p.R64(p.Wanted[0]), lir.Imm(int64(most)))
		p.Jump(asm.JG, many)
		row.blocks()
		p.Jump(asm.JMP, done)
		p.Bind(many)
	}
	p.blocks()
	p.Bind(done)
}

// byRow is the product in blocks of one row, and up to how many rows that is faster: as many sums as a block has take
// no longer if they are of one row, and it needs no others.
func (p *Product) byRow() (row *Product, most int) {
	perReg := p.Bytes / lane.CellSize(p.D)
	vecs := 8
	if p.Chain == dot.Tiles || !p.D.IsFloat() {
		vecs = 4
	}
	z := *p
	z.rows, z.vecs = 1, min(vecs, (p.N+perReg-1)/perReg)
	if z.vecs <= p.vecs {
		return nil, 0
	}
	return &z, min(p.rows-1, (z.vecs*p.rows-1)/(4*p.vecs))
}

// blocks runs over column blocks, and in each over row blocks.
func (p *Product) blocks() {
	cell := lane.CellSize(p.D)
	perReg := p.Bytes / cell
	width := p.vecs * perReg
	batch := p.NewInt(0)
	var top int
	l := 0
	if p.Batches > 1 {
		top = p.NewLabel()
		l = p.BeginLoop()
		p.Bind(top)
	}
	end := p.NewLabel()
	for col := 0; col < p.N; col += width {
		if p.Wanted[1] != 0 {
			p.Use(asm.CMP, p.R64(p.Wanted[1]), lir.Imm(int64(col)))
			p.Jump(asm.JLE, end)
		}
		p.column(batch, col, min(width, p.N-col))
	}
	p.Bind(end)
	if p.Batches > 1 {
		p.RMW(asm.ADD, p.R64(batch), lir.Imm(1))
		p.Use(asm.CMP, p.R64(batch), lir.Imm(int64(p.Batches)))
		p.Jump(asm.JL, top)
		p.EndLoop(l)
	}
}

// column is all rows of one block of columns.
func (p *Product) column(batch lir.Reg, col, width int) {
	cell := lane.CellSize(p.D)
	a, b, c := p.NewReg(lir.GPR), p.NewReg(lir.GPR), p.NewReg(lir.GPR)
	at := func(r lir.Reg, off, elements int) {
		p.Def(asm.IMUL, p.R64(r), p.R64(batch), lir.Imm(int64(elements*cell)))
		p.Def(asm.LEA, p.R64(r), lir.FrameIndex(r, 1, off))
	}
	at(a, p.A, p.M*p.K)
	at(b, p.B+col*cell, p.K*p.N)
	at(c, p.C+col*cell, p.M*p.N)
	masks := p.masks(width)
	full, rest := p.M/p.rows, p.M%p.rows
	left, end := p.rowsLeft(full*p.rows), p.NewLabel()
	if full > 0 {
		top := p.NewLabel()
		l := p.BeginLoop()
		p.Bind(top)
		once := p.kernel(a, b, c, p.rows, masks)
		p.AddConst(a, int64(p.rows*p.K*cell))
		p.AddConst(c, int64(p.rows*p.N*cell))
		later := p.SpendRound(once, full)
		p.RMW(asm.SUB, p.R64(left), lir.Imm(int64(p.rows)))
		p.Jump(asm.JG, top)
		p.EndLoop(l)
		p.Spent(later)
	}
	if rest > 0 {
		if full > 0 && p.Wanted[0] != 0 {
			p.Use(asm.CMP, p.R64(p.Wanted[0]), lir.Imm(int64(full*p.rows)))
			p.Jump(asm.JLE, end)
		}
		p.Spent(p.kernel(a, b, c, rest, masks))
	}
	p.Bind(end)
}

// rowsLeft is how many rows there are for a loop that is made for so many.
func (p *Product) rowsLeft(most int) lir.Reg {
	left := p.NewInt(int64(most))
	if rows := p.Wanted[0]; rows != 0 {
		p.Use(asm.CMP, p.R64(rows), p.R64(left))
		p.RMW(asm.CMOVL, p.R64(left), p.R64(rows))
	}
	return left
}

// masks is, for each vector of a block of columns, the mask of its columns, nil for a
// full one; as many as there are vectors.
func (p *Product) masks(width int) []*lane.Lanes {
	perReg := p.Bytes / lane.CellSize(p.D)
	var ms []*lane.Lanes
	for w := width; w > 0; w -= perReg {
		if w >= perReg {
			ms = append(ms, nil)
			continue
		}
		m := p.maskOf(w)
		ms = append(ms, &m)
	}
	return ms
}

// maskOf is the mask of the first w elements of one register.
func (p *Product) maskOf(w int) lane.Lanes {
	m := p.NewMask()
	p.SetFirstLanes(m, p.NewInt(int64(w)))
	if !p.EVEX && lane.Wide(p.D) {
		h := p.MaskHalves(m, p.D)
		m.R[0] = h[0]
	}
	return m
}

// kernel adds k steps to rows × len(masks) registers of c. It returns the work of that.
func (p *Product) kernel(a, b, c lir.Reg, rows int, masks []*lane.Lanes) (once int) {
	acc := p.NewBlock(rows, len(masks))
	pa, pb := p.CopyInt(a), p.CopyInt(b)
	if p.Chain == dot.Tiles {
		return p.tileChain(acc, pa, pb, c, masks)
	}
	if p.Fresh {
		p.ZeroBlock(acc)
	} else {
		p.eachSum(acc, c, masks, p.LoadReg)
	}
	if p.Chain == dot.Pairs && !p.Instruction {
		once = p.pairSteps(acc, pa, pb)
	} else {
		once = p.chain(acc, pa, pb)
	}
	p.eachSum(acc, c, masks, func(x lir.Reg, at lir.Arg, size int, mask lir.Reg) { p.StoreReg(at, x, size, mask) })
	return once
}

// chain is all steps one by one. Zeros behind those that are wanted make +0 of -0. It returns the work of that.
func (p *Product) chain(acc [][]lir.Reg, pa, pb lir.Reg) (once int) {
	k, zeros, end := p.Wanted[2], p.NewLabel(), p.NewLabel()
	if k != 0 {
		p.Use(asm.CMP, p.R64(k), lir.Imm(0))
		p.Jump(asm.JLE, zeros)
	}
	once = p.steps(pa, pb, p.K, 1, func() { p.stepAll(acc, pa, pb, 0) })
	if k != 0 {
		p.Use(asm.CMP, p.R64(k), lir.Imm(int64(p.K)))
		p.Jump(asm.JGE, end)
		p.Bind(zeros)
		p.AddZero(acc)
	}
	p.Bind(end)
	return once
}

// eachSum runs f for every register of sums, where it lies in c, and the mask of its columns.
func (p *Product) eachSum(acc [][]lir.Reg, c lir.Reg, masks []*lane.Lanes, f func(x lir.Reg, at lir.Arg, size int, mask lir.Reg)) {
	cell := lane.CellSize(p.D)
	for r := range acc {
		for v, m := range masks {
			f(acc[r][v], lir.Mem(c, r*p.N*cell+v*p.Bytes), cell, p.MaskReg(m))
		}
	}
}

// steps runs f for groups of n of k elements of the chain, and moves on by each. It
// returns the work of that.
func (p *Product) steps(pa, pb lir.Reg, k, n int, f func()) int {
	cell := lane.CellSize(p.D)
	end := p.NewReg(lir.GPR)
	if p.Wanted[2] != 0 {
		p.Def(asm.LEA, p.R64(end), lir.MemIndex(pa, p.Wanted[2], cell, 0))
	} else {
		p.Def(asm.LEA, p.R64(end), lir.Mem(pa, k*cell))
	}
	top := p.NewLabel()
	l := p.BeginLoop()
	p.Bind(top)
	before := p.Here()
	f()
	once := p.WorkSince(before)
	p.RMW(asm.ADD, p.R64(pa), lir.Imm(int64(n*cell)))
	p.AddConst(pb, int64(n*p.N*cell))
	p.Use(asm.CMP, p.R64(pa), p.R64(end))
	p.Jump(asm.JL, top)
	p.EndLoop(l)
	return once * k / n
}

// stepAll is the step of all rows for the element that lies k after those pointed to.
func (p *Product) stepAll(acc [][]lir.Reg, pa, pb lir.Reg, k int) {
	cell := lane.CellSize(p.D)
	load := func(v int) lir.Reg {
		b := p.NewVec()
		p.Def(asm.VMOVUPS, p.V(b), lir.Mem(pb, k*p.N*cell+v*p.Bytes))
		return b
	}
	if len(acc) == 1 { // there are many, each for one sum
		x := p.broadcast(lir.Mem(pa, k*cell))
		for v := range acc[0] {
			p.step(acc[0][v:v+1], []lir.Reg{load(v)}, x)
		}
		return
	}
	bs := make([]lir.Reg, len(acc[0]))
	for v := range bs {
		bs[v] = load(v)
	}
	for r := range acc {
		p.step(acc[r], bs, p.broadcast(lir.Mem(pa, (r*p.K+k)*cell)))
	}
}

// broadcast is a register of one element of a.
func (p *Product) broadcast(at lir.Arg) lir.Reg {
	x := p.NewVec()
	p.Def(lane.ByWidth(p.D, asm.VPBROADCASTD, asm.VPBROADCASTQ), p.V(x), at)
	return x
}

// step adds one element of a, in all of x, times a vector of b each, to a row of registers.
func (p *Product) step(acc, bs []lir.Reg, x lir.Reg) {
	for v := range acc {
		switch {
		case p.Instruction:
			p.RMW(asm.VDPBF16PS, p.V(acc[v]), p.V(x), p.V(bs[v]))
		case p.D.IsFloat():
			p.RMW(lane.ByWidth(p.D, asm.VFMADD231PS, asm.VFMADD231PD), p.V(acc[v]), p.V(x), p.V(bs[v]))
		case !lane.Wide(p.D):
			t := p.NewVec()
			p.Def(asm.VPMULLD, p.V(t), p.V(x), p.V(bs[v]))
			p.RMW(asm.VPADDD, p.V(acc[v]), p.V(acc[v]), p.V(t))
		default:
			xs, ys := lane.Lanes{D: p.D, R: [2]lir.Reg{x, x}}, lane.Lanes{D: p.D, R: [2]lir.Reg{bs[v], bs[v]}}
			t := p.MulInt(p.D, xs, ys)
			p.RMW(asm.VPADDQ, p.V(acc[v]), p.V(acc[v]), p.V(t.R[0]))
		}
	}
}
