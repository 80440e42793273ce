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
	Builder     *elementwise.Builder
	D           dtype.DType // of the chain
	M, N, K     int
	Batches     int
	Chain       dot.Chain
	Instruction bool // pairs, an even K of elements, are multiplied by the instruction for them
	A, B, C     int  // in the frame
	Fresh       bool // the chains begin with zeros, which are not in C
	rows, vecs  int  // of the register block
}

// Write writes the code.
func (p *Product) Write() {
	p.block()
	switch {
	case p.Instruction:
		p.pairUp()
		p.write()
	case p.Chain != dot.Ascending:
		p.Builder.Flushing(p.write)
	default:
		p.write()
	}
}

// block chooses the register block: with two loads of b per step and one broadcast per
// row, the more rows the better, as far as registers go.
func (p *Product) block() {
	g := p.Builder
	lanesPerReg := g.Bytes / lane.CellSize(p.D)
	p.vecs = min(2, (p.N+lanesPerReg-1)/lanesPerReg)
	p.rows = 8
	switch {
	case p.vecs == 1 && g.EVEX:
		p.rows = 12
	case !g.EVEX && p.vecs == 2:
		p.rows = 4
	}
	switch {
	case !p.D.IsFloat():
		p.rows = min(p.rows, 4)
	case p.Chain == dot.Tiles: // two chains in place of one
		p.rows = p.rows * 3 / 4
	}
}

// write runs over column blocks, and in each over row blocks.
func (p *Product) write() {
	g := p.Builder
	cell := lane.CellSize(p.D)
	perReg := g.Bytes / cell
	width := p.vecs * perReg
	batch := g.NewInt(0)
	var top int
	l := 0
	if p.Batches > 1 {
		top = g.NewLabel()
		l = g.BeginLoop()
		g.Bind(top)
	}
	for col := 0; col < p.N; col += width {
		p.column(batch, col, min(width, p.N-col))
	}
	if p.Batches > 1 {
		g.RMW(asm.ADD, g.R64(batch), lir.Imm(1))
		g.Use(asm.CMP, g.R64(batch), lir.Imm(int64(p.Batches)))
		g.Jump(asm.JL, top)
		g.EndLoop(l)
	}
}

// column is all rows of one block of columns.
func (p *Product) column(batch lir.Reg, col, width int) {
	g := p.Builder
	cell := lane.CellSize(p.D)
	a, b, c := g.NewReg(lir.GPR), g.NewReg(lir.GPR), g.NewReg(lir.GPR)
	at := func(r lir.Reg, off, elements int) {
		g.Def(asm.IMUL, g.R64(r), g.R64(batch), lir.Imm(int64(elements*cell)))
		g.Def(asm.LEA, g.R64(r), lir.FrameIndex(r, 1, off))
	}
	at(a, p.A, p.M*p.K)
	at(b, p.B+col*cell, p.K*p.N)
	at(c, p.C+col*cell, p.M*p.N)
	masks := p.masks(width)
	if full := p.M / p.rows; full > 0 {
		left := g.NewInt(int64(full))
		top := g.NewLabel()
		l := g.BeginLoop()
		g.Bind(top)
		once := p.kernel(a, b, c, p.rows, masks)
		g.AddConst(a, int64(p.rows*p.K*cell))
		g.AddConst(c, int64(p.rows*p.N*cell))
		later := g.SpendRound(once, full)
		g.RMW(asm.SUB, g.R64(left), lir.Imm(1))
		g.Jump(asm.JNE, top)
		g.EndLoop(l)
		g.Spent(later)
	}
	if rest := p.M % p.rows; rest > 0 {
		g.Spent(p.kernel(a, b, c, rest, masks))
	}
}

// masks is, for each vector of a block of columns, the mask of its columns, nil for a
// full one; as many as there are vectors.
func (p *Product) masks(width int) []*lane.Lanes {
	perReg := p.Builder.Bytes / lane.CellSize(p.D)
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
	g := p.Builder
	m := g.NewMask()
	g.SetFirstLanes(m, g.NewInt(int64(w)))
	if !g.EVEX && lane.Wide(p.D) {
		h := g.MaskHalves(m, p.D)
		m.R[0] = h[0]
	}
	return m
}

