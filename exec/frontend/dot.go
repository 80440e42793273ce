package frontend

import (
	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

func lowerDot(c *call) value {
	x, y := c.args[0].v, c.args[1].v
	result, d := rule.DotSums(x.Type, y.Type)
	if !c.holds(d) {
		return bad
	}
	if as, given := c.options(2).last("As"); given {
		if !c.holds(rule.DotAs(x.Type, y.Type, result, as.d)) {
			return bad
		}
		result = as.d
	}
	chain, ok := dotChain(c, x.Type, y.Type)
	if !ok {
		return bad
	}
	shape, d := rule.DotShape(x.Type, y.Type)
	if !c.holds(d) {
		return bad
	}
	t := ir.Type{D: result, Shape: shape}
	args := []*ir.Value{x, y}
	if acc, given := c.options(2).last("Acc"); given {
		if !c.holds(rule.DotAcc(x.Type, y.Type, acc.v.Type, t)) {
			return bad
		}
		args = append(args, acc.v)
	}
	if !c.checkSize(result, shape) {
		return bad
	}
	z := tileOf(c.Emit(op.Dot, t, args...))
	z.v.Chain = chain
	if len(args) == 3 {
		z.v.Flags = ir.HasAcc
	} else {
		z.dot, z.dotPos = product, c.p
	}
	return z
}

// dotChain is the chain that an option asks for.
func dotChain(c *call, x, y ir.Type) (chain dot.Chain, ok bool) {
	for _, o := range dot.Chains() {
		if !c.options(2).has(o.Option()) {
			continue
		}
		if !c.holds(dot.OneChain(chain, o)) || !c.holds(dot.Takes(x, y, o)) {
			return 0, false
		}
		chain = o
	}
	return chain, true
}

// fuseDot is x + y as one chain if one of them is a product without an accumulator
// of its own and the other a tile of its shape and dtype. Of two products the right
// one takes the left as its accumulator.
func fuseDot(c *call, x, y value) (z value, ok bool) {
	if x.v.Type != y.v.Type {
		return z, false
	}
	for _, v := range []value{x, y} {
		if v.dot == maybeDot {
			c.fail("one operand is a tl.Dot on some paths to here, but not on all").
				NoteAt(c.f.Position(v.dotPos), "the product is computed here").
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
	return tileOf(emit.Chain(c, y.v, x.v)), true
}
