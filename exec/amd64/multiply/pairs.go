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
	z := p.Alloc(pairBytes * n)
	const step = 64 / 2 // bytes of pairs from a vector of cells
	p.UpTo(pairBytes*n, step, func(at lir.Reg) {
		x, even, odd, pair := p.NewVec(), p.NewVec(), p.NewVec(), p.NewVec()
		p.Def(asm.VMOVUPS, p.V(x), lir.FrameIndex(at, 2, src))
		p.Def(asm.VPSRLQ, p.V(even), p.V(x), lir.Imm(16))
		p.Def(asm.VPSRLQ, p.V(odd), p.V(x), lir.Imm(32))
		p.Def(asm.VPORD, p.V(pair), p.V(even), p.V(odd))
		p.Use(asm.VPMOVQD, lir.FrameIndex(at, 1, z), p.V(pair))
	})
	return z
}

// pairsAcross makes so many rows of n pairs from twice as many rows of n cells. What it
// writes past the end of a row is written over with the next, or slack.
func (p *Product) pairsAcross(src, rows, n int) int {
	z := p.Alloc(pairBytes * rows * n)
	row := pairBytes * n
	from, to := p.NewReg(lir.GPR), p.NewReg(lir.GPR)
	p.Def(asm.LEA, p.R64(from), lir.Frame(src))
	p.Def(asm.LEA, p.R64(to), lir.Frame(z))
	p.UpTo(rows, 1, func(lir.Reg) {
		p.UpTo(row, 64, func(at lir.Reg) {
			x, even, pair := p.NewVec(), p.NewVec(), p.NewVec()
			p.Def(asm.VMOVUPS, p.V(x), lir.MemIndex(from, at, 1, 0))
			p.Def(asm.VPSRLD, p.V(even), p.V(x), lir.Imm(16))
			p.Def(asm.VPORD, p.V(pair), p.V(even), lir.MemIndex(from, at, 1, row))
			p.Use(asm.VMOVUPS, lir.MemIndex(to, at, 1, 0), p.V(pair))
		})
		p.AddConst(from, int64(2*row))
		p.AddConst(to, int64(row))
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
		p.AddZero(acc)
		p.stepAll(acc, pa, pb, 0)
	}
	return once
}
