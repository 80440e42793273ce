package amd64

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Products with few rows: a vector times a matrix, a handful of them. Every element of b is used
// once for each row, so it is read where it lies, along its rows, which is how memory is fast; sums
// go to and fro in the first-level cache meanwhile.

const (
	mostThin  = 16       // rows, of AVX-512; fewer registers hold the sums of six
	thinShape = 32       // columns for each row, at least: fewer sums are better off in registers
	thinSteps = 8        // rows of b that are gone along at a time
	thinSums  = 16 << 10 // bytes of sums in a block of columns
	thinCols  = 512      // columns of a block, at least: memory is slow in shorter pieces
	thinCall  = 1 << 18  // elements of b in a call of the code
)

// thinParts are the kernels, one for each number of rows.
func (p *Product) thinParts(from dtype.DType, makes func(dst *part[piece], k pieceKey)) {
	most := mostThin
	if p.narrow == nil {
		most = p.t.rows
	}
	p.thin = make([]part[piece], most)
	for i := range p.thin {
		makes(&p.thin[i], pieceKey{kind: thinPiece, from: from, rows: i + 1})
	}
}

// thinPart is the code for so few rows that b need not be packed; nil if there are more, or b lies
// the other way round.
func (r *productRun) thinPart() *piece {
	t, w := r.p.t, r.w
	switch {
	case w.m > len(r.p.thin), w.n < max(thinShape*w.m, t.lanes()), w.b.row != int64(r.p.m.b.d.Size()):
		return nil
	case t.cols*r.chain*t.size > maxPacked: // columns that do not fill a register are packed
		return nil
	}
	return r.p.thin[w.m-1].get()
}

// thinBlocks cuts columns into blocks for several workers, and those that do not fill a register
// off.
func (r *productRun) thinBlocks(workers int) {
	t := r.p.t
	whole := r.w.n / t.lanes() * t.lanes()
	cols := max(thinCols, thinSums/(r.w.m*t.size))
	if workers > 1 {
		cols = min(cols, max(thinCols/2, whole/(2*workers)))
	}
	blocks := (whole + cols - 1) / cols
	cols = roundUp((whole+blocks-1)/blocks, t.lanes())
	for at := 0; at < whole; at += cols {
		r.starts = append(r.starts, at)
	}
	if r.starts = append(r.starts, whole); whole < r.w.n {
		r.starts = append(r.starts, r.w.n)
	}
}

// thinBlock computes all rows of a block of columns that fill registers.
func (w *productWorker) thinBlock(col, cols int) {
	r := w.run
	t, m := r.p.t, r.w.m
	// Rows of sums are an odd number of lines apart: they do not compete for sets of the cache.
	width := cols + 64/t.size
	room(&w.sums, (blockRows*width+blockCols)*t.size) // what the epilogue's tile spans, though it reads m rows
	for k := 0; k < r.chain; k += t.block {
		steps := min(t.block, r.chain-k)
		w.thinStrip(k, steps)
		most := max(thinSteps, thinCall/cols/thinSteps*thinSteps)
		for i := 0; i < steps; i += most {
			if r.l.Stop != nil && r.l.Stop.Load() {
				return
			}
			b := r.w.b
			w.set(gemmA, address(w.strip, i*t.size))
			w.set(gemmFrom, int64(b.base)+int64(col)*b.row+int64(k+i)*b.col)
			w.set(gemmLdK, b.col)
			w.set(gemmC, address(w.sums, 0))
			w.set(gemmLdC, int64(width*t.size))
			w.set(gemmK, int64(min(most, steps-i)))
			w.set(gemmCount, int64(cols/t.lanes()))
			w.set(gemmFresh, int64(btoi(k+i == 0)))
			w.call(r.thin)
		}
	}
	for i := 0; i < cols; i += blockCols {
		w.finish(0, m, col+i, min(blockCols, cols-i), width, i)
	}
}

