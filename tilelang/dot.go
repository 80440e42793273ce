package tilelang

import (
	"sync"

	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// A dotOp is a matrix product that has not been computed: it is when its elements
// are first needed, or never, if it is added to a tile of its shape and dtype first
// and becomes one chain with that.
type dotOp struct {
	a, b, acc *node       // acc may be nil
	sums      dtype.DType // what the chain adds up in
	chain     op.Chain
	pos       diag.Pos // where the kernel made it, if somebody watches

	once   sync.Once
	result *node
}

// Dot is the matrix product of [M,K] and [K,N], or of batches [B,M,K] and [B,K,N].
// Each element is the chain acc = fma(a[m,k], b[k,n], acc), k ascending, beginning
// with Acc's element or 0. float16, bfloat16 and fp8 are multiplied and added in
// float32, narrow integers in int32. As chooses the result's dtype: float16 rounds
// the float32 chain once at its end.
//
// x.Add(tl.Dot(a, b)) means tl.Dot(a, b, tl.Acc(x)) where x has the product's shape
// and dtype. With BF16Pairs or BF16Tiles the chain is another one.
func Dot(a, b Tile, o ...DotOption) Tile {
	const name = "tl.Dot"
	x, y := a.node(name), b.node(name)
	result := dotType(name, x, y)
	var acc *node
	var chain op.Chain
	for _, o := range o {
		switch o := o.(type) {
		case bf16Pairs:
			chain = chainAfter(name, chain, op.Pairs)
		case bf16Tiles:
			chain = chainAfter(name, chain, op.Tiles)
		case AccOption:
			acc = o.x.node(name)
		case TypeOption:
			result = dotResult(name, x, y, result, DType(o))
		}
	}
	if chain != op.Ascending && (x.dt != BFloat16 || y.dt != BFloat16) {
		fault(name, "%s and %s: tl.%s is for operands of bfloat16", x, y, chain.Option()).
			Fix("convert both with To(tl.BFloat16), or leave out the option").raise()
	}
	shape := dotShape(name, x, y)
	if acc != nil && (acc.shape != shape || acc.dt != result) {
		fault(name, "the accumulator is %s, want %s%s", acc, result.Short(), shape).
			Note("the operands are %s and %s", x, y).
			Fix("make it with tl.Zeros(tl.%s, ...), or give As", goName(result)).raise()
	}
	checkSize(name, result, shape)
	z := newDot(x, y, acc, result, shape)
	z.dot.chain = chain
	if watching.Load() > 0 {
		z.dot.pos = kernelPos()
	}
	return tile(z)
}

func newDot(x, y, acc *node, result dtype.DType, shape shape.Shape) *node {
	d := &dotOp{a: x, b: y, acc: acc, sums: result.Compute()}
	return &node{dt: result, shape: shape, strides: shape.Dense(), dot: d} // real is dense
}

// chainAfter is the chain that an option asks for; options before it may have asked for one.
func chainAfter(name string, before, chain op.Chain) op.Chain {
	if before != op.Ascending && before != chain {
		fault(name, "tl.%s and tl.%s: a product can have only one of them", min(before, chain).Option(), max(before, chain).Option()).
			Fix("remove one of them").raise()
	}
	return chain
}

// dotType is the default dtype of a product: what its operands accumulate in.
func dotType(name string, x, y *node) dtype.DType {
	d := x.dt
	switch {
	case x.dt.IsPointer() || y.dt.IsPointer():
		fault(name, "%s and %s: a pointer", x, y).Fix("load the elements first").raise()
	case x.dt != y.dt && !(x.dt.IsFP8() && y.dt.IsFP8()):
		fault(name, "%s and %s differ in dtype", x, y).Fix("convert one of them with To").raise()
	case d.IsFloat():
		return d.Compute()
	}
	return widened32(d)
}

// dotResult checks the dtype that As asks for: products of float16 or fp8 may also be
// float16.
func dotResult(name string, x, y *node, natural, asked dtype.DType) dtype.DType {
	if asked == natural || asked == Float16 && (x.dt == Float16 || x.dt.IsFP8()) {
		return asked
	}
	fault(name, "%s and %s: As(%s), but they accumulate in %s", x, y, asked, natural).
		Fix("convert the result: tl.Dot(a, b).To(...)").raise()
	return natural
}

func dotShape(name string, x, y *node) (z shape.Shape) {
	n := x.shape.N
	if n != y.shape.N || n != 2 && n != 3 {
		fault(name, "%s and %s: both must be matrices, or batches of them", x, y).
			Fix("turn a vector into a matrix with Row or Col").raise()
	}
	if k, l := x.shape.D[n-1], y.shape.D[n-2]; k != l {
		f := fault(name, "%s and %s: inner sizes differ: %d and %d", x, y, k, l)
		switch {
		case k == y.shape.D[n-1]:
			f.Fix("transpose the right operand: y.T()")
		case l == x.shape.D[n-2]:
			f.Fix("transpose the left operand: x.T()")
		default:
			f.Fix("the left operand's columns must match the right operand's rows: load both with the same block size")
		}
		f.raise()
	}
	if n == 3 && x.shape.D[0] != y.shape.D[0] {
		fault(name, "%s and %s differ in the number of batches", x, y).Fix("repeat the single one with BroadcastTo").raise()
	}
	z = x.shape
	z.D[n-1] = y.shape.D[n-1]
	return z
}

// fuseDot is x + y as one chain if one of them is a product without an accumulator
// of its own and the other a tile of its shape and dtype; nil if it is not so. Of
// two products the right one takes the left as its accumulator.
func fuseDot(x, y *node) *node {
	if x.shape != y.shape || x.dt != y.dt {
		return nil
	}
	if y.product() == nil {
		x, y = y, x
	}
	d := y.product()
	if d == nil {
		return nil
	}
	return d.chainOnto(x, y.dt, y.shape)
}

// product is the Dot that t is, if it has no accumulator yet.
func (t *node) product() *dotOp {
	if t.dot == nil || t.dot.acc != nil {
		return nil
	}
	return t.dot
}

// computeDot carries out the chain. The operands are kept: t may still be fused into
// an addition.
func (t *node) computeDot() *node { return t.dot.chainOnto(t.dot.acc, t.dt, t.shape) }

// chainOnto is the chain that begins with acc, or with 0 if that is nil, batch by
// batch.
func (d *dotOp) chainOnto(acc *node, result dtype.DType, shape shape.Shape) *node {
	n := shape.N
	rows, cols, inner := shape.D[n-2], shape.D[n-1], d.a.shape.D[n-1]
	batches := 1
	if n == 3 {
		batches = shape.D[0]
	}
	a, aTemp := d.a.borrow(d.sums)
	b, bTemp := d.b.borrow(d.sums)
	z := newNode("tl.Dot", d.sums, shape)
	if acc != nil {
		acc.writeTo(z.buf)
	}
	for i := range batches {
		d.chain.Dot(z.buf.Slice(i*rows*cols, (i+1)*rows*cols), a.Slice(i*rows*inner, (i+1)*rows*inner), b.Slice(i*inner*cols, (i+1)*inner*cols), rows, cols, inner)
	}
	aTemp.free()
	bTemp.free()
	z = z.converted(result)
	if watching.Load() > 0 {
		d.watch(z, acc)
	}
	return z
}
