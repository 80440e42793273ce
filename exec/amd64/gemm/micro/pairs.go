package micro

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

// PairSize is the memory of a pair.
const PairSize = 4

// packPairsCode is packCode for pairs of rows of B: WordK of them, which lie side by side in
// panels.
func packPairsCode(at Grouping) *writer {
	g := newWriter(lir.AVX512, false)
	t := TilingOf(lir.AVX512, dtype.Float32)
	var index [2]lir.Reg
	for half := range index {
		var at [64]byte
		for i := range 32 { // even places are of the first row, odd ones of the second
			binary.LittleEndian.PutUint16(at[2*i:], uint16(half*16+i/2+i%2*32))
		}
		index[half] = g.NewVec()
		g.Def(asm.VMOVUPS, g.V(index[half]), g.BytesConst(at[:]))
	}
	src, dst, ld := g.Word(WordA), g.Word(WordB), g.Word(WordLdK)
	whole := g.Word(WordCount)
	ragged := g.CopyInt(whole)
	g.RMW(asm.AND, g.R64(whole), lir.Imm(int64(-t.Cols)))
	g.RMW(asm.AND, g.R64(ragged), lir.Imm(int64(t.Cols-1)))
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
			g.Use(asm.VMOVUPS, lir.Mem(q, at.Part*half), g.V(z))
		}
	}
	g.repeat(WordK, []int{1}, func(int) {
		g.alongPanels(src, dst, whole, ragged, 2*t.Cols, t.Cols, func(p, q lir.Reg) { panel(p, q, 0) }, func(p, q lir.Reg) { panel(p, q, mask) })
		g.Def(asm.LEA, g.R64(src), lir.MemIndex(src, ld, 2, 0))
		g.AddConst(dst, int64(at.row))
	})
	g.Return(0)
	return g
}
