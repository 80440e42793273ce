package run

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/exec/portable/strided"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Histogram counts the values 0 ... of x, where on is set or nil, one for each element of the buffer z.
func Histogram(x, on *Feed, z int) Step {
	return func(w *Worker) bool {
		counts := dtype.View[int32](w.Bufs[z])
		clear(counts)
		x.Open(w)
		on.Open(w)
		for lo := 0; lo < x.N; lo += lanes.Chunk {
			hi := min(lo+lanes.Chunk, x.N)
			elems, mask := x.Next(w, lo, hi), on.Next(w, lo, hi).Bytes()
			for i := range hi - lo {
				k := dtype.ToInt(x.D, elems.Bits(i))
				if k >= 0 && k < int64(len(counts)) && (mask == nil || mask[i] != 0) {
					counts[k]++
				}
			}
		}
		return true
	}
}

// Gather is the Gather v: it picks elements of src along an axis.
func Gather(v *ir.Value, src *Form, ix *Feed, z int) Step {
	axis, shape, n := v.Axis, v.Type.Shape, int64(v.Args[0].Type.Shape.D[v.Axis])
	return func(w *Worker) bool {
		ix.Open(w)
		x, out := w.Bufs[src.Buf], w.Bufs[z]
		for lo := 0; lo < ix.N; lo += lanes.Chunk {
			hi := min(lo+lanes.Chunk, ix.N)
			at := ix.Next(w, lo, hi)
			row := strided.RowsFrom(shape, lo, hi-lo)
			for i := 0; i < hi-lo; {
				m := row.Run()
				pos := src.Off + row.Place(&src.Stride)
				for k := i; k < i+m; k++ {
					p := dtype.ToInt(ix.D, at.Bits(k))
					if p < 0 || p >= n {
						return w.Fail(v, lo+k, p)
					}
					from := pos + (k-i)*src.Stride.D[shape.N-1] + (int(p)-row.Index(axis, k-i))*src.Stride.D[axis]
					out.SetBits(lo+k, x.Bits(from))
				}
				i += m
				row.Skip(m)
			}
		}
		return true
	}
}
