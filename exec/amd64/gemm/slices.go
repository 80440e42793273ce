package gemm

import (
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/tilelang/dot"
)

// Long K. If B is packed for all of it, and that is more than the second-level
// cache holds, every block of rows fetches it from beyond. So it is packed for a slice of
// the chain, which all rows are multiplied by, and then for the next one. Sums go to and fro
// instead, which is less: B has a slice's columns for each row of a block, sums have one.

// Rows of a task, which packs what it needs of B: few enough for workers to end at the same
// time, if there are several.
const (
	sliceRows       = 4096
	sliceRowsShared = 1024
)

// MostUnsliced is the most bytes of B that are packed for all of K; tests set it.
var MostUnsliced = func() int { return cpu.CacheSizes().L2.Share() / 2 }

// sliced decides whether K is cut into slices, where B is packed for so many columns at a time, and gives the rows of
// a task.
func (r *Plan) sliced(workers, cols int) (rows int) {
	p, w := r.p, r.shape
	r.slice, rows = r.chain, taskStrips*p.t.Rows
	most := MostUnsliced()
	if !r.direct && r.ends == nil {
		most += most / 4 // sums of all rows would take memory, too, and wait there for the epilogue
	}
	if p.m.Makes() && p.t.Block%w.Made.Rows != 0 {
		return rows // a round would be in two slices
	}
	if p.m.Chain != dot.Ascending || p.m.Bytes() || cols*r.chain*p.t.Size <= most {
		return rows
	}
	large := sliceRows
	if workers > 1 {
		large = sliceRowsShared
		if tasks := (w.M + large - 1) / large * ((w.N + cols - 1) / cols); tasks < 4*workers {
			return rows
		}
	}
	r.slice = min(r.chain, p.t.Block)
	return large
}

// slices computes rows × cols of the result, slice by slice: whole strips where they belong, if
// that is possible, other rows by way of a block of sums.
func (w *Worker) slices(row, rows, col, cols int) {
	r := w.run
	w.newBlock(col, cols)
	t, panels := r.p.t, w.cut.Len()
	width, whole := w.cut.Start(panels), 0 // rows of strips that need no epilogue
	if width == cols && (r.direct || r.ends != nil) {
		whole = t.Strips(rows)
	}
	rest, before := rows-whole, whole // rows of sums before those of the rest
	if r.direct {
		before = 0
	}
	w.room(&w.sums, r.Plan, "sums", sumsBytes(t, before+roundUp(rest, blockRows), width))
	sums := place{frame.At(w.sums, 0), int64(width * t.Size)}
	others := place{sums.at + int64(before)*sums.ld, sums.ld}
	if r.direct {
		sums = r.result(row, col)
	}
	for k := 0; k < r.chain; k += r.slice {
		if r.stopped() {
			return
		}
		if w.seen = 0; r.first == nil {
			w.packBlock(k, min(r.slice, r.chain-k))
		}
		w.multiply(row, whole, 0, panels, sums, k)
		w.multiply(row+whole, rest, 0, panels, others, k)
	}
	for i := 0; i < rest; i += blockRows {
		w.runEpilogue(row+whole+i, min(blockRows, rest-i), col, cols, width, (before+i)*width)
	}
}
