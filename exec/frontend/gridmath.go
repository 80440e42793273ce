package frontend

import (
	"go/types"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

func lowerCdiv(c *call) value {
	x, d := c.args[0], c.args[1]
	if d.known && d.int() <= 0 {
		c.holds(rule.BlockOf(plain(x), d.text()))
		return bad
	}
	if d.isInt(1) {
		return x
	}
	if !d.known {
		xv := c.scalarValue(x)
		c.check(emit.Compare(c, op.Gt, d.v, c.int64(0)), "tl.Cdiv: division of %v by %v\nfix: the block size must be at least 1", xv, d.v)
	}
	q, r := c.divide(op.FloorDiv, c.p, x, d), c.divide(op.Mod, c.p, x, d)
	up := c.cast(c.apply(op.Gt, types.Bool, r, intValue(0)), types.Int)
	z := c.apply(op.Add, types.Int, q, up)
	if !z.known && !x.known && c.isNonneg(x.v) {
		c.nonneg[z.v] = true
	}
	return z
}

func plain(v value) string {
	if v.known {
		return v.text()
	}
	return v.describe()
}

// lowerNextPow2 spreads the highest bit of n-1 to all below it, and adds 1.
func lowerNextPow2(c *call) value {
	n := c.args[0]
	if n.known {
		p, d := rule.Pow2(int(n.int()))
		if !c.holds(d) {
			return bad
		}
		return intValue(p)
	}
	const most = 1 << 62
	c.check(emit.Compare(c, op.Le, n.v, c.int64(most)), "tl.NextPow2: %v has no next power of two", n.v)
	z := c.apply(op.Sub, types.Int, c.apply(op.Maximum, types.Int, n, intValue(1)), intValue(1))
	for s := 1; s < 64; s *= 2 {
		z = c.apply(op.Or, types.Int, z, c.apply(op.Shr, types.Int, z, intValue(s)))
	}
	return c.apply(op.Add, types.Int, z, intValue(1))
}

func lowerSwizzle2D(c *call) []value {
	i, j, rows, cols, group := c.args[0], c.args[1], c.args[2], c.args[3], c.args[4]
	const grid = "tl.Swizzle2D: a grid of %v by %v in groups of %v\nfix: all three must be at least 1"
	and := func(x, y value) value { return c.apply(op.And, types.Bool, x, y) }
	atLeast := func(x value, n int) value { return c.apply(op.Ge, types.Bool, x, intValue(n)) }
	below := func(x, n value) value { return c.apply(op.Lt, types.Bool, x, n) }
	if !require(c, and(and(atLeast(rows, 1), atLeast(cols, 1)), atLeast(group, 1)), grid, rows, cols, group) {
		return nil
	}
	const cell = "tl.Swizzle2D: cell (%v,%v) of a grid of %v by %v\nfix: launch as many programs as there are cells"
	if !require(c, and(and(atLeast(i, 0), below(i, rows)), and(atLeast(j, 0), below(j, cols))), cell, i, j, rows, cols) {
		return nil
	}
	mul := func(x, y value) value { return c.apply(op.Mul, types.Int, x, y) }
	ij := c.apply(op.Add, types.Int, mul(i, cols), j)
	perGroup := mul(group, cols)
	if perGroup.isInt(0) {
		c.fail("a grid of %s by %s in groups of %s overflows", plain(rows), plain(cols), plain(group))
		return nil
	}
	first := mul(c.divide(op.FloorDiv, c.p, ij, perGroup), group)
	height := c.apply(op.Minimum, types.Int, c.apply(op.Sub, types.Int, rows, first), group)
	if height.isInt(0) {
		c.fail("cell (%s,%s) lies outside every group", plain(i), plain(j))
		return nil
	}
	ij = c.divide(op.Mod, c.p, ij, perGroup)
	return []value{c.apply(op.Add, types.Int, first, c.divide(op.Mod, c.p, ij, height)), c.divide(op.FloorDiv, c.p, ij, height)}
}

// require ends the instance if cond does not hold; it reports whether it may.
func require(c *call, cond value, text string, operands ...value) bool {
	if cond.known {
		if !cond.bool() {
			c.fail("%s", describeAll(operands))
		}
		return cond.bool()
	}
	xs := make([]*ir.Value, len(operands))
	for i, v := range operands {
		xs[i] = c.scalarValue(v)
	}
	c.check(cond.v, text, xs...)
	return true
}
