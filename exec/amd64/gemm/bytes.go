package gemm

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/transpose"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/product"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Products of int8 matrices, summed in int32, where the machine multiplies and adds
// four bytes at once. The instruction takes one of them unsigned: B's bytes are moved
// up by 128 when they are packed, and -128 times the sum of A's row makes up for it, modulo
// 2^32 as all of it is. A step of K is a group of four: panels of B hold the four
// bytes of a column side by side.

// groupBytes is how many bytes make up a step.
const groupBytes = 4

// A grouping is where a panel has its groups: those of 16 columns lie side by side, in rows of
// 64 bytes.
type grouping struct {
	parts int // of 16 columns
	row   int // bytes from the row of one step to that of the next
	part  int // to that of the next 16 columns
	rows  int // that lie so, before the next part
}

// partRow is the bytes of a step in a part of a panel.
const partRow = 64

// groups is the grouping that a kernel takes of panels with so many registers of columns:
// vectors a step of the whole panel, tiles so many steps of each half.
func groups(tiles bool, vecs int) grouping {
	if tiles {
		return grouping{parts: vecs, row: tileBytes, part: tileSize, rows: tileRows}
	}
	return grouping{parts: vecs, row: vecs * partRow, part: partRow, rows: blockK}
}

func (r *Run) groups(t tiling) grouping { return groups(r.p.tiles, t.vecs) }

// at is where a panel has the row of a step.
func (y grouping) at(step int) int {
	return step/y.rows*y.rows*y.parts*partRow + step%y.rows*y.row
}

// ByteProducts reports whether the machine has the instruction.
func ByteProducts() bool { return cpu.Detected().Has(cpu.HasAVX512VNNI) }

// bytesParts says how the code of a product of bytes is made.
func (p *Product) bytesParts(g *writer, later func(*part, pieceKind, dtype.DType, int), tiles bool) {
	d := p.m.A.D
	if tiles {
		p.tilesParts(later, d)
	} else {
		p.narrow = &panels{t: p.t}
		later(&p.narrow.kernel.part, multiplyPiece, dtype.Int32, p.t.vecs)
		later(&p.narrow.packs.straight, packBytesPiece, d, p.t.vecs)
		later(&p.narrow.packs.turned, packTurnedPiece, d, p.t.vecs)
		p.t = p.t.of(wideVecs, g)
		later(&p.kernel.part, multiplyPiece, dtype.Int32, p.t.vecs)
		later(&p.rowSums, rowSumsPiece, d, 0)
	}
	later(&p.strips.straight, copyPiece, d, 0)
	later(&p.strips.turned, turnGroupsPiece, d, 0)
	later(&p.packs.straight, packBytesPiece, d, p.t.vecs)
	later(&p.packs.turned, packTurnedPiece, d, p.t.vecs)
}

// grouped reports whether a step of K takes a group of elements, groupBytes of
// them.
func (p *Product) grouped() bool { return p.m.Bytes() || p.pairs }

// groupParts finds the code that a launch needs beyond that of other products.
func (r *Plan) groupParts() bool {
	p, a := r.p, r.shape.A
	if size := int64(p.m.A.D.Size()); a.Row == size && a.Col != size && r.shape.M >= turnedRows && canPermute(p.m.A.D) {
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
		return roundUp(k, group*tileSteps) / group
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
		return groupBytes / p.m.A.D.Size()
	}
	return 1
}

// packBytesCode writes whole panels of B: wordK groups of four rows that lie side by side there,
// wordLdK bytes from row to row, wordCount panels. Bytes are moved up, if they are to be.
func packBytesCode(y grouping, moved bool) *writer {
	g := newWriter(lir.AVX512, false)
	group := g.packGroup
	if cpu.Detected().Has(cpu.HasAVX512VBMI) {
		group = g.packPermuted()
	}
	up := g.moveUp(moved)
	src, dst, ld := g.Word(wordA), g.Word(wordB), g.Word(wordLdK)
	g.repeat(wordK, []int{4, 1}, func(n int) {
		p, q, left := g.CopyInt(src), g.CopyInt(dst), g.Word(wordCount)
		top := g.NewLabel()
		l := g.BeginLoop()
		g.Bind(top)
		low, high := g.CopyInt(p), g.NewReg(lir.GPR)
		for i := range n {
			g.Def(asm.LEA, g.R64(high), lir.MemIndex(low, ld, 2, 0))
			for part := range y.parts {
				from := 16 * part
				rows := [4]lir.Arg{lir.Mem(low, from), lir.MemIndex(low, ld, 1, from), lir.Mem(high, from), lir.MemIndex(high, ld, 1, from)}
				group(rows, func(x lir.Reg, bytes, off int) {
					g.Use(asm.VMOVUPS, lir.Mem(q, i*y.row+part*y.part+off), g.VW(up(x), bytes))
				})
			}
			g.Def(asm.LEA, g.R64(low), lir.MemIndex(low, ld, 4, 0))
		}
		g.AddConst(p, int64(16*y.parts))
		g.RMW(asm.ADD, g.R64(q), lir.Frame(wordStepB))
		g.RMW(asm.SUB, g.R64(left), lir.Imm(1))
		g.Jump(asm.JNE, top)
		g.EndLoop(l)
		for range n {
			g.Def(asm.LEA, g.R64(src), lir.MemIndex(src, ld, 4, 0))
		}
		g.AddConst(dst, int64(n*y.row))
	})
	g.Return(0)
	return g
}

