package multiply

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
)

// Products by pairs within one program, for the instruction: operands are made pairs in
// memory of their own first. Cells of bfloat16 hold float32 whose lower half is zeros.

// pairBytes is the memory of a pair.
const pairBytes = 4

// pairUp makes the operands pairs; k is even, and counts pairs from here on.
func (p *Product) pairUp() {
	p.K /= 2
	p.A = p.pairsAlong(p.A, p.Batches*p.M*p.K)
	p.B = p.pairsAcross(p.B, p.Batches*p.K, p.N)
}

// pairsAlong makes n pairs of neighbours.
func (p *Product) pairsAlong(src, n int) int {
	g := p.Builder
	z := g.Alloc(pairBytes * n)
	const step = 64 / 2 // bytes of pairs from a vector of cells
	g.UpTo(pairBytes*n, step, func(at lir.Reg) {
		x, even, odd, pair := g.NewVec(), g.NewVec(), g.NewVec(), g.NewVec()
		g.Def(asm.VMOVUPS, g.V(x), lir.FrameIndex(at, 2, src))
		g.Def(asm.VPSRLQ, g.V(even), g.V(x), lir.Imm(16))
		g.Def(asm.VPSRLQ, g.V(odd), g.V(x), lir.Imm(32))
		g.Def(asm.VPORD, g.V(pair), g.V(even), g.V(odd))
		g.Use(asm.VPMOVQD, lir.FrameIndex(at, 1, z), g.V(pair))
	})
	return z
}

// pairsAcross makes so many rows of n pairs from twice as many rows of n cells. What it
// writes past the end of a row is written over with the next, or slack.
func (p *Product) pairsAcross(src, rows, n int) int {
	g := p.Builder
	z := g.Alloc(pairBytes * rows * n)
	row := pairBytes * n
	from, to := g.NewReg(lir.GPR), g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(from), lir.Frame(src))
	g.Def(asm.LEA, g.R64(to), lir.Frame(z))
	g.UpTo(rows, 1, func(lir.Reg) {
		g.UpTo(row, 64, func(at lir.Reg) {
			x, even, pair := g.NewVec(), g.NewVec(), g.NewVec()
			g.Def(asm.VMOVUPS, g.V(x), lir.MemIndex(from, at, 1, 0))
			g.Def(asm.VPSRLD, g.V(even), g.V(x), lir.Imm(16))
			g.Def(asm.VPORD, g.V(pair), g.V(even), lir.MemIndex(from, at, 1, row))
			g.Use(asm.VMOVUPS, lir.MemIndex(to, at, 1, 0), g.V(pair))
		})
		g.AddConst(from, int64(2*row))
		g.AddConst(to, int64(row))
	})
	return z
}

// pairSteps is the chain by pairs, with an odd element of zeros where k is odd. It
// returns the work of that.
func (p *Product) pairSteps(acc [][]lir.Reg, pa, pb lir.Reg) (once int) {
	if p.K > 1 {
		once = p.steps(pa, pb, p.K&^1, 2, func() {
			p.stepAll(acc, pa, pb, 1)
			p.stepAll(acc, pa, pb, 0)
		})
	}
	if p.K%2 == 1 {
		p.Builder.AddZero(acc)
		p.stepAll(acc, pa, pb, 0)
	}
	return once
}
