package portable

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/exec/portable/storage"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// dot lowers a matrix product. The chain runs in the buffer of the result, to which
// the accumulator is copied first; a loop's accumulator that is in that buffer
// already stays there (storage.go).
func (c *compiler) dot(v *ir.Value) {
	chain := v.Type.D.Compute()
	n, shape := v.Type.Shape.N, v.Args[0].Type.Shape
	d := &product{from: v.Args[0].Type.D, chain: v.Chain, batches: 1, m: v.Type.Shape.D[n-2], n: v.Type.Shape.D[n-1], k: shape.D[n-1]}
	if n == 3 {
		d.batches = shape.D[0]
	}
	d.a, d.b = c.converted(v, v.Args[0], chain).buf, c.converted(v, v.Args[1], chain).buf
	if v.Flags&ir.HasAcc != 0 {
		acc := c.place(v.Args[2])
		if chain != v.Type.D {
			acc = c.converted(v, v.Args[2], chain)
		}
		d.acc = c.feed(acc, v.Type.Shape)
		if d.acc.direct {
			c.store.ReadUntil(d.acc.touch, 0)
		}
	}
	c.store.Read(d.a, storage.AnyTime)
	c.store.Read(d.b, storage.AnyTime)
	z := c.define(v)
	d.z = z.buf
	if chain != v.Type.D {
		d.z = c.buffer(v, chain, v.Type.Shape)
	}
	c.store.Write(d.z, 0)
	c.emit(d.run)
	if chain != v.Type.D {
		c.narrowed(z, d.z, v.Type.Shape.Len())
	}
}

// converted is a's elements as type d, in row-major order from the start of a
// buffer.
func (c *compiler) converted(v, a *ir.Value, d dtype.DType) *place {
	x := c.place(a)
	c.need(x)
	if x.t.D == d {
		if x = c.packed(v, x); x.off != 0 {
			x = c.copied(v, x)
		}
		return x
	}
	z := c.newPlace(v, x.t.As(d))
	c.store.Before(func() {
		s := &sweep{n: x.t.Shape.Len(), step: lanes.Chunk, outs: []int{z.buf}}
		b := lanes.NewBuilder(&c.p.lanes)
		b.Output(b.Cast(d, c.input(s, b, x)))
		s.lanes = b.Finish(c.feedSlots(s.feeds))
		c.store.Write(z.buf, 0)
		c.emit(s.run)
	})
	return z
}

// narrowed converts a chain's n results to z's type.
func (c *compiler) narrowed(z *place, from, n int) {
	loop := op.CastLoop(z.t.D, c.store.Dtype(from))
	c.store.Read(from, storage.AnyTime)
	c.store.Write(z.buf, 0)
	c.emit(func(w *Worker) bool {
		loop(w.bufs[z.buf], w.bufs[from], dtype.Buf{}, dtype.Buf{})
		return true
	})
}

// A product is one Dot.
type product struct {
	from             dtype.DType // of the operands, before they were converted
	chain            dot.Chain
	a, b, z          int // buffers
	acc              *feed
	batches, m, n, k int
}

func (d *product) run(w *Worker) bool {
	a, b, z := w.bufs[d.a], w.bufs[d.b], w.bufs[d.z]
	switch {
	case d.acc == nil:
		clear(z.Bytes())
	case !d.acc.direct || w.bufs[d.acc.p.buf].Pointer() != z.Pointer() || d.acc.p.off != 0:
		d.acc.copyTo(w, z)
	}
	za, aa, ba := d.m*d.n, d.m*d.k, d.k*d.n
	for i := range d.batches {
		z, a, b := z.Slice(i*za, (i+1)*za), a.Slice(i*aa, (i+1)*aa), b.Slice(i*ba, (i+1)*ba)
		w.dot.Run(d.chain, d.from, z, a, b, d.m, d.n, d.k)
	}
	return true
}
