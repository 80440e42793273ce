package tilelang

import (
	"math"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/rule"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// MaxRank is the highest rank of a tile.
const MaxRank = 5

var _ [MaxRank]int = shape.Shape{}.D // the same number; compiled kernels see constants as they are written

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
// The elements of two kinds of nodes do not exist until real makes them. Those of an
// affine node are start + Σ index·stride, which is what index arithmetic mostly
// computes. Those of a product may still become part of a longer chain.
type node struct {
	dt      dtype.DType
	dense   bool // strides are those of shape, and buf has exactly its elements
	affine  bool
	shape   shape.Shape
	strides shape.Shape
	start   int64     // of an affine node: the element of index 0; strides are per index
	buf     dtype.Buf // empty in an affine node and a product
	base    *Base     // of a pointer tile
	dot     *dotOp    // of a product
	marks   *marks    // what an observer knows of the elements; nil if nobody watches
	one     [1]uint64 // the memory of a node with a single element
}

// real is t with its elements in memory.
func (t *node) real() *node {
	switch {
	case t.affine:
		return t.computeAffine()
	case t.dot != nil:
		t.dot.once.Do(func() { t.dot.result = t.computeDot() })
		return t.dot.result
	}
	return t
}

// newNode is a dense tile of zeros, to be filled by the op that makes it.
func newNode(op string, dt dtype.DType, shape shape.Shape) *node {
	checkSize(op, dt, shape)
	n := &node{dt: dt, shape: shape, strides: shape.Dense(), dense: true}
	if size := shape.Len(); size > 1 || dtype.Fenced() != dtype.NoFence {
		n.buf = dtype.Alloc("a tile of the interpreter", dt, size)
	} else {
		n.buf = dtype.RawBuf(dt, dtype.BufOf(Uint64, n.one[:]).Pointer(), 1) // kept alive by pointing into n
	}
	return n
}

// newScalar is a scalar tile of one bit pattern.
func newScalar(dt dtype.DType, bits uint64) *node {
	n := newNode("tl", dt, shape.Shape{})
	n.buf.SetBits(0, bits)
	return n
}

func checkSize(name string, dt dtype.DType, shape shape.Shape) {
	must(name, rule.Type{D: dt, Shape: shape}.Check())
}

// view is x's elements in another arrangement.
func (x *node) view(shape, strides shape.Shape) *node { return x.viewFrom(0, shape, strides) }

// viewFrom is x's elements from off on in another arrangement.
func (x *node) viewFrom(off int, shape, strides shape.Shape) *node {
	if x.affine {
		return newAffine(x.dt, shape, x.start+int64(off), strides, x.base)
	}
	x = x.real()
	z := &node{dt: x.dt, shape: shape, strides: strides, base: x.base}
	z.dense = shape.IsDense(strides)
	z.buf = x.buf.Slice(off, x.buf.Len())
	if z.dense {
		z.buf = z.buf.Slice(0, shape.Len())
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
func (t *node) String() string { return t.typ().String() }

// typ is the tile's type, as the rules of package op take it.
func (t *node) typ() rule.Type { return rule.Type{D: t.dt, Shape: t.shape} }

// elems is the tile's elements, dense and in row-major order.
func (t *node) elems() dtype.Buf {
	t = t.real()
	if t.dense {
		return t.buf
	}
	b := dtype.NewBuf(t.dt, t.shape.Len())
	t.copyLanes(b, 0)
	return b
}

// DType is the type of the elements; a pointer tile's is a pointer type.
func (x Tile) DType() DType { return x.node("Tile.DType").dt }

// Elem is the type of what a pointer tile points to, and of any other tile its
// DType.
func (x Tile) Elem() DType { return x.node("Tile.Elem").dt.Elem() }

// Shape is the sizes of the dimensions; a scalar has none.
func (x Tile) Shape() []int { return x.node("Tile.Shape").shape.Dims() }

// Dim is the size of one dimension; a negative axis counts from the end.
func (x Tile) Dim(axis int) int {
	t := x.node("Tile.Dim")
	return t.shape.D[t.axis("Tile.Dim", axis)]
}

// axis resolves a possibly negative axis.
func (t *node) axis(name string, axis int) int {
	a, d := t.typ().Axis(axis)
	if d != nil {
		broken(name, d).Fix("count axes from 0, or from -1 at the end").raise()
	}
	return a
}

// Int is the value of a scalar tile as a Go int.
func (x Tile) Int() int {
	t := x.scalar("Tile.Int")
	must("Tile.Int", t.typ().AsInt())
	v := dtype.ToInt(t.dt, t.first())
	if t.dt == Uint64 && v < 0 {
		fault("Tile.Int", "%s: %d does not fit a Go int", t, uint64(v)).Fix("convert it first: x.To(tl.Float64).Float()").raise()
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
	must("Tile.Bool", t.typ().AsBool())
	return t.first() != 0
}

// scalar is x's content, which must be of rank 0.
func (x Tile) scalar(name string) *node {
	t := x.node(name)
	must(name, t.typ().Single())
	t.decides(name)
	return t
}

// first is the bit pattern of the first element.
func (t *node) first() uint64 {
	if t.affine {
		return dtype.FromInt(t.dt, t.start, false)
	}
	return t.real().buf.Bits(0)
}
