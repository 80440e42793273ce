package tilelang

import (
	"math"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Index arithmetic stays symbolic: an affine tile is start + Σ index·stride. Adding,
// subtracting and scaling such tiles gives another, as long as no element wraps, at
// the price of a few integers instead of a loop; and a load through affine pointers
// copies runs of memory.

func newAffine(d dtype.DType, shape dims, start int64, strides dims, base *Base) *node {
	strides.n = shape.n
	return &node{dt: d, shape: shape, strides: strides, base: base, lazy: &lazy{start: start}}
}

// affine reports whether t's elements are given by a formula.
func (t *node) affine() bool { return t.lazy != nil && t.lazy.dot == nil }

// computeAffine writes out the elements.
func (t *node) computeAffine() *node {
	z := newNode("tl", t.dt, t.shape)
	z.base = t.base
	ramp(z.buf, t.lazy.start, t.shape, t.strides, 0)
	return z
}

// ramp fills z, whose type is int32 or 8 bytes wide, with the elements from lo on.
func ramp(z dtype.Buf, start int64, shape, strides dims, lo int) {
	if z.DType().Size() == 4 {
		rampAs(dtype.View[int32](z), start, shape, strides, lo)
	} else {
		rampAs(dtype.View[int64](z), start, shape, strides, lo)
	}
}

func rampAs[T int32 | int64](z []T, start int64, shape, strides dims, lo int) {
	eachRun(len(z), shape, strides, lo, func(at, n, pos, step int) {
		v := start + int64(pos)
		for i := range z[at : at+n] {
			z[at+i] = T(v)
			v += int64(step)
		}
	})
}

// formula is t as start + Σ index·stride if it is an integer tile of that form: an
// affine one, or one of equal elements.
func (t *node) formula() (start int64, strides dims, ok bool) {
	switch {
	case t.affine():
		return t.lazy.start, t.strides, true
	case t.lazy == nil && t.strides.d == [MaxRank]int{} && t.dt.IsInt() && t.dt != Bool && t.dt != Uint64:
		return dtype.ToInt(t.dt, t.buf.Bits(0)), t.strides, true
	}
	return 0, dims{}, false
}

// exact bounds the integers that affineResult computes with, so that none of its own
// steps can overflow.
const exact = 1 << 52

// affineResult is o of integers as an affine tile, or nil if it is not one.
func affineResult(o op.Op, d dtype.DType, shape dims, operands []*node) *node {
	if o != op.Add && o != op.Sub && o != op.Mul || d != Int32 && d != Int64 || shape.n == 0 && !operands[0].affine() {
		return nil
	}
	s0, c0, ok0 := operands[0].formula()
	s1, c1, ok1 := operands[1].formula()
	if !ok0 || !ok1 || !operands[0].affine() && !operands[1].affine() {
		return nil
	}
	c0, c1 = operands[0].shape.stretch(c0, shape), operands[1].shape.stretch(c1, shape)
	if magnitude(s0, c0, shape) > exact || magnitude(s1, c1, shape) > exact {
		return nil
	}
	var start int64
	var c dims
	switch {
	case o == op.Mul && c1.d == [MaxRank]int{}:
		start, c = scaled(s0, c0, s1)
	case o == op.Mul && c0.d == [MaxRank]int{}:
		start, c = scaled(s1, c1, s0)
	case o == op.Mul:
		return nil
	default:
		sign := 1
		if o == op.Sub {
			sign = -1
		}
		start = s0 + int64(sign)*s1
		for i := range c.d {
			c.d[i] = c0.d[i] + sign*c1.d[i]
		}
	}
	if o == op.Mul && magnitude(s0, c0, shape)*magnitude(s1, c1, shape) > exact || !holds(d, start, c, shape) {
		return nil
	}
	return newAffine(d, shape, start, c, nil)
}

func scaled(s int64, c dims, by int64) (int64, dims) {
	for i := range c.d {
		c.d[i] *= int(by)
	}
	return s * by, c
}

// magnitude is a bound on the elements' absolute values, as a float because it may
// be beyond any integer.
func magnitude(start int64, strides, shape dims) float64 {
	m := math.Abs(float64(start))
	for i := range shape.n {
		m += math.Abs(float64(strides.d[i])) * float64(shape.d[i]-1)
	}
	return m
}

// holds reports whether no element wraps in type d.
func holds(d dtype.DType, start int64, strides, shape dims) bool {
	lo, hi := start, start
	for i := range shape.n {
		if span := int64(strides.d[i]) * int64(shape.d[i]-1); span < 0 {
			lo += span
		} else {
			hi += span
		}
	}
	return d == Int64 || lo >= math.MinInt32 && hi <= math.MaxInt32
}
