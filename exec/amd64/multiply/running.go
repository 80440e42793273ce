package multiply

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dot"
)

// Prefix sums are written as products with a triangle of ones: row m of such a product adds up rows 0 ... m of b, which
// takes an addition for each element, where a product takes as many as b has rows.
//
// The bits are the same where all elements are finite. A chain begins with +0, and no sum that begins with +0 is -0;
// what the zeros of the triangle add is ±0, which then changes nothing. Where an element is not finite, 0 times it is
// NaN, and neither is any sum behind it finite, so that the last row tells: the product is computed then.

// notEqual is the predicate of comparisons that holds for NaN, too.
const notEqual = 4

// MayRun reports whether the product is one whose a may be such a triangle.
func (p *Product) MayRun() bool {
	plain := p.D.IsFloat() && !lane.Wide(p.D) && p.Chain == dot.Ascending && !p.Instruction
	return plain && p.Fresh && p.Batches == 1 && p.M == p.K
}

// WriteRunning is Write of a product whose a is the triangle.
func (p *Product) WriteRunning() {
	g := p.Builder
	const most = 4 // vectors at once
	product, done := g.NewLabel(), g.NewLabel()
	perReg := g.Bytes / lane.CellSize(p.D)
	for col := 0; col < p.N; col += most * perReg {
		p.running(col, min(most*perReg, p.N-col), product)
	}
	g.Jump(asm.JMP, done)
	g.Bind(product)
	p.Write()
	g.Bind(done)
}

// running is the sums of columns, or a jump if one is not finite.
func (p *Product) running(col, width, product int) {
	g := p.Builder
	cell := lane.CellSize(p.D)
	masks := p.masks(width)
	b, c := g.NewReg(lir.GPR), g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(b), lir.Frame(p.B+col*cell))
	g.Def(asm.LEA, g.R64(c), lir.Frame(p.C+col*cell))
	acc := g.NewBlock(1, len(masks))
	g.ZeroBlock(acc)
	left := g.NewInt(int64(p.M))
	top := g.NewLabel()
	l := g.BeginLoop()
	g.Bind(top)
	before := g.Here()
	for v, m := range masks {
		x := g.NewVec()
		g.LoadReg(x, lir.Mem(b, v*g.Bytes), cell, g.MaskReg(m))
		g.RMW(asm.VADDPS, g.V(acc[0][v]), g.V(acc[0][v]), g.V(x))
		g.StoreReg(lir.Mem(c, v*g.Bytes), acc[0][v], cell, g.MaskReg(m))
	}
	once := g.WorkSince(before)
	g.AddConst(b, int64(p.N*cell))
	g.AddConst(c, int64(p.N*cell))
	g.RMW(asm.SUB, g.R64(left), lir.Imm(1))
	g.Jump(asm.JNE, top)
	g.EndLoop(l)
	g.Spent(once * p.M)
	for _, r := range acc[0] {
		t, finite := g.NewVec(), g.NewLabel()
		g.Def(asm.VSUBPS, g.V(t), g.V(r), g.V(r)) // NaN if it is not finite
		x := lane.Lanes{D: p.D, R: [2]lir.Reg{t, t}}
		g.SkipUnlessAny(g.CompareFloat(notEqual, p.D, x, x), finite)
		g.Jump(asm.JMP, product)
		g.Bind(finite)
	}
}
