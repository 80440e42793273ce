package amd64

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Products by pairs within one program, for the instruction: operands are made pairs in
// memory of their own first. Cells of bfloat16 hold float32 whose lower half is zeros.

// pairUp makes the operands pairs; k is even, and counts pairs from here on.
func (p *blockDot) pairUp() {
	p.instruction = true
	p.k /= 2
	p.a = p.g.pairsAlong(p.a, p.batches*p.m*p.k)
	p.b = p.g.pairsAcross(p.b, p.batches*p.k, p.n)
}

func (g *gen) pairBuffer(n int) *buffer {
	return g.newBuffer(ir.Type{D: dtype.Uint32, Shape: ir.ShapeOf(n)})
}

// pairsAlong makes n pairs of neighbours.
func (g *gen) pairsAlong(src *buffer, n int) *buffer {
	z := g.pairBuffer(n)
	const step = 64 / 2 // bytes of pairs from a vector of cells
	g.upTo(pairBytes*n, step, func(at reg) {
		x, even, odd, pair := g.newVec(), g.newVec(), g.newVec(), g.newVec()
		g.def(asm.VMOVUPS, g.v(x), frameIndex(at, 2, src.off))
		g.def(asm.VPSRLQ, g.v(even), g.v(x), imm(16))
		g.def(asm.VPSRLQ, g.v(odd), g.v(x), imm(32))
		g.def(asm.VPORD, g.v(pair), g.v(even), g.v(odd))
		g.use(asm.VPMOVQD, frameIndex(at, 1, z.off), g.v(pair))
	})
	return z
}

// pairsAcross makes so many rows of n pairs from twice as many rows of n cells. What it
// writes past the end of a row is written over with the next, or slack.
func (g *gen) pairsAcross(src *buffer, rows, n int) *buffer {
	z := g.pairBuffer(rows * n)
	row := pairBytes * n
	from, to := g.newReg(gpr), g.newReg(gpr)
	g.def(asm.LEA, g.r64(from), frameAt(src.off))
	g.def(asm.LEA, g.r64(to), frameAt(z.off))
	g.upTo(rows, 1, func(reg) {
		g.upTo(row, 64, func(at reg) {
			x, even, pair := g.newVec(), g.newVec(), g.newVec()
			g.def(asm.VMOVUPS, g.v(x), memIndex(from, at, 1, 0))
			g.def(asm.VPSRLD, g.v(even), g.v(x), imm(16))
			g.def(asm.VPORD, g.v(pair), g.v(even), memIndex(from, at, 1, row))
			g.use(asm.VMOVUPS, memIndex(to, at, 1, 0), g.v(pair))
		})
		g.addConst(from, int64(2*row))
		g.addConst(to, int64(row))
	})
	return z
}
