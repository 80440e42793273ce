package amd64

// part computes rows × cols of the result: whole register blocks where they belong, if
// that is possible, others by way of a block of sums.
func (w *productWorker) part(row, rows, col, cols int) {
	r := w.run
	whole, wide := 0, 0
	if r.direct {
		t := r.p.t
		whole, wide = rows/t.rows*t.rows, cols/t.cols*t.cols
	}
	if whole > 0 && wide > 0 {
		at := int64(r.w.out.base) + int64(row)*r.w.out.row + int64(col)*r.w.out.col
		w.multiply(row, whole, col, wide, at, r.w.out.row)
	}
	w.blocks(row, whole, col+wide, cols-wide)
	w.blocks(row+whole, rows-whole, col, cols)
}

// blocks is rows × cols of the result in blocks of sums.
func (w *productWorker) blocks(row, rows, col, cols int) {
	for at := 0; rows > 0 && at < cols; at += blockCols {
		w.block(row, rows, col+at, min(blockCols, cols-at))
	}
}

// block computes rows × cols of the result.
func (w *productWorker) block(row, rows, col, cols int) {
	t := w.run.p.t
	width := roundUp(cols, t.cols) // of the sums
	w.multiply(row, rows, col, cols, address(w.sums, 0), int64(width*t.size))
	w.finish(row, rows, col, cols, width)
}

// kernel multiplies a strip by panels.
func (w *productWorker) kernel() {
	if w.run.p.tiles {
		w.multiplyTiles()
	} else {
		w.call(w.run.kernel)
	}
}
