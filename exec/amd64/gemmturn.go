package amd64

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Operands of products whose elements lie side by side along the other dimension than the
// one that the kernel wants: columns of b are turned in registers.

// lanes is how many elements of the chain a register has.
func (t tiling) lanes() int { return t.cols / t.vecs }

// turnCode writes columns of b, each of which has its elements side by side, into a
// panel, as many as a register has lanes: gemmK blocks of as many steps. They begin gemmA bytes
// after the places at gemmRows; gemmStepB is the bytes from step to step in the panel.
func turnCode(from, d dtype.DType, avx512 bool) *gen {
	g := bareGen(avx512, false)
	off, dst, step := g.word(gemmA), g.word(gemmB), g.word(gemmStepB)
	g.repeat(gemmK, []int{1}, func(int) {
		r := make([]reg, int(g.wide)/d.Size())
		for i := range r {
			r[i] = g.loadAs(d, from, memIndex(g.word(gemmRows+8*i), off, 1, 0))
		}
		for _, x := range g.turnSquare(r, d.Size()) {
			g.use(asm.VMOVUPS, mem(dst, 0), g.v(x))
			g.rmw(asm.ADD, g.r64(dst), g.r64(step))
		}
		g.addConst(off, int64(len(r)*from.Size()))
	})
	g.add(inst{kind: leave})
	return g
}

// loadAs is a register of elements, widened to d.
func (g *gen) loadAs(d, from dtype.DType, at arg) reg {
	if from != d {
		return g.cast(d, g.loadLanes(from, at, nil)).r[0]
	}
	r := g.newVec()
	g.def(asm.VMOVUPS, g.v(r), at)
	return r
}

// turnPanels packs columns of b from src on, each with its elements side by side, so many
// steps of them: at least as many as a register has lanes. The last block is turned once
// more with steps before it, if it is not whole; and a column that a panel lacks is the last one
// again.
func (w *productWorker) turnPanels(src int64, cols, steps int) {
	r, y := w.run, w.cut
	ld, size := r.w.b.row, r.p.m.b.d.Size()
	for p := range y.panels() {
		t := y.of(p)
		n := t.lanes()
		w.set(gemmStepB, int64(t.cols*t.size))
		turn := func(k, j, blocks int) {
			w.set(gemmA, int64(k*size))
			w.set(gemmB, address(w.packed, p*w.panelBytes()+(k*t.cols+j)*t.size))
			w.set(gemmK, int64(blocks))
			w.call(r.turn)
		}
		for j := 0; j < t.cols; j += n {
			for i := range n {
				w.set(gemmRows+8*i, src+int64(min(y.start(p)+j+i, cols-1))*ld)
			}
			for k := 0; k < steps/n*n; k += blockK {
				turn(k, j, min(blockK, steps-k)/n)
			}
			if steps%n > 0 {
				turn(steps-n, j, 1)
			}
		}
	}
}
