package tilelang

import (
	"sync"

	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/rule"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// A dotOp is a matrix product that has not been computed: it is when its elements
// are first needed, or never, if it is added to a tile of its shape and dtype first
// and becomes one chain with that.
type dotOp struct {
	a, b, acc *node       // acc may be nil
	sums      dtype.DType // what the chain adds up in
	chain     dot.Chain
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
	result, d := rule.DotSums(x.typ(), y.typ())
	must(name, d)
	sums := result
	var acc *node
	var chain dot.Chain
	for _, o := range o {
		switch o := o.(type) {
		case bf16Pairs:
			chain = chainAfter(name, chain, dot.Pairs)
		case bf16Tiles:
			chain = chainAfter(name, chain, dot.Tiles)
		case AccOption:
			acc = o.x.node(name)
		case TypeOption:
			result = DType(o)
			must(name, rule.DotAs(x.typ(), y.typ(), sums, result))
		}
	}
	must(name, dot.Takes(x.typ(), y.typ(), chain))
	shape, d := rule.DotShape(x.typ(), y.typ())
	must(name, d)
	if acc != nil {
		must(name, rule.DotAcc(x.typ(), y.typ(), acc.typ(), rule.Type{D: result, Shape: shape}))
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
func chainAfter(name string, before, chain dot.Chain) dot.Chain {
	must(name, dot.OneChain(before, chain))
	return chain
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
		y := b.Slice(i*inner*cols, (i+1)*inner*cols)
		inHalves(rows, rows*cols*inner/4, func(lo, hi int) {
			lo, hi = i*rows+lo, i*rows+hi
			d.chain.Dot(z.buf.Slice(lo*cols, hi*cols), a.Slice(lo*inner, hi*inner), y, hi-lo, cols, inner)
		})
	}
	aTemp.free()
	bTemp.free()
	z = z.converted(result)
	if watching.Load() > 0 {
		d.watch(z, acc)
	}
	return z
}
