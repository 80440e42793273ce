package gemm

import (
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/gemm/micro"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/product"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

func (r *Run) groups(t micro.Tiling) micro.Grouping { return micro.Groups(r.p.tiles, t.Vecs) }

// ByteProducts reports whether the machine has the instruction.
func ByteProducts() bool { return cpu.Detected().Has(cpu.HasAVX512VNNI) }

// bytesParts says how the code of a product of bytes is made.
func (p *Product) bytesParts(tier *lir.Tier, later func(*part, micro.Kind, dtype.DType, int), tiles, listing bool) {
	d := p.m.A.D
	if tiles {
		p.tilesParts(later, d, listing)
	} else {
		p.narrow = &panels{t: p.t}
		later(&p.narrow.kernel.part, micro.MultiplyPiece, dtype.Int32, p.t.Vecs)
		later(&p.narrow.packs.straight, micro.PackBytesPiece, d, p.t.Vecs)
		later(&p.narrow.packs.turned, micro.PackTurnedPiece, d, p.t.Vecs)
		p.t = p.t.Of(micro.WideVecs, tier)
		later(&p.kernel.part, micro.MultiplyPiece, dtype.Int32, p.t.Vecs)
		later(&p.rowSums, micro.RowSumsPiece, d, 0)
	}
	later(&p.strips.straight, micro.CopyPiece, d, 0)
	later(&p.strips.turned, micro.TurnGroupsPiece, d, 0)
	later(&p.packs.straight, micro.PackBytesPiece, d, p.t.Vecs)
	later(&p.packs.turned, micro.PackTurnedPiece, d, p.t.Vecs)
}

// grouped reports whether a step of K takes a group of elements, groupBytes of
// them.
func (p *Product) grouped() bool { return p.m.Bytes() || p.pairs }

// groupParts finds the code that a launch needs beyond that of other products.
func (r *Plan) groupParts() bool {
	p, a := r.p, r.shape.A
	size := int64(p.m.A.D.Size())
	if a.Row == size && a.Col != size && r.shape.M >= micro.TurnedRows && micro.CanPermute(p.m.A.D) {
		if r.side = p.strips.turned.Get(); r.side == nil {
			return false
		}
	}
	switch {
	case p.tiles:
		r.tiles = [NumTilesKernels]*frame.Piece{r.kernel, p.past.Get()}
		return r.tiles[tilesPast] != nil
	case p.m.Bytes():
		r.rowSums = p.rowSums.Get()
		return r.rowSums != nil
	}
	return true
}

// chainSteps is how many steps the kernel takes for a chain of k elements.
func (p *Product) chainSteps(k int) int {
	group := p.perStep()
	switch {
	case p.tiles:
		return roundUp(k, group*micro.TileSteps) / group
	case p.grouped():
		return (k + group - 1) / group
	}
	return roundUp(k, product.ChainUnit(p.m.Chain))
}

// widest is the most columns of B that are packed at a time.
func (p *Product) widest() int {
	if p.m.Bytes() || p.tiles {
		return 1024
	}
	return blockCols
}

// maxPacked is the most bytes of packed B, if that leaves more than a panel: half of the
// second-level cache where the kernel reads many in a short time.
func (p *Product) maxPacked() int {
	if p.m.Bytes() || p.tiles {
		return cpu.CacheSizes().L2.Share() / 2
	}
	return maxPacked
}

// perStep is how many elements of the chain a step is.
func (p *Product) perStep() int {
	if p.grouped() {
		return micro.GroupBytes / p.m.A.D.Size()
	}
	return 1
}

// packBytes packs columns of b.
func (w *packer) packBytes(s span) {
	r := w.run
	b, y := r.w.B, r.groups(s.t)
	fast, grouped := s.lo, 0                           // the panels before one, and rows of them, that code reads where they lie
	rows := min(micro.BlockK, micro.GroupBytes*y.Rows) // at a time
	switch {
	case b.Row == 1:
		fast += (min(w.cols, w.cut.Start(s.hi)) - w.cut.Start(s.lo)) / s.t.Cols
		grouped = r.w.K / micro.GroupBytes * micro.GroupBytes
		for k := 0; s.lo < fast && k < grouped; k += rows {
			w.packQuads(s, w.source(s, k), b.Col, s.lo, fast-s.lo, k, min(rows, grouped-k))
		}
	case b.Col == 1 && r.turn != nil:
		fast, grouped = s.hi, r.w.K/micro.TurnBytes*micro.TurnBytes
		w.packTurned(s, grouped)
	}
	for p := s.lo; p < s.hi; p++ {
		from := 0
		if p < fast {
			from = grouped
		}
		for k := from; k < r.w.K; k += rows {
			w.packLoose(s, p, k, min(rows, r.w.K-k))
		}
		panel := w.packed.Bytes()[p*w.run.panelBytes():][:w.run.panelBytes()]
		for part := range y.Parts {
			for k := (r.w.K + micro.GroupBytes - 1) / micro.GroupBytes; k < r.chain; k++ {
				clear(panel[y.At(k)+part*y.Part:][:micro.PartRow])
			}
		}
	}
}

// packQuads packs so many rows, a multiple of four, of whole panels of a span: those from a
// source become the rows from k on.
func (w *packer) packQuads(s span, src, ld int64, panel, panels, k, rows int) {
	micro.Packing{
		From: src, Step: ld,
		To:    frame.At(w.packed, panel*w.run.panelBytes()+w.run.groups(s.t).At(k/micro.GroupBytes)),
		Panel: int64(w.run.panelBytes()),
		Steps: int64(rows / micro.GroupBytes), Count: int64(panels),
	}.Call(&w.Frame, s.pack)
}

// packTurned packs so many bytes of columns whose elements lie side by side. A column that a
// panel lacks is the last one again.
func (w *packer) packTurned(s span, bytes int) {
	b, y := w.run.w.B, w.run.groups(s.t)
	src := int64(b.Base) + int64(w.column)*b.Row
	const most = 4 * micro.BlockK
	for p := s.lo; p < s.hi; p++ {
		for part := range y.Parts {
			w.setRows(src, w.cut.Start(p)+part*micro.TurnCols, micro.TurnCols, w.cols)
			for k := 0; k < bytes; k += most {
				to := frame.At(w.packed, p*w.run.panelBytes()+y.At(k/micro.GroupBytes)+part*y.Part)
				blocks := int64(min(most, bytes-k) / micro.TurnBytes)
				micro.Transposing{From: int64(k), To: to, Blocks: blocks}.Call(&w.Frame, s.turn)
			}
		}
	}
}

// packLoose packs rows of a panel by way of a copy, which has zeros where B has nothing:
// of panels that are not whole, rows that are no group, and columns that do not lie side
// by side.
func (w *packer) packLoose(s span, panel, k, rows int) {
	r := w.run
	b, wide, first := r.w.B, s.t.Cols, w.cut.Start(panel)
	cols := min(wide, w.cols-first)
	arg := r.args[r.p.m.B.Form.Base].Mem
	src, at := arg.Bytes(), int64(b.Base)-frame.At(arg, 0)+int64(w.column+first)*b.Row+int64(k)*b.Col
	copied := w.strip.Bytes()[:roundUp(rows, micro.GroupBytes)*wide]
	clear(copied)
	if b.Row == 1 {
		for i := range rows {
			copy(copied[i*wide:][:cols], src[at+int64(i)*b.Col:])
		}
	} else {
		for j := range cols {
			for i := range rows {
				copied[i*wide+j] = src[at+int64(j)*b.Row+int64(i)*b.Col]
			}
		}
	}
	w.packQuads(s, frame.At(w.strip, 0), int64(wide), panel, 1, k, roundUp(rows, micro.GroupBytes))
}

// rowBytes copies rows of A that do not lie side by side along K to rows of w.strip
// from one on, up to whole vectors as stripBytesCode does.
func (w *Worker) rowBytes(row, n, k, count, to int) {
	r := w.run
	a := r.w.A
	arg := r.args[r.p.m.A.Form.Base].Mem
	src, first := arg.Bytes(), int64(a.Base)-frame.At(arg, 0)+int64(row)*a.Row+int64(k)*a.Col
	ld := micro.StripRow(r.p.t)
	dst := w.strip.Bytes()[to*ld:]
	for j := range count {
		at := first + int64(j)*a.Col
		for i := range n {
			dst[i*ld+j] = src[at]
			at += a.Row
		}
	}
	for i := range n {
		clear(dst[i*ld:][count:roundUp(count, micro.TileBytes)])
	}
}

// firstSums is where the kernel finds what is added to sums of a strip's rows, with so many steps
// of the chain: nothing, but for bytes.
func (w *Worker) firstSums(strip int64, steps int) int64 {
	r := w.run
	if r.rowSums == nil {
		return 0
	}
	w.Set(micro.WordA, strip)
	w.Set(micro.WordC, frame.At(w.first, 0))
	w.Set(micro.WordCount, int64(r.p.t.Rows))
	w.Set(micro.WordK, int64(steps*micro.GroupBytes))
	w.Call(r.rowSums)
	return frame.At(w.first, 0)
}
