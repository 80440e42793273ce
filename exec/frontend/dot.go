package frontend

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

func lowerDot(c *call) value {
	x, y := c.args[0].v, c.args[1].v
	result, ok := c.dotType(x.Type, y.Type)
	if !ok {
		return bad
	}
	if as, given := c.option("As", 2); given {
		if result, ok = c.dotResult(x.Type, y.Type, result, as.d); !ok {
			return bad
		}
	}
	chain, ok := c.dotChain(x.Type, y.Type)
	if !ok {
		return bad
	}
	shape, ok := c.dotShape(x.Type, y.Type)
	if !ok {
		return bad
	}
	t := ir.Type{D: result, Shape: shape}
	args := []*ir.Value{x, y}
	if acc, given := c.option("Acc", 2); given {
		if acc.v.Type != t {
			c.fail("the accumulator is %s, want %s", acc.describe(), t).Note("the operands are %s and %s", x.Type, y.Type).
				Fix("make it with tl.Zeros(tl.%s, ...), or give As", goName(result))
			return bad
		}
		args = append(args, acc.v)
	}
	if !c.checkSize(result, shape) {
		return bad
	}
	z := tileOf(c.emit(op.Dot, t, args...))
	z.v.Chain = chain
	if len(args) == 3 {
		z.v.Flags = ir.HasAcc
	} else {
		z.dot, z.dotPos = product, c.p
	}
	return z
}

// dotChain is the chain that an option asks for.
func (c *call) dotChain(x, y ir.Type) (chain op.Chain, ok bool) {
	for _, o := range op.Chains() {
		switch {
		case !c.hasOption(o.Option(), 2):
		case chain != op.Ascending:
			c.fail("tl.%s and tl.%s: a product can have only one of them", chain.Option(), o.Option()).Fix("remove one of them")
			return 0, false
		case x.D != dtype.BFloat16 || y.D != dtype.BFloat16:
			c.fail("%s and %s: tl.%s is for operands of bfloat16", x, y, o.Option()).
				Fix("convert both with To(tl.BFloat16), or leave out the option")
			return 0, false
		default:
			chain = o
		}
	}
	return chain, true
}

// dotType is the default dtype of a product: what its operands accumulate in.
func (c *call) dotType(x, y ir.Type) (dtype.DType, bool) {
	switch {
	case x.D.IsPointer() || y.D.IsPointer():
		c.fail("%s and %s: a pointer", x, y).Fix("load the elements first")
		return 0, false
	case x.D != y.D && !(x.D.IsFP8() && y.D.IsFP8()):
		c.fail("%s and %s differ in dtype", x, y).Fix("convert one of them with To")
		return 0, false
	case x.D.IsFloat():
		return x.D.Compute(), true
	}
	return widened32(x.D), true
}

func (c *call) dotResult(x, y ir.Type, natural, asked dtype.DType) (dtype.DType, bool) {
	if asked == natural || asked == dtype.Float16 && (x.D == dtype.Float16 || x.D.IsFP8()) {
		return asked, true
	}
	c.fail("%s and %s: As(%s), but they accumulate in %s", x, y, asked, natural).Fix("convert the result: tl.Dot(a, b).To(...)")
	return 0, false
}

func (c *call) dotShape(x, y ir.Type) (z ir.Shape, ok bool) {
	n := x.Shape.N
	if n != y.Shape.N || n != 2 && n != 3 {
		c.fail("%s and %s: both must be matrices, or batches of them", x, y).Fix("turn a vector into a matrix with Row or Col")
		return z, false
	}
	if k, l := x.Shape.D[n-1], y.Shape.D[n-2]; k != l {
		f := c.fail("%s and %s: inner sizes differ: %d and %d", x, y, k, l)
		switch {
		case k == y.Shape.D[n-1]:
			f.Fix("transpose the right operand: y.T()")
		case l == x.Shape.D[n-2]:
			f.Fix("transpose the left operand: x.T()")
		default:
			f.Fix("the left operand's columns must match the right operand's rows: load both with the same block size")
		}
		return z, false
	}
	if n == 3 && x.Shape.D[0] != y.Shape.D[0] {
		c.fail("%s and %s differ in the number of batches", x, y).Fix("repeat the single one with BroadcastTo")
		return z, false
	}
	return x.Shape.With(n-1, y.Shape.D[n-1]), true
}

// fuseDot is x + y as one chain if one of them is a product without an accumulator
// of its own and the other a tile of its shape and dtype. Of two products the right
// one takes the left as its accumulator.
func (c *call) fuseDot(x, y value) (z value, ok bool) {
	if x.v.Type != y.v.Type {
		return z, false
	}
	for _, v := range []value{x, y} {
		if v.dot == maybeDot {
			c.fail("one operand is a tl.Dot on some paths to here, but not on all").
				NoteAt(c.f.position(v.dotPos), "the product is computed here").
				Note("adding to a product extends its chain of multiply-adds, which rounds differently from adding its result").
				Fix("add where the product is computed: x.Add(tl.Dot(a, b)), or pass it its accumulator: tl.Dot(a, b, tl.Acc(x))")
			return bad, true
		}
	}
	if y.dot != product {
		x, y = y, x
	}
	if y.dot != product {
		return z, false
	}
	v := c.emit(op.Dot, y.v.Type, y.v.Args[0], y.v.Args[1], x.v)
	v.Flags, v.Chain = y.v.Flags|ir.HasAcc, y.v.Chain
	return tileOf(v), true
}
