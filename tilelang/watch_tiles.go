package tilelang

import (
	"fmt"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// decides tells the observer, if there is one, that t's elements become Go values.
func (t *node) decides(name string) {
	m := t.watched()
	if m == nil || m.watch == nil {
		return
	}
	if all := m.any(); all != 0 || m.data != 0 {
		m.watch.Decide(name, kernelPos(), all, m.from, m.data)
	}
}

// alongAll gives z the marks of ts, each of which along turns into marks of z's shape.
func alongAll(z *node, ts []*node, along func(bits *node) *node) {
	m := joined(ts...)
	var bits *node
	for _, t := range ts {
		n := t.watched()
		switch {
		case n == nil || n.bits == nil:
		case bits == nil:
			bits = along(n.bits)
		default:
			bits = lanewise("tl", op.Or, Uint8, z.shape, []*node{bits, along(n.bits)})
		}
	}
	z.withBits(m, bits)
}

// where is t with marks only where mask holds.
func (t *node) where(mask *node) *node {
	m := t.watched()
	if m == nil || m.bits == nil {
		return t
	}
	z, n := *t.real(), *m
	n.bits = lanewise("tl", op.Where, Uint8, t.shape, []*node{mask, m.bits, newScalar(Uint8, 0)})
	z.marks = &n
	return &z
}

// watchGather gives z, gathered from t, the marks of what was picked and of the index.
func watchGather(z, t *node, index Tile, axis int) {
	m := joined(t, index.t)
	if m == nil {
		return
	}
	bits := index.t.markBits()
	if n := t.watched(); n != nil && n.bits != nil {
		bare := *index.t.real()
		bare.marks = nil
		bits = lanewise("tl", op.Or, Uint8, z.shape, []*node{bits, Gather(tile(n.bits), tile(&bare), axis).t})
	}
	b, temp := bits.borrow(Uint8)
	z.withBits(m, bitsNode(dtype.View[uint8](b), z.shape))
	temp.free()
}

// watch gives z, the product, its marks: those of the row and the column that met in
// each element, and of the accumulator's.
func (d *dotOp) watch(z, acc *node) {
	ts := []*node{d.a, d.b}
	if acc != nil {
		ts = append(ts, acc)
	}
	m := joined(ts...)
	if m == nil {
		return
	}
	bits := d.marks(z)
	if acc != nil {
		if own := acc.watched(); own != nil && own.bits != nil {
			bits = either(bits, own.bits.broadcastTo(z.shape))
		}
	}
	z.withBits(m, bits)
	noteDot(z, d, m)
	traceWhole("tl.Dot", z, ts...)
}

// marks is, for each element of the product z, the marks in its row of a and in its
// column of b, but for those that meet a zero: they are multiplied by it.
func (d *dotOp) marks(z *node) (bits *node) {
	for i, t := range []*node{d.a, d.b} {
		own := t.watched()
		if own == nil || own.bits == nil {
			continue
		}
		var mine *node
		for mark := Undefined; mark <= NotFinite; mark <<= 1 {
			if own.any()&mark == 0 {
				continue
			}
			is := lanewise("tl", op.And, Uint8, t.shape, []*node{own.bits, newScalar(Uint8, uint64(mark))})
			mine = either(mine, d.meets(z, i, is, mark))
		}
		bits = either(bits, mine)
	}
	return bits
}

// meets is where a mark of operand i reaches the product: in how many sums it does not
// meet a zero of the other operand that is known.
func (d *dotOp) meets(z *node, i int, is *node, mark Mark) *node {
	n := z.shape.N
	one := lanewise("tl", op.Ne, Uint8, is.shape, []*node{is, newScalar(Uint8, 0)})
	other := []*node{d.b, d.a}[i]
	counts := lanewise("tl", op.Ne, other.dt, other.shape, []*node{other, newScalar(other.dt, 0)})
	if m := other.watched(); m != nil && m.bits != nil {
		counts = either(counts, lanewise("tl", op.Ne, Uint8, other.shape, []*node{m.bits, newScalar(Uint8, 0)}))
	}
	if mark == NotFinite { // times 0 it is NaN
		counts = newScalar(Bool, 1).broadcastTo(other.shape)
	}
	x, y := one, counts
	if i == 1 {
		x, y = y, one
	}
	sum := newNode("tl", Float32, z.shape)
	batches, rows, cols, inner := z.shape.Len()/(z.shape.D[n-2]*z.shape.D[n-1]), z.shape.D[n-2], z.shape.D[n-1], d.a.shape.D[n-1]
	xs, xTemp := x.borrow(Float32)
	defer xTemp.free()
	ys, yTemp := y.borrow(Float32)
	defer yTemp.free()
	for b := range batches {
		reached(dtype.View[float32](sum.buf)[b*rows*cols:], dtype.View[float32](xs)[b*rows*inner:], dtype.View[float32](ys)[b*inner*cols:], rows, cols, inner)
	}
	hit := lanewise("tl", op.Gt, Float32, z.shape, []*node{sum, newScalar(Float32, 0)})
	return lanewise("tl", op.Where, Uint8, z.shape, []*node{hit, newScalar(Uint8, uint64(mark)), newScalar(Uint8, 0)})
}

// reached adds the product of matrices of zeros and ones, few of them ones.
func reached(z, x, y []float32, rows, cols, inner int) {
	for r := range rows {
		for k, v := range x[r*inner : (r+1)*inner] {
			if v == 0 {
				continue
			}
			for c, w := range y[k*cols : (k+1)*cols] {
				z[r*cols+c] += w
			}
		}
	}
}

// either is the bits of two tiles of marks; nil has none.
func either(a, b *node) *node {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return lanewise("tl", op.Or, a.dt, a.shape, []*node{a, b})
}

// noteDot notes a product too small for other implementations.
func noteDot(z *node, d *dotOp, m *marks) {
	n := z.shape.N
	rows, cols, inner := z.shape.D[n-2], z.shape.D[n-1], d.a.shape.D[n-1]
	if rows < 16 || cols < 16 || inner < 16 {
		z.note(m, Notice{Kind: AboutShape, Op: "tl.Dot", Pos: d.pos,
			Text: fmt.Sprintf("a product of [%d,%d] and [%d,%d]: Triton requires sizes of at least 16", rows, inner, inner, cols),
			Fix:  "use blocks of 16 or more, masked"})
	}
}

// noteSum notes that a sum of narrow floats is exact here and not elsewhere.
func noteSum(name string, z, t *node) {
	z.note(t.watched(), Notice{Kind: AboutType, Op: name, Pos: kernelPos(),
		Text: fmt.Sprintf("a sum of %s is accumulated in float32 here, and in %s by Triton", t.dt, t.dt),
		Fix:  "convert first: x.To(tl.Float32)"})
}

// notePromotion is the operands of an op computed in d, with a notice where their types
// make something of them that one may not expect.
func notePromotion(name string, o op.Op, d dtype.DType, a, b *node, x, y any) (*node, *node) {
	_, tiles := x.(Tile)
	if _, ok := y.(Tile); !tiles || !ok {
		if o.IsCompare() && (negative(x) && !b.dt.IsSigned() || negative(y) && !a.dt.IsSigned()) && !a.dt.IsFloat() && !b.dt.IsFloat() {
			return noted(name, "an unsigned tile is compared with a negative number: it is never below it", "compare signed values: x.To(tl.Int64)", a, b)
		}
		return a, b
	}
	text, fix := surprise(o, a.dt, b.dt, d)
	if text == "" {
		text, fix = surprise(o, b.dt, a.dt, d)
	}
	if text == "" {
		return a, b
	}
	return noted(name, fmt.Sprintf("%s and %s: %s", a, b, text), fix, a, b)
}

func negative(v any) bool {
	switch v := v.(type) {
	case int:
		return v < 0
	case float64:
		return v < 0
	}
	return false
}

// noted attaches a notice to copies of operands.
func noted(name, text, fix string, a, b *node) (*node, *node) {
	z := *a.real()
	z.note(joined(a, b), Notice{Kind: AboutType, Op: name, Pos: kernelPos(), Text: text, Fix: fix})
	if m := a.watched(); m != nil && m.watch != nil {
		z.marks = m
	} else if m != nil && z.marks != nil {
		n := *z.marks
		n.bits, n.from = m.bits, m.from
		z.marks = &n
	}
	return &z, b
}

// surprise is what may not be expected of an op on x and y computed in d.
func surprise(o op.Op, x, y, d dtype.DType) (text, fix string) {
	switch {
	case x == Bool && y == Bool && (o == op.Add || o == op.Sub || o == op.Mul):
		return "bools are added in one bit: true + true is false", "convert first: x.To(tl.Int32)"
	case x == Float16 && y.IsInt() && y.Bits() > 8 && d == Float16:
		return "the integers become float16, which is exact only up to 2048 and infinite above 65504", "convert first: x.To(tl.Float32)"
	case x == Float16 && y == BFloat16 && d == Float16:
		return "the result is float16, infinite above 65504", "convert first: x.To(tl.Float32)"
	case x == BFloat16 && y.IsInt() && y != Bool && d == Float32:
		return "the result is float32, not bfloat16", "say what you want with To"
	case x.IsInt() && y.IsInt() && x.IsSigned() && !y.IsSigned() && y != Bool && !d.IsSigned() && d.IsInt() && !bitwise(o):
		return fmt.Sprintf("computed in %s, where negative numbers wrap", d), "convert both to a signed type first"
	}
	return "", ""
}

func bitwise(o op.Op) bool {
	return o == op.And || o == op.Or || o == op.Xor || o == op.Shl || o == op.Shr
}

// promise is x, with a notice if what the kernel promises of it does not hold. broken
// says how it is broken along the axis of n's place, or nothing.
func promise(name string, x Tile, n []int, broken func(t *node, axis, n int) string) Tile {
	t := x.node(name)
	if watching.Load() == 0 || t.dt.IsFloat() {
		return x
	}
	for axis, by := range n {
		if by < 1 || axis >= max(1, t.shape.N) {
			continue
		}
		if text := broken(t, axis, by); text != "" {
			z := *t.real()
			z.note(t.watched(), Notice{Kind: BrokenPromise, Op: name, Pos: kernelPos(), Text: text, Fix: "remove the promise: code that relies on it goes wrong"})
			x = tile(&z)
		}
	}
	return x
}

// line is the elements of t along an axis, from index 0 on the others.
func (t *node) line(axis int) []int64 {
	b, temp := t.borrow(t.dt)
	defer temp.free()
	if t.shape.N == 0 {
		return []int64{integer(t.dt, b.Bits(0))}
	}
	step := t.strideOf(axis)
	out := make([]int64, t.shape.D[axis])
	for i := range out {
		out[i] = integer(t.dt, b.Bits(i*step))
	}
	return out
}

// integer is an element of an integer or pointer tile.
func integer(d dtype.DType, bits uint64) int64 {
	if d.IsPointer() {
		return int64(bits)
	}
	return dtype.ToInt(d, bits)
}

func brokenMultiple(t *node, axis, n int) string {
	if v := t.line(axis)[0]; v%int64(n) != 0 {
		return fmt.Sprintf("it begins with %d, which is not a multiple of %d", v, n)
	}
	return ""
}

// brokenRun is of runs of n elements that ascend by step.
func brokenRun(step int64) func(t *node, axis, n int) string {
	return func(t *node, axis, n int) string {
		vs := t.line(axis)
		for i := 1; i < len(vs); i++ {
			if i%n != 0 && vs[i] != vs[i-1]+step {
				return fmt.Sprintf("elements %d and %d of a run of %d are %d and %d", i-1, i, n, vs[i-1], vs[i])
			}
		}
		return ""
	}
}

// checkAssumption tells an observer of an assumption that does not hold.
func checkAssumption(t *node, m *marks) {
	b, temp := t.borrow(Bool)
	defer temp.free()
	for i := range b.Len() {
		if b.Bits(i) == 0 {
			m.watch.Notice(Notice{Kind: BrokenPromise, Op: "tl.Assume", Pos: kernelPos(),
				Text: fmt.Sprintf("the assumption does not hold at element %s", shape.Index(t.shape.Place(i).Dims())), Fix: "remove the assumption: code that relies on it goes wrong"})
			return
		}
	}
}
