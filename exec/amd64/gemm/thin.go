package gemm

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/transpose"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Products with few rows: a vector times a matrix, a handful of them. Every element of B is used
// once for each row, so it is read where it lies, along its rows, which is how memory is fast; sums
// go to and fro in the first-level cache meanwhile.

const (
	mostThin  = 16       // rows, of AVX-512; fewer registers hold the sums of six
	thinShape = 32       // columns for each row, at least: fewer sums are better off in registers
	thinSteps = 8        // rows of B that are gone along at a time
	thinSums  = 16 << 10 // bytes of sums in a block of columns
	thinCols  = 512      // columns of a block, at least: memory is slow in shorter pieces
	thinCall  = 1 << 18  // elements of B in a call of the code

	// Where B is transposed: rows, of AVX2 half of them; columns of a block, whose next
	// elements are still in a cache when their turn comes; how far ahead those are prefetched, in bytes.
	mostThinTurned = 8
	thinTurnedCols = 128
	thinAhead      = 256
)

// thinParts are kernels, one for each number of rows: for B that lies along its rows, for columns
// that are transposed, and for those of their steps that have been transposed already.
type thinParts struct{ along, turned, left []part }

func (p *thinParts) make(tier *lir.Tier, rows int, from, d dtype.DType, makes func(dst *part, k pieceKey)) {
	most, turned := rows, mostThinTurned/2
	if tier.EVEX {
		most, turned = mostThin, mostThinTurned
	}
	p.along, p.turned, p.left = make([]part, most), make([]part, turned), make([]part, turned)
	for i := range p.along {
		makes(&p.along[i], pieceKey{kind: thinPiece, from: from, rows: i + 1})
	}
	for i := range p.turned {
		makes(&p.turned[i], pieceKey{kind: thinTurnedPiece, from: from, rows: i + 1})
		makes(&p.left[i], pieceKey{kind: thinPiece, from: d, rows: i + 1})
	}
}

// thinPart is the code for so few rows that B need not be packed; nil if there are more, or B lies
// anyhow.
func (r *Plan) thinPart() (thin, turned *frame.Piece) {
	p, w, t := r.p, r.shape, r.p.t
	size := int64(p.m.B.D.Size())
	switch {
	case w.M > len(p.thin.along), w.N < t.lanes(), r.chain < t.lanes():
	case t.cols*r.chain*t.size > maxPacked: // columns that do not fill a register are packed
	case w.B.Row == size && w.N >= thinShape*w.M:
		return p.thin.along[w.M-1].Get(), nil
	case w.B.Row != size && w.B.Col == size && w.M <= len(p.thin.turned):
		return p.thin.left[w.M-1].Get(), p.thin.turned[w.M-1].Get()
	}
	return nil, nil
}

// thinBlocks cuts columns into blocks for several workers, and those that do not fill a register
// off.
func (r *Plan) thinBlocks(workers int) (starts []int) {
	t := r.p.t
	whole := r.shape.N / t.lanes() * t.lanes()
	cols := max(thinCols, thinSums/(r.shape.M*t.size))
	if workers > 1 {
		cols = min(cols, max(thinCols/2, whole/(2*workers)))
	}
	if r.thinTurned != nil {
		cols = thinTurnedCols
	}
	blocks := (whole + cols - 1) / cols
	cols = roundUp((whole+blocks-1)/blocks, t.lanes())
	for at := 0; at < whole; at += cols {
		starts = append(starts, at)
	}
	if starts = append(starts, whole); whole < r.shape.N {
		starts = append(starts, r.shape.N)
	}
	return starts
}

// thinBlock computes all rows of a block of columns that fill registers.
func (w *Worker) thinBlock(col, cols int) {
	r := w.run
	t, b := r.p.t, r.w.B
	// Rows of sums are an odd number of lines apart: they do not compete for sets of the cache.
	width := cols + 64/t.size
	w.room(&w.sums, r.Plan, "sums", sumsBytes(t, blockRows, width))
	for k := 0; k < r.chain; k += t.block {
		steps := min(t.block, r.chain-k)
		w.thinStrip(k, steps)
		sums := place{address(w.sums, 0), int64(width * t.size)}
		src := int64(b.Base) + int64(col)*b.Row + int64(k)*b.Col
		if r.thinTurned != nil {
			w.thinColumns(src, cols, steps, sums, k == 0)
		} else {
			w.thinRows(src, b.Col, cols, 0, steps, sums, k == 0)
		}
		if r.stopped() {
			return
		}
	}
	for i := 0; i < cols; i += blockCols {
		w.finish(0, r.w.M, col+i, min(blockCols, cols-i), width, i)
	}
}

