package portable

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/rows"
	"github.com/tiler-go/tiler/exec/portable/run"
	"github.com/tiler-go/tiler/exec/portable/storage"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// lowerSort lowers a Sort, ArgSort or TopK.
func lowerSort(c *compiler, v *ir.Value) {
	x := c.rowMajor(v, v.Args[0])
	t := v.Args[0].Type
	n, keep, types := t.Shape.D[t.Shape.N-1], t.Shape.D[t.Shape.N-1], v.Results
	switch v.Op {
	case op.Sort:
		types = []ir.Type{v.Type}
	case op.TopK:
		keep = v.Index
	}
	s := rows.NewSorter(t.D, n, keep, v.Op == op.TopK || v.Flags&ir.Descending != 0)
	z, finish := c.outputs(v, types)
	c.Sorted = max(c.Sorted, n)
	c.Emit(func(w *run.Worker) bool {
		var from []int32
		if len(z) > 1 {
			from = dtype.View[int32](w.Bufs[z[1]])
		}
		s.Run(&w.Sorted, w.Bufs[z[0]], from, w.Bufs[x])
		finish(w)
		return true
	})
}

// rowMajor is the buffer of a's elements in row-major order, for the step being made.
func (c *compiler) rowMajor(v, a *ir.Value) int {
	x := c.packed(v, c.place(a))
	if x.Off != 0 {
		x = c.copied(v, x)
	}
	c.Store.Read(x.Buf, storage.AnyTime)
	return x.Buf
}

// lowerHistogram counts the values 0 ... bins-1.
func lowerHistogram(c *compiler, v *ir.Value) {
	x, on := c.slotted(c.place(v.Args[0]), v.Args[0].Type.Shape, 0), (*run.Feed)(nil)
	if v.Flags&ir.Masked != 0 {
		on = c.slotted(c.place(v.Args[1]), v.Args[1].Type.Shape, 1)
	}
	z := c.define(v).Buf
	c.Store.Write(z, 0)
	c.Emit(run.Histogram(x, on, z))
}

// lowerGather picks elements along an axis.
func lowerGather(c *compiler, v *ir.Value) {
	src := c.solidTile(v, c.place(v.Args[0]))
	at, z := c.slotted(c.place(v.Args[1]), v.Type.Shape, 0), c.define(v).Buf
	c.Store.Read(src.Buf, storage.AnyTime)
	c.Store.Write(z, 0)
	c.Emit(run.Gather(v, &src.Form, at, z))
}
