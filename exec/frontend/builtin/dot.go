package builtin

import (
	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

func lowerDot(c *Call) value.Value {
	x, y := c.Args[0].IR, c.Args[1].IR
	result, d := rule.DotSums(x.Type, y.Type)
	if !c.holds(d) {
		return value.Bad
	}
	if as, given := c.options(2).last("As"); given {
		if !c.holds(rule.DotAs(x.Type, y.Type, result, as.D)) {
			return value.Bad
		}
		result = as.D
	}
	chain, ok := dotChain(c, x.Type, y.Type)
	if !ok {
		return value.Bad
	}
	shape, d := rule.DotShape(x.Type, y.Type)
	if !c.holds(d) {
		return value.Bad
	}
	t := ir.Type{D: result, Shape: shape}
	args := []*ir.Value{x, y}
	if acc, given := c.options(2).last("Acc"); given {
		if !c.holds(rule.DotAcc(x.Type, y.Type, acc.IR.Type, t)) {
			return value.Bad
		}
		args = append(args, acc.IR)
	}
	if !c.checkSize(result, shape) {
		return value.Bad
	}
	z := value.Tile(c.Emit(op.Dot, t, args...))
	z.IR.Chain = chain
	if len(args) == 3 {
		z.IR.Flags = ir.HasAcc
	} else {
		z.Dot, z.DotPos = value.Product, c.Where
	}
	return z
}

// dotChain is the chain that an option asks for.
func dotChain(c *Call, x, y ir.Type) (chain dot.Chain, ok bool) {
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
func fuseDot(c *Call, x, y value.Value) (z value.Value, ok bool) {
	if x.IR.Type != y.IR.Type {
		return z, false
	}
	for _, v := range []value.Value{x, y} {
		if v.Dot == value.MaybeDot {
			c.fail("one operand is a tl.Dot on some paths to here, but not on all").
				NoteAt(c.File.Position(v.DotPos), "the product is computed here").
				Note("adding to a product extends its chain of multiply-adds, which rounds differently from adding its result").
				Fix("add where the product is computed: x.Add(tl.Dot(a, b)), or pass it its accumulator: tl.Dot(a, b, tl.Acc(x))")
			return value.Bad, true
		}
	}
	if y.Dot != value.Product {
		x, y = y, x
	}
	if y.Dot != value.Product {
		return z, false
	}
	return value.Tile(emit.Chain(&c.Emitter, y.IR, x.IR)), true
}
