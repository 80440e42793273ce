package gemm

import (
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/gemm/micro"
	"github.com/tiler-go/tiler/exec/cpu"
)

// Strips of A: where the kernel finds them. Those whose rows lie side by side are in
// across.go.

// stripAt is where it finds the strip of row i of a block of rows, for so many steps of K
// from k on. It is told about the one that comes next.
func (w *Worker) stripAt(row, rows, i, k, steps int) int64 {
	if w.run.across {
		return w.rowsAcross(row, rows, i, k, steps)
	}
	n := w.run.p.t.Rows
	a := w.rows(row+i, min(n, rows-i), k, steps)
	w.next(row, rows, i+n, k)
	return a
}

// next tells the kernel which strip of a comes after the one at hand: row i of the
// block at step k of the chain, or where the block goes on from its first row.
func (w *Worker) next(row, rows, i, k int) {
	a := w.run.w.A
	if i >= rows {
		i, k = 0, k+w.run.p.t.Block
		if k >= w.run.chain {
			i, k = rows, 0
		}
	}
	w.Set(micro.WordNext, int64(a.Base)+int64(row+i)*a.Row+int64(k*w.run.p.perStep())*a.Col)
	w.Set(micro.WordLdNext, a.Row)
	w.Set(micro.WordRowsNext, int64(min(w.run.p.t.Rows, w.run.w.M-row-i)))
	if w.run.w.Picked.On() { // they lie anywhere, and are copied
		w.Set(micro.WordRowsNext, 0)
	}
}

// rows is where the kernel finds a strip of A: where it lies, if the kernel can read it
// there, or a copy. Rows that a strip lacks are zeros.
func (w *Worker) rows(row, n, k, steps int) int64 {
	r := w.run
	m, t, a := r.p.m, r.p.t, r.w.A
	inPlace := r.inPlace(n, k, steps)
	k *= r.p.perStep()
	src := int64(a.Base) + int64(row)*a.Row + int64(k)*a.Col
	if inPlace {
		w.Set(micro.WordLdA, a.Row)
		return src
	}
	size, count := int64(m.A.D.Size()), min(steps*r.p.perStep(), r.w.K-k)
	ld, at := micro.StripRow(t), micro.TurnedRows+w.waiting.copies*copyRows(t) // where a copy begins
	if r.side != nil && count*int(size) >= micro.TileBytes {
		turned := &w.bands[0] // of at least turnedRows, if there are so many
		if r.p.tiles || row < turned.row || row+n > turned.row+micro.TurnedRows || k != turned.k {
			w.turnRows(row, n, k, count, at)
			w.padRows(at, max(n, micro.TurnedRows), count, steps)
			turned.row, turned.k = row, k
		}
		w.Set(micro.WordLdA, int64(ld))
		return frame.At(w.strip, (at+row-turned.row)*ld)
	}
	w.forgetStrips()
	if n < t.Rows {
		clear(w.strip.Bytes()[(at+n)*ld : (at+t.Rows)*ld])
	}
	c := micro.Copying{
		From: src, Row: a.Row, Step: a.Col, To: frame.At(w.strip, at*ld), ToRow: int64(ld),
		Elements: int64(count), Rows: int64(n),
	}
	switch {
	case m.Bytes() && a.Col != size:
		w.rowBytes(row, n, k, count, at)
	case r.p.grouped() && a.Col == size:
		c.Elements *= size // the copy counts bytes
		c.Call(&w.Frame, r.strip)
	default:
		r.copyRows(&w.Frame, c, row, k)
		w.padRows(at, n, count, steps)
	}
	w.Set(micro.WordLdA, int64(ld))
	return frame.At(w.strip, at*ld)
}

// copyRows copies rows of A from one on, for steps of K from k on: row by row, if numbers pick them.
func (r *Run) copyRows(f *frame.Frame, c micro.Copying, row, k int) {
	if !r.w.Picked.On() {
		c.Call(f, r.strip)
		return
	}
	n := int(c.Rows)
	for c.Rows = 1; n > 0; n-- {
		c.From = r.from[row] + int64(k)*r.w.A.Col
		c.Call(f, r.strip)
		c.To += c.ToRow
		row++
	}
}

// Crowded reports whether rows of a strip that lie so many bytes apart leave the other operands too few places of a
// set of L1; tests set it.
var Crowded = func(rows int, apart int64) bool {
	l1 := cpu.CacheSizes().L1
	return apart%int64(l1.Sets()*l1.Line) == 0 && 3*rows > 2*l1.Ways
}

// leastCopied is how many panels of B a strip is multiplied by, at least, that is copied because its rows are crowded.
const leastCopied = 8

// copyRows is the rows of memory for a copied strip: those turned at a time may begin before
// it, or end after it.
func copyRows(t micro.Tiling) int { return micro.TurnedRows + max(t.Rows, micro.TurnedRows) }

// mostCopies is how many copies may wait, in tiles: as many as a call takes of 512 columns.
const mostCopies = 8

// inPlace reports whether the kernel can read so many rows of A where they lie, for steps of
// the chain from k on.
func (r *Run) inPlace(n, k, steps int) bool {
	m := r.p.m
	if n < r.p.t.Rows || r.w.Picked.On() || r.w.A.Col != int64(m.A.D.Size()) {
		return false
	}
	count := min(steps*r.p.perStep(), r.w.K-k*r.p.perStep())
	switch {
	case r.p.tiles:
		return count == steps*r.p.perStep()
	case r.p.grouped():
		return count%r.p.perStep() == 0
	default:
		return m.A.D == m.D && !r.crowded && count == steps
	}
}
