package tilelang

import (
	"fmt"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Accesses to watched memory go lane by lane: the observer sees all of them, leaves out
// those that lie outside, and says which elements of a load are marked.

// A watchedAccess is an access as the observer sees it, and the memory that it borrows.
type watchedAccess struct {
	Access
	temps [6]*temp
}

func (w *watchedAccess) free() {
	for _, m := range w.temps {
		m.free()
	}
}

// show has the observer look at an access. values is what is stored, if anything.
func (a *access) show(kind AccessKind, value *node, values dtype.Buf, other bool) *watchedAccess {
	o := a.ptr.base.watch
	w := &watchedAccess{Access: Access{Kind: kind, Op: a.name, Pos: kernelPos(), Base: a.ptr.base, Shape: a.shape.Dims(), Other: other, Values: values}}
	ptr := a.ptr.broadcastTo(a.shape)
	w.Affine = a.ptr.affine
	if w.Affine {
		w.Strides = ptr.strides.Dims()
	}
	var offs dtype.Buf
	offs, w.temps[0] = ptr.borrow(a.ptr.dt)
	w.Offsets = dtype.View[int64](offs)
	w.Pointers, w.temps[1] = a.ptr.markLanes(a.shape)
	heard := []*node{a.ptr}
	if a.mask != nil {
		var lanes, own dtype.Buf
		lanes, w.temps[2] = a.mask.broadcastTo(a.shape).borrow(Bool)
		w.Active = dtype.View[uint8](lanes)
		own, w.temps[3] = a.mask.borrow(Bool)
		w.Mask = dtype.View[uint8](own)
		w.Masks, w.temps[4] = a.mask.markLanes(a.shape)
		heard = append(heard, a.mask)
	}
	if value != nil {
		w.Stored, w.temps[5] = value.markLanes(a.shape)
		heard = append(heard, value)
		if m := value.watched(); m != nil && m.narrow != Invalid && m.narrow == a.ptr.dt.Elem() {
			o.Notice(roundTrip(a.name, m.narrow, value.dt))
		}
	}
	for _, t := range heard {
		if m := t.watched(); m != nil {
			for _, n := range m.notices {
				o.Notice(n)
			}
		}
	}
	noteShape(o, a, ptr)
	o.Access(&w.Access)
	if a.writes && a.ptr.base.gaps {
		if bad := a.ptr.base.firstInGap(w.Offsets, w.performed()); bad >= 0 {
			a.outOfBounds(bad)
		}
	}
	return w
}

// largest is the most elements that a tile of Triton may have.
const largest = 1 << 20

func noteShape(o Observer, a *access, ptr *node) {
	text := ""
	for _, n := range a.shape.D[:a.shape.N] {
		if n&(n-1) != 0 {
			text = fmt.Sprintf("a tile of shape %s: Triton requires powers of two", a.shape)
		}
	}
	if n := a.shape.Len(); n > largest {
		text = fmt.Sprintf("a tile of %d elements: Triton allows %d", n, largest)
	}
	if text != "" {
		o.Notice(Notice{Kind: AboutShape, Op: a.name, Pos: kernelPos(), Text: text, Fix: "round up with tl.NextPow2 and mask the rest"})
	}
}

// performed is which lanes are carried out: nil for all.
func (w *watchedAccess) performed() []uint8 {
	if w.Skip == nil {
		return w.Active
	}
	on := make([]uint8, len(w.Offsets))
	for i, skip := range w.Skip {
		if skip == 0 && (w.Active == nil || w.Active[i] != 0) {
			on[i] = 1
		}
	}
	return on
}

// watchedLoad fills z, which holds the lanes that are masked off, with the others.
func (a *access) watchedLoad(z, fill *node) {
	w := a.show(Loads, nil, dtype.Buf{}, fill != nil)
	defer w.free()
	on, b := w.performed(), a.ptr.base
	bad := -1
	switch {
	case b.Tensor.IsVirtual():
		pretend(z, on)
	case z.dt.Size() == 1:
		bad = dtype.LoadLanes(dtype.View[uint8](z.buf), dtype.View[uint8](b.buf), w.Offsets, on)
	case z.dt.Size() == 2:
		bad = dtype.LoadLanes(dtype.View[uint16](z.buf), dtype.View[uint16](b.buf), w.Offsets, on)
	case z.dt.Size() == 4:
		bad = dtype.LoadLanes(dtype.View[uint32](z.buf), dtype.View[uint32](b.buf), w.Offsets, on)
	default:
		bad = dtype.LoadLanes(dtype.View[uint64](z.buf), dtype.View[uint64](b.buf), w.Offsets, on)
	}
	if bad >= 0 {
		a.outOfBounds(bad)
	}
	z.marks = a.loadedMarks(w, fill)
}

// pretend fills lanes of a tensor without memory with ones.
func pretend(z *node, on []uint8) {
	one := dtype.FromInt(z.dt, 1, false)
	for i := range z.buf.Len() {
		if on == nil || on[i] != 0 {
			z.buf.SetBits(i, one)
		}
	}
}

// loadedMarks is the marks of a load: what the observer says, and in lanes that are
// masked off those of their other value.
func (a *access) loadedMarks(w *watchedAccess, fill *node) *marks {
	own := a.ptr.base.watchMarks(w.Pointers.Data | w.Masks.Data)
	var other Marked
	if fill != nil {
		var temp *temp
		other, temp = fill.markLanes(a.shape)
		defer temp.free()
	}
	if w.Marks == nil && other.Marks == nil {
		return own
	}
	bits := make([]uint8, len(w.Offsets))
	for i, m := range w.Marks {
		bits[i] = uint8(m)
	}
	for i, m := range other.Marks {
		if w.Active != nil && w.Active[i] == 0 {
			bits[i] |= uint8(m)
		}
	}
	n := bitsNode(bits, a.shape)
	if n == nil {
		return own
	}
	return &marks{watch: own.watch, bits: n, from: joinOrigins(w.From, other.From), data: own.data}
}

// watchMarks is the marks of what is loaded from b, as data say where, and has none.
func (b *Base) watchMarks(data Sources) *marks {
	if data &^= b.source; data != 0 {
		return &marks{watch: b.watch, data: b.source | data}
	}
	if b.clean == nil {
		b.clean = &marks{watch: b.watch, data: b.source}
	}
	return b.clean
}

// watchedStore stores value, whose lanes are spread out in values.
func (a *access) watchedStore(value *node, values dtype.Buf) {
	w := a.show(Stores, value, values, false)
	defer w.free()
	on, b := w.performed(), a.ptr.base
	noteStored(b.watch, a, value, on)
	if b.Tensor.IsVirtual() {
		return
	}
	bad := -1
	switch values.DType().Size() {
	case 1:
		bad = storeLanes(dtype.View[uint8](b.buf), dtype.View[uint8](values), w.Offsets, on)
	case 2:
		bad = storeLanes(dtype.View[uint16](b.buf), dtype.View[uint16](values), w.Offsets, on)
	case 4:
		bad = storeLanes(dtype.View[uint32](b.buf), dtype.View[uint32](values), w.Offsets, on)
	default:
		bad = storeLanes(dtype.View[uint64](b.buf), dtype.View[uint64](values), w.Offsets, on)
	}
	if bad >= 0 {
		a.outOfBounds(bad)
	}
	if b.partial {
		b.wroteLanes(w.Offsets, on)
	}
}

// watchedUpdate carries out an atomic and fills z with what was in memory.
func (a *access) watchedUpdate(z, value *node, values dtype.Buf, combine func(lane int, old, v uint64) uint64) {
	w := a.show(Updates, value, values, false)
	defer w.free()
	on, b := w.performed(), a.ptr.base
	z.marks = a.loadedMarks(w, nil)
	if b.Tensor.IsVirtual() {
		pretend(z, on)
		return
	}
	for i, o := range w.Offsets {
		if on != nil && on[i] == 0 {
			continue
		}
		if uint64(o) >= uint64(b.buf.Len()) {
			a.outOfBounds(i)
		}
		z.buf.SetBits(i, swap(b.buf, int(o), func(old uint64) uint64 { return combine(i, old, values.Bits(i)) }))
		b.wrote(int(o), 1, 0)
	}
}
