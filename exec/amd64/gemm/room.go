package gemm

import (
	"github.com/tiler-go/tiler/exec/amd64/gemm/micro"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// The memory that a product's worker takes beside its frame. Machine code knows no bounds in it: what
// code fills a buffer, and how large it is, follow from the same function here.

// makeRoom makes a worker's buffers large enough for a plan, but for those of the block at hand.
func (w *Worker) makeRoom(r *Plan) {
	w.Grow(r.frame)
	w.room(&w.strip, r, "packed a", r.stripBytes())
	w.room(&w.sums, r, "sums", sumsBytes(r.p.t, blockRows, blockCols))
	if r.rowSums != nil {
		w.room(&w.first, r, "sums of rows", r.p.t.Rows*r.p.t.Size)
	}
	if r.p.tiles {
		w.room(&w.waiting.words, r, "queued strips", mostStrips*micro.StripWords)
		w.room(&w.partly, r, "partial sums", partialBytes(r.mostPanels()))
	}
}

// room makes b at least n bytes long, and just so many against a fence. What is in it is lost.
func (w *packer) room(b *dtype.Buf, r *Plan, what string, n int) {
	fenced := dtype.Fenced() != dtype.NoFence
	if b.Len() >= n && !(fenced && b.Len() != n) {
		return
	}
	if fenced { // names are made only for those who read them
		what += " of a product " + r.p.how()
	}
	*b = dtype.Alloc(what, dtype.Uint8, n)
}

// how is by what means a product is done, as messages say it.
func (p *Product) how() string {
	switch {
	case p.tiles && p.m.Bytes():
		return "of bytes in tiles"
	case p.tiles:
		return "in tiles"
	case p.m.Bytes():
		return "of bytes"
	case p.pairs:
		return "of pairs"
	}
	return "of " + p.m.D.String()
}

// mostPanels is how many panels the widest block of columns is cut into.
func (r *Plan) mostPanels() int {
	most := 0
	for _, g := range r.tasks.Regions {
		most = max(most, r.p.shape().Panels(g.Cols).Len())
	}
	return most
}

// panelBytes is the memory of one panel of packed B, narrow ones included.
func (r *Plan) panelBytes() int { return r.slice * r.p.t.Cols * r.p.t.Size }

// packedBytes is a block of B: panel after panel. Of products with few rows only the columns that do
// not fill a register are packed; thinColumns makes room for what it turns.
func (r *Plan) packedBytes() int {
	if r.thin != nil {
		return r.panelBytes()
	}
	return r.mostPanels() * r.panelBytes()
}

// stripBytes is strips of A: bands of them where rows lie side by side, else as many copies as may
// wait for a call of the kernel.
func (r *Plan) stripBytes() int {
	switch {
	case r.across:
		return 2 * bandBytes(r.p.t)
	case r.p.tiles:
		return mostCopies * copyBytes(r.p.t)
	}
	return copyBytes(r.p.t)
}

// bandBytes is a band of copied strips, copyBytes a strip that is copied row by row, with the rows
// that may be turned along with it.
func bandBytes(t micro.Tiling) int { return micro.BandStrips * micro.AcrossStrip(t) }
func copyBytes(t micro.Tiling) int { return copyRows(t) * micro.StripRow(t) }

// sumsBytes is rows of sums, of whole blocks of blockRows. The epilogue's tile of blockRows × blockCols is
// checked against the memory as a whole, however few of its rows and columns there are.
func sumsBytes(t micro.Tiling, rows, width int) int { return (rows*width + blockCols) * t.Size }

// partialBytes is the sums of a strip while its chain has not ended: a block of tiles for each
// panel, which the kernel stores whole, whatever columns of it the result has.
func partialBytes(panels int) int { return panels * micro.BlockSums }