// thinRows adds steps of the strip from one on, times rows of B from src on, by bytes apart.
func (w *Worker) thinRows(src, by int64, cols, from, steps int, sums place, fresh bool) {
	t := w.run.p.t
	most := max(thinSteps, thinCall/cols/thinSteps*thinSteps)
	for i := 0; i < steps; i += most {
		w.thin(w.run.thin, thinRows{
			strip: address(w.strip, (from+i)*t.size), b: src + int64(i)*by, step: by, sums: sums.at, ld: sums.ld,
			steps: int64(min(most, steps-i)), count: int64(cols / t.lanes()), fresh: fresh && i == 0,
		})
	}
}

// thinColumns adds a strip times columns of B, which begin at src. Steps that do not fill a register
// are transposed by themselves, with those before them.
func (w *Worker) thinColumns(src int64, cols, steps int, sums place, fresh bool) {
	r := w.run
	t, size := r.p.t, r.p.m.B.D.Size()
	n, by := t.lanes(), r.w.B.Row
	left := steps % n
	if steps > left {
		most := max(1, thinCall/steps/n) * n
		for i := 0; i < cols; i += most {
			w.thin(r.thinTurned, thinRows{
				strip: address(w.strip, 0), b: src + int64(i)*by, step: by,
				sums: sums.at + int64(i*t.size), ld: sums.ld,
				steps: int64(steps / n), count: int64(min(most, cols-i) / n), fresh: fresh,
			})
		}
	}
	if left == 0 {
		return
	}
	w.room(&w.packed, r.Plan, "packed b", n*cols*t.size)
	for j := 0; j < cols; j += n {
		w.setRows(src, j, n, cols)
		w.transpose(r.turn, transposing{
			from: int64((steps - n) * size), to: address(w.packed, j*t.size), toStep: int64(cols * t.size), blocks: 1,
		})
	}
	src = address(w.packed, (n-left)*cols*t.size)
	w.thinRows(src, int64(cols*t.size), cols, steps-left, left, sums, fresh && steps == left)
}

// thinStrip copies all rows of A, so many steps of them.
func (w *Worker) thinStrip(k, steps int) {
	r := w.run
	a := r.w.A
	w.forgetStrips()
	w.copy(r.strip, copying{
		from: int64(a.Base) + int64(k)*a.Col, row: a.Row, step: a.Col,
		to: address(w.strip, 0), toRow: int64(stripRow(r.p.t)),
		elements: int64(steps), rows: int64(r.w.M),
	})
}

// thinCode adds rows of a copied strip times rows of B, of type from, to sums of type d.
func thinCode(rows int, from, d dtype.DType, tier *lir.Tier) *writer {
	g := newWriter(tier, true)
	t := g.tiling(d)
	ld := g.Word(wordLdK)
	most := min(8, 16/rows) // registers of columns
	if !tier.EVEX {
		most = max(1, 8/rows)
	}
	g.repeat(wordK, []int{thinSteps, 1}, func(steps int) {
		src, sums, left := g.Word(wordFrom), g.Word(wordC), g.Word(wordCount)
		for _, vecs := range []int{most, 1} {
			top, end := g.NewLabel(), g.NewLabel()
			g.RMW(asm.SUB, g.R64(left), lir.Imm(int64(vecs)))
			g.Jump(asm.JL, end)
			l := g.BeginLoop()
			g.Bind(top)
			g.thinColumns(t, from, d, g.NewBlock(rows, vecs), steps, src, sums, ld)
			g.AddConst(src, int64(vecs*t.lanes()*from.Size()))
			g.AddConst(sums, int64(vecs*g.Bytes))
			g.RMW(asm.SUB, g.R64(left), lir.Imm(int64(vecs)))
			g.Jump(asm.JGE, top)
			g.EndLoop(l)
			g.Bind(end)
			g.AddConst(left, int64(vecs))
		}
		g.Use(asm.MOV, lir.Frame(wordFresh).Sized(8), lir.Imm(0))
		g.Use(asm.ADD, lir.Frame(wordA).Sized(8), lir.Imm(int64(steps*t.size)))
		next := g.Word(wordFrom)
		for range steps {
			g.RMW(asm.ADD, g.R64(next), g.R64(ld))
		}
		g.Use(asm.MOV, lir.Frame(wordFrom), g.R64(next))
	})
	g.Return(0)
	return g
}

