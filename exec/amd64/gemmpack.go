package amd64

// panelBytes is the memory of one panel of b.
func (w *productWorker) panelBytes() int { return w.run.slice * w.run.p.t.cols * w.run.p.t.size }

// words is what an element of the chain is to packCode: one, or two.
func (t tiling) words() int { return t.size / 4 }

// pack packs columns of b for so many steps of the chain, not too many at a time so that
// calls stay short.
func (w *productWorker) pack(col, cols, from, steps int) {
	r := w.run
	b := r.w.b
	src := int64(b.base) + int64(col)*b.row + int64(from)*b.col
	switch {
	case r.turn != nil && steps >= r.p.t.lanes():
		w.turnPanels(src, cols, steps)
		return
	case b.row != int64(r.p.m.b.d.Size()):
		w.gatherPanels(src, b.col, cols, steps)
		return
	}
	w.set(gemmStepB, int64(w.panelBytes()))
	w.set(gemmLdK, b.col)
	for _, s := range w.spans(0, w.cut.panels()) {
		first := w.cut.start(s.lo)
		count := min(cols, w.cut.start(s.hi)) - first
		w.set(gemmCount, int64(count*s.t.words()))
		w.set(gemmWhole, int64(count/s.t.cols*s.t.cols*s.t.words()))
		for k := 0; k < steps; k += blockK {
			w.set(gemmA, src+int64(first)*b.row+int64(k)*b.col)
			w.set(gemmB, address(w.packed, s.lo*w.panelBytes()+k*s.t.cols*s.t.size))
			w.set(gemmK, int64(min(blockK, steps-k)))
			w.call(s.pack)
		}
	}
}

// gatherPanels packs columns that do not lie side by side, so many steps of them, by
// bytes apart.
func (w *productWorker) gatherPanels(src, by int64, cols, steps int) {
	r := w.run
	b, y := r.w.b, w.cut
	clear(w.packed.Bytes()[:y.panels()*w.panelBytes()])
	for p := range y.panels() {
		t := y.of(p)
		n := min(t.cols, cols-y.start(p))
		w.set(gemmLdA, by)
		w.set(gemmLdK, b.row)
		w.set(gemmStepB, int64(t.cols*t.size))
		w.set(gemmK, int64(n))
		for k := 0; k < steps; k += blockK {
			w.set(gemmA, src+int64(y.start(p))*b.row+int64(k)*by)
			w.set(gemmB, address(w.packed, p*w.panelBytes()+k*t.cols*t.size))
			w.set(gemmCount, int64(min(blockK, steps-k)))
			w.call(r.pack)
		}
	}
}
