package gemm

// Where K ends: the kernel makes results of sums if that is rounding, or what steps of zeros would have added, and of
// sums in tiles what a product.Finish is; all else is left to the epilogue.

// endParts finds the code that makes results of sums.
func (r *Plan) endParts() bool {
	r.ends = r.p.ends.of(r.across)
	if r.p.narrow != nil {
		r.narrow.ends = r.p.narrow.ends.of(r.across)
	}
	return r.ends != nil && (r.p.narrow == nil || r.narrow.ends != nil)
}

// finishTiles finds the code that makes results of sums in tiles.
func (r *Plan) finishTiles() bool {
	for k := range r.tiles {
		if r.tiles[k] = r.p.finished[k].Get(); r.tiles[k] == nil {
			return false
		}
	}
	r.ends = r.tiles[tilesNear]
	return true
}

// ends reports whether the kernel makes the results of rows × panels up to one of the block at
// hand: of whole strips, and panels that have nothing beyond the result.
func (w *Worker) ends(rows, hi int) bool {
	return w.run.ends != nil && w.run.p.t.Strips(rows) == rows && w.cut.Start(hi) <= w.cols
}
