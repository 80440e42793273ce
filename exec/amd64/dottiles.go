package amd64

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Products by tiles within one program. The two chains of a block are in registers, what
// their sums are added to is in memory.

// tileChain is all blocks of the chain: even is the registers of its even elements. It
// returns the work of that.
func (p *blockDot) tileChain(even [][]reg, pa, pb, c reg, masks []*lanes) (once int) {
	g := p.g
	odd := g.newBlock(len(even), len(masks))
	if full := p.k / op.TileSteps; full > 0 {
		left := g.newInt(int64(full))
		top := g.newLabel()
		l := g.beginLoop()
		g.bind(top)
		once = full * p.tileBlock(even, odd, pa, pb, c, masks, op.TileSteps)
		g.rmw(asm.SUB, g.r64(left), imm(1))
		g.jump(asm.JNE, top)
		g.endLoop(l)
	}
	if rest := p.k % op.TileSteps; rest > 0 {
		once += p.tileBlock(even, odd, pa, pb, c, masks, rest)
	}
	return once
}

// tileBlock is a block of k elements; those that it lacks are zeros.
func (p *blockDot) tileBlock(even, odd [][]reg, pa, pb, c reg, masks []*lanes, k int) (once int) {
	g := p.g
	g.zeroBlock(even)
	g.zeroBlock(odd)
	if k > 1 {
		once = p.steps(pa, pb, k&^1, 2, func() {
			p.stepAll(even, pa, pb, 0)
			p.stepAll(odd, pa, pb, 1)
		})
	}
	if k%2 == 1 {
		p.stepAll(even, pa, pb, 0)
	}
	if k < op.TileSteps-1 {
		g.addZero(even)
	}
	if k < op.TileSteps {
		g.addZero(odd)
	}
	g.addBlock(even, odd)
	p.eachSum(even, c, masks, func(x reg, at arg, size int, mask reg) {
		sum := g.newVec()
		g.loadReg(sum, at, size, mask)
		g.rmw(asm.VADDPS, g.v(sum), g.v(sum), g.v(x))
		g.storeReg(at, sum, size, mask)
	})
	return once
}

func (g *gen) zeroBlock(acc [][]reg) {
	for _, row := range acc {
		for _, x := range row {
			g.zeroVec(x)
		}
	}
}

// addBlock adds registers of other to those of acc.
func (g *gen) addBlock(acc, other [][]reg) {
	for r, row := range acc {
		for v, x := range row {
			g.rmw(asm.VADDPS, g.v(x), g.v(x), g.v(other[r][v]))
		}
	}
}
