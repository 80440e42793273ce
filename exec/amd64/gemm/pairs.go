package gemm

import (
	"encoding/binary"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Whole-grid products of bfloat16 by pairs or by tiles. Where an instruction of the machine
// is the faster way, a step of K is a pair: panels of B hold the two elements of a
// column side by side, and A's are read as they lie. Elsewhere operands are widened as for
// other products; the steps of a pair change places, and those of a tile make two chains.
// The chain is rounded up to whole pairs or blocks either way.

// pairSize is the memory of a pair.
const pairSize = 4

// pairsParts says how the code of a product by an instruction on pairs is made, but for
// its kernel.
func (p *Product) pairsParts(later func(*part, pieceKind, dtype.DType, int)) {
	p.pairs = true
	later(&p.packs.straight, packPairsPiece, p.m.B.D, p.t.vecs)
	later(&p.packs.turned, packTurnedPiece, p.m.B.D, p.t.vecs)
	later(&p.strips.straight, copyPiece, p.m.A.D, 0)
	later(&p.strips.turned, turnGroupsPiece, p.m.A.D, 0)
	later(&p.strips.gather, moveGatherPiece, dtype.Int16, 0)
}

// packPairsCode is packCode for pairs of rows of B: wordK of them, which lie side by side in
// panels.
func packPairsCode(at grouping) *writer {
	g := newWriter(lir.AVX512, false)
	t := g.tiling(dtype.Float32)
	var index [2]lir.Reg
	for half := range index {
		var at [64]byte
		for i := range 32 { // even places are of the first row, odd ones of the second
			binary.LittleEndian.PutUint16(at[2*i:], uint16(half*16+i/2+i%2*32))
		}
		index[half] = g.NewVec()
		g.Def(asm.VMOVUPS, g.V(index[half]), g.BytesConst(at[:]))
	}
	src, dst, ld := g.Word(wordA), g.Word(wordB), g.Word(wordLdK)
	whole := g.Word(wordCount)
	ragged := g.CopyInt(whole)
	g.RMW(asm.AND, g.R64(whole), lir.Imm(int64(-t.cols)))
	g.RMW(asm.AND, g.R64(ragged), lir.Imm(int64(t.cols-1)))
	bits, mask := g.NewReg(lir.GPR), g.NewReg(lir.Mask)
	g.Def(asm.BZHI, g.R64(bits), g.R64(g.NewInt(-1)), g.R64(ragged))
	g.Def(asm.KMOVQ, g.K(mask), g.R64(bits))
	row := func(at lir.Arg, m lir.Reg) lir.Reg {
		x := g.NewVec()
		if m == 0 {
			g.Def(asm.VMOVUPS, g.V(x), at)
		} else {
			g.Def(asm.VMOVDQU16, g.V(x), at).Masked(m, true)
		}
		return x
	}
	panel := func(p, q, m lir.Reg) {
		x, y := row(lir.Mem(p, 0), m), row(lir.MemIndex(p, ld, 1, 0), m)
		for half, ix := range index {
			z := g.NewVec()
			g.Def(asm.VMOVDQA64, g.V(z), g.V(x))
			g.RMW(asm.VPERMT2W, g.V(z), g.V(ix), g.V(y))
			g.Use(asm.VMOVUPS, lir.Mem(q, at.part*half), g.V(z))
		}
	}
	g.repeat(wordK, []int{1}, func(int) {
		g.alongPanels(src, dst, whole, ragged, 2*t.cols, t.cols, func(p, q lir.Reg) { panel(p, q, 0) }, func(p, q lir.Reg) { panel(p, q, mask) })
		g.Def(asm.LEA, g.R64(src), lir.MemIndex(src, ld, 2, 0))
		g.AddConst(dst, int64(at.row))
	})
	g.Return(0)
	return g
}

// packPairs packs columns of B for an instruction.
func (w *Worker) packPairs(s span) {
	r := w.run
	b, y := r.w.B, r.groups(s.t)
	done := 0 // pairs of each column that code packs
	switch {
	case b.Row == 2: // rows of columns side by side
		done = r.w.K / 2
		for i, n := 0, min(blockK/2, y.rows); i < done; i += n {
			w.pack(s.pack, packing{
				from: w.source(s, 2*i), step: b.Col, to: address(w.packed, y.at(i)), panel: int64(w.run.panelBytes()),
				steps: int64(min(n, done-i)), count: int64(w.cols),
			})
		}
	case b.Col == 2: // columns of pairs
		done = 2 * r.w.K / turnBytes * (turnBytes / pairSize)
		w.packTurned(s, pairSize*done)
	}
	w.packPairsLoose(done)
}

// packPairsLoose packs pairs from one on, element by element, of all columns and of those that
// make them whole panels; what lies beyond B is zeros.
func (w *Worker) packPairsLoose(from int) {
	r := w.run
	t, b, y := r.p.t, r.w.B, r.groups(r.p.t)
	arg := r.args[r.p.m.B.Form.Base].Mem
	src, first := dtype.View[uint16](arg), (int64(b.Base)-address(arg, 0))/2
	packed := w.packed.Bytes()
	for j := range roundUp(w.cols, t.cols) {
		for k := 2 * from; k < 2*r.chain; k++ {
			x := uint16(0)
			if k < r.w.K && j < w.cols {
				x = src[first+(int64(w.column+j)*b.Row+int64(k)*b.Col)/2]
			}
			at := j/t.cols*w.run.panelBytes() + y.at(k/2) + j%t.cols/turnCols*y.part + j%turnCols*pairSize + k%2*2
			binary.LittleEndian.PutUint16(packed[at:], x)
		}
	}
}

// padPanels makes what a chain of widened elements is rounded up by zeros: in panels of b.
func (w *Worker) padPanels() {
	r := w.run
	for p := range w.cut.Len() {
		step := w.cut.NR(p) * r.p.t.size
		clear(w.packed.Bytes()[p*w.run.panelBytes()+r.w.K*step:][:(r.chain-r.w.K)*step])
	}
}

// padRows makes zeros of what n rows of a copied strip lack, the first one given, that have
// count elements for so many steps.
func (w *Worker) padRows(first, n, count, steps int) {
	r := w.run
	t, size := r.p.t, r.p.t.size/r.p.perStep() // of an element in the strip
	for i := first; i < first+n; i++ {
		clear(w.strip.Bytes()[i*stripRow(t)+count*size:][:steps*t.size-count*size])
	}
}
