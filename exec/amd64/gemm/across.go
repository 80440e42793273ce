package gemm

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
	acrossRows = 8 // of each step in a strip; kernels with fewer leave some out
	bandStrips = 2 * rowsFetched
)

// acrossStrip is the bytes of a strip, and of what is read beyond if it is shifted.
func acrossStrip(t tiling) int { return acrossRows*(t.block+1)*t.size + 64 }

// acrossCode copies a strip, widened to d: wordK steps, wordLdK bytes apart.
func acrossCode(from, d dtype.DType, tier *lir.Tier) *writer {
	g := newWriter(tier, false)
	src, dst, ld := g.Word(wordA), g.Word(wordB), g.Word(wordLdK)
	g.repeat(wordK, []int{1}, func(int) {
		g.copyStep(from, d, lir.Mem(src, 0), lir.Mem(dst, 0))
		g.RMW(asm.ADD, g.R64(src), g.R64(ld))
		g.AddConst(dst, int64(acrossRows*d.Size()))
	})
	g.Return(0)
	return g
}

// copyStep copies a step of a strip.
func (g *writer) copyStep(from, d dtype.DType, src, dst lir.Arg) {
	wide := min(acrossRows*d.Size(), g.Bytes)
	for off := 0; off < acrossRows*d.Size(); off += wide {
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
	src, dst, left, ld := g.Word(wordNext), g.Word(wordNextTo), g.Word(wordStepsNext), g.Word(wordLdNext)
	t := g.tiling(s.d)
	const fetched = 8 // steps ahead
	step = func(i int) {
		none := g.NewLabel()
		if i == 0 {
			g.RMW(asm.SUB, g.R64(left), lir.Imm(1))
		} else {
			g.Use(asm.CMP, g.R64(left), lir.Imm(0))
		}
		g.Jump(asm.JL, none)
		const strips = bandStrips / rowsFetched
		apart := t.rows * s.from.Size()
		for off := i * strips * apart; off < (i+1)*strips*apart; off += 64 {
			g.Use(asm.PREFETCHT0, lir.MemIndex(src, ld, fetched, off).Sized(1))
		}
		for n := i * strips; n < (i+1)*strips; n++ {
			g.copyStep(s.from, s.d, lir.Mem(src, n*apart), lir.Mem(dst, n*acrossStrip(t)))
		}
		if i == rowsFetched-1 {
			g.RMW(asm.ADD, g.R64(src), g.R64(ld))
			g.AddConst(dst, int64(acrossRows*t.size))
		}
		g.Bind(none)
	}
	return step, func() {
		g.Use(asm.MOV, lir.Frame(wordNext), g.R64(src))
		g.Use(asm.MOV, lir.Frame(wordNextTo), g.R64(dst))
		g.Use(asm.MOV, lir.Frame(wordStepsNext), g.R64(left))
		g.nextRows(wordOut)
	}
}

// A band is copies of strips: of the rows from one on, and the chain from step k on.
type band struct {
	row, strips int
	k, steps    int
	copied      int // steps
	asked       int // those that the kernel has been told to copy since
	at          int // where it is in memory
}

// forgetStrips says that no strip is copied.
func (w *Worker) forgetStrips() {
	const none = -turnedRows
	w.bands = [2]band{{row: none}, {row: none, at: bandBytes(w.run.p.t)}}
}

// rowsAcross is where the kernel finds the strip of row i of a block of rows. It is told to
// copy a part of the next band.
func (w *Worker) rowsAcross(row, rows, i, k, steps int) int64 {
	r := w.run
	t := r.p.t
	b, next := &w.bands[0], &w.bands[1]
	next.copied += next.asked - max(0, int(w.Word(wordStepsNext)))
	next.asked = 0
	strip := i / t.rows % bandStrips
	if strip == 0 {
		*b, *next = *next, *b
		if b.row != row+i || b.k != k {
			*b = w.bandOf(row+i, row+rows, k, b.at)
		}
		w.copyRest(b, steps)
		switch i += bandStrips * t.rows; {
		case i < rows:
			*next = w.bandOf(row+i, row+rows, k, next.at)
		case k+steps < r.chain:
			*next = w.bandOf(row, row+rows, k+steps, next.at)
		default:
			*next = w.bandOf(row+rows, r.w.M, 0, next.at)
		}
	}
	if next.strips == bandStrips && w.shifted(next.row+(bandStrips-1)*t.rows) == 0 {
		next.asked = min((next.steps+bandStrips-1)/bandStrips, next.steps-next.copied)
	}
	w.Set(wordNext, w.acrossPlace(next.row, next.k+next.copied))
	w.Set(wordLdNext, r.w.A.Col)
	w.Set(wordNextTo, address(w.strip, next.at+next.copied*acrossRows*t.size))
	w.Set(wordStepsNext, int64(next.asked))
	w.Set(wordRowsNext, int64(t.rows))
	return address(w.strip, b.at+strip*acrossStrip(t)+w.shifted(b.row+strip*t.rows)*t.size)
}

// bandOf is a band of the rows up to an end, as far as there are any, that has not been copied.
func (w *Worker) bandOf(row, end, k, at int) band {
	t := w.run.p.t
	strips := max(0, min(bandStrips, (end-row+t.rows-1)/t.rows))
	return band{row: row, strips: strips, k: k, steps: min(t.block, w.run.w.K-k), at: at}
}

// shifted is how many rows before a strip's first its copy begins, for it to end with the
// last of A.
func (w *Worker) shifted(row int) int { return max(0, row+acrossRows-w.run.w.M) }

// acrossPlace is where a has a row at step k.
func (w *Worker) acrossPlace(row, k int) int64 {
	a := w.run.w.A
	return int64(a.Base) + int64(row)*a.Row + int64(k)*a.Col
}

// copyRest copies what the kernel has not copied of a band, and makes zeros of steps that it
// lacks.
func (w *Worker) copyRest(b *band, steps int) {
	t, step := w.run.p.t, acrossRows*w.run.p.t.size
	for s := range b.strips {
		row, at := b.row+s*t.rows, b.at+s*acrossStrip(t)
		if b.copied < b.steps {
			w.copy(w.run.strip, copying{
				from: w.acrossPlace(row-w.shifted(row), b.k+b.copied), step: w.run.w.A.Col,
				to: address(w.strip, at+b.copied*step), elements: int64(b.steps - b.copied),
			})
		}
		clear(w.strip.Bytes()[at+b.steps*step : at+steps*step])
	}
	b.copied = b.steps
}