// moveUp moves bytes of a register up by 128, if moved is set.
func (g *writer) moveUp(moved bool) func(x lir.Reg) lir.Reg {
	if !moved {
		return func(x lir.Reg) lir.Reg { return x }
	}
	up := g.NewVec()
	g.Def(asm.VPBROADCASTD, g.V(up), g.Constant(0x80808080, 4))
	return func(x lir.Reg) lir.Reg {
		z := g.NewVec()
		g.Def(asm.VPXORD, g.V(z), g.V(x), g.V(up))
		return z
	}
}

// packGroup makes 64 bytes of a panel of 16 columns of four rows, piece by piece.
func (g *writer) packGroup(rows [4]lir.Arg, store func(x lir.Reg, bytes, off int)) {
	pair := func(o asm.Op, x, y lir.Reg) lir.Reg {
		z := g.NewVec()
		g.Def(o, g.VW(z, 16), g.VW(x, 16), g.VW(y, 16))
		return z
	}
	var r [4]lir.Reg
	for i := range r {
		r[i] = g.NewVec()
		g.Def(asm.VMOVUPS, g.VW(r[i], 16), rows[i])
	}
	low, high := pair(asm.VPUNPCKLBW, r[0], r[1]), pair(asm.VPUNPCKHBW, r[0], r[1])
	low2, high2 := pair(asm.VPUNPCKLBW, r[2], r[3]), pair(asm.VPUNPCKHBW, r[2], r[3])
	for i, x := range []lir.Reg{
		pair(asm.VPUNPCKLWD, low, low2), pair(asm.VPUNPCKHWD, low, low2),
		pair(asm.VPUNPCKLWD, high, high2), pair(asm.VPUNPCKHWD, high, high2),
	} {
		store(x, 16, 16*i)
	}
}

// packPermuted is packGroup with one permutation of all 64 bytes: the four rows are
// loaded side by side.
func (g *writer) packPermuted() func(rows [4]lir.Arg, store func(x lir.Reg, bytes, off int)) {
	var at [64]byte
	for i := range at {
		at[i] = byte(i%4*16 + i/4)
	}
	places := g.NewVec()
	g.Def(asm.VMOVUPS, g.V(places), g.BytesConst(at[:]))
	var quarter [4]lir.Reg
	for i := 1; i < len(quarter); i++ {
		quarter[i] = g.NewReg(lir.Mask)
		g.Def(asm.KMOVW, g.K(quarter[i]), g.R32(g.NewInt(0xf<<(4*i))))
	}
	return func(rows [4]lir.Arg, store func(x lir.Reg, bytes, off int)) {
		x := g.NewVec()
		g.Def(asm.VMOVUPS, g.VW(x, 16), rows[0])
		for i := 1; i < len(rows); i++ {
			g.Def(asm.VBROADCASTI32X4, g.V(x), rows[i]).Masked(quarter[i], false)
		}
		z := g.NewVec()
		g.Def(asm.VPERMB, g.V(z), g.V(places), g.V(x))
		store(z, 64, 0)
	}
}

// turnCols and turnBytes are the block of B that packTurnedCode turns at a time.
const turnCols, turnBytes = 16, 16

// packTurnedCode writes a part of a panel of B from columns that each have their elements side by
// side: wordK times 16 bytes of them. They begin wordA bytes after the places at wordRows.
// They are moved up, if they are to be.
func packTurnedCode(y grouping, moved bool) *writer {
	g := newWriter(lir.AVX512, false)
	up := g.moveUp(moved)
	off, dst := g.Word(wordA), g.Word(wordB)
	column := func(i int) lir.Arg { return lir.MemIndex(g.Word(wordRows+8*i), off, 1, 0) }
	const steps = turnBytes / groupBytes
	g.repeat(wordK, []int{tileRows / steps, 1}, func(n int) {
		for range n {
			for i, x := range transpose.Block(g.Builder, column) {
				g.Use(asm.VMOVUPS, lir.Mem(dst, i*y.row), g.V(up(x)))
			}
			g.AddConst(off, turnBytes)
			g.AddConst(dst, int64(steps*y.row))
		}
		if n > 1 { // other parts lie in between
			g.AddConst(dst, int64(y.at(tileRows)-tileRows*y.row))
		}
	})
	g.Return(0)
	return g
}

