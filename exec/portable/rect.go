package portable

import (
	"bytes"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/exec/portable/strided"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A way is how an access reaches memory.
type way uint8

const (
	nothing way = iota // the mask excludes every lane
	whole              // all lanes, as a rectangle
	part               // those of a box
	inRows             // those that the mask has in each row
	perLane            // each by itself
)

// A rect is the lanes lo <= i < hi, whose addresses are a line; first is that of lo.
type rect struct {
	strided.Line
	lo, hi [ir.MaxRank]int
	first  int64
}

// way chooses a way that does not fail, or one that finds out; size is how many
// elements the memory has.
func (a *access) way(w *Worker, r *rect, size int) way {
	if a.line == nil || w.regs[a.line.ok] == 0 {
		return perLane
	}
	n := a.shape.N
	if r.Line = w.line(a.line, dtype.Int64, n); !r.Small(a.shape) {
		return perLane
	}
	how := whole
	switch {
	case a.mask == nil:
		copy(r.hi[:], a.shape.D[:n])
	case a.mask.box != nil && w.regs[a.mask.box.ok] != 0:
		r.lo, r.hi = w.interval(a.mask.box, n)
		for k := range n {
			switch {
			case r.lo[k] >= r.hi[k]:
				return nothing
			case r.hi[k]-r.lo[k] != a.shape.D[k]:
				how = part
			}
		}
	default:
		return inRows
	}
	r.first = r.At(&r.lo, n)
	part, sizes := strided.Line{Start: r.first, Step: r.Step}, ir.Shape{N: n}
	for k := range n {
		sizes.D[k] = r.hi[k] - r.lo[k]
	}
	lo, hi := part.Ends(sizes)
	if lo < 0 || hi >= int64(size) {
		return perLane // which finds the first lane outside
	}
	return how
}

// runs visits the lanes that the mask has, in runs: lanes at to at+n lie at off,
// off+step, ..., all of them inside. It returns false if one is not, which is then
// the failure.
func (a *access) runs(w *Worker, r *rect, size int, visit func(at, n, off, step int)) bool {
	a.on.open(w)
	step := r.Step[max(a.shape.N-1, 0)]
	for lo := 0; lo < a.n; lo += lanes.Chunk {
		hi := min(lo+lanes.Chunk, a.n)
		on := a.on.next(w, lo, hi).Bytes()
		row := strided.RowsFrom(a.shape, lo, hi-lo)
		for at := lo; at < hi; {
			n := row.Run()
			off := r.At(&row.At, a.shape.N)
			for i := 0; i < n; {
				lanes := on[at-lo+i : at-lo+n]
				skip := bytes.IndexByte(lanes, 1)
				if skip < 0 {
					break
				}
				m := bytes.IndexByte(lanes[skip:], 0)
				if m < 0 {
					m = len(lanes) - skip
				}
				i += skip
				if k := strided.FirstOutside(off+int64(i)*step, step, m, size); k < m {
					return w.fail(a.v, at+i+k, off+int64(i+k)*step)
				}
				visit(at+i, m, int(off+int64(i)*step), int(step))
				i += m
			}
			at += n
			row.Skip(n)
		}
	}
	return true
}

// each calls do for chunks of lanes: their addresses, which of them are active (nil
// for all), and the chunk's range. do returns the lane in the chunk that is outside,
// or -1.
func (a *access) each(w *Worker, do func(offs []int64, on []uint8, lo, hi int) int) bool {
	a.offs.open(w)
	if a.on != nil {
		a.on.open(w)
	}
	for lo := 0; lo < a.n; lo += lanes.Chunk {
		hi := min(lo+lanes.Chunk, a.n)
		offs := dtype.View[int64](a.offs.next(w, lo, hi))
		var on []uint8
		if a.on != nil {
			on = a.on.next(w, lo, hi).Bytes()
		}
		if bad := do(offs, on, lo, hi); bad >= 0 {
			return w.fail(a.v, lo+bad, offs[bad])
		}
	}
	return true
}
