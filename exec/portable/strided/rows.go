package strided

import (
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// Rows walks lanes of a shape in row-major order, a part of a row at a time.
type Rows struct {
	shape shape.Shape
	At    [shape.MaxRank]int // of the next lane
	left  int
}

// RowsFrom walks n lanes from lane lo on.
func RowsFrom(s shape.Shape, lo, n int) (r Rows) {
	if s.N == 0 {
		s = shape.Of(1)
	}
	r.shape, r.left = s, n
	for k := s.N - 1; k > 0; k-- {
		r.At[k] = lo % s.D[k]
		lo /= s.D[k]
	}
	r.At[0] = lo
	return r
}

// Run is how many lanes there are in the present row; 0 at the end.
func (r *Rows) Run() int {
	last := r.shape.N - 1
	return min(r.left, r.shape.D[last]-r.At[last])
}

// Skip goes on to the next row, n lanes being the rest of the present one or all
// that is left.
func (r *Rows) Skip(n int) {
	r.left -= n
	r.At[r.shape.N-1] = 0
	for k := r.shape.N - 2; k >= 0; k-- {
		if r.At[k]++; r.At[k] < r.shape.D[k] {
			return
		}
		r.At[k] = 0
	}
}

// Place is where the present lane lies.
func (r *Rows) Place(stride *shape.Shape) int {
	pos := 0
	for k := range r.shape.N {
		pos += r.At[k] * stride.D[k]
	}
	return pos
}

// Index is the index on an axis of the k-th lane from the present one on, in its row.
func (r *Rows) Index(axis, k int) int {
	if axis == r.shape.N-1 {
		return r.At[axis] + k
	}
	return r.At[axis]
}

// Gather fills z with lanes of a shape from lane lo on, which lie in x from off on with the given strides.
func Gather(z, x dtype.Buf, s shape.Shape, off int, stride *shape.Shape, lo int) {
	switch z.DType().Size() {
	case 1:
		gatherAs(dtype.View[uint8](z), dtype.View[uint8](x), s, off, stride, lo)
	case 2:
		gatherAs(dtype.View[uint16](z), dtype.View[uint16](x), s, off, stride, lo)
	case 4:
		gatherAs(dtype.View[uint32](z), dtype.View[uint32](x), s, off, stride, lo)
	default:
		gatherAs(dtype.View[uint64](z), dtype.View[uint64](x), s, off, stride, lo)
	}
}

func gatherAs[T dtype.Elem](z, x []T, s shape.Shape, off int, stride *shape.Shape, lo int) {
	last := max(s.N-1, 0)
	r := RowsFrom(s, lo, len(z))
	for at := 0; ; {
		n := r.Run()
		if n == 0 {
			return
		}
		dtype.CopyRun(z[at:at+n], x, off+r.Place(stride), stride.D[last])
		at += n
		r.Skip(n)
	}
}

// FillBox marks lanes of a shape, from lane lo on: 1 where from <= index < to on every axis, else 0.
func FillBox(z []uint8, s shape.Shape, from, to *[shape.MaxRank]int, lo int) {
	n := s.N
	r := RowsFrom(s, lo, len(z))
	for at := 0; ; {
		m := r.Run()
		if m == 0 {
			return
		}
		inside := true
		for k := range n - 1 {
			inside = inside && r.At[k] >= from[k] && r.At[k] < to[k]
		}
		row := z[at : at+m]
		clear(row)
		if first := r.At[n-1]; inside {
			for i := max(from[n-1]-first, 0); i < min(to[n-1]-first, m); i++ {
				row[i] = 1
			}
		}
		at += m
		r.Skip(m)
	}
}
