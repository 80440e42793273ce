package gemm

import (
	"cmp"
	"unsafe"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/product"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// part computes rows × cols of the result: whole register blocks where they belong, if
// that is possible, others by way of a block of sums.
func (w *Worker) part(row, rows, col, cols int) {
	r := w.run
	all := w.cut.Len()
	whole, full := 0, 0 // rows of strips, and panels, that have nothing beyond the result
	if r.direct || r.ends != nil {
		whole, full = r.p.t.Strips(rows), all
		if w.cut.Start(all) > cols {
			full--
		}
	}
	if r.direct || r.p.finish != nil && r.ends != nil { // no block of sums is in between
		w.multiply(row, whole, 0, full, r.result(row, col), 0)
	} else {
		w.blocks(row, whole, 0, full, cols)
	}
	w.blocks(row, whole, full, all, cols)
	w.blocks(row+whole, rows-whole, 0, all, cols)
}

// blocks is rows × panels lo to hi-1 of the result, of which so many columns exist, in
// blocks of sums.
func (w *Worker) blocks(row, rows, lo, hi, cols int) {
	most := blockCols / w.run.p.t.Cols
	for at := lo; rows > 0 && at < hi; at += most {
		w.block(row, rows, at, min(at+most, hi), cols)
	}
}

func (w *Worker) block(row, rows, lo, hi, cols int) {
	from, to := w.cut.Start(lo), w.cut.Start(hi)
	w.multiply(row, rows, lo, hi, place{frame.At(w.sums, 0), int64((to - from) * w.run.p.t.Size)}, 0)
	if !w.ends(rows, hi) {
		w.runEpilogue(row, rows, w.column+from, min(to, cols)-from, to-from, 0)
	}
}

// runEpilogue runs the epilogue over a block of sums, width from row to row, from one on.
func (w *Worker) runEpilogue(row, rows, col, cols, width, first int) {
	r := w.run
	if w.epi == nil {
		w.epi = r.epilogue.Worker()
	}
	m := r.p.m
	w.args = append(w.args[:0], r.args...)
	next := func(a ir.Arg) { w.args = append(w.args, a) }
	number := func(n int64) { next(ir.Arg{Bits: uint64(n)}) }
	size := r.p.t.Size
	next(ir.Arg{Mem: dtype.RawBuf(m.D, unsafe.Add(w.sums.Pointer(), first*size), w.sums.Len()/size-first)})
	number(int64(rows))
	number(int64(cols))
	number(int64(width))
	next(ir.Arg{Bits: product.ZeroBits(m.D, r.w.Zeros)})
	strides := func(arg int, p product.Plane, rows bool, cols *affine.Sym) {
		size := int64(r.args[arg].Mem.DType().Size())
		if rows {
			number(p.Row / size)
		}
		if !r.unit && cols != nil && !cols.IsConst(1) {
			number(p.Col / size)
		}
	}
	out := m.Out.Base
	w.args[out].Mem = remaining(r.args[out].Mem, r.w.Out, row, col)
	strides(out, r.w.Out, true, cmp.Or(m.Out.Coef[1], noCoef))
	for k, x := range m.Extras {
		from := x.Form.Base
		next(ir.Arg{Mem: remaining(r.args[from].Mem, r.w.Extras[k], row, col)})
		strides(from, r.w.Extras[k], x.CoefOf(0) != nil, x.CoefOf(1))
	}
	w.epi.RunAll(w.args, 1)
}

// noCoef stands for a coefficient of 0, of which an epilogue is told.
var noCoef = &affine.Sym{}

// remaining is an argument's memory from element (row, col) of a plane on.
func remaining(mem dtype.Buf, p product.Plane, row, col int) dtype.Buf {
	size := int64(mem.DType().Size())
	off := (int64(p.Base) - int64(uintptr(mem.Pointer())) + int64(row)*p.Row + int64(col)*p.Col) / size
	return mem.Slice(int(off), mem.Len())
}
