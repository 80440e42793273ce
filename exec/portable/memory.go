package portable

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/exec/portable/strided"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// An access is a load or store of a tile. Three ways lead to memory. Where addresses
// are an index and the mask is a box, or there is none, the rectangle is checked at
// its ends and copied as a whole. Where only the addresses are an index, rows are
// copied in the runs that the mask leaves. Otherwise, and where the rectangle does
// not pass its check, each lane is checked by itself.
type access struct {
	v     *ir.Value
	shape ir.Shape
	n     int
	ptr   *place
	offs  *feed
	mask  *place
	on    *feed // the mask's lanes; nil without a mask

	line  *index // the addresses as an index, if they can be one
	dense ir.Shape

	z     int   // of a load: a buffer
	other *feed // nil for 0

	val *place // of a store: elements in a buffer
	in  *feed
}

// access plans v's addresses and mask.
func (c *compiler) access(v *ir.Value) *access {
	m := v.Memory()
	a := &access{v: v, shape: m.Ptr.Type.Shape, n: m.Ptr.Type.Shape.Len(), ptr: c.place(m.Ptr)}
	a.dense = a.shape.Dense()
	if line, ok := a.ptr.formula(); ok {
		a.line = &line
	}
	a.offs = c.slotted(a.ptr, a.shape, 0)
	if m.Mask != nil {
		a.mask = c.place(m.Mask)
		a.on = c.slotted(a.mask, a.shape, 1)
	}
	return a
}

// load reads what pointers point to. Lanes that the mask excludes are other, or 0.
func (c *compiler) load(v *ir.Value) {
	if !v.Type.IsTile() {
		c.loadScalar(v)
		return
	}
	a := c.access(v)
	if m := v.Memory(); m.Other != nil {
		a.other = c.feed(c.place(m.Other), a.shape)
	}
	a.z = c.define(v).buf
	c.store.Write(a.z, 0)
	c.emit(a.load)
}

func (c *compiler) loadScalar(v *ir.Value) {
	m := v.Memory()
	ptr, mask, other := c.place(m.Ptr), oneReg, zeroReg
	if m.Mask != nil {
		mask = c.place(m.Mask).reg
	}
	if m.Other != nil {
		other = c.place(m.Other).reg
	}
	z := c.inReg(v).reg
	isBool := v.Type.D == dtype.Bool
	c.emit(func(w *Worker) bool {
		if w.regs[mask] == 0 {
			w.regs[z] = w.regs[other]
			return true
		}
		mem, off := w.args[w.regs[ptr.base]].Mem, w.regs[ptr.reg]
		if off >= uint64(mem.Len()) {
			return w.fail(v, 0, int64(off))
		}
		w.regs[z] = mem.Bits(int(off))
		if isBool {
			w.regs[z] = lanes.Truth(w.regs[z] != 0)
		}
		return true
	})
}

// storeTile writes a value through pointers, lanes in row-major order.
func (c *compiler) storeTile(v *ir.Value) {
	m := v.Memory()
	if !m.Ptr.Type.IsTile() {
		c.storeScalar(v)
		return
	}
	a := c.access(v)
	val := c.place(m.Val)
	if val.isSplat() { // one element, repeated
		a.val = c.copied(v, c.view(val, ir.Shape{}, [ir.MaxRank]int{}))
		a.val.t = val.t
	} else {
		a.val = c.solid(v, val)
	}
	a.in = c.slotted(a.val, a.shape, 2)
	c.emit(a.store)
}

func (c *compiler) storeScalar(v *ir.Value) {
	m := v.Memory()
	ptr, mask, val := c.place(m.Ptr), oneReg, c.place(m.Val).reg
	if m.Mask != nil {
		mask = c.place(m.Mask).reg
	}
	c.emit(func(w *Worker) bool {
		if w.regs[mask] == 0 {
			return true
		}
		arg, off := &w.args[w.regs[ptr.base]], int64(w.regs[ptr.reg])
		if !owned(arg, off) {
			return w.fail(v, 0, off)
		}
		arg.Mem.SetBits(int(off), w.regs[val])
		return true
	})
}

// owned reports whether an instance may write element off.
func owned(arg *ir.Arg, off int64) bool {
	return off >= 0 && off < int64(arg.Mem.Len()) && (arg.Only == nil || arg.Only.Has(int(off)))
}

func (a *access) load(w *Worker) bool {
	z, mem := w.bufs[a.z], w.args[w.regs[a.ptr.base]].Mem
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
func (a *access) fill(w *Worker, z dtype.Buf) {
	switch {
	case a.other != nil:
		a.other.copyTo(w, z)
	case a.mask != nil:
		clear(z.Bytes())
	}
}

func (a *access) store(w *Worker) bool {
	arg := &w.args[w.regs[a.ptr.base]]
	val, mem := w.bufs[a.val.buf], arg.Mem
	var r rect
	way := perLane
	if arg.Only == nil {
		way = a.way(w, &r, mem.Len())
	}
	switch way {
	case whole, part:
		s := strided.Nest{To: int(r.first), From: a.val.off}
		for k, stride := range a.val.stride.D[:a.shape.N] {
			s.From += r.lo[k] * stride
			s.Add(r.hi[k]-r.lo[k], int(r.Step[k]), stride)
		}
		s.Copy(mem, val)
	case inRows:
		last := a.shape.N - 1
		return a.runs(w, &r, mem.Len(), func(at, n, off, step int) {
			s := strided.Nest{To: off, From: a.val.off}
			row := strided.RowsFrom(a.shape, at, n)
			s.From += row.Place(&a.val.stride)
			s.Add(n, step, a.val.stride.D[last])
			s.Copy(mem, val)
		})
	case perLane:
		a.in.open(w)
		return a.each(w, func(offs []int64, on []uint8, lo, hi int) int {
			return strided.StoreLanes(mem, arg.Only, a.in.next(w, lo, hi), offs, on)
		})
	}
	return true
}
