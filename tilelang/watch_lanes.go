package tilelang

import (
	"fmt"
	"math"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// watchLanes gives z, the result of an elementwise op, the marks that its operands'
// elements and the op itself give it.
func watchLanes(name string, o op.Op, d dtype.DType, shape shape.Shape, z *node, operands []*node) {
	m := joined(operands...)
	marked := false
	for _, x := range operands {
		if n := x.watched(); n != nil && n.bits != nil {
			marked = true
		}
	}
	var bits []uint8
	if marked {
		bits = joinLanes(o, shape, operands)
		clearMarks(bits, o, z.dt)
	}
	var over []uint8
	if wraps(o, d) && !z.affine {
		if over = wrappedLanes(o, d, shape, operands); over != nil {
			bits, m = addWrapped(name, d, m, bits, over)
		}
	}
	z.withBits(m, bitsNode(bits, shape))
	if over != nil && d.Bits() < 32 {
		noteNarrow(name, d, z, m)
	}
	if o == op.Shl || o == op.Shr {
		noteShift(name, d, z, operands[1], m)
	}
	watchSum(o, z, operands)
	traceLanes(name, z, operands)
}

// bitsNode is marks as a tile, nil if none is set.
func bitsNode(bits []uint8, shape shape.Shape) *node {
	for _, v := range bits {
		if v != 0 {
			z := newNode("tl", Uint8, shape)
			copy(dtype.View[uint8](z.buf), bits)
			return z
		}
	}
	return nil
}

// spreadBits is t's marks in a shape, nil if it has none.
func (t *node) spreadBits(shape shape.Shape) ([]uint8, *temp) {
	m := t.watched()
	if m == nil || m.bits == nil {
		return nil, nil
	}
	b, temp := m.bits.broadcastTo(shape).borrow(Uint8)
	return dtype.View[uint8](b), temp
}

// joinLanes is the marks of an op's result: those of its operands, but for what the op
// does not look at.
func joinLanes(o op.Op, shape shape.Shape, operands []*node) []uint8 {
	z := make([]uint8, shape.Len())
	for i, x := range operands {
		bits, temp := x.spreadBits(shape)
		if bits == nil {
			continue
		}
		switch {
		case o == op.Where && i > 0:
			chosen(z, bits, operands[0].broadcastTo(shape), i == 1)
		case (o == op.And || o == op.Or || o == op.Mul) && len(operands) == 2:
			undecided(z, bits, o, operands[1-i], shape)
		default:
			for k, v := range bits {
				z[k] |= v
			}
		}
		temp.free()
	}
	return z
}

// chosen adds the marks of one side of a Where, where cond chooses it.
func chosen(z, bits []uint8, cond *node, when bool) {
	c, temp := cond.borrow(Bool)
	defer temp.free()
	for k, v := range dtype.View[uint8](c) {
		if (v != 0) == when {
			z[k] |= bits[k]
		}
	}
}

// undecided adds the marks of one operand of And, Or or Mul, but where the other is
// known and decides alone: false and, true or, 0 times any number.
func undecided(z, bits []uint8, o op.Op, other *node, shape shape.Shape) {
	t := other.broadcastTo(shape)
	if o == op.Or && t.dt != Bool {
		for k, v := range bits {
			z[k] |= v
		}
		return
	}
	b, temp := t.borrow(t.dt)
	defer temp.free()
	own, ownTemp := other.spreadBits(shape)
	defer ownTemp.free()
	deciding := uint64(0)
	if o == op.Or {
		deciding = 1
	}
	for k, v := range bits {
		if v != 0 && decides(t.dt, b.Bits(k), deciding) && (own == nil || own[k] == 0) {
			v &= uint8(NotFinite) // times 0 it is NaN
		}
		z[k] |= v
	}
}

// decides reports whether bits are those that decide; zero is of either sign.
func decides(d dtype.DType, bits, deciding uint64) bool {
	return bits == deciding || d.IsFloat() && deciding == 0 && dtype.ToFloat(d, bits) == 0
}

// clearMarks drops Wrapped where it means nothing any more: in what is no index, and
// after operations on bits, which take the low ones on purpose.
func clearMarks(bits []uint8, o op.Op, d dtype.DType) {
	switch {
	case !d.IsInt() && !d.IsPointer() || d == Bool:
	case o == op.And || o == op.Or || o == op.Xor || o == op.Shr || o == op.UMulHi:
	default:
		return
	}
	for k := range bits {
		bits[k] &^= uint8(Wrapped)
	}
}

// wraps reports whether an op can overflow in type d as index arithmetic does. Unsigned
// integers wrap on purpose; int64 holds every address.
func wraps(o op.Op, d dtype.DType) bool {
	switch o {
	case op.Add, op.Sub, op.Mul, op.Shl, op.Neg:
		return d.IsInt() && d.IsSigned() && d.Bits() < 64
	}
	return false
}

// wrappedLanes is the lanes that overflow, nil if none does.
func wrappedLanes(o op.Op, d dtype.DType, shape shape.Shape, operands []*node) (over []uint8) {
	var in [2]dtype.Buf
	for i, x := range operands {
		var temp *temp
		in[i], temp = x.broadcastTo(shape).borrow(d)
		defer temp.free()
	}
	lo, hi := d.MinInt(), int64(d.MaxInt())
	for k := range shape.Len() {
		x, y := dtype.ToInt(d, in[0].Bits(k)), int64(0)
		if len(operands) > 1 {
			y = dtype.ToInt(d, in[1].Bits(k))
		}
		if v := wide(o, x, y); v < lo || v > hi {
			if over == nil {
				over = make([]uint8, shape.Len())
			}
			over[k] = uint8(Wrapped)
		}
	}
	return over
}

// wide is an op of two integers of at most 32 bits, without overflow.
func wide(o op.Op, x, y int64) int64 {
	switch o {
	case op.Add:
		return x + y
	case op.Sub:
		return x - y
	case op.Mul:
		return x * y
	case op.Neg:
		return -x
	}
	if y < 0 || y >= 32 {
		return 0 // out of range, which is noticed by itself
	}
	return x << y
}

// addWrapped adds lanes that overflowed here to marks.
func addWrapped(name string, d dtype.DType, m *marks, bits, over []uint8) ([]uint8, *marks) {
	if bits == nil {
		bits = over
	} else {
		for k, v := range over {
			bits[k] |= v
		}
	}
	n := 0
	for _, v := range over {
		if v != 0 {
			n++
		}
	}
	z := marks{}
	if m != nil {
		z = *m
	}
	z.from = joinOrigins(z.from, []*Origin{{Mark: Wrapped, Op: name, Pos: kernelPos(), Text: fmt.Sprintf("%d lanes overflow %s", n, d)}})
	return bits, &z
}

// noteNarrow notes that arithmetic on narrow integers, which stays narrow, overflowed.
func noteNarrow(name string, d dtype.DType, z *node, m *marks) {
	z.note(m, Notice{Kind: AboutType, Op: name, Pos: kernelPos(),
		Text: fmt.Sprintf("%s and %s stay %s, and some results wrap", d, d, d),
		Fix:  "convert first: x.To(tl.Int32)"})
}

// noteShift notes counts outside the width.
func noteShift(name string, d dtype.DType, z, count *node, m *marks) {
	b, temp := count.borrow(Int64)
	defer temp.free()
	n := 0
	for _, v := range dtype.View[int64](b) {
		if v < 0 || v >= int64(d.Bits()) {
			n++
		}
	}
	if n > 0 {
		z.note(m, Notice{Kind: AboutRange, Op: name, Pos: kernelPos(), Lanes: n,
			Text: fmt.Sprintf("%d counts of %d are outside 0 ... %d, the width of %s", n, b.Len(), d.Bits()-1, d),
			Fix:  "such a shift gives 0 or the sign here; elsewhere it is undefined"})
	}
}

// watchCast gives z, t cast to another type, its marks, and notes what the cast loses.
func watchCast(name string, z, t *node) {
	m := t.watched()
	if m == nil && !(t.dt.IsFloat() && z.dt.IsInt()) && !narrows(t.dt, z.dt) {
		return
	}
	z.marks = m.cast(t.dt, z.dt)
	z.watchNarrowing(name, t, m)
	if m != nil && m.narrow == z.dt && t.dt.Bits() < z.dt.Bits() {
		z.note(m, roundTrip(name, z.dt, t.dt))
	}
	if !t.dt.IsFloat() || !z.dt.IsInt() || z.dt == Bool {
		return
	}
	b, temp := t.borrow(Float64)
	defer temp.free()
	n := 0
	lo, hi := float64(z.dt.MinInt()), float64(z.dt.MaxInt())
	for _, v := range dtype.View[float64](b) {
		if v = math.Trunc(v); !(v >= lo && v <= hi) {
			n++
		}
	}
	if n > 0 {
		z.note(m, Notice{Kind: AboutRange, Op: name, Pos: kernelPos(), Lanes: n,
			Text: fmt.Sprintf("%d values of %d do not fit %s", n, b.Len(), z.dt),
			Fix:  "they saturate, and NaN becomes 0, here; elsewhere it is undefined"})
	}
}

// watchNarrowing notes the lanes of t that do not fit z, what t was cast to. Of integers
// they are marked: an address made of them is wrong.
func (z *node) watchNarrowing(name string, t *node, m *marks) {
	traceLanes(name, z, []*node{t})
	if !narrows(t.dt, z.dt) || t.marks.has(Undefined) {
		return
	}
	n := narrowing(t, z.dt, nil)
	if n.count == 0 {
		return
	}
	if n.to.IsInt() {
		z.addBits(n.lanes, &Origin{Mark: Wrapped, Op: name, Pos: kernelPos(), Text: fmt.Sprintf("%s does not fit %s", n.first, n.to)})
	}
	z.note(m, n.notice(name, t.shape.Len()))
}

// cast is m after a cast between types.
func (m *marks) cast(from, to dtype.DType) *marks {
	narrow := Invalid
	if from.IsFloat() && to.IsFloat() && to.Bits() < from.Bits() {
		narrow = from
	}
	if m == nil || m.narrow == narrow {
		return m
	}
	z := *m
	z.narrow = narrow
	return &z
}

func roundTrip(name string, wide, narrow dtype.DType) Notice {
	return Notice{Kind: AboutType, Op: name, Pos: kernelPos(),
		Text: fmt.Sprintf("%s values are rounded to %s and then become %s again: precision is lost for nothing", wide, narrow, wide),
		Fix:  fmt.Sprintf("remove the conversion to %s", narrow)}
}
