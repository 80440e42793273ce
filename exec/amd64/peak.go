package amd64

import (
	"time"

	"github.com/tiler-go/tiler/exec/amd64/asm"
)

// A Peak measures how many floating-point operations a core does at most: fused
// multiply-adds between registers, enough of them under way to fill the units.
type Peak struct {
	frame
	p     *piece
	flops float64 // per call
}

// peakSteps is how often a call repeats its chains: about 20 microseconds.
const peakSteps = 5000

// NewPeak is a measurement for float32 in AVX-512 or AVX2 registers.
func NewPeak(avx512 bool) (*Peak, error) {
	const chains = 12
	g := bareGen(avx512, true)
	acc := make([]reg, chains)
	for i := range acc {
		acc[i] = g.newVec()
		g.zeroVec(acc[i])
	}
	x := g.newVec()
	g.zeroVec(x)
	n := g.newInt(peakSteps)
	top := g.newLabel()
	l := g.beginLoop()
	g.bind(top)
	for range 4 {
		for _, a := range acc {
			g.rmw(asm.VFMADD231PS, g.v(a), g.v(x), g.v(x))
		}
	}
	g.rmw(asm.SUB, g.r64(n), imm(1))
	g.jump(asm.JNE, top)
	g.endLoop(l)
	for _, a := range acc {
		g.use(asm.VMOVUPS, frameAt(0), g.v(a))
	}
	g.add(inst{kind: leave})
	p, err := g.piece(false)
	if err != nil {
		return nil, err
	}
	return &Peak{p: p, frame: newFrame(p.frame), flops: 2 * 4 * chains * peakSteps * float64(g.wide) / 4}, nil
}

// Measure runs for about as long as asked and gives operations per second.
func (p *Peak) Measure(d time.Duration) float64 {
	start := time.Now()
	calls := 0.0
	for time.Since(start) < d {
		p.call(p.p)
		calls++
	}
	return calls * p.flops / time.Since(start).Seconds()
}
