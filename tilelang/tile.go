package tilelang

import (
	"math"
	"sync"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Tile is a block of elements, and the one value type of the language. It is
// immutable; copying it copies a reference. The zero Tile holds nothing, and using
// it is a fault.
//
// x == y does not compile: compare elements with Eq.
type Tile struct {
	_ [0]func()
	t *node
}

// A node is a tile's content. Elements are read through strides, so that
// broadcasting, transposing and slicing copy nothing; an operation's result is
// dense. A pointer tile holds int64 element offsets from the first element of base.
//
// Elements of a lazy node do not exist until real makes them: an affine tile is
// start + Σ index·stride, which is what index arithmetic mostly computes, and a
// product may still become part of a longer chain.
type node struct {
	dt      dtype.DType
	shape   dims
	strides dims
	dense   bool // strides are those of shape, and buf has exactly its elements
	buf     dtype.Buf
	base    *Base // of a pointer tile
	lazy    *lazy
}

type lazy struct {
	start int64  // of an affine node: the element of index 0; strides are per index
	dot   *dotOp // of a product

	once sync.Once
	real *node
}

// real is t with its elements in memory.
func (t *node) real() *node {
	if t.lazy == nil {
		return t
	}
	t.lazy.once.Do(func() {
		if t.lazy.dot != nil {
			t.lazy.real = t.computeDot()
		} else {
			t.lazy.real = t.computeAffine()
		}
	})
	return t.lazy.real
}

// maxTileBytes bounds one tile: larger ones are a mistake, and would end the host.
const maxTileBytes = 1 << 30

// newNode is a dense tile of zeros, to be filled by the op that makes it.
func newNode(op string, dt dtype.DType, shape dims) *node {
	checkSize(op, dt, shape)
	return &node{dt: dt, shape: shape, strides: shape.dense(), dense: true, buf: dtype.NewBuf(dt, shape.numel())}
}

func checkSize(op string, dt dtype.DType, shape dims) {
	n := 1
	for _, d := range shape.d[:shape.n] {
		if d < 1 {
			fail(op, "a tile of shape %s: every dimension must be at least 1", shape)
		}
		if n > maxTileBytes/dt.Size()/d {
			fault(op, "a tile %s%s is over 1 GiB", dt.Short(), shape).Fix("use smaller blocks and a larger grid").raise()
		}
		n *= d
	}
}

// view is x's elements in another arrangement.
func (x *node) view(shape, strides dims) *node { return x.viewFrom(0, shape, strides) }

// viewFrom is x's elements from off on in another arrangement.
func (x *node) viewFrom(off int, shape, strides dims) *node {
	if x.affine() {
		return newAffine(x.dt, shape, x.lazy.start+int64(off), strides, x.base)
	}
	x = x.real()
	z := &node{dt: x.dt, shape: shape, strides: strides, base: x.base}
	z.dense = isDense(shape, strides)
	z.buf = x.buf.Slice(off, x.buf.Len())
	if z.dense {
		z.buf = z.buf.Slice(0, shape.numel())
	}
	return z
}

func tile(t *node) Tile { return Tile{t: t} }

// node is x's content; op names the operation that wanted it.
func (x Tile) node(op string) *node {
	if x.t == nil {
		fault(op, "a Tile that was never given a value").Fix("assign it before use, for example with tl.Zeros").raise()
	}
	return x.t
}

// String is as in messages: f32[16,64].
func (t *node) String() string { return t.dt.Short() + t.shape.String() }

// elems is the tile's elements, dense and in row-major order.
func (t *node) elems() dtype.Buf {
	t = t.real()
	if t.dense {
		return t.buf
	}
	b := dtype.NewBuf(t.dt, t.shape.numel())
	t.copyLanes(b, 0)
	return b
}

// DType is the type of the elements; a pointer tile's is a pointer type.
func (x Tile) DType() DType { return x.node("Tile.DType").dt }

// Elem is the type of what a pointer tile points to, and of any other tile its
// DType.
func (x Tile) Elem() DType { return x.node("Tile.Elem").dt.Elem() }

// Shape is the sizes of the dimensions; a scalar has none.
func (x Tile) Shape() []int { return x.node("Tile.Shape").shape.slice() }

// Dim is the size of one dimension; a negative axis counts from the end.
func (x Tile) Dim(axis int) int {
	t := x.node("Tile.Dim")
	return t.shape.d[t.axis("Tile.Dim", axis)]
}

// axis resolves a possibly negative axis.
func (t *node) axis(op string, axis int) int {
	a := axis
	if a < 0 {
		a += t.shape.n
	}
	if a < 0 || a >= t.shape.n {
		fail(op, "axis %d of %s, which has %d dimensions", axis, t, t.shape.n)
	}
	return a
}

// Int is the value of a scalar tile as a Go int.
func (x Tile) Int() int {
	t := x.scalar("Tile.Int")
	if !t.dt.IsInt() {
		fault("Tile.Int", "a %s tile", t.dt).Fix("convert it first: x.To(tl.Int64).Int()").raise()
	}
	v := dtype.ToInt(t.dt, t.first())
	if t.dt == Uint64 && v < 0 {
		fail("Tile.Int", "%d does not fit a Go int", uint64(v))
	}
	return int(v)
}

// Float is the value of a scalar tile as a Go float64.
func (x Tile) Float() float64 {
	t := x.scalar("Tile.Float")
	return math.Float64frombits(dtype.Convert(Float64, t.dt, t.first(), false))
}

// Bool is the value of a scalar bool tile.
func (x Tile) Bool() bool {
	t := x.scalar("Tile.Bool")
	if t.dt != Bool {
		fault("Tile.Bool", "a %s tile", t.dt).Fix("compare it first: x.Ne(0).Bool()").raise()
	}
	return t.first() != 0
}

// scalar is x's content, which must be of rank 0.
func (x Tile) scalar(op string) *node {
	t := x.node(op)
	if t.shape.n != 0 {
		d := fault(op, "%s is not a scalar", t)
		if t.dt == Bool {
			d.Fix("choose lane by lane with tl.Where, or reduce first: tl.Max(x).Ne(0).Bool()")
		} else {
			d.Fix("reduce it first, for example with tl.Sum or tl.Max")
		}
		d.raise()
	}
	if t.dt.IsPointer() {
		fault(op, "a pointer").Fix("read what it points to: tl.Load(x)").raise()
	}
	return t
}

// first is the bit pattern of the first element.
func (t *node) first() uint64 { return t.real().buf.Bits(0) }

// At is one element, as int, float64 or bool; of a pointer tile, the element offset
// from the tensor's start. It is for looking at tiles from outside: in a compiled
// kernel there is no such operation.
func (x Tile) At(index ...int) any {
	t := x.node("Tile.At")
	if len(index) != t.shape.n {
		fail("Tile.At", "%d indices for %s", len(index), t)
	}
	t = t.real()
	at := 0
	for i, k := range index {
		if k < 0 || k >= t.shape.d[i] {
			fail("Tile.At", "index %s is outside %s", indexString(index), t)
		}
		at += k * t.strides.d[i]
	}
	return goValue(t.dt, t.buf.Bits(at))
}

// goValue is a bit pattern as int, uint64 where an int cannot hold it, float64 or
// bool.
func goValue(d dtype.DType, bits uint64) any {
	switch {
	case d == Bool:
		return bits != 0
	case d.IsFloat():
		return dtype.ToFloat(d, bits)
	case d == Uint64 && bits>>63 == 1:
		return bits
	case d.IsPointer():
		return int(bits)
	}
	return int(dtype.ToInt(d, bits))
}

// Bits is the elements' bit patterns in row-major order, each zero-extended: for
// tests and tools that compare exactly.
func (x Tile) Bits() []uint64 {
	b := x.node("Tile.Bits").elems()
	out := make([]uint64, b.Len())
	for i := range out {
		out[i] = b.Bits(i)
	}
	return out
}

// Values is the elements in row-major order, as At gives them.
func (x Tile) Values() []any {
	t := x.node("Tile.Values")
	b := t.elems()
	out := make([]any, b.Len())
	for i := range out {
		out[i] = goValue(t.dt, b.Bits(i))
	}
	return out
}
