package gemm

// words is what an element of the chain is to packCode: one, or two.
func (t tiling) words() int { return t.size / 4 }

// newBlock begins with a block of b.
func (w *Worker) newBlock(col, cols int) {
	w.column, w.cols, w.cut, w.seen = col, cols, w.run.p.shape().Panels(cols), 0
	w.room(&w.packed, w.run.Plan, "packed b", w.run.packedBytes())
	w.forgetStrips() // packing may take their room
}

// packBlock packs the block for so many steps of K, not too many at a time so that calls stay
// short.
func (w *Worker) packBlock(from, steps int) {
	r := w.run
	b := r.w.B
	src := int64(b.Base) + int64(w.column)*b.Row + int64(from)*b.Col
	switch {
	case r.turn != nil && steps >= r.p.t.lanes():
		w.turnPanels(src, w.cols, steps)
		return
	case b.Row != int64(r.p.m.B.D.Size()):
		w.gatherPanels(src, b.Col, w.cols, steps)
		return
	}
	for _, s := range w.spans(0, w.cut.Len()) {
		for k := 0; k < steps; k += blockK {
			w.packSpan(s, from+k, min(blockK, steps-k), k)
		}
	}
}

// packSpan packs panels for so many steps of K from k on, which are steps of the panels
// from at on.
func (w *Worker) packSpan(s span, k, steps, at int) {
	if s.lo == s.hi {
		return
	}
	count := min(w.cols, w.cut.Start(s.hi)) - w.cut.Start(s.lo)
	w.pack(s.pack, packing{
		from: w.source(s, k), step: w.run.w.B.Col, to: w.packedAt(s, at), panel: int64(w.run.panelBytes()),
		steps: int64(steps), count: int64(count * s.t.words()), whole: int64(count / s.t.cols * s.t.cols * s.t.words()),
	})
}

// source is where B has a span's first column at step k.
func (w *Worker) source(s span, k int) int64 {
	b := w.run.w.B
	return int64(b.Base) + int64(w.column+w.cut.Start(s.lo))*b.Row + int64(k)*b.Col
}

// packedAt is where a span's panels have step k of theirs.
func (w *Worker) packedAt(s span, k int) int64 {
	return address(w.packed, s.lo*w.run.panelBytes()+k*s.t.cols*s.t.size)
}

// gatherPanels packs columns that do not lie side by side, so many steps of them, by
// bytes apart.
func (w *Worker) gatherPanels(src, by int64, cols, steps int) {
	r := w.run
	b, y, size := r.w.B, w.cut, r.p.t.size
	clear(w.packed.Bytes()[:y.Len()*w.run.panelBytes()])
	for p := range y.Len() {
		nr := y.NR(p)
		n := min(nr, cols-y.Start(p))
		for k := 0; k < steps; k += blockK {
			w.copy(r.pack, copying{
				from: src + int64(y.Start(p))*b.Row + int64(k)*by, row: by, step: b.Row,
				to: address(w.packed, p*w.run.panelBytes()+k*nr*size), toRow: int64(nr * size),
				elements: int64(n), rows: int64(min(blockK, steps-k)),
			})
		}
	}
}
