package gemm

import (
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/gemm/micro"
)

// newBlock begins with a block of b.
func (w *Worker) newBlock(col, cols int) {
	w.column, w.cols, w.cut, w.seen = col, cols, w.run.p.shape().Panels(cols), 0
	w.room(&w.packed, w.run.Plan, "packed b", w.run.packedBytes())
	w.forgetStrips() // packing may take their room
	w.b = w.run.w.B
}

// packBlock packs the block for so many steps of K, not too many at a time so that calls stay
// short.
func (w *packer) packBlock(from, steps int) {
	r := w.run
	if r.p.m.Makes() {
		w.makeBlock(from, steps)
		return
	}
	b := r.w.B
	src := int64(b.Base) + int64(w.column)*b.Row + int64(from)*b.Col
	switch {
	case r.turn != nil && steps >= r.p.t.Lanes():
		w.turnPanels(src, w.cols, steps)
		return
	case b.Row != int64(r.p.m.B.D.Size()):
		w.gatherPanels(src, b.Col, w.cols, steps)
		return
	}
	for _, s := range w.spans(0, w.cut.Len()) {
		for k := 0; k < steps; k += micro.BlockK {
			w.packSpan(s, from+k, min(micro.BlockK, steps-k), k)
		}
	}
}

// packSpan packs panels for so many steps of K from k on, which are steps of the panels
// from at on.
func (w *packer) packSpan(s span, k, steps, at int) {
	if s.lo == s.hi {
		return
	}
	count := min(w.cols, w.cut.Start(s.hi)) - w.cut.Start(s.lo)
	micro.Packing{
		From: w.source(s, k), Step: w.b.Col, To: w.packedAt(s, at), Panel: int64(w.run.panelBytes()),
		Steps: int64(steps), Count: int64(count * s.t.Words()), Whole: int64(count / s.t.Cols * s.t.Cols * s.t.Words()),
	}.Call(&w.Frame, s.pack)
}

// source is where B has a span's first column at step k.
func (w *packer) source(s span, k int) int64 {
	b := w.b
	return int64(b.Base) + int64(w.column+w.cut.Start(s.lo))*b.Row + int64(k)*b.Col
}

// packedAt is where a span's panels have step k of theirs.
func (w *packer) packedAt(s span, k int) int64 {
	return frame.At(w.packed, s.lo*w.run.panelBytes()+k*s.t.Cols*s.t.Size)
}

// gatherPanels packs columns that do not lie side by side, so many steps of them, by
// bytes apart.
func (w *packer) gatherPanels(src, by int64, cols, steps int) {
	r := w.run
	b, y, size := r.w.B, w.cut, r.p.t.Size
	clear(w.packed.Bytes()[:y.Len()*w.run.panelBytes()])
	for p := range y.Len() {
		nr := y.NR(p)
		n := min(nr, cols-y.Start(p))
		for k := 0; k < steps; k += micro.BlockK {
			micro.Copying{
				From: src + int64(y.Start(p))*b.Row + int64(k)*by, Row: by, Step: b.Row,
				To: frame.At(w.packed, p*w.run.panelBytes()+k*nr*size), ToRow: int64(nr * size),
				Elements: int64(n), Rows: int64(min(micro.BlockK, steps-k)),
			}.Call(&w.Frame, r.pack)
		}
	}
}
