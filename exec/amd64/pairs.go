package amd64

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
)

// Products of bfloat16 by pairs, op.DotPairs. Each of its steps is a float32
// multiply-add of a processor that is told to take subnormals for zeros and to make
// none, so every tier has them: the chain goes through the odd element of a pair first.

// flushingMXCSR is a control word: no exceptions, rounding to nearest even, flush to
// zero, denormals are zeros.
const flushingMXCSR = 0x1f80 | 1<<15 | 1<<6

// flushing writes code in which float32 arithmetic knows no subnormals. Nothing in it
// may leave to Go or touch memory other than the frame.
func (g *gen) flushing(f func()) {
	saved := g.alloc(4)
	g.use(asm.STMXCSR, frameAt(saved))
	g.use(asm.LDMXCSR, g.constant(flushingMXCSR, 4))
	f()
	g.use(asm.LDMXCSR, frameAt(saved))
}

// pairSteps is the chain by pairs, with an odd element of zeros where k is odd.
func (p *product) pairSteps(acc [][]reg, pa, pb reg) {
	if p.k > 1 {
		p.steps(pa, pb, p.k&^1, 2, func() {
			p.stepAll(acc, pa, pb, 1)
			p.stepAll(acc, pa, pb, 0)
		})
	}
	if p.k%2 == 1 {
		p.g.addZero(acc)
		p.stepAll(acc, pa, pb, 0)
	}
}

// addZero is a step that multiplies zeros.
func (g *gen) addZero(acc [][]reg) {
	zero := g.newVec()
	g.zeroVec(zero)
	for _, row := range acc {
		for _, x := range row {
			g.rmw(asm.VADDPS, g.v(x), g.v(x), g.v(zero))
		}
	}
}
