package gemm

import (
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/gemm/micro"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Products with few rows: a vector times a matrix, a handful of them. Every element of B is used
// once for each row, so it is read where it lies, along its rows, which is how memory is fast; sums
// go to and fro in the first-level cache meanwhile.

const (
	mostThin  = 16       // rows, of AVX-512; fewer registers hold the sums of six
	thinShape = 32       // columns for each row, at least: fewer sums are better off in registers
	thinSums  = 16 << 10 // bytes of sums in a block of columns
	thinCols  = 512      // columns of a block, at least: memory is slow in shorter pieces
	thinCall  = 1 << 18  // elements of B in a call of the code

	// Where B is transposed: rows, of AVX2 half of them; columns of a block, whose next
	// elements are still in a cache when their turn comes.
	mostThinTurned = 8
	thinTurnedCols = 128
)

// thinParts are kernels, one for each number of rows: for B that lies along its rows, for columns
// that are transposed, and for those of their steps that have been transposed already.
type thinParts struct{ along, turned, left []part }

func (p *thinParts) make(tier *lir.Tier, rows int, from, d dtype.DType, makes func(dst *part, k micro.Key)) {
	most, turned := rows, mostThinTurned/2
	if tier.EVEX {
		most, turned = mostThin, mostThinTurned
	}
	p.along, p.turned, p.left = make([]part, most), make([]part, turned), make([]part, turned)
	for i := range p.along {
		makes(&p.along[i], micro.Key{Kind: micro.ThinPiece, From: from, Rows: i + 1})
	}
	for i := range p.turned {
		makes(&p.turned[i], micro.Key{Kind: micro.ThinTurnedPiece, From: from, Rows: i + 1})
		makes(&p.left[i], micro.Key{Kind: micro.ThinPiece, From: d, Rows: i + 1})
	}
}

// thinPart is the code for so few rows that B need not be packed; nil if there are more, or B lies
// anyhow.
func (r *Plan) thinPart() (thin, turned *frame.Piece) {
	p, w, t := r.p, r.shape, r.p.t
	size := int64(p.m.B.D.Size())
	switch {
	case p.m.Makes():
	case w.M > len(p.thin.along), w.N < t.Lanes(), r.chain < t.Lanes():
	case t.Cols*r.chain*t.Size > maxPacked: // columns that do not fill a register are packed
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
	whole := r.shape.N / t.Lanes() * t.Lanes()
	cols := max(thinCols, thinSums/(r.shape.M*t.Size))
	if workers > 1 {
		cols = min(cols, max(thinCols/2, whole/(2*workers)))
	}
	if r.thinTurned != nil {
		cols = thinTurnedCols
	}
	blocks := (whole + cols - 1) / cols
	cols = roundUp((whole+blocks-1)/blocks, t.Lanes())
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
	width := cols + 64/t.Size
	w.room(&w.sums, r.Plan, "sums", sumsBytes(t, blockRows, width))
	for k := 0; k < r.chain; k += t.Block {
		steps := min(t.Block, r.chain-k)
		w.thinStrip(k, steps)
		sums := place{frame.At(w.sums, 0), int64(width * t.Size)}
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
		w.runEpilogue(0, r.w.M, col+i, min(blockCols, cols-i), width, i)
	}
}

// thinRows adds steps of the strip from one on, times rows of B from src on, by bytes apart.
func (w *Worker) thinRows(src, by int64, cols, from, steps int, sums place, fresh bool) {
	t := w.run.p.t
	most := max(micro.ThinSteps, thinCall/cols/micro.ThinSteps*micro.ThinSteps)
	for i := 0; i < steps; i += most {
		micro.ThinRows{
			Strip: frame.At(w.strip, (from+i)*t.Size), B: src + int64(i)*by, Step: by, Sums: sums.at, Ld: sums.ld,
			Steps: int64(min(most, steps-i)), Count: int64(cols / t.Lanes()), Fresh: int64(btoi(fresh && i == 0)),
		}.Call(&w.Frame, w.run.thin)
	}
}

// thinColumns adds a strip times columns of B, which begin at src. Steps that do not fill a register
// are transposed by themselves, with those before them.
func (w *Worker) thinColumns(src int64, cols, steps int, sums place, fresh bool) {
	r := w.run
	t, size := r.p.t, r.p.m.B.D.Size()
	n, by := t.Lanes(), r.w.B.Row
	left := steps % n
	if steps > left {
		most := max(1, thinCall/steps/n) * n
		for i := 0; i < cols; i += most {
			micro.ThinRows{
				Strip: frame.At(w.strip, 0), B: src + int64(i)*by, Step: by,
				Sums: sums.at + int64(i*t.Size), Ld: sums.ld,
				Steps: int64(steps / n), Count: int64(min(most, cols-i) / n), Fresh: int64(btoi(fresh)),
			}.Call(&w.Frame, r.thinTurned)
		}
	}
	if left == 0 {
		return
	}
	w.room(&w.packed, r.Plan, "packed b", n*cols*t.Size)
	for j := 0; j < cols; j += n {
		w.setRows(src, j, n, cols)
		micro.Transposing{
			From: int64((steps - n) * size), To: frame.At(w.packed, j*t.Size), ToStep: int64(cols * t.Size), Blocks: 1,
		}.Call(&w.Frame, r.turn)
	}
	src = frame.At(w.packed, (n-left)*cols*t.Size)
	w.thinRows(src, int64(cols*t.Size), cols, steps-left, left, sums, fresh && steps == left)
}

// thinStrip copies all rows of A, so many steps of them.
func (w *Worker) thinStrip(k, steps int) {
	r := w.run
	a := r.w.A
	w.forgetStrips()
	r.copyRows(&w.Frame, micro.Copying{
		From: int64(a.Base) + int64(k)*a.Col, Row: a.Row, Step: a.Col,
		To: frame.At(w.strip, 0), ToRow: int64(micro.StripRow(r.p.t)),
		Elements: int64(steps), Rows: int64(r.w.M),
	}, 0, k)
}
