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
	const most = 4 // vectors at once
	product, done := p.NewLabel(), p.NewLabel()
	perReg := p.Bytes / lane.CellSize(p.D)
	for col := 0; col < p.N; col += most * perReg {
		p.running(col, min(most*perReg, p.N-col), product)
	}
	p.Jump(asm.JMP, done)
	p.Bind(product)
	p.Write()
	p.Bind(done)
}

// running is the sums of columns, or a jump if one is not finite.
func (p *Product) running(col, width, product int) {
	cell := lane.CellSize(p.D)
	masks := p.masks(width)
	b, c := p.NewReg(lir.GPR), p.NewReg(lir.GPR)
	p.Def(asm.LEA, p.R64(b), lir.Frame(p.B+col*cell))
	p.Def(asm.LEA, p.R64(c), lir.Frame(p.C+col*cell))
	acc := p.NewBlock(1, len(masks))
	p.ZeroBlock(acc)
	left := p.NewInt(int64(p.M))
	top := p.NewLabel()
	l := p.BeginLoop()
	p.Bind(top)
	before := p.Here()
	for v, m := range masks {
		x := p.NewVec()
		p.LoadReg(x, lir.Mem(b, v*p.Bytes), cell, p.MaskReg(m))
		p.RMW(asm.VADDPS, p.V(acc[0][v]), p.V(acc[0][v]), p.V(x))
		p.StoreReg(lir.Mem(c, v*p.Bytes), acc[0][v], cell, p.MaskReg(m))
	}
	once := p.WorkSince(before)
	p.AddConst(b, int64(p.N*cell))
	p.AddConst(c, int64(p.N*cell))
	p.RMW(asm.SUB, p.R64(left), lir.Imm(1))
	p.Jump(asm.JNE, top)
	p.EndLoop(l)
	p.Spent(once * p.M)
	for _, r := range acc[0] {
		t, finite := p.NewVec(), p.NewLabel()
		p.Def(asm.VSUBPS, p.V(t), p.V(r), p.V(r)) // NaN if it is not finite
		x := lane.Lanes{D: p.D, R: [2]lir.Reg{t, t}}
		p.SkipUnlessAny(p.CompareFloat(notEqual, p.D, x, x), finite)
		p.Jump(asm.JMP, product)
		p.Bind(finite)
	}
}
