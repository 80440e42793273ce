package portable

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// keyed is an element of a row being sorted: a number in the order of the values, and
// where the element came from.
type keyed struct {
	key  uint64
	from int32
}

// sortKey maps an element to an unsigned number in the order of its values, the same
// for -0 and +0. NaNs come last and are equal.
func sortKey(d dtype.DType, bits uint64) uint64 {
	if !d.IsFloat() {
		if d.IsSigned() {
			return bits ^ 1<<(d.Bits()-1)
		}
		return bits
	}
	v := dtype.ToFloat(d, bits)
	if v != v {
		return ^uint64(0)
	}
	b := bits64(v + 0) // -0 + 0 is +0
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}

// A sorting is a Sort, ArgSort or TopK: rows of n elements, of which the first keep
// are results.
type sorting struct {
	d          dtype.DType
	x          int // buffer
	n, keep    int
	descending bool
	z          []int // buffers: values, and indices if wanted
	finish     func(w *Worker)
}

func (c *compiler) sort(v *ir.Value) {
	in := c.rowMajor(v, v.Args[0])
	shape := v.Args[0].Type.Shape
	s := &sorting{d: v.Args[0].Type.D, x: in, n: shape.D[shape.N-1], descending: v.Op == op.TopK || v.Flags&ir.Descending != 0}
	s.keep = s.n
	types := v.Results
	switch v.Op {
	case op.Sort:
		types = []ir.Type{v.Type}
	case op.TopK:
		s.keep = v.Index
	}
	s.z, s.finish = c.outputs(v, types)
	c.p.sorted = max(c.p.sorted, s.n)
	c.emit(s.run)
}

// rowMajor is the buffer of a's elements in row-major order, for the step being made.
func (c *compiler) rowMajor(v, a *ir.Value) int {
	x := c.packed(v, c.place(a))
	if x.off != 0 {
		x = c.copied(v, x)
	}
	c.store.read(x.buf, anyTime)
	return x.buf
}

func (s *sorting) run(w *Worker) bool {
	x, z := w.bufs[s.x], w.bufs[s.z[0]]
	flip := uint64(0)
	if s.descending {
		flip = ^flip
	}
	for lo, at := 0, 0; lo < x.Len(); lo, at = lo+s.n, at+s.keep {
		row, spare := w.order[:s.n], w.spare[:s.n]
		for k := range row {
			row[k] = keyed{sortKey(s.d, x.Bits(lo+k)) ^ flip, int32(k)}
		}
		for k, e := range mergeSort(row, spare)[:s.keep] {
			z.SetBits(at+k, x.Bits(lo+int(e.from)))
			if len(s.z) > 1 {
				w.bufs[s.z[1]].SetBits(at+k, uint64(uint32(e.from)))
			}
		}
	}
	s.finish(w)
	return true
}

// mergeSort sorts x stably by key, with the help of y, and returns the one of the two
// that the result is in.
func mergeSort(x, y []keyed) []keyed {
	const first = 8 // rows of this many are sorted by insertion
	for lo := 0; lo < len(x); lo += first {
		part := x[lo:min(lo+first, len(x))]
		for i := 1; i < len(part); i++ {
			e, k := part[i], i
			for ; k > 0 && part[k-1].key > e.key; k-- {
				part[k] = part[k-1]
			}
			part[k] = e
		}
	}
	for n := first; n < len(x); n *= 2 {
		for lo := 0; lo < len(x); lo += 2 * n {
			mid, hi := min(lo+n, len(x)), min(lo+2*n, len(x))
			merge2(y[lo:hi], x[lo:mid], x[mid:hi])
		}
		x, y = y, x
	}
	return x
}

func merge2(z, x, y []keyed) {
	for i := range z {
		if len(y) == 0 || len(x) > 0 && x[0].key <= y[0].key {
			z[i], x = x[0], x[1:]
		} else {
			z[i], y = y[0], y[1:]
		}
	}
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
	c.store.write(z, 0)
	c.emit(func(w *Worker) bool {
		counts := dtype.View[int32](w.bufs[z])
		clear(counts)
		x.open(w)
		if on != nil {
			on.open(w)
		}
		for lo := 0; lo < x.n; lo += chunk {
			hi := min(lo+chunk, x.n)
			lanes := x.next(w, lo, hi)
			var mask []uint8
			if on != nil {
				mask = on.next(w, lo, hi).Bytes()
			}
			for i := range hi - lo {
				k := dtype.ToInt(d, lanes.Bits(i))
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
	c.store.read(src.buf, anyTime)
	c.store.write(z.buf, 0)
	d, axis, shape := v.Args[1].Type.D, v.Axis, v.Type.Shape
	n := int64(v.Args[0].Type.Shape.D[axis])
	c.emit(func(w *Worker) bool {
		ix.open(w)
		x, out := w.bufs[src.buf], w.bufs[z.buf]
		for lo := 0; lo < ix.n; lo += chunk {
			hi := min(lo+chunk, ix.n)
			at := ix.next(w, lo, hi)
			row := rowsFrom(shape, lo, hi-lo)
			for i := 0; i < hi-lo; {
				m := row.run()
				pos := src.off + row.at(&src.stride)
				for k := i; k < i+m; k++ {
					p := dtype.ToInt(d, at.Bits(k))
					if p < 0 || p >= n {
						return w.fail(v, lo+k, p)
					}
					from := pos + (k-i)*src.stride[shape.N-1] + (int(p)-gatherIndex(&row, axis, k-i))*src.stride[axis]
					out.SetBits(lo+k, x.Bits(from))
				}
				i += m
				row.skip(m)
			}
		}
		return true
	})
}

// gatherIndex is the index on an axis of the k-th lane from the present one on, in
// its row.
func gatherIndex(r *rows, axis, k int) int {
	if axis == r.shape.N-1 {
		return r.index[axis] + k
	}
	return r.index[axis]
}
