package multiply

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dot"
)

// Products by tiles within one program. The two chains of a block are in registers, what
// their sums are added to is in memory.

// tileChain is all blocks of the chain: even is the registers of its even elements. It
// returns the work of that.
func (p *Product) tileChain(even [][]lir.Reg, pa, pb, c lir.Reg, masks []*lane.Lanes) (once int) {
	g := p.Builder
	odd := g.NewBlock(len(even), len(masks))
	if full := p.K / dot.TileSteps; full > 0 {
		left := g.NewInt(int64(full))
		top := g.NewLabel()
		l := g.BeginLoop()
		g.Bind(top)
		once = full * p.tileBlock(even, odd, pa, pb, c, masks, dot.TileSteps)
		g.RMW(asm.SUB, g.R64(left), lir.Imm(1))
		g.Jump(asm.JNE, top)
		g.EndLoop(l)
	}
	if rest := p.K % dot.TileSteps; rest > 0 {
		once += p.tileBlock(even, odd, pa, pb, c, masks, rest)
	}
	return once
}

// tileBlock is a block of k elements; those that it lacks are zeros.
func (p *Product) tileBlock(even, odd [][]lir.Reg, pa, pb, c lir.Reg, masks []*lane.Lanes, k int) (once int) {
	g := p.Builder
	g.ZeroBlock(even)
	g.ZeroBlock(odd)
	if k > 1 {
		once = p.steps(pa, pb, k&^1, 2, func() {
			p.stepAll(even, pa, pb, 0)
			p.stepAll(odd, pa, pb, 1)
		})
	}
	if k%2 == 1 {
		p.stepAll(even, pa, pb, 0)
	}
	if k < dot.TileSteps-1 {
		g.AddZero(even)
	}
	if k < dot.TileSteps {
		g.AddZero(odd)
	}
	g.AddBlock(even, odd)
	p.eachSum(even, c, masks, func(x lir.Reg, at lir.Arg, size int, mask lir.Reg) {
		sum := g.NewVec()
		g.LoadReg(sum, at, size, mask)
		g.RMW(asm.VADDPS, g.V(sum), g.V(sum), g.V(x))
		g.StoreReg(at, sum, size, mask)
	})
	return once
}
