package portable

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/exec/portable/rows"
	"github.com/tiler-go/tiler/exec/portable/storage"
	"github.com/tiler-go/tiler/exec/portable/strided"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// sort lowers a Sort, ArgSort or TopK.
func (c *compiler) sort(v *ir.Value) {
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
	c.p.sorted = max(c.p.sorted, n)
	c.emit(func(w *Worker) bool {
		var from []int32
		if len(z) > 1 {
			from = dtype.View[int32](w.bufs[z[1]])
		}
		s.Run(&w.sorted, w.bufs[z[0]], from, w.bufs[x])
		finish(w)
		return true
	})
}

// rowMajor is the buffer of a's elements in row-major order, for the step being made.
func (c *compiler) rowMajor(v, a *ir.Value) int {
	x := c.packed(v, c.place(a))
	if x.off != 0 {
		x = c.copied(v, x)
	}
	c.store.Read(x.buf, storage.AnyTime)
	return x.buf
}

// histogram counts the values 0 ... bins-1.
func (c *compiler) histogram(v *ir.Value) {
	x := c.slotted(c.place(v.Args[0]), v.Args[0].Type.Shape, 0)
	var on *feed
	if v.Flags&ir.Masked != 0 {
		on = c.slotted(c.place(v.Args[1]), v.Args[1].Type.Shape, 1)
	}
	d := v.Args[0].Type.D
	z := c.define(v).buf
	c.store.Write(z, 0)
	c.emit(func(w *Worker) bool {
		counts := dtype.View[int32](w.bufs[z])
		clear(counts)
		x.open(w)
		if on != nil {
			on.open(w)
		}
		for lo := 0; lo < x.n; lo += lanes.Chunk {
			hi := min(lo+lanes.Chunk, x.n)
			elems := x.next(w, lo, hi)
			var mask []uint8
			if on != nil {
				mask = on.next(w, lo, hi).Bytes()
			}
			for i := range hi - lo {
				k := dtype.ToInt(d, elems.Bits(i))
				if k >= 0 && k < int64(len(counts)) && (mask == nil || mask[i] != 0) {
					counts[k]++
				}
			}
		}
		return true
	})
}

// gather picks elements along an axis.
func (c *compiler) gather(v *ir.Value) {
	src := c.solidTile(v, c.place(v.Args[0]))
	ix := c.slotted(c.place(v.Args[1]), v.Type.Shape, 0)
	z := c.define(v)
	c.store.Read(src.buf, storage.AnyTime)
	c.store.Write(z.buf, 0)
	d, axis, shape := v.Args[1].Type.D, v.Axis, v.Type.Shape
	n := int64(v.Args[0].Type.Shape.D[axis])
	c.emit(func(w *Worker) bool {
		ix.open(w)
		x, out := w.bufs[src.buf], w.bufs[z.buf]
		for lo := 0; lo < ix.n; lo += lanes.Chunk {
			hi := min(lo+lanes.Chunk, ix.n)
			at := ix.next(w, lo, hi)
			row := strided.RowsFrom(shape, lo, hi-lo)
			for i := 0; i < hi-lo; {
				m := row.Run()
				pos := src.off + row.Place(&src.stride)
				for k := i; k < i+m; k++ {
					p := dtype.ToInt(d, at.Bits(k))
					if p < 0 || p >= n {
						return w.fail(v, lo+k, p)
					}
					from := pos + (k-i)*src.stride.D[shape.N-1] + (int(p)-row.Index(axis, k-i))*src.stride.D[axis]
					out.SetBits(lo+k, x.Bits(from))
				}
				i += m
				row.Skip(m)
			}
		}
		return true
	})
}
