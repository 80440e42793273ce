package portable

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/storage"
	"github.com/tiler-go/tiler/exec/portable/strided"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// keyed is an element of a row being sorted: a number in the order of the values, and
// where the element came from.
type keyed struct {
	key  uint64
	from int32
}

// sortKey maps elements to unsigned numbers of as many bits in the order of their values, the
// same for -0 and +0. NaNs come last and are equal.
func sortKey(d dtype.DType) func(bits uint64) uint64 {
	sign := uint64(1) << (8*d.Size() - 1)
	all := sign<<1 - 1
	nan := func(bits uint64) bool { v := dtype.ToFloat(d, bits); return v != v }
	if d == dtype.Float32 {
		nan = func(bits uint64) bool { return bits&^sign > 0xff<<23 }
	}
	switch {
	case d.IsFloat():
		return func(bits uint64) uint64 {
			switch {
			case nan(bits):
				return all
			case bits == sign:
				return sign
			case bits&sign != 0:
				return bits ^ all
			}
			return bits | sign
		}
	case d.IsSigned():
		return func(bits uint64) uint64 { return bits ^ sign }
	}
	return func(bits uint64) uint64 { return bits }
}

// A sorting is a Sort, ArgSort or TopK: rows of n elements, of which the first keep
// are results.
type sorting struct {
	elements
	bytes      int // of keys
	x          int // buffer
	n, keep    int
	descending bool
	z          []int // buffers: values, and indices if wanted
	finish     func(w *Worker)
}

// elements are the parts of sorting that depend on a type's size.
type elements struct {
	keys func(row []keyed, x dtype.Buf, lo int, flip uint64) // of elements from lo on
	pick func(z, x dtype.Buf, at, lo int, row []keyed)       // elements of a row, from lo on, to at
}

// elementsOf is those of a type whose elements are as large as T.
func elementsOf[T uint8 | uint16 | uint32 | uint64](d dtype.DType) elements {
	key := sortKey(d)
	return elements{
		func(row []keyed, x dtype.Buf, lo int, flip uint64) {
			for k, v := range dtype.View[T](x)[lo:][:len(row)] {
				row[k] = keyed{key(uint64(v)) ^ flip, int32(k)}
			}
		},
		func(z, x dtype.Buf, at, lo int, row []keyed) {
			to, from := dtype.View[T](z)[at:][:len(row)], dtype.View[T](x)[lo:]
			for k, e := range row {
				to[k] = from[e.from]
			}
		},
	}
}

// elementsBySize are elementsOf for types of 1, 2, 4 and 8 bytes.
var elementsBySize = map[int]func(dtype.DType) elements{
	1: elementsOf[uint8], 2: elementsOf[uint16], 4: elementsOf[uint32], 8: elementsOf[uint64],
}

func (c *compiler) sort(v *ir.Value) {
	in := c.rowMajor(v, v.Args[0])
	shape := v.Args[0].Type.Shape
	d := v.Args[0].Type.D
	s := &sorting{elements: elementsBySize[d.Size()](d), bytes: d.Size(), x: in, n: shape.D[shape.N-1], descending: v.Op == op.TopK || v.Flags&ir.Descending != 0}
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
	c.store.Read(x.buf, storage.AnyTime)
	return x.buf
}

func (s *sorting) run(w *Worker) bool {
	x, z := w.bufs[s.x], w.bufs[s.z[0]]
	flip := uint64(0)
	if s.descending {
		flip = ^flip >> (64 - 8*s.bytes)
	}
	for lo, at := 0, 0; lo < x.Len(); lo, at = lo+s.n, at+s.keep {
		row, spare := w.order[:s.n], w.spare[:s.n]
		s.keys(row, x, lo, flip)
		best := radixSort(row, spare, s.bytes)[:s.keep]
		s.pick(z, x, at, lo, best)
		if len(s.z) > 1 {
			for k, e := range best {
				dtype.View[int32](w.bufs[s.z[1]])[at+k] = e.from
			}
		}
	}
	s.finish(w)
	return true
}

// radixSort sorts x stably by keys of so many bytes, with the help of y, and returns the one of the
// two that the result is in.
func radixSort(x, y []keyed, bytes int) []keyed {
	const few = 48 // are sorted by insertion
	if len(x) <= few {
		for i := 1; i < len(x); i++ {
			e, k := x[i], i
			for ; k > 0 && x[k-1].key > e.key; k-- {
				x[k] = x[k-1]
			}
			x[k] = e
		}
		return x
	}
	for shift := 0; shift < 8*bytes; shift += 8 {
		var at [256]int32
		for _, e := range x {
			at[uint8(e.key>>shift)]++
		}
		if int(at[uint8(x[0].key>>shift)]) == len(x) {
			continue
		}
		sum := int32(0)
		for i, n := range at {
			at[i], sum = sum, sum+n
		}
		for _, e := range x {
			k := uint8(e.key >> shift)
			y[at[k]] = e
			at[k]++
		}
		x, y = y, x
	}
	return x
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
	c.store.Read(src.buf, storage.AnyTime)
	c.store.Write(z.buf, 0)
	d, axis, shape := v.Args[1].Type.D, v.Axis, v.Type.Shape
	n := int64(v.Args[0].Type.Shape.D[axis])
	c.emit(func(w *Worker) bool {
		ix.open(w)
		x, out := w.bufs[src.buf], w.bufs[z.buf]
		for lo := 0; lo < ix.n; lo += chunk {
			hi := min(lo+chunk, ix.n)
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
