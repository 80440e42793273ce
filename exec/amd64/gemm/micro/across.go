package micro

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// An operand a whose rows lie side by side, not the steps of K. Strips of it are
// copied as they lie, a few rows of each step, and there is a kernel that reads them so.
// While it multiplies the strips of a band, the kernel copies the next band. A step's rows are
// in lines of their own, and lines that are a power of two apart compete for few places in
// caches: each should be used at once, and few of them pass through while a strip is multiplied.

const (
	AcrossRows = 8 // of each step in a strip; kernels with fewer leave some out
	BandStrips = 2 * rowsFetched
)

// AcrossStrip is the bytes of a strip, and of what is read beyond if it is shifted.
func AcrossStrip(t Tiling) int { return AcrossRows*(t.Block+1)*t.Size + 64 }

// acrossCode copies a strip, widened to d: WordK steps, WordLdK bytes apart.
func acrossCode(from, d dtype.DType, tier *lir.Tier) *writer {
	g := newWriter(tier, false)
	src, dst, ld := g.Word(WordA), g.Word(WordB), g.Word(WordLdK)
	g.repeat(WordK, []int{1}, func(int) {
		g.copyStep(from, d, lir.Mem(src, 0), lir.Mem(dst, 0))
		g.RMW(asm.ADD, g.R64(src), g.R64(ld))
		g.AddConst(dst, int64(AcrossRows*d.Size()))
	})
	g.Return(0)
	return g
}

// copyStep copies a step of a strip.
func (g *writer) copyStep(from, d dtype.DType, src, dst lir.Arg) {
	wide := min(AcrossRows*d.Size(), g.Bytes)
	for off := 0; off < AcrossRows*d.Size(); off += wide {
		x, at := g.NewVec(), src.Plus(off)
		switch from {
		case dtype.Float16:
			g.Def(asm.VCVTPH2PS, g.VW(x, wide), at.Sized(wide/2))
		case dtype.BFloat16:
			y := g.NewVec()
			g.Def(asm.VPMOVZXWD, g.VW(y, wide), at.Sized(wide/2))
			g.Def(asm.VPSLLD, g.VW(x, wide), g.VW(y, wide), lir.Imm(16))
		default:
			g.Def(asm.VMOVUPS, g.VW(x, wide), at)
		}
		g.Use(asm.VMOVUPS, dst.Plus(off), g.VW(x, wide))
	}
}

// copySteps is fetchRows for rows that lie side by side: in a group it copies a step of the
// next band, some strips each time, as long as steps are left.
func (g *writer) copySteps(s stepping) (step func(int), end func()) {
	src, dst, left, ld := g.Word(WordNext), g.Word(WordNextTo), g.Word(WordStepsNext), g.Word(WordLdNext)
	t := TilingOf(g.Tier, s.d)
	const fetched = 8 // steps ahead
	step = func(i int) {
		none := g.NewLabel()
		if i == 0 {
			g.RMW(asm.SUB, g.R64(left), lir.Imm(1))
		} else {
			g.Use(asm.CMP, g.R64(left), lir.Imm(0))
		}
		g.Jump(asm.JL, none)
		const strips = BandStrips / rowsFetched
		apart := t.Rows * s.from.Size()
		for off := i * strips * apart; off < (i+1)*strips*apart; off += 64 {
			g.Use(asm.PREFETCHT0, lir.MemIndex(src, ld, fetched, off).Sized(1))
		}
		for n := i * strips; n < (i+1)*strips; n++ {
			g.copyStep(s.from, s.d, lir.Mem(src, n*apart), lir.Mem(dst, n*AcrossStrip(t)))
		}
		if i == rowsFetched-1 {
			g.RMW(asm.ADD, g.R64(src), g.R64(ld))
			g.AddConst(dst, int64(AcrossRows*t.Size))
		}
		g.Bind(none)
	}
	return step, func() {
		g.Use(asm.MOV, lir.Frame(WordNext), g.R64(src))
		g.Use(asm.MOV, lir.Frame(WordNextTo), g.R64(dst))
		g.Use(asm.MOV, lir.Frame(WordStepsNext), g.R64(left))
		g.nextRows(WordOut)
	}
}
