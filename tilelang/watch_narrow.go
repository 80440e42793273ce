package tilelang

import (
	"fmt"
	"math"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// narrowed is what a conversion to a type loses, beyond precision: lanes whose value the
// type does not hold.
type narrowed struct {
	to    dtype.DType
	lanes []uint8 // Wrapped where it does not; nil: nowhere
	count int
	first string // the value of the first
}

// narrowing finds the lanes, of those that on lets through (nil: all), that do not fit.
func narrowing(t *node, to dtype.DType, on []uint8) (n narrowed) {
	n.to = to
	if !narrows(t.dt, to) {
		return n
	}
	b, temp := t.borrow(t.dt)
	defer temp.free()
	add := func(k int, v any) {
		if on != nil && on[k] == 0 {
			return
		}
		if n.count++; n.count == 1 {
			n.lanes, n.first = make([]uint8, b.Len()), fmt.Sprint(v)
		}
		n.lanes[k] = uint8(Wrapped)
	}
	if t.dt.IsFloat() {
		limit := largestOf(to)
		for k := range b.Len() {
			if v := dtype.ToFloat(t.dt, b.Bits(k)); math.Abs(v) > limit && !math.IsInf(v, 0) && math.IsInf(dtype.ToFloat(to, dtype.FromFloat(to, v)), 0) {
				add(k, v)
			}
		}
		return n
	}
	lo, hi := to.MinInt(), int64(to.MaxInt())
	for k := range b.Len() {
		if v := dtype.ToInt(t.dt, b.Bits(k)); v < lo || v > hi {
			add(k, v)
		}
	}
	return n
}

// largestOf is a number above which conversion to a float may give an infinity.
func largestOf(d dtype.DType) float64 {
	switch {
	case d == Float16:
		return 65504
	case d == BFloat16 || d == Float32:
		return 3e38
	case d.Bits() == 8:
		return 200
	}
	return math.MaxFloat64
}

// narrows reports whether a conversion may lose values: to a smaller float, or to a
// smaller integer. Float to integer is another matter.
func narrows(from, to dtype.DType) bool {
	switch {
	case from.IsPointer() || to == Bool || from == Bool:
		return false
	case from.IsFloat() && to.IsFloat():
		return to.Bits() < from.Bits() || from == BFloat16 && to == Float16
	}
	return from.IsInt() && to.IsInt() && to.Bits() < from.Bits()
}

// notice is what there is to say of it.
func (n narrowed) notice(name string, of int) Notice {
	became := "they wrap around"
	if n.to.IsFloat() {
		became = "they become infinite"
	}
	return Notice{Kind: AboutRange, Op: name, Pos: kernelPos(), Lanes: n.count,
		Text: fmt.Sprintf("%d of %d values do not fit %s, the first is %s: %s", n.count, of, n.to, n.first, became),
		Fix:  "keep the wider type, or clamp: " + clampText(n.to)}
}

func clampText(d dtype.DType) string {
	if d.IsFloat() {
		return fmt.Sprintf("tl.Clamp(x, -%g, %g)", largestOf(d), largestOf(d))
	}
	return fmt.Sprintf("tl.Clamp(x, %d, %d)", d.MinInt(), d.MaxInt())
}

// noteStored notes what is stored and does not fit.
func noteStored(o Observer, a *access, value *node, on []uint8) {
	to := a.ptr.dt.Elem()
	if !narrows(value.dt, to) {
		return
	}
	if n := narrowing(value.broadcastTo(a.shape), to, on); n.count > 0 {
		o.Notice(n.notice(a.name, a.shape.Len()))
	}
}

// noteLiteral is z, which is a Go number as a type, with a notice if it does not fit. Of
// integers that is an error.
func noteLiteral(name string, z *node, v any) *node {
	n := narrowed{to: z.dt, count: 1, first: fmt.Sprint(v)}
	if f, ok := v.(float64); !ok || !z.dt.IsFloat() || math.IsInf(f, 0) || !math.IsInf(dtype.ToFloat(z.dt, z.buf.Bits(0)), 0) {
		return z
	}
	z.note(nil, n.notice(name, 1))
	return z
}

// watchSum looks at an addition of floats of which one is the sum so far, and narrow: a
// loop that adds up in few bits. It notes the first addition that loses something.
func watchSum(o op.Op, z *node, operands []*node) {
	if o != op.Add || !z.dt.IsFloat() || z.marks == nil || operands[0].dt.Bits() > 16 && operands[1].dt.Bits() > 16 {
		return
	}
	at := kernelPos()
	for i, acc := range operands {
		m := acc.watched()
		if m != nil && m.sum == at && acc.dt.IsFloat() && acc.dt.Bits() <= 16 && acc.shape == z.shape {
			noteLoss(z, acc, operands[1-i])
			break
		}
	}
	n := *z.marks
	n.sum = at
	z.marks = &n
}

// noteLoss notes the first element of acc that does not become, in acc's type, what is
// added to it.
func noteLoss(z, acc, by *node) {
	sum, sumTemp := z.borrow(acc.dt)
	defer sumTemp.free()
	x, xTemp := acc.borrow(Float64)
	defer xTemp.free()
	y, yTemp := by.broadcastTo(z.shape).borrow(Float64)
	defer yTemp.free()
	vs, ws := dtype.View[float64](x), dtype.View[float64](y)
	for k, v := range vs {
		got := dtype.ToFloat(acc.dt, sum.Bits(k))
		if lost := v + ws[k] - got; lost != 0 && got == v && !math.IsInf(got, 0) && !math.IsNaN(got) {
			z.note(z.marks, Notice{Kind: AboutSum, Op: "Tile.Add", Pos: kernelPos(), Lanes: 1,
				Text: fmt.Sprintf("a sum in %s loses what is added to it: %v + %v is %v%s", acc.dt, v, ws[k], got, z.laneText(k)),
				Fix:  fmt.Sprintf("add up in float32, tl.Zeros(tl.Float32, %s), and convert at the end", sizesText(z.shape.Dims()))})
			return
		}
	}
}

func sizesText(ns []int) string {
	s := shape.Index(ns)
	return s[1 : len(s)-1]
}