// rowSumsCode puts into wordC, for each of wordCount rows of A that are wordLdA bytes apart, -128
// times the sum of its wordK bytes.
func rowSumsCode() *writer {
	g := newWriter(lir.AVX512, false)
	ones, zero := g.NewVec(), g.NewVec()
	g.Def(asm.VPBROADCASTD, g.V(ones), g.Constant(0x01010101, 4))
	g.ZeroVec(zero)
	src, dst := g.Word(wordA), g.Word(wordC)
	bits, mask := g.NewReg(lir.GPR), g.NewReg(lir.Mask)
	rest := g.Word(wordK)
	g.RMW(asm.AND, g.R64(rest), lir.Imm(63))
	g.Def(asm.BZHI, g.R64(bits), g.R64(g.NewInt(-1)), g.R64(rest))
	g.Def(asm.KMOVQ, g.K(mask), g.R64(bits))
	g.repeat(wordCount, []int{1}, func(int) {
		p, sum, last := g.CopyInt(src), g.NewVec(), g.NewVec()
		g.ZeroVec(sum)
		g.repeat(wordK, []int{64}, func(int) {
			g.RMW(asm.VPDPBUSD, g.V(sum), g.V(ones), lir.Mem(p, 0))
			g.AddConst(p, 64)
		})
		g.Def(asm.VMOVDQU8, g.V(last), lir.Mem(p, 0)).Masked(mask, true)
		g.RMW(asm.VPDPBUSD, g.V(sum), g.V(ones), g.V(last))
		half := func(o asm.Op, from, bytes int, which int64) { // added to the other half
			x, y := g.NewVec(), g.NewVec()
			g.Def(o, g.VW(x, bytes), g.VW(sum, from), lir.Imm(which))
			g.Def(asm.VPADDD, g.VW(y, bytes), g.VW(x, bytes), g.VW(sum, bytes))
			sum = y
		}
		half(asm.VEXTRACTI64X4, 64, 32, 1)
		half(asm.VEXTRACTI128, 32, 16, 1)
		half(asm.VPSHUFD, 16, 16, 0x4e)
		half(asm.VPSHUFD, 16, 16, 0xb1)
		x, y := g.NewVec(), g.NewVec()
		g.Def(asm.VPSLLD, g.VW(x, 16), g.VW(sum, 16), lir.Imm(7))
		g.Def(asm.VPSUBD, g.VW(y, 16), g.VW(zero, 16), g.VW(x, 16))
		g.Use(asm.VMOVD, lir.Mem(dst, 0), g.VW(y, 16))
		g.RMW(asm.ADD, g.R64(src), lir.Frame(wordLdA))
		g.AddConst(dst, 4)
	})
	g.Return(0)
	return g
}

// stripBytesCode copies wordCount rows of wordK bytes of a to rows wordStepB bytes apart. What is
// left of the last 64 bytes is zeros.
func stripBytesCode() *writer {
	g := newWriter(lir.AVX512, false)
	src, dst, by := g.Word(wordA), g.Word(wordB), g.Word(wordLdA)
	g.repeat(wordCount, []int{1}, func(int) {
		p, q, left := g.CopyInt(src), g.CopyInt(dst), g.Word(wordK)
		top, done := g.NewLabel(), g.NewLabel()
		l := g.BeginLoop()
		g.Bind(top)
		g.Use(asm.CMP, g.R64(left), lir.Imm(0))
		g.Jump(asm.JLE, done)
		mask, x := g.NewReg(lir.Mask), g.NewVec()
		bits, most := g.NewReg(lir.GPR), g.NewInt(64)
		n := g.CopyInt(left)
		g.Use(asm.CMP, g.R64(n), lir.Imm(64))
		g.RMW(asm.CMOVG, g.R64(n), g.R64(most))
		g.Def(asm.BZHI, g.R64(bits), g.R64(g.NewInt(-1)), g.R64(n))
		g.Def(asm.KMOVQ, g.K(mask), g.R64(bits))
		g.Def(asm.VMOVDQU8, g.V(x), lir.Mem(p, 0)).Masked(mask, true)
		g.Use(asm.VMOVUPS, lir.Mem(q, 0), g.V(x)) // rows of the copy have room for whole vectors
		g.AddConst(p, 64)
		g.AddConst(q, 64)
		g.AddConst(left, -64)
		g.Jump(asm.JMP, top)
		g.EndLoop(l)
		g.Bind(done)
		g.RMW(asm.ADD, g.R64(src), g.R64(by))
		g.RMW(asm.ADD, g.R64(dst), lir.Frame(wordStepB))
	})
	g.Return(0)
	return g
}

