package gemm

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/transpose"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Operands of products whose elements lie side by side along the other dimension than the
// one that the kernel wants: columns of B, and groups of A, are transposed in registers.

// lanes is how many elements of the chain a register has.
func (t tiling) lanes() int { return t.cols / t.vecs }

// turnCode writes columns of B, each of which has its elements side by side, into a
// panel, as many as a register has lanes: wordK blocks of as many steps. They begin wordA bytes
// after the places at wordRows; wordStepB is the bytes from step to step in the panel.
func turnCode(from, d dtype.DType, tier *lir.Tier) *writer {
	g := newWriter(tier, false)
	off, dst, step := g.Word(wordA), g.Word(wordB), g.Word(wordStepB)
	g.repeat(wordK, []int{1}, func(int) {
		r := make([]lir.Reg, g.Bytes/d.Size())
		for i := range r {
			r[i] = g.LoadAs(d, from, lir.MemIndex(g.Word(wordRows+8*i), off, 1, 0))
		}
		for _, x := range transpose.Square(g.Builder, r, d.Size()) {
			g.Use(asm.VMOVUPS, lir.Mem(dst, 0), g.V(x))
			g.RMW(asm.ADD, g.R64(dst), g.R64(step))
		}
		g.AddConst(off, int64(len(r)*from.Size()))
	})
	g.Return(0)
	return g
}

// turnPanels packs columns of B from src on, each with its elements side by side, so many
// steps of them: at least as many as a register has lanes. The last block is turned once
// more with steps before it, if it is not whole; and a column that a panel lacks is the last one
// again.
func (w *Worker) turnPanels(src int64, cols, steps int) {
	r, y := w.run, w.cut
	from, size, n := r.p.m.B.D.Size(), r.p.t.size, r.p.t.lanes()
	for p := range y.Len() {
		nr := y.NR(p)
		turn := func(k, j, blocks int) {
			to := address(w.packed, p*w.run.panelBytes()+(k*nr+j)*size)
			w.transpose(r.turn, transposing{from: int64(k * from), to: to, toStep: int64(nr * size), blocks: int64(blocks)})
		}
		for j := 0; j < nr; j += n {
			w.setRows(src, y.Start(p)+j, n, cols)
			for k := 0; k < steps/n*n; k += blockK {
				turn(k, j, min(blockK, steps-k)/n)
			}
			if steps%n > 0 {
				turn(steps-n, j, 1)
			}
		}
	}
}

// setRows tells code where n columns of B begin, from one on, of which there are so many: a
// missing one is the last one again.
func (w *Worker) setRows(src int64, from, n, cols int) {
	for i := range n {
		w.Set(wordRows+8*i, src+int64(min(from+i, cols-1))*w.run.w.B.Row)
	}
}

// turnedRows is how many rows of a turnGroupsCode turns at a time.
const turnedRows = tileRows

// canPermute reports whether the machine has the instruction that turnGroupsCode takes for
// elements of type d.
func canPermute(d dtype.DType) bool {
	return d.Size() == 2 || cpu.Detected().Has(cpu.HasAVX512VBMI)
}

// turnGroupsCode writes rows of A that lie side by side to rows along K, of which a
// step is a group: turnedRows of them, wordStepB bytes apart, wordK times tileBytes. Steps of
// the source are wordLdK bytes apart.
func turnGroupsCode(d dtype.DType) *writer {
	g := newWriter(lir.AVX512, false)
	size, permute, insert := d.Size(), asm.VPERMW, asm.VINSERTI64X4
	if size == 1 {
		permute, insert = asm.VPERMB, asm.VINSERTI32X4
	}
	group := groupBytes / size
	var from [64]byte // elements of a group are turnedRows apart
	for i := range len(from) / size {
		from[i*size] = byte(i%group*turnedRows + i/group)
	}
	index := g.NewVec()
	g.Def(asm.VMOVUPS, g.V(index), g.BytesConst(from[:]))
	src, dst, ld, row := g.Word(wordA), g.Word(wordB), g.Word(wordLdK), g.Word(wordStepB)
	g.repeat(wordK, []int{1}, func(int) {
		r := make([]lir.Reg, tileSteps)
		for i := range r {
			x := g.NewVec()
			g.Use(asm.PREFETCHT1, lir.Mem(src, tileBytes).Sized(1)) // of rows to come
			g.Def(asm.VMOVUPS, g.VW(x, turnedRows*size), lir.Mem(src, 0))
			g.RMW(asm.ADD, g.R64(src), g.R64(ld))
			for k := 1; k < group; k++ {
				y := g.NewVec()
				g.Def(insert, g.V(y), g.V(x), lir.Mem(src, 0), lir.Imm(int64(k)))
				g.RMW(asm.ADD, g.R64(src), g.R64(ld))
				x = y
			}
			r[i] = g.NewVec()
			g.Def(permute, g.V(r[i]), g.V(index), g.V(x))
		}
		q := g.CopyInt(dst)
		for _, x := range transpose.Square(g.Builder, r, groupBytes) {
			g.Use(asm.VMOVUPS, lir.Mem(q, 0), g.V(x))
			g.RMW(asm.ADD, g.R64(q), g.R64(row))
		}
		g.AddConst(dst, tileBytes)
	})
	g.Return(0)
	return g
}

// turnRows copies n rows of A that lie side by side to rows along K, of w.strip from
// one on: count elements from k on, at least tileBytes. The last rows, and steps, are turned
// with what comes before them.
func (w *Worker) turnRows(row, n, k, count, at int) {
	r := w.run
	a, ld, size := r.w.A, stripRow(r.p.t), r.p.m.A.D.Size()
	each := tileBytes / size
	turn := func(row, to, from, blocks int) {
		w.transpose(r.side, transposing{
			from: int64(a.Base) + int64(row)*a.Row + int64(k+from)*a.Col, step: a.Col,
			to: address(w.strip, (at+to)*ld+from*size), toStep: int64(ld), blocks: int64(blocks),
		})
	}
	for i := 0; i < n; i += turnedRows {
		first := min(row+i, r.w.M-turnedRows)
		to := first - row
		turn(first, to, 0, count/each)
		if count%each > 0 {
			turn(first, to, count-each, 1)
		}
	}
}
