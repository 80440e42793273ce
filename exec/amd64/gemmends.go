package amd64

import (
	"encoding/binary"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Where the chains of a product end: the kernel makes results of sums if that is rounding, or
// what steps of zeros would have added; all else is left to the epilogue (epilogue.go).

// An ending is what becomes of a finished sum: it is rounded to a type and stored as another. The
// zero value leaves it a sum.
type ending struct{ round, as dtype.DType }

func (e ending) some() bool { return e != ending{} }

// plain reports whether results are the sums as they are.
func (m *gemm) plain() bool { return m.store.Memory().Val == m.acc }

// ending is what the kernel does to make results of sums, if that can be all: sums as they are, or
// rounded to a narrow type, which may then be widened again.
func (m *gemm) ending() ending {
	v := m.store.Memory().Val
	e := ending{v.Type.D, v.Type.D}
	switch {
	case m.chain == op.Tiles:
		return ending{}
	case v == m.acc:
		return e
	case v.Op == op.Cast && e.as == m.d:
		v = v.Args[0]
		e.round = v.Type.D
	}
	if v.Op != op.Cast || v.Args[0] != m.acc || m.d != dtype.Float32 || e.round != dtype.Float16 && e.round != dtype.BFloat16 {
		return ending{}
	}
	return e
}

// zeroBits is what is added to finished sums: -0, which changes none, or +0, which
// steps of zeros would have added.
func zeroBits(d dtype.DType, zeros bool) uint64 {
	if zeros || !d.IsFloat() {
		return 0
	}
	var b [8]byte
	b[d.Size()-1] = 0x80
	return binary.LittleEndian.Uint64(b[:])
}

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
	return w.run.ends != nil && w.run.p.t.strips(rows) == rows && w.cut.start(hi) <= w.cols
}

// storeResults makes results of the sums of a register block, of type d.
func (g *gen) storeResults(acc [][]reg, d dtype.DType, e ending) {
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
			at := mem(row, v*int(g.wide)/d.Size()*e.as.Size())
			if e.round == d {
				g.storeReg(at, x, d.Size(), 0)
				continue
			}
			z := lanes{d: e.as, r: [2]reg{x, x}}
			if e.as != dtype.Float16 { // to store that rounds
				z = g.normalize(e.round, z).as(e.as)
			}
			g.storeLanes(z, at, nil)
		}
		if r < len(acc)-1 {
			g.rmw(asm.ADD, g.r64(row), g.r64(ld))
		}
	}
}