// thinColumns adds some steps to the sums of some registers of columns.
func (g *writer) thinColumns(t tiling, from, d dtype.DType, acc [][]lir.Reg, steps int, src, sums, ld lir.Reg) {
	g.sumsAt(g.CopyInt(sums), acc, d, true)
	a, row := g.Word(wordA), g.CopyInt(src)
	for k := range steps {
		xs := make([]lir.Arg, len(acc))
		for r := range xs {
			at := lir.Mem(a, r*stripRow(t)+k*t.size)
			if len(acc[r]) > 1 {
				xs[r] = g.V(g.broadcast(d, at))
			} else {
				xs[r] = g.toAll(d, at)
			}
		}
		for v := range acc[0] {
			b := g.LoadAs(d, from, lir.Mem(row, v*t.lanes()*from.Size()))
			for r := range acc {
				g.RMW(multiplyAdd(d), g.V(acc[r][v]), g.V(b), xs[r])
			}
		}
		g.RMW(asm.ADD, g.R64(row), g.R64(ld))
	}
	g.sumsAt(g.CopyInt(sums), acc, d, false)
}

// thinTurnedCode is thinCode for columns of B that have their elements side by side: squares of
// them are transposed in registers.
func thinTurnedCode(rows int, from, d dtype.DType, tier *lir.Tier) *writer {
	g := newWriter(tier, true)
	t := g.tiling(d)
	n, ld := t.lanes(), g.Word(wordLdK)
	top := g.NewLabel()
	l := g.BeginLoop()
	g.Bind(top)
	acc := g.NewBlock(rows, 1)
	g.sums(acc, d, true)
	a, src := g.Word(wordA), g.Word(wordFrom)
	g.repeat(wordK, []int{1}, func(int) {
		column := g.CopyInt(src)
		square := make([]lir.Reg, n)
		for i := range square {
			square[i] = g.LoadAs(d, from, lir.Mem(column, 0))
			g.Use(asm.PREFETCHT0, lir.Mem(column, thinAhead).Sized(1))
			g.RMW(asm.ADD, g.R64(column), g.R64(ld))
		}
		for k, b := range transpose.Square(g.Builder, square, t.size) {
			for r := range acc {
				g.RMW(multiplyAdd(d), g.V(acc[r][0]), g.V(b), g.toAll(d, lir.Mem(a, r*stripRow(t)+k*t.size)))
			}
		}
		g.AddConst(a, int64(n*t.size))
		g.AddConst(src, int64(n*from.Size()))
	})
	g.sums(acc, d, false)
	next := g.CopyInt(ld)
	g.RMW(asm.SHL, g.R64(next), lir.Imm(int64(lir.Log2(int64(n)))))
	g.Use(asm.ADD, lir.Frame(wordFrom), g.R64(next))
	g.Use(asm.ADD, lir.Frame(wordC).Sized(8), lir.Imm(int64(g.Bytes)))
	g.Use(asm.SUB, lir.Frame(wordCount).Sized(8), lir.Imm(1))
	g.Jump(asm.JNE, top)
	g.EndLoop(l)
	g.Return(0)
	return g
}

// toAll is an element in memory in all lanes: an operand, or a register where it cannot be one.
func (g *writer) toAll(d dtype.DType, at lir.Arg) lir.Arg {
	if g.EVEX {
		return at.ToAll(d.Size())
	}
	return g.V(g.broadcast(d, at))
}