// packBytes packs columns of b.
func (w *Worker) packBytes(s span) {
	r := w.run
	b, y := r.w.B, r.groups(s.t)
	fast, grouped := s.lo, 0               // the panels before one, and rows of them, that code reads where they lie
	rows := min(blockK, groupBytes*y.rows) // at a time
	switch {
	case b.Row == 1:
		fast += (min(w.cols, w.cut.Start(s.hi)) - w.cut.Start(s.lo)) / s.t.cols
		grouped = r.w.K / groupBytes * groupBytes
		for k := 0; s.lo < fast && k < grouped; k += rows {
			w.packQuads(s, w.source(s, k), b.Col, s.lo, fast-s.lo, k, min(rows, grouped-k))
		}
	case b.Col == 1 && r.turn != nil:
		fast, grouped = s.hi, r.w.K/turnBytes*turnBytes
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
		for part := range y.parts {
			for k := (r.w.K + groupBytes - 1) / groupBytes; k < r.chain; k++ {
				clear(panel[y.at(k)+part*y.part:][:partRow])
			}
		}
	}
}

// packQuads packs so many rows, a multiple of four, of whole panels of a span: those from a
// source become the rows from k on.
func (w *Worker) packQuads(s span, src, ld int64, panel, panels, k, rows int) {
	w.pack(s.pack, packing{
		from: src, step: ld,
		to: address(w.packed, panel*w.run.panelBytes()+w.run.groups(s.t).at(k/groupBytes)), panel: int64(w.run.panelBytes()),
		steps: int64(rows / groupBytes), count: int64(panels),
	})
}

// packTurned packs so many bytes of columns whose elements lie side by side. A column that a
// panel lacks is the last one again.
func (w *Worker) packTurned(s span, bytes int) {
	b, y := w.run.w.B, w.run.groups(s.t)
	src := int64(b.Base) + int64(w.column)*b.Row
	const most = 4 * blockK
	for p := s.lo; p < s.hi; p++ {
		for part := range y.parts {
			w.setRows(src, w.cut.Start(p)+part*turnCols, turnCols, w.cols)
			for k := 0; k < bytes; k += most {
				to := address(w.packed, p*w.run.panelBytes()+y.at(k/groupBytes)+part*y.part)
				w.transpose(s.turn, transposing{from: int64(k), to: to, blocks: int64(min(most, bytes-k) / turnBytes)})
			}
		}
	}
}

// packLoose packs rows of a panel by way of a copy, which has zeros where B has nothing:
// of panels that are not whole, rows that are no group, and columns that do not lie side
// by side.
func (w *Worker) packLoose(s span, panel, k, rows int) {
	r := w.run
	b, wide, first := r.w.B, s.t.cols, w.cut.Start(panel)
	cols := min(wide, w.cols-first)
	arg := r.args[r.p.m.B.Form.Base].Mem
	src, at := arg.Bytes(), int64(b.Base)-address(arg, 0)+int64(w.column+first)*b.Row+int64(k)*b.Col
	copied := w.strip.Bytes()[:roundUp(rows, groupBytes)*wide]
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
	w.packQuads(s, address(w.strip, 0), int64(wide), panel, 1, k, roundUp(rows, groupBytes))
}

// rowBytes copies rows of A that do not lie side by side along K to rows of w.strip
// from one on, up to whole vectors as stripBytesCode does.
func (w *Worker) rowBytes(row, n, k, count, to int) {
	r := w.run
	a := r.w.A
	arg := r.args[r.p.m.A.Form.Base].Mem
	src, first := arg.Bytes(), int64(a.Base)-address(arg, 0)+int64(row)*a.Row+int64(k)*a.Col
	ld := stripRow(r.p.t)
	dst := w.strip.Bytes()[to*ld:]
	for j := range count {
		at := first + int64(j)*a.Col
		for i := range n {
			dst[i*ld+j] = src[at]
			at += a.Row
		}
	}
	for i := range n {
		clear(dst[i*ld:][count:roundUp(count, tileBytes)])
	}
}

// firstSums is where the kernel finds what is added to sums of a strip's rows, with so many steps
// of the chain: nothing, but for bytes.
func (w *Worker) firstSums(strip int64, steps int) int64 {
	r := w.run
	if r.rowSums == nil {
		return 0
	}
	w.Set(wordA, strip)
	w.Set(wordC, address(w.first, 0))
	w.Set(wordCount, int64(r.p.t.rows))
	w.Set(wordK, int64(steps*groupBytes))
	w.Call(r.rowSums)
	return address(w.first, 0)
}
