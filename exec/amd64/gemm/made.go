package gemm

import (
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/gemm/micro"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/product"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A B that is computed: rows of it, as many as a round of the kernel's loop takes, are made for the columns that are
// packed, and then packed like those of a tensor.

// making is what a worker makes blocks of B with.
type making struct {
	code RoutineWorker // nil: not needed so far
	rows dtype.Buf
	args []ir.Arg
	of   dtype.Buf // numbers of blocks
}

// end lets go of what it has of a run.
func (x *making) end() {
	if x.code != nil {
		x.code.Release()
		clear(x.args)
	}
	x.code = nil
}

// numbers is room for the numbers of n blocks.
func (x *making) numbers(w *packer, n int) dtype.Buf {
	n *= w.run.w.Made.Numbers()
	w.room(&x.of, w.run.Plan, "numbers of blocks", 8*n)
	return dtype.RawBuf(dtype.Int64, x.of.Pointer(), n)
}

// mostMade is how many bytes of B are made at a time, if that is more than one round's.
const mostMade = 64 << 10

// makeBlock packs the block for so many steps of K, which it makes some rounds at a time.
func (w *packer) makeBlock(from, steps int) {
	r, x := w.run, &w.making
	made, size := &r.w.Made, r.p.m.B.D.Size()
	first := w.column / made.Cols
	blocks := (w.column+w.cols+made.Cols-1)/made.Cols - first
	ld := blocks * made.Cols
	rows := max(1, min(steps/made.Rows, mostMade/(made.Rows*ld*size))) * made.Rows
	w.room(&x.rows, r.Plan, "computed b", rows*ld*size)
	for k := from; k < from+steps && !r.stopped(); k += rows {
		n := min(rows, from+steps-k)
		list := dtype.View[int64](x.numbers(w, n/made.Rows*blocks))[:0]
		for i := 0; i < n; i += made.Rows {
			for j := range blocks {
				list = made.Block(list, (k+i)/made.Rows, first+j, i*ld+j*made.Cols)
			}
		}
		w.makeTiles(n/made.Rows*blocks, ld)
		w.b = product.Plane{Row: int64(size), Col: int64(ld * size)}
		w.b.Base = uintptr(frame.At(x.rows, 0)) - uintptr(w.column*size) - uintptr(k*ld*size)
		for _, s := range w.spans(0, w.cut.Len()) {
			for i := 0; i < n; i += micro.BlockK {
				w.packSpan(s, k+i, min(micro.BlockK, n-i), k+i-from)
			}
		}
	}
}

// makeTiles makes blocks whose numbers are listed.
func (w *packer) makeTiles(n, ld int) {
	r, x := w.run, &w.making
	if x.code == nil {
		x.code = r.p.maker.Get().Worker()
	}
	x.args = append(append(x.args[:0], r.args...),
		ir.Arg{Mem: x.numbers(w, n)},
		ir.Arg{Mem: dtype.RawBuf(r.p.m.B.D, x.rows.Pointer(), x.rows.Len()/r.p.m.B.D.Size())},
		ir.Arg{Bits: uint64(ld)}, ir.Arg{})
	x.code.RunAll(x.args, n)
}
