package run

import (
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Product is one Dot.
type Product struct {
	From             dtype.DType // of the operands, before they were converted
	Chain            dot.Chain
	A, B, Z          int // buffers
	Acc              *Feed
	Batches, M, N, K int
}

// Run is the step.
func (d *Product) Run(w *Worker) bool {
	a, b, z := w.Bufs[d.A], w.Bufs[d.B], w.Bufs[d.Z]
	switch {
	case d.Acc == nil:
		clear(z.Bytes())
	case !d.Acc.Direct || w.Bufs[d.Acc.p.Buf].Pointer() != z.Pointer() || d.Acc.p.Off != 0:
		d.Acc.CopyTo(w, z)
	}
	za, aa, ba := d.M*d.N, d.M*d.K, d.K*d.N
	for i := range d.Batches {
		z, a, b := z.Slice(i*za, (i+1)*za), a.Slice(i*aa, (i+1)*aa), b.Slice(i*ba, (i+1)*ba)
		w.dot.Run(d.Chain, d.From, z, a, b, d.M, d.N, d.K)
	}
	return true
}
