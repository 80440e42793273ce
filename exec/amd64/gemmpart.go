package amd64

import (
	"unsafe"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// part computes rows × cols of the result: whole register blocks where they belong, if
// that is possible, others by way of a block of sums.
func (w *productWorker) part(row, rows, col, cols int) {
	r := w.run
	all := w.cut.panels()
	whole, full := 0, 0 // rows of strips, and panels, that have nothing beyond the result
	if r.direct || r.ends != nil {
		whole, full = r.p.t.strips(rows), all
		if w.cut.start(all) > cols {
			full--
		}
	}
	if r.direct {
		w.multiply(row, whole, 0, full, r.w.result(row, col), 0)
	} else {
		w.blocks(row, whole, 0, full, cols)
	}
	w.blocks(row, whole, full, all, cols)
	w.blocks(row+whole, rows-whole, 0, all, cols)
}

// blocks is rows × panels lo to hi-1 of the result, of which so many columns exist, in
// blocks of sums.
func (w *productWorker) blocks(row, rows, lo, hi, cols int) {
	most := blockCols / w.run.p.t.cols
	for at := lo; rows > 0 && at < hi; at += most {
		w.block(row, rows, at, min(at+most, hi), cols)
	}
}

func (w *productWorker) block(row, rows, lo, hi, cols int) {
	from, to := w.cut.start(lo), w.cut.start(hi)
	w.multiply(row, rows, lo, hi, place{address(w.sums, 0), int64((to - from) * w.run.p.t.size)}, 0)
	if !w.ends(rows, hi) {
		w.finish(row, rows, w.column+from, min(to, cols)-from, to-from, 0)
	}
}

// finish runs the epilogue over a block of sums, width from row to row, from one on.
func (w *productWorker) finish(row, rows, col, cols, width, first int) {
	r := w.run
	if w.epi == nil {
		w.beginEpilogue()
	}
	m := r.p.m
	args := w.launch.Args
	i := len(r.l.Args)
	next := func(a ir.Arg) { args[i] = a; i++ }
	number := func(n int64) { next(ir.Arg{Bits: uint64(n)}) }
	size := r.p.t.size
	next(ir.Arg{Mem: dtype.RawBuf(m.d, unsafe.Add(w.sums.Pointer(), first*size), w.sums.Len()/size-first)})
	number(int64(rows))
	number(int64(cols))
	number(int64(width))
	next(ir.Arg{Bits: zeroBits(m.d, r.w.zeros)})
	place := func(arg int, p plane, rows bool, cols *affine.Sym) {
		size := int64(r.l.Args[arg].Mem.DType().Size())
		args[arg].Mem = remaining(r.l.Args[arg].Mem, p, row, col)
		if rows {
			number(p.row / size)
		}
		if !r.unit && cols != nil && !cols.IsConst(1) {
			number(p.col / size)
		}
	}
	place(m.out.Base, r.w.out, true, orZero(m.out.Coef[1]))
	for k, x := range m.extras {
		place(x.form.Base, r.w.extras[k], x.coefOf(0) != nil, x.coefOf(1))
	}
	w.epi.Begin(&w.launch)
	w.epi.Run(0, 1)
}

// outside is where an epilogue ends up that reaches out of its tensors.
func outside(int) *ir.Failure {
	panic("amd64: a product that was found to lie inside its tensors does not")
}

// noCoef stands for a coefficient of 0, of which an epilogue is told.
var noCoef = &affine.Sym{}

func orZero(c *affine.Sym) *affine.Sym {
	if c == nil {
		return noCoef
	}
	return c
}

// remaining is an argument's memory from element (row, col) of a plane on.
func remaining(mem dtype.Buf, p plane, row, col int) dtype.Buf {
	size := int64(mem.DType().Size())
	off := (int64(p.base) - int64(uintptr(mem.Pointer())) + int64(row)*p.row + int64(col)*p.col) / size
	return mem.Slice(int(off), mem.Len())
}
