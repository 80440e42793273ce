package tilelang

import (
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// Shape operations move no elements where a change of strides will do.

// Col is x as a column, x[:, None]: a vector [n] becomes [n,1].
func (x Tile) Col() Tile {
	t := x.node("Tile.Col")
	return rearranged(tile(t.expand("Tile.Col", t.shape.N)), x, Tile.Col)
}

// Row is x as a row, x[None, :]: a vector [n] becomes [1,n].
func (x Tile) Row() Tile {
	return rearranged(tile(x.node("Tile.Row").expand("Tile.Row", 0)), x, Tile.Row)
}

// ExpandDims is x with a new dimension of size 1 at axis; -1 adds it at the end.
func (x Tile) ExpandDims(axis int) Tile {
	const name = "Tile.ExpandDims"
	t := x.node(name)
	if axis < 0 {
		axis += t.shape.N + 1
	}
	if axis < 0 || axis > t.shape.N {
		fault(name, "axis %d for %s", axis, t).Fix("the new axis is 0 ... %d", t.shape.N).raise()
	}
	return rearranged(tile(t.expand(name, axis)), x, func(m Tile) Tile { return m.ExpandDims(axis) })
}

func (t *node) expand(name string, axis int) *node {
	if t.shape.N == MaxRank {
		fault(name, "%s already has %d dimensions, the maximum", t, MaxRank).Fix("merge some with Reshape").raise()
	}
	return t.view(t.shape.Insert(axis, 1), t.strides.Insert(axis, 0))
}

// Reshape is the same elements, in row-major order, in another shape.
func (x Tile) Reshape(shape ...int) Tile {
	const name = "Tile.Reshape"
	t := x.node(name)
	s := shapeArg(name, shape)
	if s.Len() != t.shape.Len() {
		fault(name, "%s to %s: %d elements into %d", t, s, t.shape.Len(), s.Len()).Fix("the product of the sizes must stay the same").raise()
	}
	return rearranged(tile(t.reshape(s)), x, func(m Tile) Tile { return tile(m.t.reshape(s)) })
}

// reshape is t's elements in row-major order, as shape s.
func (t *node) reshape(s shape.Shape) *node {
	if t = t.real(); !t.dense {
		z := newNode("Tile.Reshape", t.dt, t.shape)
		t.copyLanes(z.buf, 0)
		z.base = t.base
		t = z
	}
	return t.view(s, s.Dense())
}

// Ravel is x as a vector.
func (x Tile) Ravel() Tile { return x.Reshape(x.node("Tile.Ravel").shape.Len()) }

// BroadcastTo repeats dimensions of size 1 until x has the given shape.
func (x Tile) BroadcastTo(shape ...int) Tile {
	const name = "Tile.BroadcastTo"
	t := x.node(name)
	s := shapeArg(name, shape)
	if !t.shape.BroadcastsTo(s) {
		fault(name, "%s to %s: sizes must be equal or 1", t, s).Fix("add a dimension of size 1 first: Col, Row or ExpandDims").raise()
	}
	checkSize(name, t.dt, s)
	return x.repeated(s)
}

// repeated is x broadcast to a shape, with its marks.
func (x Tile) repeated(s shape.Shape) Tile {
	return rearranged(tile(x.t.broadcastTo(s)), x, func(m Tile) Tile { return tile(m.t.broadcastTo(s)) })
}

func (t *node) broadcastTo(s shape.Shape) *node { return t.view(s, t.shape.Stretch(t.strides, s)) }

// Broadcast gives x and y their common shape.
func Broadcast(x, y Tile) (Tile, Tile) {
	const name = "tl.Broadcast"
	a, b := x.node(name), y.node(name)
	s := shapeOf(name, a, b)
	return x.repeated(s), y.repeated(s)
}

// T swaps the last two axes.
func (x Tile) T() Tile {
	const name = "Tile.T"
	t := x.node(name)
	if t.shape.N < 2 {
		fault(name, "%s has fewer than two dimensions", t).Fix("make a column or a row of it: x.Col(), x.Row()").raise()
	}
	shape, strides, n := t.shape, t.strides, t.shape.N
	shape.D[n-1], shape.D[n-2] = shape.D[n-2], shape.D[n-1]
	strides.D[n-1], strides.D[n-2] = strides.D[n-2], strides.D[n-1]
	return rearranged(tile(t.view(shape, strides)), x, Tile.T)
}

// Trans is T as a function.
func Trans(x Tile) Tile { return x.T() }

// Permute reorders the axes: axis i of the result is axis axes[i] of x.
func (x Tile) Permute(axes ...int) Tile {
	const name = "Tile.Permute"
	t := x.node(name)
	s, ok := t.shape.Permute(axes)
	if !ok {
		fault(name, "%s of %s: want each axis 0 ... %d once", shape.Index(axes), t, t.shape.N-1).
			Fix("name every axis once").raise()
	}
	strides, _ := t.strides.Permute(axes)
	return rearranged(tile(t.view(s, strides)), x, func(m Tile) Tile { return m.Permute(axes...) })
}

// Squeeze drops a dimension of size 1.
func (x Tile) Squeeze(axis int) Tile {
	const name = "Tile.Squeeze"
	t := x.node(name)
	a := t.axis(name, axis)
	if t.shape.D[a] != 1 {
		fault(name, "axis %d of %s has size %d", axis, t, t.shape.D[a]).Fix("only a dimension of size 1 can be dropped; reduce it with tl.Sum or tl.Max").raise()
	}
	return rearranged(tile(t.view(t.shape.Drop(a), t.strides.Drop(a))), x, func(m Tile) Tile { return m.Squeeze(a) })
}

// Join is x and y side by side in a new last dimension of size 2.
func Join(x, y Tile) Tile {
	const name = "tl.Join"
	a, b := pair(name, x, y)
	if a.shape.N == MaxRank {
		fault(name, "%s already has %d dimensions, the maximum", a, MaxRank).Fix("merge some with Reshape").raise()
	}
	shape := a.shape.Insert(a.shape.N, 2)
	return rearrangedAll(tile(interleaved(name, a, b, shape)), []Tile{x, y}, func(ms []Tile) Tile { return Join(ms[0], ms[1]) })
}

// Interleave is x[0], y[0], x[1], y[1], ... along the last dimension.
func Interleave(x, y Tile) Tile {
	const name = "tl.Interleave"
	a, b := pair(name, x, y)
	if a.shape.N == 0 {
		fault(name, "scalars").Fix("use tl.Join").raise()
	}
	shape := a.shape
	shape.D[shape.N-1] *= 2
	return rearrangedAll(tile(interleaved(name, a, b, shape)), []Tile{x, y}, func(ms []Tile) Tile { return Interleave(ms[0], ms[1]) })
}

// pair is two tiles brought to one dtype and shape.
func pair(name string, x, y Tile) (a, b *node) {
	a, b = x.node(name), y.node(name)
	if a.dt != b.dt {
		fault(name, "%s and %s differ in dtype", a, b).Fix("convert one of them with To").raise()
	}
	oneTensor(name, a, b)
	s := shapeOf(name, a, b)
	return a.broadcastTo(s), b.broadcastTo(s)
}

func interleaved(name string, a, b *node, shape shape.Shape) *node {
	z := newNode(name, a.dt, shape)
	z.base = a.base
	for i, x := range []*node{a, b} {
		src, m := x.borrow(x.dt)
		for k := range src.Len() {
			z.buf.SetBits(2*k+i, src.Bits(k))
		}
		m.free()
	}
	return z
}

// Split undoes Join: the two halves of a last dimension of size 2.
func Split(x Tile) (a, b Tile) {
	const name = "tl.Split"
	t := x.node(name)
	if t.shape.N == 0 || t.shape.D[t.shape.N-1] != 2 {
		fault(name, "%s: the last dimension must be 2", t).Fix("reshape it first").raise()
	}
	last := t.shape.N - 1
	half := func(i int) Tile {
		return rearranged(tile(t.viewFrom(i*t.strides.D[last], t.shape.Drop(last), t.strides.Drop(last))), x, func(m Tile) Tile {
			a, b := Split(m)
			return []Tile{a, b}[i]
		})
	}
	return half(0), half(1)
}

// Cat is tiles one after the other along an axis, in order.
func Cat(axis int, xs ...Tile) Tile {
	const name = "tl.Cat"
	if len(xs) == 0 {
		fault(name, "no tiles").Fix("pass at least one").raise()
	}
	first := xs[0].node(name)
	a := first.axis(name, axis)
	shape := first.shape
	shape.D[a] = 0
	for _, x := range xs {
		t := x.node(name)
		same := first.shape
		if t.shape.N == same.N {
			same.D[a] = t.shape.D[a]
		}
		oneTensor(name, first, t)
		if t.shape != same || t.dt != first.dt {
			fault(name, "%s and %s: dtypes and all sizes but that of axis %d must agree", first, t, a).Fix("convert with To, or repeat with BroadcastTo").raise()
		}
		shape.D[a] += t.shape.D[a]
	}
	z := newNode(name, first.dt, shape)
	z.base = first.base
	outer, inner := 1, 1
	for i, d := range shape.D[:shape.N] {
		if i < a {
			outer *= d
		} else if i > a {
			inner *= d
		}
	}
	at := 0
	for _, x := range xs {
		src, m := x.t.borrow(x.t.dt)
		run := x.t.shape.D[a] * inner
		for o := range outer {
			lo := o*shape.D[a]*inner + at
			copy(z.buf.Slice(lo, lo+run).Bytes(), src.Slice(o*run, (o+1)*run).Bytes())
		}
		m.free()
		at += run
	}
	return rearrangedAll(tile(z), xs, func(ms []Tile) Tile { return Cat(a, ms...) })
}

// Flip reverses an axis.
func Flip(x Tile, axis int) Tile {
	const name = "tl.Flip"
	t := x.node(name)
	a := t.axis(name, axis)
	z := newNode(name, t.dt, t.shape)
	z.base = t.base
	src, m := t.borrow(t.dt)
	defer m.free()
	n, inner := t.shape.D[a], t.strideOf(a)
	for i := range src.Len() {
		k := i / inner % n
		z.buf.SetBits(i+(n-1-2*k)*inner, src.Bits(i))
	}
	return rearranged(tile(z), x, func(m Tile) Tile { return Flip(m, a) })
}

// strideOf is the distance of neighbours along an axis in row-major order.
func (t *node) strideOf(axis int) int { return t.shape.Dense().D[axis] }

// To is x in another dtype, rounded once. A float that does not fit an integer
// dtype saturates, NaN becomes 0. TowardZero rounds to a narrower float toward
// zero.
func (x Tile) To(d DType, o ...CastOption) Tile {
	const name = "Tile.To"
	t := x.node(name)
	checkType(name, d)
	if t.dt.IsPointer() {
		fault(name, "%s to %s: a pointer", t, d).Fix("convert what it points to: tl.Load(x).To(d)").raise()
	}
	if t.dt == d {
		return x // also keeps a Dot what it is
	}
	for _, o := range o {
		if _, ok := o.(towardZero); !ok {
			continue
		}
		if !t.dt.IsFloat() || !d.IsFloat() || d.Size() >= t.dt.Size() {
			fault(name, "%s to %s: TowardZero is for a float to a narrower float", t, d).Fix("leave out TowardZero: it changes no other cast").raise()
		}
		return watchedCast(name, t, t.mapped(d, op.CastRTZLoop(d, t.dt)))
	}
	return watchedCast(name, t, t.converted(d))
}

// Cast is To as a function.
func Cast(x Tile, d DType, o ...CastOption) Tile { return x.To(d, o...) }

// Bitcast is x's bits read as another dtype of the same width. Every NaN of a float
// has the same bits there, those that the cast of a NaN gives.
func (x Tile) Bitcast(d DType) Tile {
	const name = "Tile.Bitcast"
	t := x.node(name)
	checkType(name, d)
	if t.dt.IsPointer() || t.dt.Bits() != d.Bits() {
		fault(name, "%s (%d bits) to %s (%d bits)", t, t.dt.Bits(), d, d.Bits()).Fix("use To to convert values").raise()
	}
	z := t
	if t.dt.IsFloat() && t.dt != d {
		z = t.mapped(d, op.BitcastLoop(d, t.dt))
	} else {
		z = t.as(d)
	}
	z.marks = z.marks.cast(Int8, Int8) // not narrow any more
	return tile(z)
}

// watchedCast is z, which t was cast to, as a tile.
func watchedCast(name string, t, z *node) Tile {
	if watching.Load() > 0 {
		watchCast(name, z, t)
	}
	return tile(z)
}
