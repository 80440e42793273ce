package run

import (
	"bytes"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/exec/portable/strided"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// An Access is a load or store of a tile. Three ways lead to memory. Where addresses
// are an index and the mask is a box, or there is none, the rectangle is checked at
// its ends and copied as a whole. Where only the addresses are an index, rows are
// copied in the runs that the mask leaves. Otherwise, and where the rectangle does
// not pass its check, each lane is checked by itself.
type Access struct {
	v     *ir.Value
	shape ir.Shape
	n     int
	ptr   *Form
	offs  *Feed
	mask  *Form
	on    *Feed // the mask's lanes; nil without a mask

	line  *Index // the addresses as an index, if they can be one
	dense ir.Shape

	z     int   // of a load: a buffer
	other *Feed // nil for 0

	val *Form // of a store: elements in a buffer
	in  *Feed
}

// Access plans the addresses and the mask of v, a load, store or atomic; mask may be nil.
func (b *Builder) Access(v *ir.Value, ptr, mask *Form) *Access {
	shape := v.Memory().Ptr.Type.Shape
	a := &Access{v: v, shape: shape, n: shape.Len(), ptr: ptr, mask: mask, dense: shape.Dense()}
	if line, ok := ptr.formula(); ok {
		a.line = &line
	}
	a.offs = b.Slotted(ptr, shape, 0)
	if mask != nil {
		a.on = b.Slotted(mask, shape, 1)
	}
	return a
}

// Load is the step that reads into the buffer z what pointers point to. Lanes that the mask excludes are
// other, or 0 if that is nil.
func (a *Access) Load(z int, other *Feed) Step {
	a.z, a.other = z, other
	return a.runLoad
}

// Store is the step that writes val, which the feed in has slot 2 for, through pointers.
func (a *Access) Store(val *Form, in *Feed) Step {
	a.val, a.in = val, in
	return a.runStore
}

func (a *Access) runLoad(w *Worker) bool {
	z, mem := w.Bufs[a.z], w.args[w.Regs[a.ptr.Base]].Mem
	var r rect
	way := a.way(w, &r, mem.Len())
	if way != whole {
		a.fill(w, z)
	}
	ok := true
	switch way {
	case whole, part:
		s := strided.Nest{From: int(r.first)}
		for k, stride := range a.dense.D[:a.shape.N] {
			s.To += r.lo[k] * stride
			s.Add(r.hi[k]-r.lo[k], stride, int(r.Step[k]))
		}
		s.Copy(z, mem)
	case inRows:
		ok = a.runs(w, &r, mem.Len(), func(at, n, off, step int) {
			s := strided.Nest{To: at, From: off}
			s.Add(n, 1, step)
			s.Copy(z, mem)
		})
	case perLane:
		ok = a.each(w, func(offs []int64, on []uint8, lo, hi int) int {
			return strided.LoadLanes(z.Slice(lo, hi), mem, offs, on)
		})
	}
	if z.DType() == dtype.Bool {
		strided.Normalise(z.Bytes())
	}
	return ok
}

// fill makes lanes what the mask may leave them.
func (a *Access) fill(w *Worker, z dtype.Buf) {
	switch {
	case a.other != nil:
		a.other.CopyTo(w, z)
	case a.mask != nil:
		clear(z.Bytes())
	}
}

func (a *Access) runStore(w *Worker) bool {
	arg := &w.args[w.Regs[a.ptr.Base]]
	val, mem := w.Bufs[a.val.Buf], arg.Mem
	var r rect
	way := perLane
	if arg.Only == nil {
		way = a.way(w, &r, mem.Len())
	}
	switch way {
	case whole, part:
		s := strided.Nest{To: int(r.first), From: a.val.Off}
		for k, stride := range a.val.Stride.D[:a.shape.N] {
			s.From += r.lo[k] * stride
			s.Add(r.hi[k]-r.lo[k], int(r.Step[k]), stride)
		}
		s.Copy(mem, val)
	case inRows:
		last := a.shape.N - 1
		return a.runs(w, &r, mem.Len(), func(at, n, off, step int) {
			s := strided.Nest{To: off, From: a.val.Off}
			row := strided.RowsFrom(a.shape, at, n)
			s.From += row.Place(&a.val.Stride)
			s.Add(n, step, a.val.Stride.D[last])
			s.Copy(mem, val)
		})
	case perLane:
		a.in.Open(w)
		return a.each(w, func(offs []int64, on []uint8, lo, hi int) int {
			return strided.StoreLanes(mem, arg.Only, a.in.Next(w, lo, hi), offs, on)
		})
	}
	return true
}

// LoadScalar reads what the pointer ptr points to into the register z.
func LoadScalar(v *ir.Value, ptr *Form, mask, other, z int) Step {
	isBool, base, reg := v.Type.D == dtype.Bool, ptr.Base, ptr.Reg
	return func(w *Worker) bool {
		if w.Regs[mask] == 0 {
			w.Regs[z] = w.Regs[other]
			return true
		}
		mem, off := w.args[w.Regs[base]].Mem, w.Regs[reg]
		if off >= uint64(mem.Len()) {
			return w.Fail(v, 0, int64(off))
		}
		w.Regs[z] = mem.Bits(int(off))
		if isBool {
			w.Regs[z] = lanes.Truth(w.Regs[z] != 0)
		}
		return true
	}
}

// StoreScalar writes the register val through the pointer ptr.
func StoreScalar(v *ir.Value, ptr *Form, mask, val int) Step {
	base, reg := ptr.Base, ptr.Reg
	return func(w *Worker) bool {
		if w.Regs[mask] == 0 {
			return true
		}
		arg, off := &w.args[w.Regs[base]], int64(w.Regs[reg])
		if !owned(arg, off) {
			return w.Fail(v, 0, off)
		}
		arg.Mem.SetBits(int(off), w.Regs[val])
		return true
	}
}

// owned reports whether an instance may write element off.
func owned(arg *ir.Arg, off int64) bool {
	return off >= 0 && off < int64(arg.Mem.Len()) && (arg.Only == nil || arg.Only.Has(int(off)))
}

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
func (a *Access) way(w *Worker, r *rect, size int) way {
	if a.line == nil || w.Regs[a.line.OK] == 0 {
		return perLane
	}
	n := a.shape.N
	if r.Line = w.Line(a.line, dtype.Int64, n); !r.Small(a.shape) {
		return perLane
	}
	how := whole
	switch {
	case a.mask == nil:
		copy(r.hi[:], a.shape.D[:n])
	case a.mask.Box != nil && w.Regs[a.mask.Box.OK] != 0:
		for k := range n {
			r.lo[k], r.hi[k] = int(w.Regs[a.mask.Box.Lo[k]]), int(w.Regs[a.mask.Box.Hi[k]])
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
	lo, hi := r.first, r.first
	for k := range n {
		if span := r.Step[k] * int64(r.hi[k]-r.lo[k]-1); span < 0 {
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
func (a *Access) runs(w *Worker, r *rect, size int, visit func(at, n, off, step int)) bool {
	a.on.Open(w)
	step := r.Step[max(a.shape.N-1, 0)]
	for lo := 0; lo < a.n; lo += lanes.Chunk {
		hi := min(lo+lanes.Chunk, a.n)
		on := a.on.Next(w, lo, hi).Bytes()
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
					return w.Fail(a.v, at+i+k, off+int64(i+k)*step)
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
func (a *Access) each(w *Worker, do func(offs []int64, on []uint8, lo, hi int) int) bool {
	a.offs.Open(w)
	a.on.Open(w)
	for lo := 0; lo < a.n; lo += lanes.Chunk {
		hi := min(lo+lanes.Chunk, a.n)
		offs := dtype.View[int64](a.offs.Next(w, lo, hi))
		on := a.on.Next(w, lo, hi).Bytes()
		if bad := do(offs, on, lo, hi); bad >= 0 {
			return w.Fail(a.v, lo+bad, offs[bad])
		}
	}
	return true
}
