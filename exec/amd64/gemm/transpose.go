package gemm

import (
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/gemm/micro"
)

// turnPanels packs columns of B from src on, each with its elements side by side, so many
// steps of them: at least as many as a register has lanes. The last block is turned once
// more with steps before it, if it is not whole; and a column that a panel lacks is the last one
// again.
func (w *packer) turnPanels(src int64, cols, steps int) {
	r, y := w.run, w.cut
	from, size, n := r.p.m.B.D.Size(), r.p.t.Size, r.p.t.Lanes()
	for p := range y.Len() {
		nr := y.NR(p)
		turn := func(k, j, blocks int) {
			to := frame.At(w.packed, p*w.run.panelBytes()+(k*nr+j)*size)
			t := micro.Transposing{From: int64(k * from), To: to, ToStep: int64(nr * size), Blocks: int64(blocks)}
			t.Call(&w.Frame, r.turn)
		}
		for j := 0; j < nr; j += n {
			w.setRows(src, y.Start(p)+j, n, cols)
			for k := 0; k < steps/n*n; k += micro.BlockK {
				turn(k, j, min(micro.BlockK, steps-k)/n)
			}
			if steps%n > 0 {
				turn(steps-n, j, 1)
			}
		}
	}
}

// setRows tells code where n columns of B begin, from one on, of which there are so many: a
// missing one is the last one again.
func (w *packer) setRows(src int64, from, n, cols int) {
	for i := range n {
		w.Set(micro.WordRows+8*i, src+int64(min(from+i, cols-1))*w.run.w.B.Row)
	}
}

// turnRows copies n rows of A that lie side by side to rows along K, of w.strip from
// one on: count elements from k on, at least tileBytes. The last rows, and steps, are turned
// with what comes before them.
func (w *Worker) turnRows(row, n, k, count, at int) {
	r := w.run
	a, ld, size := r.w.A, micro.StripRow(r.p.t), r.p.m.A.D.Size()
	each := micro.TileBytes / size
	turn := func(row, to, from, blocks int) {
		micro.Transposing{
			From: int64(a.Base) + int64(row)*a.Row + int64(k+from)*a.Col, Step: a.Col,
			To: frame.At(w.strip, (at+to)*ld+from*size), ToStep: int64(ld), Blocks: int64(blocks),
		}.Call(&w.Frame, r.side)
	}
	for i := 0; i < n; i += micro.TurnedRows {
		first := min(row+i, r.w.M-micro.TurnedRows)
		to := first - row
		turn(first, to, 0, count/each)
		if count%each > 0 {
			turn(first, to, count-each, 1)
		}
	}
}
