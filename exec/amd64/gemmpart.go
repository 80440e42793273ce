package amd64

// part computes rows × cols of the result: whole register blocks where they belong, if
// that is possible, others by way of a block of sums.
func (w *productWorker) part(row, rows, col, cols int) {
	r := w.run
	all := w.cut.panels()
	whole, full := 0, 0 // rows of strips, and panels, that have nothing beyond the result
	if r.direct {
		whole, full = rows/r.p.t.rows*r.p.t.rows, all
		if w.cut.start(all) > cols {
			full--
		}
	}
	if whole > 0 && full > 0 {
		w.multiply(row, whole, 0, full, r.w.result(row, col), 0)
	}
	w.blocks(row, whole, full, all, cols)
	w.blocks(row+whole, rows-whole, 0, all, cols)
}

// blocks is rows × panels lo to hi-1 of the result, of which so many columns exist, in
// blocks of sums.
func (w *productWorker) blocks(row, rows, lo, hi, cols int) {
	most := blockCols / w.run.p.t.cols
	for at := lo; rows > 0 && at < hi; at += most {
		w.block(row, rows, at, min(at+most, hi), cols)
	}
}

func (w *productWorker) block(row, rows, lo, hi, cols int) {
	from, to := w.cut.start(lo), w.cut.start(hi)
	w.multiply(row, rows, lo, hi, place{address(w.sums, 0), int64((to - from) * w.run.p.t.size)}, 0)
	w.finish(row, rows, w.column+from, min(to, cols)-from, to-from, 0)
}
