package gemm

import (
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/product"
)

// narrowPanels are panels of fewer columns than others, for the last columns of a block:
// with both, less than half a register of columns is computed for nothing.
type narrowPanels struct {
	t             tiling
	kernel, first kernels
	ends          kernels // as those of wide panels
	packs         packs   // as first: of columns that lie side by side, or turned
}

// last is the tiling with the fewest columns.
func (p *Product) last() tiling {
	if p.narrow != nil {
		return p.narrow.t
	}
	return p.t
}

// narrowParts finds the code of narrow panels, if there are any.
func (r *Plan) narrowParts() bool {
	n := r.p.narrow
	if n == nil {
		return true
	}
	r.narrow.kernel, r.narrow.pack = n.kernel.of(r.across), n.packs.straight.Get()
	if r.first != nil {
		r.narrow.first = n.first.of(r.across)
	}
	if r.turn != nil {
		r.narrow.turn = n.packs.turned.Get()
	}
	return r.narrow.kernel != nil && r.narrow.pack != nil && (r.first == nil) == (r.narrow.first == nil) && (r.turn == nil) == (r.narrow.turn == nil)
}

// shape is what cutting a product depends on.
func (p *Product) shape() product.Kernel {
	k := product.Kernel{MR: p.t.rows, NR: p.t.cols, Even: p.tiles}
	if p.narrow != nil {
		k.Narrow = p.narrow.t.cols
	}
	return k
}

// A span is panels of one kind.
type span struct {
	t                               tiling
	kernel, first, ends, pack, turn *frame.Piece
	lo, hi                          int
}

// cut is the panels of a span before one, and the others.
func (s span) cut(at int) (before, others span) {
	before, others = s, s
	at = min(max(at, s.lo), s.hi)
	before.hi, others.lo = at, at
	return before, others
}

// spans is panels lo to hi-1 by their kind, until the next call.
func (w *Worker) spans(lo, hi int) []span {
	r, wide := w.run, w.cut.Wide()
	s := w.kinds[:0]
	if lo < wide {
		s = append(s, span{r.p.t, r.kernel, r.first, r.ends, r.pack, r.turn, lo, min(hi, wide)})
	}
	if hi > wide {
		s = append(s, span{r.p.last(), r.narrow.kernel, r.narrow.first, r.narrow.ends, r.narrow.pack, r.narrow.turn, max(lo, wide), hi})
	}
	return s
}
