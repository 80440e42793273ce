package amd64

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// An operand a whose rows lie side by side, not the steps of the chain. Strips of it are
// copied as they lie, a few rows of each step, and there is a kernel that reads them so.
// While it multiplies a strip, the kernel copies the next one: a step's rows are in a line
// of their own, and lines that are a power of two apart compete for few places in caches,
// so they cannot wait there for long.

// acrossRows is how many rows of each step a strip has. Kernels with fewer leave some out.
const acrossRows = 8

// acrossStrip is the bytes of a strip, and of what is read beyond if it is shifted.
func acrossStrip(t tiling) int { return acrossRows*(t.block+1)*t.size + 64 }

// acrossCode copies a strip, widened to d: gemmK steps, gemmLdK bytes apart.
func acrossCode(from, d dtype.DType, avx512 bool) *gen {
	g := bareGen(avx512, false)
	src, dst, ld := g.word(gemmA), g.word(gemmB), g.word(gemmLdK)
	g.repeat(gemmK, []int{1}, func(int) { g.copyStep(from, d, src, dst, ld) })
	g.add(inst{kind: leave})
	return g
}

// copyStep copies a step of a strip and passes on to the next one.
func (g *gen) copyStep(from, d dtype.DType, src, dst, ld reg) {
	wide := min(acrossRows*d.Size(), int(g.wide))
	for off := 0; off < acrossRows*d.Size(); off += wide {
		x, at := g.newVec(), mem(src, off)
		switch from {
		case dtype.Float16:
			g.def(asm.VCVTPH2PS, g.vw(x, wide), at.sized(wide/2))
		case dtype.BFloat16:
			y := g.newVec()
			g.def(asm.VPMOVZXWD, g.vw(y, wide), at.sized(wide/2))
			g.def(asm.VPSLLD, g.vw(x, wide), g.vw(y, wide), imm(16))
		default:
			g.def(asm.VMOVUPS, g.vw(x, wide), at)
		}
		g.use(asm.VMOVUPS, mem(dst, off), g.vw(x, wide))
	}
	g.rmw(asm.ADD, g.r64(src), g.r64(ld))
	g.addConst(dst, int64(acrossRows*d.Size()))
}

// copySteps is fetchRows for rows that lie side by side: each time it copies a step of the
// next strip, as long as there are any.
func (g *gen) copySteps(s stepping) (step func(int), end func()) {
	src, dst, left, ld := g.word(gemmNext), g.word(gemmNextTo), g.word(gemmStepsNext), g.word(gemmLdNext)
	const fetched = 8 // steps ahead
	step = func(int) {
		done := g.newLabel()
		g.rmw(asm.SUB, g.r64(left), imm(1))
		g.jump(asm.JL, done)
		g.use(asm.PREFETCHT0, memIndex(src, ld, fetched, 0).sized(1))
		g.copyStep(s.from, s.d, src, dst, ld)
		g.bind(done)
	}
	return step, func() {
		g.use(asm.MOV, frameAt(gemmNext), g.r64(src))
		g.use(asm.MOV, frameAt(gemmNextTo), g.r64(dst))
		g.use(asm.MOV, frameAt(gemmStepsNext), g.r64(left))
		g.nextRows(gemmOut)
	}
}

// A stripCopy is a copy of a strip: of the rows from one on, and the chain from step k on.
type stripCopy struct {
	row, k        int
	steps, copied int
	at            int // where it is in memory
}

// forgetStrips says that no strip is copied.
func (w *productWorker) forgetStrips() {
	const none = -turnedRows
	w.copies = [2]stripCopy{{row: none}, {row: none, at: acrossStrip(w.run.p.t)}}
}

// rowsAcross is where the kernel finds the strip of row i of a block of rows. It is told to
// copy the one after it.
func (w *productWorker) rowsAcross(row, rows, i, k, steps int) int64 {
	r := w.run
	t := r.p.t
	w.copies[0], w.copies[1] = w.copies[1], w.copies[0]
	strip, next := &w.copies[0], &w.copies[1]
	if strip.row == row+i && strip.k == k {
		strip.copied = strip.steps - max(0, w.word(gemmStepsNext))
	} else {
		*strip = w.copyOf(row+i, k, strip.at)
	}
	w.copyRest(strip)
	at := w.strip.Bytes()[strip.at:]
	clear(at[strip.steps*acrossRows*t.size : steps*acrossRows*t.size])
	if i += t.rows; i >= rows {
		if i, k = 0, k+t.block; k >= r.chain {
			i, k = rows, 0
		}
	}
	*next = w.copyOf(row+i, k, next.at)
	w.set(gemmNext, w.acrossPlace(next))
	w.set(gemmLdNext, r.w.a.col)
	w.set(gemmNextTo, address(w.strip, next.at))
	w.set(gemmStepsNext, int64(next.steps))
	w.set(gemmRowsNext, int64(min(t.rows, r.w.m-next.row)))
	return address(w.strip, strip.at+w.shifted(strip.row)*t.size)
}

// copyOf is a copy that has not begun.
func (w *productWorker) copyOf(row, k, at int) stripCopy {
	s := stripCopy{row: row, k: k, at: at}
	if row < w.run.w.m {
		s.steps = min(w.run.p.t.block, w.run.w.k-k)
	}
	return s
}

// shifted is how many rows before a strip's first its copy begins, for it to end with the
// last of a.
func (w *productWorker) shifted(row int) int { return max(0, row+acrossRows-w.run.w.m) }

// acrossPlace is where a has the rows of a strip for its first step.
func (w *productWorker) acrossPlace(s *stripCopy) int64 {
	a := w.run.w.a
	return int64(a.base) + int64(s.row-w.shifted(s.row))*a.row + int64(s.k)*a.col
}

// copyRest copies what the kernel has not copied of a strip.
func (w *productWorker) copyRest(s *stripCopy) {
	if s.copied == s.steps {
		return
	}
	t, ld := w.run.p.t, w.run.w.a.col
	w.set(gemmA, w.acrossPlace(s)+int64(s.copied)*ld)
	w.set(gemmLdK, ld)
	w.set(gemmB, address(w.strip, s.at+s.copied*acrossRows*t.size))
	w.set(gemmK, int64(s.steps-s.copied))
	w.call(w.run.strip)
}
