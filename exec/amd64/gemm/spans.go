package gemm

import (
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/gemm/micro"
	"github.com/tiler-go/tiler/exec/product/cut"
)

// panels are the code for panels of a width. There may be narrow ones, of fewer columns than the others, for the last
// columns of a block: with both, less than half a register of columns is computed for nothing.
type panels struct {
	t      micro.Tiling
	kernel kernels
	first  kernels // those that pack B on the way, if there are any
	ends   kernels // those that make results of sums, if there are any
	packs  packs
}

// panelCode is what a launch uses of them.
type panelCode struct {
	t            micro.Tiling
	kernel, pack *frame.Piece
	first        *frame.Piece // nil: B is packed beforehand
	ends         *frame.Piece // nil: the epilogue makes results of sums
	turn         *frame.Piece // of B that is transposed
}

// narrowParts finds the code of narrow panels, if there are any.
func (r *Plan) narrowParts() bool {
	n, c := r.p.narrow, &r.narrow
	if n == nil {
		return true
	}
	c.t, c.kernel, c.pack = n.t, n.kernel.of(r.across), n.packs.straight.Get()
	if r.first != nil {
		c.first = n.first.of(r.across)
	}
	if r.turn != nil {
		c.turn = n.packs.turned.Get()
	}
	return c.kernel != nil && c.pack != nil && (r.first == nil) == (c.first == nil) && (r.turn == nil) == (c.turn == nil)
}

// shape is what cutting a product depends on.
func (p *Product) shape() cut.Kernel {
	k := cut.Kernel{MR: p.t.Rows, NR: p.t.Cols, Even: p.tiles}
	if p.narrow != nil {
		k.Narrow = p.narrow.t.Cols
	}
	return k
}

// A span is panels of one kind.
type span struct {
	panelCode
	lo, hi int
}

// cut is the panels of a span before one, and the others.
func (s span) cut(at int) (before, others span) {
	before, others = s, s
	at = min(max(at, s.lo), s.hi)
	before.hi, others.lo = at, at
	return before, others
}

// spans is panels lo to hi-1 by their kind, until the next call.
func (w *packer) spans(lo, hi int) []span {
	r, wide := w.run, w.cut.Wide()
	s := w.kinds[:0]
	if lo < wide {
		s = append(s, span{r.panelCode, lo, min(hi, wide)})
	}
	if hi > wide {
		s = append(s, span{r.narrow, max(lo, wide), hi})
	}
	return s
}
