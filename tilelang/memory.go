package tilelang

import (
	"bytes"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/rule"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// Load reads the elements that ptr points to. Pointers, mask and other broadcast to
// a common shape. A lane that the mask excludes is not read: it is Other's value,
// cast to the element type, or 0. An address outside the tensor is a fault.
func Load(ptr Ptr, o ...LoadOption) Tile {
	const name = "tl.Load"
	p := pointer(name, ptr)
	a := access{name: name, ptr: p, shape: p.shape}
	var fill *node
	for _, o := range o {
		switch o := o.(type) {
		case MaskOption:
			a.mask = condition(name, "mask", o.m)
		case OtherOption:
			fill = valueFor(name, p.dt.Elem(), o.v)
		}
	}
	if fill != nil && a.mask == nil {
		must(name, rule.OtherAlone(p.typ()))
	}
	for _, x := range []*node{a.mask, fill} {
		if x == nil {
			continue
		}
		if p.shape.N == 0 && x.shape.N > 0 {
			fault(name, "a single pointer %s with a mask or other value %s", p, x).
				Fix("add a tile of offsets to the pointer, or reduce the mask").raise()
		}
		a.shape = a.joined(x)
	}
	return tile(a.load(fill))
}

// joined is the shape of the access with a mask or other value that is broadcast with
// the pointers.
func (a *access) joined(x *node) shape.Shape {
	shape, ok := a.shape.Broadcast(x.shape)
	if !ok {
		broadcastFault(a.name, []*node{a.ptr, x})
	}
	return shape
}

// pointer is the content of a pointer tile.
func pointer(name string, ptr Tile) *node {
	t := ptr.node(name)
	must(name, t.typ().IsPointer())
	t.base.poll()
	return t
}

// valueFor is a tile, or a Go scalar as one of element type d: to be cast to d where
// it is used.
func valueFor(name string, d dtype.DType, v any) *node {
	checkOperand(name, v)
	x, ok := v.(Tile)
	if !ok {
		z := literal(name, d, v, cast)
		if watching.Load() > 0 {
			return noteLiteral(name, z, v)
		}
		return z
	}
	refusePointer(name, x.t)
	return x.t
}

// maskNode is a mask broadcast to the shape of what it masks, which it must not
// enlarge.
func maskNode(name string, m any, masked *node) *node {
	c := condition(name, "mask", m)
	if z, ok := c.shape.Broadcast(masked.shape); !ok || z != masked.shape {
		fault(name, "the mask %s does not broadcast to %s", c, masked).
			Note("shapes are aligned at the last dimension; the mask's sizes must be equal or 1").
			Fix("make the mask from the same offsets as what it masks").raise()
	}
	return tile(c).repeated(masked.shape).t
}

// An access is the lanes of one load or store.
type access struct {
	name   string
	ptr    *node
	mask   *node // nil: all lanes
	shape  shape.Shape
	writes bool // so the gaps of a strided view are out of bounds too
}

// each calls do for chunks of lanes: their offsets, which of them are active (nil
// for all), and the chunk's range. do returns the lane in the chunk that is out of
// bounds, or -1.
func (a *access) each(do func(offs []int64, on []uint8, lo, hi int) int) {
	s := newScratch()
	var offs, on feeder
	offs.init(a.ptr, a.ptr.dt, a.shape, s, 0)
	if a.mask != nil {
		on.init(a.mask, Bool, a.shape, s, 1)
	}
	n := a.shape.Len()
	for lo := 0; lo < n; lo += chunk {
		hi := min(lo+chunk, n)
		var active []uint8
		if a.mask != nil {
			active = dtype.View[uint8](on.next(lo, hi))
		}
		if bad := do(dtype.View[int64](offs.next(lo, hi)), active, lo, hi); bad >= 0 {
			a.outOfBounds(lo + bad)
		}
	}
	scratchPool.Put(s)
}

// outOfBounds raises the fault for the lowest lane outside, with all lanes at hand.
func (a *access) outOfBounds(first int) {
	offs := dtype.View[int64](a.ptr.broadcastTo(a.shape).elems())
	var on []uint8
	if a.mask != nil {
		on = dtype.View[uint8](a.mask.broadcastTo(a.shape).elems())
	}
	b := a.ptr.base
	outside := func(o int64) bool {
		return o < 0 || o >= int64(b.buf.Len()) || a.writes && b.gaps && !b.Tensor.Contains(int(o))
	}
	b.outOfBounds(a.name, a.shape, offs, on, first, outside).raise()
}

// load reads the lanes; those masked off are fill's, or 0.
func (a *access) load(fill *node) *node {
	z := newNode(a.name, a.ptr.dt.Elem(), a.shape)
	if fill != nil && !fill.isZero() {
		fill.broadcastTo(a.shape).writeTo(z.buf)
	}
	if a.ptr.base.watch != nil {
		a.watchedLoad(z, fill)
		z.normalise()
		return z
	}
	switch z.dt.Size() {
	case 1:
		loadAs[uint8](a, z)
	case 2:
		loadAs[uint16](a, z)
	case 4:
		loadAs[uint32](a, z)
	default:
		loadAs[uint64](a, z)
	}
	z.normalise()
	return z
}

// normalise makes loaded bools 0 or 1: memory may hold any byte.
func (t *node) normalise() {
	if t.dt != Bool {
		return
	}
	for i, v := range dtype.View[uint8](t.buf) {
		if v > 1 {
			t.buf.SetBits(i, 1)
		}
	}
}

// isZero reports whether t is a scalar of all zero bits, as new memory is.
func (t *node) isZero() bool { return t.shape.N == 0 && t.dot == nil && t.first() == 0 }

func loadAs[T dtype.Elem](a *access, z *node) {
	out, mem := dtype.View[T](z.buf), dtype.View[T](a.ptr.base.buf)
	if a.ptr.affine {
		a.segments(func(at, n, off, step int) { dtype.CopyRun(out[at:at+n], mem, off, step) })
		return
	}
	a.each(func(offs []int64, on []uint8, lo, hi int) int { return dtype.LoadLanes(out[lo:hi], mem, offs, on) })
}

// segments visits the active lanes of affine pointers in runs: lanes at to at+n lie
// at offsets off, off+step, ..., all of them inside.
func (a *access) segments(visit func(at, n, off, step int)) {
	var on []uint8 // the mask's memory, read through strides
	maskStrides := shape.Shape{N: a.shape.N}
	if a.mask != nil {
		m := a.mask.real()
		on, maskStrides = dtype.View[uint8](m.buf), m.shape.Stretch(m.strides, a.shape)
	}
	eachRun2(a.shape.Len(), a.shape, a.ptr.shape.Stretch(a.ptr.strides, a.shape), maskStrides, 0, func(at, n, pos, step, lane, laneStep int) {
		if on == nil {
			a.segment(at, n, pos, step, visit)
			return
		}
		if laneStep == 0 { // the whole run or none of it
			if on[lane] != 0 {
				a.segment(at, n, pos, step, visit)
			}
			return
		}
		for lo := 0; lo < n; {
			lo += runLength(on, lane+lo*laneStep, laneStep, n-lo, 0)
			hi := lo + runLength(on, lane+lo*laneStep, laneStep, n-lo, 1)
			if hi > lo {
				a.segment(at+lo, hi-lo, pos+lo*step, step, visit)
			}
			lo = hi
		}
	})
}

// runLength is how many of the n bools at, at+step, ... are v before one is not.
func runLength(on []uint8, at, step, n int, v uint8) int {
	if step == 1 {
		if k := bytes.IndexByte(on[at:at+n], 1-v); k >= 0 {
			return k
		}
		return n
	}
	for k := range n {
		if on[at+k*step] != v {
			return k
		}
	}
	return n
}

// segment visits one run, if it lies inside.
func (a *access) segment(at, n, pos, step int, visit func(at, n, off, step int)) {
	first, size := int(a.ptr.start)+pos, a.ptr.base.buf.Len()
	if last := first + (n-1)*step; first < 0 || first >= size || last < 0 || last >= size {
		a.outOfBounds(at + firstOutside(first, step, n, size))
	}
	visit(at, n, first, step)
}

// firstOutside is the first of n offsets off, off+step, ... that is not in 0 ... size-1.
func firstOutside(off, step, n, size int) int {
	for i := range n {
		if o := off + i*step; o < 0 || o >= size {
			return i
		}
	}
	return n
}

// Store writes v, cast to what ptr points to, through the lanes that the mask
// allows. v and the mask broadcast to ptr's shape. Of lanes with the same address
// the last one, in row-major order, is what stays.
func Store(ptr Ptr, v any, o ...StoreOption) {
	const name = "tl.Store"
	p := pointer(name, ptr)
	a := access{name: name, ptr: p, shape: p.shape, writes: true}
	for _, o := range o {
		if m, ok := o.(MaskOption); ok {
			a.mask = maskNode(name, m.m, p)
		}
	}
	a.store(valueFor(name, p.dt.Elem(), v))
}

func (a *access) store(v *node) {
	value, m := a.spread(v)
	defer m.free()
	if a.ptr.base.watch != nil {
		a.watchedStore(v, value)
		return
	}
	switch value.DType().Size() {
	case 1:
		storeAs[uint8](a, value)
	case 2:
		storeAs[uint16](a, value)
	case 4:
		storeAs[uint32](a, value)
	default:
		storeAs[uint64](a, value)
	}
}

// spread is a value's elements, as what the pointers point to and in the shape of the
// access, which it must not enlarge. They are borrowed.
func (a *access) spread(v *node) (dtype.Buf, *temp) {
	must(a.name, v.typ().GoesTo("value", rule.Type{D: a.ptr.dt, Shape: a.shape}))
	return v.broadcastTo(a.shape).borrow(a.ptr.dt.Elem())
}

func storeAs[T dtype.Elem](a *access, value dtype.Buf) {
	b := a.ptr.base
	in, mem := dtype.View[T](value), dtype.View[T](b.buf)
	if a.ptr.affine && !b.gaps {
		a.segments(func(at, n, off, step int) {
			b.wrote(off, n, step)
			if step == 1 {
				copy(mem[off:], in[at:at+n])
				return
			}
			for i, v := range in[at : at+n] {
				mem[off+i*step] = v
			}
		})
		return
	}
	a.each(func(offs []int64, on []uint8, lo, hi int) int {
		if bad := b.firstInGap(offs, on); bad >= 0 {
			return bad
		}
		bad := storeLanes(mem, in[lo:hi], offs, on)
		if b.partial && bad < 0 {
			b.wroteLanes(offs, on)
		}
		return bad
	})
}

// firstInGap is the first active lane that lies in the view's span but between its
// elements, where a store would write into another view; -1 if there is none.
func (b *Base) firstInGap(offs []int64, on []uint8) int {
	if !b.gaps {
		return -1
	}
	for i, o := range offs {
		if (on == nil || on[i] != 0) && o >= 0 && o < int64(b.buf.Len()) && !b.Tensor.Contains(int(o)) {
			return i
		}
	}
	return -1
}

func (b *Base) wroteLanes(offs []int64, on []uint8) {
	for i, o := range offs {
		if on == nil || on[i] != 0 {
			b.wrote(int(o), 1, 0)
		}
	}
}

func storeLanes[T dtype.Elem](mem, v []T, offs []int64, on []uint8) int {
	offs = offs[:len(v)]
	for i, o := range offs {
		if on != nil && on[i] == 0 {
			continue
		}
		if uint64(o) >= uint64(len(mem)) {
			return i
		}
		mem[o] = v[i]
	}
	return -1
}
