package portable

import (
	"bytes"

	"github.com/tiler-go/tiler/exec/ir"
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
	line
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
	if r.line = w.line(a.line, dtype.Int64, n); !r.small(a.shape) {
		return perLane
	}
	how := whole
	switch {
	case a.mask == nil:
		copy(r.hi[:], a.shape.D[:n])
	case a.mask.box != nil && w.regs[a.mask.box.ok] != 0:
		for k := range n {
			r.lo[k], r.hi[k] = int(w.regs[a.mask.box.lo[k]]), int(w.regs[a.mask.box.hi[k]])
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
	r.first = r.at(&r.lo, n)
	lo, hi := r.first, r.first
	for k := range n {
		if span := r.step[k] * int64(r.hi[k]-r.lo[k]-1); span < 0 {
			lo += span
		} else {
			hi += span
		}
	}
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
	step := r.step[max(a.shape.N-1, 0)]
	for lo := 0; lo < a.n; lo += chunk {
		hi := min(lo+chunk, a.n)
		on := a.on.next(w, lo, hi).Bytes()
		row := rowsFrom(a.shape, lo, hi-lo)
		for at := lo; at < hi; {
			n := row.run()
			off := r.at(&row.index, a.shape.N)
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
				if k := firstOutside(off+int64(i)*step, step, m, size); k < m {
					return w.fail(a.v, at+i+k, off+int64(i+k)*step)
				}
				visit(at+i, m, int(off+int64(i)*step), int(step))
				i += m
			}
			at += n
			row.skip(n)
		}
	}
	return true
}

// firstOutside is the first of n offsets off, off+step, ... that is not below size.
func firstOutside(off, step int64, n, size int) int {
	if last := off + int64(n-1)*step; uint64(off) < uint64(size) && uint64(last) < uint64(size) {
		return n
	}
	k := 0
	for ; k < n && uint64(off+int64(k)*step) < uint64(size); k++ {
	}
	return k
}

// each calls do for chunks of lanes: their addresses, which of them are active (nil
// for all), and the chunk's range. do returns the lane in the chunk that is outside,
// or -1.
func (a *access) each(w *Worker, do func(offs []int64, on []uint8, lo, hi int) int) bool {
	a.offs.open(w)
	if a.on != nil {
		a.on.open(w)
	}
	for lo := 0; lo < a.n; lo += chunk {
		hi := min(lo+chunk, a.n)
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

// loadLanes reads the active lanes of a chunk, and returns the first that is outside.
func loadLanes(z, mem dtype.Buf, offs []int64, on []uint8) int {
	switch z.DType().Size() {
	case 1:
		return dtype.LoadLanes(dtype.View[uint8](z), dtype.View[uint8](mem), offs, on)
	case 2:
		return dtype.LoadLanes(dtype.View[uint16](z), dtype.View[uint16](mem), offs, on)
	case 4:
		return dtype.LoadLanes(dtype.View[uint32](z), dtype.View[uint32](mem), offs, on)
	}
	return dtype.LoadLanes(dtype.View[uint64](z), dtype.View[uint64](mem), offs, on)
}

// storeLanes writes the active lanes of a chunk, and returns the first that is
// outside.
func storeLanes(arg *ir.Arg, x dtype.Buf, offs []int64, on []uint8) int {
	switch x.DType().Size() {
	case 1:
		return storeLanesAs[uint8](arg, x, offs, on)
	case 2:
		return storeLanesAs[uint16](arg, x, offs, on)
	case 4:
		return storeLanesAs[uint32](arg, x, offs, on)
	}
	return storeLanesAs[uint64](arg, x, offs, on)
}

func storeLanesAs[T dtype.Elem](arg *ir.Arg, from dtype.Buf, offs []int64, on []uint8) int {
	mem, x, only := dtype.View[T](arg.Mem), dtype.View[T](from), arg.Only
	for i, o := range offs[:len(x)] {
		if on != nil && on[i] == 0 {
			continue
		}
		if uint64(o) >= uint64(len(mem)) || only != nil && !only.Has(int(o)) {
			return i
		}
		mem[o] = x[i]
	}
	return -1
}
