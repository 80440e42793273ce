package amd64

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/product"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Where the chains of a product end: the kernel makes results of sums if that is rounding, or
// what steps of zeros would have added; all else is left to the epilogue.

// endParts finds the code that makes results of sums.
func (r *productPlan) endParts() bool {
	r.ends = r.p.ends.of(r.across)
	if r.p.narrow != nil {
		r.narrow.ends = r.p.narrow.ends.of(r.across)
	}
	return r.ends != nil && (r.p.narrow == nil || r.narrow.ends != nil)
}

// ends reports whether the kernel makes the results of rows × panels up to one of the block at
// hand: of whole strips, and panels that have nothing beyond the result.
func (w *productWorker) ends(rows, hi int) bool {
	return w.run.ends != nil && w.run.p.t.strips(rows) == rows && w.cut.Start(hi) <= w.cols
}

// storeResults makes results of the sums of a register block, of type d.
func (g *gen) storeResults(acc [][]reg, d dtype.DType, e product.Ending) {
	none := g.newLabel()
	g.use(asm.CMP, frameAt(gemmZeros).sized(8), imm(0))
	g.jump(asm.JE, none)
	zero := g.newVec()
	g.zeroVec(zero)
	for _, sums := range acc {
		for _, x := range sums {
			g.rmw(bothOps{asm.VADDPS, asm.VADDPD}.of(d), g.v(x), g.v(x), g.v(zero))
		}
	}
	g.bind(none)
	row, ld := g.word(gemmResult), g.word(gemmLdResult)
	for r, sums := range acc {
		for v, x := range sums {
			at := mem(row, v*int(g.wide)/d.Size()*e.As.Size())
			if e.Round == d {
				g.storeReg(at, x, d.Size(), 0)
				continue
			}
			z := lanes{d: e.As, r: [2]reg{x, x}}
			if e.As != dtype.Float16 { // to store that rounds
				z = g.normalize(e.Round, z).as(e.As)
			}
			g.storeLanes(z, at, nil)
		}
		if r < len(acc)-1 {
			g.rmw(asm.ADD, g.r64(row), g.r64(ld))
		}
	}
}
