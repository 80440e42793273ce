package tilelang

import (
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
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
	axis, d := t.typ().NewAxis(axis)
	if d != nil {
		broken(name, d).Fix("the new axis is 0 ... %d", t.shape.N).raise()
	}
	return rearranged(tile(t.expand(name, axis)), x, func(m Tile) Tile { return m.ExpandDims(axis) })
}

func (t *node) expand(name string, axis int) *node {
	return t.view(t.withAxis(name, axis, 1), t.strides.Insert(axis, 0))
}

// withAxis is t's shape with one more axis.
func (t *node) withAxis(name string, axis, size int) shape.Shape {
	z, d := t.typ().Insert(axis, size)
	if d != nil {
		broken(name, d).Fix("merge some with Reshape").raise()
	}
	return z.Shape
}

// Reshape is the same elements, in row-major order, in another shape.
func (x Tile) Reshape(shape ...int) Tile {
	const name = "Tile.Reshape"
	t := x.node(name)
	s := shapeArg(name, shape)
	if _, d := t.typ().Reshape(s); d != nil {
		broken(name, d).Fix("the product of the sizes must stay the same").raise()
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
	if _, d := t.typ().Repeat(s); d != nil {
		broken(name, d).Fix("add a dimension of size 1 first: Col, Row or ExpandDims").raise()
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
	z, d := t.typ().Transpose()
	must(name, d)
	strides, n := t.strides, t.shape.N
	strides.D[n-1], strides.D[n-2] = strides.D[n-2], strides.D[n-1]
	return rearranged(tile(t.view(z.Shape, strides)), x, Tile.T)
}

// Trans is T as a function.
func Trans(x Tile) Tile { return x.T() }

// Permute reorders the axes: axis i of the result is axis axes[i] of x.
func (x Tile) Permute(axes ...int) Tile {
	const name = "Tile.Permute"
	t := x.node(name)
	z, d := t.typ().Permute(axes)
	if d != nil {
		broken(name, d).Fix("name every axis once").raise()
	}
	strides, _ := t.strides.Permute(axes)
	return rearranged(tile(t.view(z.Shape, strides)), x, func(m Tile) Tile { return m.Permute(axes...) })
}

// Squeeze drops a dimension of size 1.
func (x Tile) Squeeze(axis int) Tile {
	const name = "Tile.Squeeze"
	t := x.node(name)
	a := t.axis(name, axis)
	z, d := t.typ().Squeeze(axis)
	if d != nil {
		broken(name, d).Fix("only a dimension of size 1 can be dropped; reduce it with tl.Sum or tl.Max").raise()
	}
	return rearranged(tile(t.view(z.Shape, t.strides.Drop(a))), x, func(m Tile) Tile { return m.Squeeze(a) })
}

// Join is x and y side by side in a new last dimension of size 2.
func Join(x, y Tile) Tile {
	const name = "tl.Join"
	a, b := pair(name, x, y)
	s := a.withAxis(name, a.shape.N, 2)
	return rearrangedAll(tile(interleaved(name, a, b, s)), []Tile{x, y}, func(ms []Tile) Tile { return Join(ms[0], ms[1]) })
}

// Interleave is x[0], y[0], x[1], y[1], ... along the last dimension.
func Interleave(x, y Tile) Tile {
	const name = "tl.Interleave"
	a, b := pair(name, x, y)
	z, d := a.typ().Interleave()
	must(name, d)
	return rearrangedAll(tile(interleaved(name, a, b, z.Shape)), []Tile{x, y}, func(ms []Tile) Tile { return Interleave(ms[0], ms[1]) })
}

// pair is two tiles brought to one dtype and shape.
func pair(name string, x, y Tile) (a, b *node) {
	a, b = x.node(name), y.node(name)
	if a.dt != b.dt {
		must(name, rule.DifferInDType(a.typ(), b.typ()))
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
	z, d := t.typ().Split()
	must(name, d)
	last := t.shape.N - 1
	half := func(i int) Tile {
		return rearranged(tile(t.viewFrom(i*t.strides.D[last], z.Shape, t.strides.Drop(last))), x, func(m Tile) Tile {
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
		oneTensor(name, first, t)
		if !first.typ().Follows(t.typ(), a) {
			broken(name, first.typ().DoesNotFollow(t.typ(), a)).Fix("convert with To, or repeat with BroadcastTo").raise()
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
	_, wrong := t.typ().Cast(d, false)
	must(name, wrong)
	if t.dt == d {
		return x // also keeps a Dot what it is
	}
	for _, o := range o {
		if _, ok := o.(towardZero); !ok {
			continue
		}
		_, wrong := t.typ().Cast(d, true)
		must(name, wrong)
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
	_, wrong := t.typ().Bitcast(d)
	must(name, wrong)
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