// thinStrip copies all rows of a, so many steps of them.
func (w *productWorker) thinStrip(k, steps int) {
	r := w.run
	a := r.w.a
	w.forgetStrips()
	w.set(gemmA, int64(a.base)+int64(k)*a.col)
	w.set(gemmLdA, a.row)
	w.set(gemmLdK, a.col)
	w.set(gemmB, address(w.strip, 0))
	w.set(gemmStepB, int64(stripRow(r.p.t)))
	w.set(gemmK, int64(steps))
	w.set(gemmCount, int64(r.w.m))
	w.call(r.strip)
}

// thinCode adds rows of a copied strip times rows of b, of type from, to sums of type d.
func thinCode(rows int, from, d dtype.DType, avx512 bool) *gen {
	g := bareGen(avx512, true)
	t := g.tiling(d)
	ld := g.word(gemmLdK)
	most := min(8, 16/rows) // registers of columns
	if !avx512 {
		most = max(1, 8/rows)
	}
	g.repeat(gemmK, []int{thinSteps, 1}, func(steps int) {
		src, sums, left := g.word(gemmFrom), g.word(gemmC), g.word(gemmCount)
		for _, vecs := range []int{most, 1} {
			top, end := g.newLabel(), g.newLabel()
			g.rmw(asm.SUB, g.r64(left), imm(int64(vecs)))
			g.jump(asm.JL, end)
			l := g.beginLoop()
			g.bind(top)
			g.thinColumns(t, from, d, g.newBlock(rows, vecs), steps, src, sums, ld)
			g.addConst(src, int64(vecs*t.lanes()*from.Size()))
			g.addConst(sums, int64(vecs*int(g.wide)))
			g.rmw(asm.SUB, g.r64(left), imm(int64(vecs)))
			g.jump(asm.JGE, top)
			g.endLoop(l)
			g.bind(end)
			g.addConst(left, int64(vecs))
		}
		g.use(asm.MOV, frameAt(gemmFresh).sized(8), imm(0))
		g.use(asm.ADD, frameAt(gemmA).sized(8), imm(int64(steps*t.size)))
		next := g.word(gemmFrom)
		for range steps {
			g.rmw(asm.ADD, g.r64(next), g.r64(ld))
		}
		g.use(asm.MOV, frameAt(gemmFrom), g.r64(next))
	})
	g.add(inst{kind: leave})
	return g
}

// thinColumns adds some steps to the sums of some registers of columns.
func (g *gen) thinColumns(t tiling, from, d dtype.DType, acc [][]reg, steps int, src, sums, ld reg) {
	ldC := g.word(gemmLdC)
	each := func(f func(x reg, at arg)) {
		row := g.copyInt(sums)
		for r := range acc {
			for v, x := range acc[r] {
				f(x, mem(row, v*int(g.wide)))
			}
			if r < len(acc)-1 {
				g.rmw(asm.ADD, g.r64(row), g.r64(ldC))
			}
		}
	}
	fresh, begun := g.newLabel(), g.newLabel()
	g.use(asm.CMP, frameAt(gemmFresh).sized(8), imm(0))
	g.jump(asm.JNE, fresh)
	each(func(x reg, at arg) { g.def(asm.VMOVUPS, g.v(x), at) })
	g.jump(asm.JMP, begun)
	g.bind(fresh)
	g.zeroBlock(acc)
	g.bind(begun)
	a, row := g.word(gemmA), g.copyInt(src)
	for k := range steps {
		xs := make([]arg, len(acc))
		for r := range xs {
			at := mem(a, r*stripRow(t)+k*t.size)
			if len(acc[r]) == 1 && g.avx512 {
				xs[r] = at.toAll(t.size)
				continue
			}
			x := g.newVec()
			g.def(bothOps{asm.VBROADCASTSS, asm.VBROADCASTSD}.of(d), g.v(x), at)
			xs[r] = g.v(x)
		}
		for v := range acc[0] {
			b := g.loadAs(d, from, mem(row, v*t.lanes()*from.Size()))
			for r := range acc {
				g.rmw(multiplyAdd(d), g.v(acc[r][v]), g.v(b), xs[r])
			}
		}
		g.rmw(asm.ADD, g.r64(row), g.r64(ld))
	}
	each(func(x reg, at arg) { g.use(asm.VMOVUPS, at, g.v(x)) })
}