// kernel adds k steps to rows × len(masks) registers of c. It returns the work of that.
func (p *Product) kernel(a, b, c lir.Reg, rows int, masks []*lane.Lanes) (once int) {
	g := p.Builder
	acc := g.NewBlock(rows, len(masks))
	pa, pb := g.CopyInt(a), g.CopyInt(b)
	if p.Chain == dot.Tiles {
		return p.tileChain(acc, pa, pb, c, masks)
	}
	if p.Fresh {
		g.ZeroBlock(acc)
	} else {
		p.eachSum(acc, c, masks, g.LoadReg)
	}
	if p.Chain == dot.Pairs && !p.Instruction {
		once = p.pairSteps(acc, pa, pb)
	} else {
		once = p.steps(pa, pb, p.K, 1, func() { p.stepAll(acc, pa, pb, 0) })
	}
	p.eachSum(acc, c, masks, func(x lir.Reg, at lir.Arg, size int, mask lir.Reg) { g.StoreReg(at, x, size, mask) })
	return once
}

// eachSum runs f for every register of sums, where it lies in c, and the mask of its columns.
func (p *Product) eachSum(acc [][]lir.Reg, c lir.Reg, masks []*lane.Lanes, f func(x lir.Reg, at lir.Arg, size int, mask lir.Reg)) {
	cell := lane.CellSize(p.D)
	for r := range acc {
		for v, m := range masks {
			f(acc[r][v], lir.Mem(c, r*p.N*cell+v*p.Builder.Bytes), cell, p.Builder.MaskReg(m))
		}
	}
}

// steps runs f for groups of n of k elements of the chain, and moves on by each. It
// returns the work of that.
func (p *Product) steps(pa, pb lir.Reg, k, n int, f func()) int {
	g := p.Builder
	cell := lane.CellSize(p.D)
	end := g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(end), lir.Mem(pa, k*cell))
	top := g.NewLabel()
	l := g.BeginLoop()
	g.Bind(top)
	before := g.Here()
	f()
	once := g.WorkSince(before)
	g.RMW(asm.ADD, g.R64(pa), lir.Imm(int64(n*cell)))
	g.AddConst(pb, int64(n*p.N*cell))
	g.Use(asm.CMP, g.R64(pa), g.R64(end))
	g.Jump(asm.JL, top)
	g.EndLoop(l)
	return once * k / n
}

// stepAll is the step of all rows for the element that lies k after those pointed to.
func (p *Product) stepAll(acc [][]lir.Reg, pa, pb lir.Reg, k int) {
	g := p.Builder
	cell := lane.CellSize(p.D)
	bs := make([]lir.Reg, len(acc[0]))
	for v := range bs {
		bs[v] = g.NewVec()
		g.Def(asm.VMOVUPS, g.V(bs[v]), lir.Mem(pb, k*p.N*cell+v*g.Bytes))
	}
	for r := range acc {
		p.step(acc[r], bs, lir.Mem(pa, (r*p.K+k)*cell))
	}
}

// step adds one element of a, times a vector of b each, to a row of registers.
func (p *Product) step(acc, bs []lir.Reg, at lir.Arg) {
	g := p.Builder
	x := g.NewVec()
	g.Def(lane.ByWidth(p.D, asm.VPBROADCASTD, asm.VPBROADCASTQ), g.V(x), at)
	for v := range acc {
		switch {
		case p.Instruction:
			g.RMW(asm.VDPBF16PS, g.V(acc[v]), g.V(x), g.V(bs[v]))
		case p.D.IsFloat():
			g.RMW(lane.ByWidth(p.D, asm.VFMADD231PS, asm.VFMADD231PD), g.V(acc[v]), g.V(x), g.V(bs[v]))
		case !lane.Wide(p.D):
			t := g.NewVec()
			g.Def(asm.VPMULLD, g.V(t), g.V(x), g.V(bs[v]))
			g.RMW(asm.VPADDD, g.V(acc[v]), g.V(acc[v]), g.V(t))
		default:
			xs, ys := lane.Lanes{D: p.D, R: [2]lir.Reg{x, x}}, lane.Lanes{D: p.D, R: [2]lir.Reg{bs[v], bs[v]}}
			t := g.MulInt(p.D, xs, ys)
			g.RMW(asm.VPADDQ, g.V(acc[v]), g.V(acc[v]), g.V(t.R[0]))
		}
	}
}
