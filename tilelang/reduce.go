package tilelang

import (
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// A reduction over n elements uses 16 partial results: element i goes to partial
// i mod 16, in ascending order, and the partials combine pairwise at distances 8,
// 4, 2, 1; a partial without elements is absent. That order is part of the meaning:
// every engine has it.
const partials = 16

// slabs is a tile arranged for work along one axis: outer blocks of n rows of inner
// elements, dense.
type slabs struct {
	outer, n, inner int
	buf             dtype.Buf
}

// everything is the axis of work on all elements.
const everything = -1

// slabs is t's elements as type d, borrowed, for work along an axis or on everything.
func (t *node) slabs(d dtype.DType, axis int) (slabs, *temp) {
	b, m := t.borrow(d)
	s := slabs{outer: 1, n: b.Len(), inner: 1, buf: b}
	if axis == everything {
		return s, m
	}
	s.n = t.shape.D[axis]
	for i, n := range t.shape.D[:t.shape.N] {
		if i < axis {
			s.outer *= n
		} else if i > axis {
			s.inner *= n
		}
	}
	return s, m
}

// rows is rows lo to hi of block o.
func (s *slabs) rows(o, lo, hi int) dtype.Buf {
	return s.buf.Slice((o*s.n+lo)*s.inner, (o*s.n+hi)*s.inner)
}

// A combiner reduces several parallel streams of lanes at once: x[k] and y[k] are
// equally long, and x[k] becomes the combination.
type combiner func(x, y []dtype.Buf)

// reduceSlabs reduces each block of the streams to one row, written to z.
func reduceSlabs(z []dtype.Buf, in []slabs, combine combiner) {
	s := in[0]
	acc := make([]dtype.Buf, len(in))
	for k := range in {
		var m *temp
		acc[k], m = newTemp(in[k].buf.DType(), min(partials, s.n)*s.inner)
		defer m.free()
	}
	x, y := make([]dtype.Buf, len(in)), make([]dtype.Buf, len(in))
	// fold combines rows lo.. of acc with n rows that from yields.
	fold := func(n int, from func(k int) dtype.Buf) {
		for k := range in {
			x[k], y[k] = acc[k].Slice(0, n*s.inner), from(k)
		}
		combine(x, y)
	}
	for o := range s.outer {
		held := min(partials, s.n)
		for k := range in {
			copy(acc[k].Bytes(), in[k].rows(o, 0, held).Bytes())
		}
		for lo := partials; lo < s.n; lo += partials {
			hi := min(lo+partials, s.n)
			fold(hi-lo, func(k int) dtype.Buf { return in[k].rows(o, lo, hi) })
		}
		for d := partials / 2; d > 0; d /= 2 {
			if held > d {
				fold(held-d, func(k int) dtype.Buf { return acc[k].Slice(d*s.inner, held*s.inner) })
				held = d
			}
		}
		for k := range in {
			copy(z[k].Slice(o*s.inner, (o+1)*s.inner).Bytes(), acc[k].Slice(0, s.inner).Bytes())
		}
	}
}

// reduceArgs is what a reduction's options say.
type reduceArgs struct {
	axis int
	all  bool
	keep bool
	as   dtype.DType // Invalid if not given
}

// reduceOptions reads the options of a reduction; typed is whether it takes As.
func reduceOptions(name string, typed bool, o []ReduceOption) reduceArgs {
	a := reduceArgs{all: true}
	for _, o := range o {
		switch o := o.(type) {
		case AxisOption:
			a.axis, a.all = int(o), false
		case keepDims:
			a.keep = true
		case TypeOption:
			a.as = asOption(name, typed, o)
		}
	}
	return a
}

// asOption checks the dtype of an As, in an op that takes one if typed is set.
func asOption(name string, typed bool, o TypeOption) dtype.DType {
	if !typed {
		must(name, rule.ReduceAs(DType(o)))
	}
	checkType(name, DType(o))
	return DType(o)
}

// arrange resolves the axis of a reduction of t, and its result's shape.
func (a reduceArgs) arrange(name string, t *node) (axis int, s shape.Shape) {
	switch {
	case a.all && a.keep:
		s.N = t.shape.N
		for i := range s.N {
			s.D[i] = 1
		}
		return everything, s
	case a.all:
		return everything, shape.Shape{}
	}
	axis = t.axis(name, a.axis)
	if a.keep {
		s = t.shape
		s.D[axis] = 1
		return axis, s
	}
	return axis, t.shape.Drop(axis)
}

// reduceBy reduces with an elementwise op of type d, and converts what comes of it to
// the result's type.
func reduceBy(name string, o op.Op, d, result dtype.DType, t *node, a reduceArgs) Tile {
	axis, shape := a.arrange(name, t)
	in, m := t.slabs(d, axis)
	z := newNode(name, d, shape)
	reduceSlabs([]dtype.Buf{z.buf}, []slabs{in}, func(x, y []dtype.Buf) { op.Apply(o, d, x[0], x[0], y[0]) })
	m.free()
	z = z.converted(result)
	anyAlong(z, t, a)
	traceWhole(name, z, t)
	return tile(z)
}

// Sum adds elements along an axis, or all. Integers under 32 bits are summed in 32;
// float16 and bfloat16 in float32, rounded once at the end.
func Sum(x Tile, o ...ReduceOption) Tile {
	const name = "tl.Sum"
	t, a := x.node(name), reduceOptions(name, true, o)
	refusePointer(name, t)
	result := rule.Widened32(t.dt)
	if a.as != Invalid {
		result = a.as
	}
	z := reduceBy(name, op.Add, result.Compute(), result, t, a)
	if t.dt.IsNarrow() && a.as == Invalid && watching.Load() > 0 {
		noteSum(name, z.t, t)
	}
	return z
}

// Invalid is no element type.
const Invalid = dtype.Invalid

// Max is the greatest element along an axis, or of all; a NaN only if all are; of narrow dtypes int32 or float32.
func Max(x Tile, o ...ReduceOption) Tile { return extreme("tl.Max", op.Maximum, x, o) }

// Min is the least element along an axis, or of all; a NaN only if all are; of narrow dtypes int32 or float32.
func Min(x Tile, o ...ReduceOption) Tile { return extreme("tl.Min", op.Minimum, x, o) }

func extreme(name string, o op.Op, x Tile, opts []ReduceOption) Tile {
	t := x.node(name)
	refusePointer(name, t)
	d := rule.Extremum32(t.dt)
	return reduceBy(name, o, d, d, t, reduceOptions(name, false, opts))
}

// XorSum is the exclusive or of the elements along an axis, or of all.
func XorSum(x Tile, o ...ReduceOption) Tile { return bitSum("tl.XorSum", op.Xor, x, o) }

// OrSum is the or of the elements along an axis, or of all.
func OrSum(x Tile, o ...ReduceOption) Tile { return bitSum("tl.OrSum", op.Or, x, o) }

func bitSum(name string, o op.Op, x Tile, opts []ReduceOption) Tile {
	t := x.node(name)
	must(name, t.typ().Bits())
	return reduceBy(name, o, t.dt, t.dt, t, reduceOptions(name, false, opts))
}

// MaxIndex is the greatest element along an axis and its int32 index: the first of
// equals, the first NaN if all are.
func MaxIndex(x Tile, o ...ReduceOption) (v, i Tile) { return extremeIndex("tl.MaxIndex", op.Gt, x, o) }

// MinIndex is the least element along an axis and its int32 index.
func MinIndex(x Tile, o ...ReduceOption) (v, i Tile) { return extremeIndex("tl.MinIndex", op.Lt, x, o) }

// ArgMax is the index of the greatest element along an axis.
func ArgMax(x Tile, o ...ReduceOption) Tile {
	_, i := extremeIndex("tl.ArgMax", op.Gt, x, o)
	return i
}

// ArgMin is the index of the least element along an axis.
func ArgMin(x Tile, o ...ReduceOption) Tile {
	_, i := extremeIndex("tl.ArgMin", op.Lt, x, o)
	return i
}

// extremeIndex reduces pairs of value and index; better is Gt or Lt. bfloat16 becomes
// float32, other dtypes stay, as in Triton.
func extremeIndex(name string, better op.Op, x Tile, o []ReduceOption) (v, i Tile) {
	t := x.node(name)
	refusePointer(name, t)
	d := t.dt
	if d == BFloat16 {
		d = Float32
	}
	a := reduceOptions(name, false, o)
	axis, to := a.arrange(name, t)
	in, inTemp := t.slabs(d, axis)
	defer inTemp.free()
	ids, idsTemp := newTemp(Int32, in.buf.Len())
	defer idsTemp.free()
	index := slabs{in.outer, in.n, in.inner, ids}
	// The index along the axis is affine: block, row, column.
	ramp(ids, 0, shape.Of(in.outer, in.n, in.inner), shape.Of(0, 1, 0), 0)
	zv, zi := newNode(name, d, to), newNode(name, Int32, to)
	reduceSlabs([]dtype.Buf{zv.buf, zi.buf}, []slabs{in, index}, pairCombiner(better, d))
	anyAlong(zv, t, a)
	anyAlong(zi, t, a)
	return tile(zv), tile(zi)
}

// pairCombiner keeps y where it is better than x, or equal to it with a lower
// index, or x is NaN and y is not; with two NaNs the lower index stays.
func pairCombiner(better op.Op, d dtype.DType) combiner {
	return func(x, y []dtype.Buf) {
		n := x[0].Len()
		masks, temp := newTemp(Bool, 5*n)
		defer temp.free()
		mask := func(k int) dtype.Buf { return masks.Slice(k*n, (k+1)*n) }
		take, same, lower, xNaN, yNaN := mask(0), mask(1), mask(2), mask(3), mask(4)
		op.Apply(better, d, take, y[0], x[0])
		op.Apply(op.Eq, d, same, y[0], x[0])
		op.Apply(op.Lt, Int32, lower, y[1], x[1])
		op.Apply(op.Ne, d, xNaN, x[0], x[0])
		op.Apply(op.Ne, d, yNaN, y[0], y[0])
		t, s, l, xn, yn := dtype.View[uint8](take), dtype.View[uint8](same), dtype.View[uint8](lower), dtype.View[uint8](xNaN), dtype.View[uint8](yNaN)
		for i := range t {
			t[i] |= s[i]&l[i] | xn[i]&^yn[i] | xn[i]&yn[i]&l[i]
		}
		op.Apply(op.Where, d, x[0], take, y[0], x[0])
		op.Apply(op.Where, Int32, x[1], take, y[1], x[1])
	}
}

// Reduce combines elements along an axis, or all, with an associative function of
// tiles.
func Reduce(x Tile, fn func(a, b Tile) Tile, o ...ReduceOption) Tile {
	return reduceTuple("tl.Reduce", []Tile{x}, func(a, b []Tile) []Tile { return []Tile{fn(a[0], b[0])} }, o)[0]
}

// Reduce2 reduces pairs.
func Reduce2(x, y Tile, fn func(x1, y1, x2, y2 Tile) (Tile, Tile), o ...ReduceOption) (Tile, Tile) {
	z := reduceTuple("tl.Reduce2", []Tile{x, y}, func(a, b []Tile) []Tile {
		u, v := fn(a[0], a[1], b[0], b[1])
		return []Tile{u, v}
	}, o)
	return z[0], z[1]
}

// Reduce3 reduces triples.
func Reduce3(x, y, z Tile, fn func(x1, y1, z1, x2, y2, z2 Tile) (Tile, Tile, Tile), o ...ReduceOption) (Tile, Tile, Tile) {
	r := reduceTuple("tl.Reduce3", []Tile{x, y, z}, func(a, b []Tile) []Tile {
		u, v, w := fn(a[0], a[1], a[2], b[0], b[1], b[2])
		return []Tile{u, v, w}
	}, o)
	return r[0], r[1], r[2]
}

func reduceTuple(name string, xs []Tile, fn func(a, b []Tile) []Tile, o []ReduceOption) []Tile {
	a := reduceOptions(name, false, o)
	ts := sameShape(name, xs)
	in, z := make([]slabs, len(ts)), make([]dtype.Buf, len(ts))
	out := make([]Tile, len(ts))
	for k, t := range ts {
		axis, shape := a.arrange(name, t)
		var m *temp
		in[k], m = t.slabs(t.dt, axis)
		defer m.free()
		n := newNode(name, t.dt, shape)
		z[k], out[k] = n.buf, tile(n)
	}
	c := combination{name: name, of: ts, fn: fn}
	reduceSlabs(z, in, c.lanes)
	c.tried()
	if m := joined(ts...); m != nil {
		for _, x := range out {
			alongAll(x.t, ts, func(bits *node) *node { return reduceBy(name, op.Or, Uint8, Uint8, bits, a).t })
		}
	}
	return out
}

// sameShape is the tiles' contents, which must agree in shape.
func sameShape(name string, xs []Tile) []*node {
	ts := make([]*node, len(xs))
	for k, x := range xs {
		ts[k] = x.node(name)
		refusePointer(name, ts[k])
		must(name, rule.SameShape(ts[0].typ(), ts[k].typ()))
	}
	return ts
}

// vectors copies buffers into tiles that a kernel's function may keep.
func vectors(bufs []dtype.Buf) []Tile {
	out := make([]Tile, len(bufs))
	for k, b := range bufs {
		n := newNode("tl", b.DType(), shape.Of(b.Len()))
		copy(n.buf.Bytes(), b.Bytes())
		out[k] = tile(n)
	}
	return out
}
