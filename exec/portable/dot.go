package portable

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/exec/portable/run"
	"github.com/tiler-go/tiler/exec/portable/storage"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// lowerDot lowers a matrix product. The chain runs in the buffer of the result, to which
// the accumulator is copied first; a loop's accumulator that is in that buffer
// already stays there (package storage).
func lowerDot(c *compiler, v *ir.Value) {
	chain := v.Type.D.Compute()
	n, shape := v.Type.Shape.N, v.Args[0].Type.Shape
	d := &run.Product{From: v.Args[0].Type.D, Chain: v.Chain, Batches: 1}
	d.M, d.N, d.K = v.Type.Shape.D[n-2], v.Type.Shape.D[n-1], shape.D[n-1]
	if n == 3 {
		d.Batches = shape.D[0]
	}
	d.A, d.B = converted(c, v, v.Args[0], chain).Buf, converted(c, v, v.Args[1], chain).Buf
	if v.Flags&ir.HasAcc != 0 {
		acc := c.place(v.Args[2])
		if chain != v.Type.D {
			acc = converted(c, v, v.Args[2], chain)
		}
		d.Acc = c.feed(acc, v.Type.Shape)
		if d.Acc.Direct {
			c.Store.ReadUntil(d.Acc.Touch, 0)
		}
	}
	c.Store.Read(d.A, storage.AnyTime)
	c.Store.Read(d.B, storage.AnyTime)
	z := c.define(v)
	d.Z = z.Buf
	if chain != v.Type.D {
		d.Z = c.buffer(v, chain, v.Type.Shape)
	}
	c.Store.Write(d.Z, 0)
	c.Emit(d.Run)
	if chain != v.Type.D {
		narrow(c, z, d.Z, v.Type.Shape.Len())
	}
}

// converted is a's elements as type d, in row-major order from the start of a
// buffer.
func converted(c *compiler, v, a *ir.Value, d dtype.DType) *place {
	x := c.place(a)
	c.need(x)
	if x.Type.D == d {
		if x = c.packed(v, x); x.Off != 0 {
			x = c.copied(v, x)
		}
		return x
	}
	z := c.newPlace(v, x.Type.As(d))
	c.Store.Before(func() {
		s := &run.Sweep{N: x.Type.Shape.Len(), Step: lanes.Chunk, Outs: []int{z.Buf}}
		b := lanes.NewBuilder(&c.Lanes)
		b.Output(b.Cast(d, laneOf(b, &s.Feeds, c.feed(x, x.Type.Shape))))
		s.Lanes = b.Finish(c.GiveSlots(s.Feeds))
		c.Store.Write(z.Buf, 0)
		c.Emit(s.Run)
	})
	return z
}

// narrow converts a chain's n results to z's type.
func narrow(c *compiler, z *place, from, n int) {
	loop := op.CastLoop(z.Type.D, c.Store.Dtype(from))
	c.Store.Read(from, storage.AnyTime)
	c.Store.Write(z.Buf, 0)
	c.Emit(func(w *run.Worker) bool {
		loop(w.Bufs[z.Buf], w.Bufs[from], dtype.Buf{}, dtype.Buf{})
		return true
	})
}
