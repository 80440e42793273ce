package tilelang

import (
	"math"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// Index arithmetic stays symbolic: an affine tile is start + Σ index·stride. Adding,
// subtracting and scaling such tiles gives another, as long as no element wraps, at
// the price of a few integers instead of a loop; a comparison of two knows its runs
// of true lanes; and a load through affine pointers copies runs of memory.

func newAffine(d dtype.DType, shape shape.Shape, start int64, strides shape.Shape, base *Base) *node {
	strides.N = shape.N
	return &node{dt: d, affine: true, shape: shape, strides: strides, start: start, base: base}
}

// computeAffine writes out the elements.
func (t *node) computeAffine() *node {
	z := newNode("tl", t.dt, t.shape)
	z.base = t.base
	ramp(z.buf, t.start, t.shape, t.strides, 0)
	return z
}

// ramp fills z, whose type is int32 or 8 bytes wide, with the elements from lo on.
func ramp(z dtype.Buf, start int64, shape, strides shape.Shape, lo int) {
	if z.DType().Size() == 4 {
		rampAs(dtype.View[int32](z), start, shape, strides, lo)
	} else {
		rampAs(dtype.View[int64](z), start, shape, strides, lo)
	}
}

func rampAs[T int32 | int64](z []T, start int64, shape, strides shape.Shape, lo int) {
	eachRun(len(z), shape, strides, lo, func(at, n, pos, step int) {
		v, by := T(start+int64(pos)), T(step)
		for i := range z[at : at+n] {
			z[at+i] = v
			v += by
		}
	})
}

// A formula is start + Σ index·stride over some shape.
type formula struct {
	start   int64
	strides shape.Shape
}

// constant reports whether all elements are equal.
func (f formula) constant() bool { return f.strides.D == [MaxRank]int{} }

// formula is t's elements as one, stretched to a shape, if t is an affine tile or an
// integer tile of equal elements.
func (t *node) formula(to shape.Shape) (f formula, ok bool) {
	switch {
	case t.affine:
		return formula{t.start, t.shape.Stretch(t.strides, to)}, true
	case t.dot == nil && t.strides.D == [MaxRank]int{} && t.dt.IsInt() && t.dt != Bool && t.dt != Uint64:
		return formula{dtype.ToInt(t.dt, t.buf.Bits(0)), shape.Shape{N: to.N}}, true
	}
	return f, false
}

// formulas is both operands of an op of type d as formulas over its shape, if they
// are such and at least one of them is affine. Both are bounded so that no sum of the
// two can overflow, and in d they mean what they say.
func formulas(d dtype.DType, shape shape.Shape, x, y *node) (f, g formula, ok bool) {
	if d != Int32 && d != Int64 || !x.affine && !y.affine {
		return f, g, false
	}
	f, ok = x.formula(shape)
	if !ok {
		return f, g, false
	}
	g, ok = y.formula(shape)
	return f, g, ok && f.magnitude(shape) <= exact && g.magnitude(shape) <= exact
}

// exact bounds the integers of formulas that are computed with.
const exact = 1 << 52

// affineResult is o of two formulas as an affine tile of type d, or nil if it is not
// one.
func affineResult(name string, o op.Op, d dtype.DType, shape shape.Shape, f, g formula) *node {
	switch {
	case o == op.Add:
		f = f.plus(g, 1)
	case o == op.Sub:
		f = f.plus(g, -1)
	case o != op.Mul || f.magnitude(shape)*g.magnitude(shape) > exact:
		return nil
	case g.constant():
		f = f.times(g.start)
	case f.constant():
		f = g.times(f.start)
	default:
		return nil
	}
	if !f.fits(d, shape) {
		return nil
	}
	checkSize(name, d, shape)
	return newAffine(d, shape, f.start, f.strides, nil)
}

// indexResult is an op of index tiles without work on lanes, nil if it is no such op.
func indexResult(name string, o op.Op, d dtype.DType, shape shape.Shape, x, y *node) *node {
	f, g, ok := formulas(d, shape, x, y)
	switch {
	case !ok:
		return nil
	case o.IsCompare():
		return compareAffine(name, o, shape, f, g)
	}
	return affineResult(name, o, d, shape, f, g)
}

// indexAndInt is an op of an affine tile and a Go int, the commonest of all, without
// a tile for the int; nil if it is no such op.
func indexAndInt(name string, o op.Op, x, y any) *node {
	t, isTile := x.(Tile)
	v, isInt := y.(int)
	if !isTile || !isInt || t.t == nil || !t.t.affine || t.t.dt.IsPointer() || !t.t.dt.FitsInt(int64(v)) {
		return nil
	}
	f, g := formula{t.t.start, t.t.strides}, formula{start: int64(v)}
	if f.magnitude(t.t.shape) > exact || g.magnitude(shape.Shape{}) > exact {
		return nil
	}
	if o.IsCompare() {
		return compareAffine(name, o, t.t.shape, f, g)
	}
	return affineResult(name, o, t.t.dt, t.t.shape, f, g)
}

// indexPlusInt moves an affine tile by a Go int, nil if it must be done otherwise.
func indexPlusInt(o op.Op, t *node, by int64) *node {
	if o == op.Sub {
		by = -by
	}
	f, g := formula{t.start, t.strides}, formula{start: by}
	if !t.affine || f.magnitude(t.shape) > exact || g.magnitude(shape.Shape{}) > exact {
		return nil
	}
	return newAffine(t.dt, t.shape, t.start+by, t.strides, t.base)
}

// plus is f + sign·g.
func (f formula) plus(g formula, sign int) formula {
	f.start += int64(sign) * g.start
	for i := range f.strides.D {
		f.strides.D[i] += sign * g.strides.D[i]
	}
	return f
}

func (f formula) times(by int64) formula {
	f.start *= by
	for i := range f.strides.D {
		f.strides.D[i] *= int(by)
	}
	return f
}

// magnitude is a bound on the elements' absolute values, as a float because it may
// be beyond any integer.
func (f formula) magnitude(shape shape.Shape) float64 {
	m := math.Abs(float64(f.start))
	for i := range shape.N {
		m += math.Abs(float64(f.strides.D[i])) * float64(shape.D[i]-1)
	}
	return m
}

// bounds is the least and the greatest element.
func (f formula) bounds(shape shape.Shape) (lo, hi int64) {
	lo, hi = f.start, f.start
	for i := range shape.N {
		if span := int64(f.strides.D[i]) * int64(shape.D[i]-1); span < 0 {
			lo += span
		} else {
			hi += span
		}
	}
	return lo, hi
}

// fits reports whether no element wraps in type d, given that none does in int64.
func (f formula) fits(d dtype.DType, shape shape.Shape) bool {
	lo, hi := f.bounds(shape)
	return d == Int64 || lo >= math.MinInt32 && hi <= math.MaxInt32
}

// uniform is what the comparison o with 0 gives in every lane, if that is the same.
func (f formula) uniform(o op.Op, shape shape.Shape) (v, ok bool) {
	switch lo, hi := f.bounds(shape); o {
	case op.Lt:
		return hi < 0, hi < 0 || lo >= 0
	case op.Le:
		return hi <= 0, hi <= 0 || lo > 0
	case op.Gt:
		return lo > 0, lo > 0 || hi <= 0
	case op.Ge:
		return lo >= 0, lo >= 0 || hi < 0
	default: // Eq and Ne
		apart, equal := lo > 0 || hi < 0, lo == 0 && hi == 0
		return equal == (o == op.Eq), apart || equal
	}
}

// compareAffine is a comparison of two formulas: along the last dimension the lanes
// that hold are one run.
func compareAffine(name string, o op.Op, shape shape.Shape, f, g formula) *node {
	f = f.plus(g, -1) // x o y is x-y o 0
	if v, ok := f.uniform(o, shape); ok {
		checkSize(name, Bool, shape)
		return newScalar(Bool, uint64(b2i(v))).broadcastTo(shape)
	}
	z := newNode(name, Bool, shape)
	lanes := dtype.View[uint8](z.buf)
	eachRun(len(lanes), shape, f.strides, 0, func(at, n, pos, step int) {
		lo, hi, inside := holding(o, f.start+int64(pos), int64(step), int64(n))
		fill(lanes[at:at+n], int(lo), int(hi), inside)
	})
	return z
}

// holding is for which k in 0 ... n-1 the comparison o of v + k·step with 0 holds: for
// lo <= k < hi if inside is true, for all others if it is false.
func holding(o op.Op, v, step, n int64) (lo, hi int64, inside bool) {
	switch o {
	case op.Gt:
		return holding(op.Lt, -v, -step, n)
	case op.Le:
		return holding(op.Lt, v-1, step, n)
	case op.Ge:
		return holding(op.Lt, -v-1, -step, n)
	case op.Eq, op.Ne:
		lo, hi = zeroAt(v, step, n)
		return lo, hi, o == op.Eq
	}
	switch {
	case step > 0: // the first lanes: k < -v/step
		return 0, clampInt((-v+step-1)/step, n), true
	case step < 0: // the last lanes: k > v/-step
		return clampInt((v-step)/-step, n), n, true
	}
	return 0, n, v < 0
}

// zeroAt is the range of k in 0 ... n-1 with v + k·step = 0: all, one or none.
func zeroAt(v, step, n int64) (lo, hi int64) {
	switch {
	case step == 0 && v == 0:
		return 0, n
	case step == 0 || v%step != 0 || -v/step < 0 || -v/step >= n:
		return 0, 0
	}
	return -v / step, -v/step + 1
}

func clampInt(k, n int64) int64 { return max(0, min(k, n)) }

// fill makes lanes lo to hi of z, which is all zeros, true if inside is set, and the
// others if it is not.
func fill(z []uint8, lo, hi int, inside bool) {
	if inside {
		setTrue(z[lo:hi])
		return
	}
	setTrue(z[:lo])
	setTrue(z[hi:])
}

var allTrue = func() (t [chunk]uint8) {
	for i := range t {
		t[i] = 1
	}
	return t
}()

func setTrue(z []uint8) {
	for len(z) > 0 {
		z = z[copy(z, allTrue[:]):]
	}
}
