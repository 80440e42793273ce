package builtin

import (
	"go/types"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

func lowerCdiv(c *Call) value.Value {
	x, d := c.Args[0], c.Args[1]
	if d.Known && d.Int() <= 0 {
		c.holds(rule.BlockOf(plain(x), d.Text()))
		return value.Bad
	}
	if d.IsInt(1) {
		return x
	}
	if !d.Known {
		xv := c.ScalarValue(x)
		c.Check(emit.Compare(&c.Emitter, op.Gt, d.IR, c.Int64(0)), "tl.Cdiv: division of %v by %v\nfix: the block size must be at least 1", xv, d.IR)
	}
	q, r := c.Divide(op.FloorDiv, c.Where, x, d), c.Divide(op.Mod, c.Where, x, d)
	up := c.Cast(c.Apply(op.Gt, types.Bool, r, value.Int(0)), types.Int)
	z := c.Apply(op.Add, types.Int, q, up)
	if !z.Known && !x.Known && c.IsNonneg(x.IR) {
		c.Nonneg[z.IR] = true
	}
	return z
}

func plain(v value.Value) string {
	if v.Known {
		return v.Text()
	}
	return v.Describe()
}

// lowerNextPow2 spreads the highest bit of n-1 to all below it, and adds 1.
func lowerNextPow2(c *Call) value.Value {
	n := c.Args[0]
	if n.Known {
		p, d := rule.Pow2(int(n.Int()))
		if !c.holds(d) {
			return value.Bad
		}
		return value.Int(p)
	}
	const most = 1 << 62
	c.Check(emit.Compare(&c.Emitter, op.Le, n.IR, c.Int64(most)), "tl.NextPow2: %v has no next power of two", n.IR)
	z := c.Apply(op.Sub, types.Int, c.Apply(op.Maximum, types.Int, n, value.Int(1)), value.Int(1))
	for s := 1; s < 64; s *= 2 {
		z = c.Apply(op.Or, types.Int, z, c.Apply(op.Shr, types.Int, z, value.Int(s)))
	}
	return c.Apply(op.Add, types.Int, z, value.Int(1))
}

func lowerSwizzle2D(c *Call) []value.Value {
	i, j, rows, cols, group := c.Args[0], c.Args[1], c.Args[2], c.Args[3], c.Args[4]
	const grid = "tl.Swizzle2D: a grid of %v by %v in groups of %v\nfix: all three must be at least 1"
	and := func(x, y value.Value) value.Value { return c.Apply(op.And, types.Bool, x, y) }
	atLeast := func(x value.Value, n int) value.Value { return c.Apply(op.Ge, types.Bool, x, value.Int(n)) }
	below := func(x, n value.Value) value.Value { return c.Apply(op.Lt, types.Bool, x, n) }
	if !require(c, and(and(atLeast(rows, 1), atLeast(cols, 1)), atLeast(group, 1)), grid, rows, cols, group) {
		return nil
	}
	const cell = "tl.Swizzle2D: cell (%v,%v) of a grid of %v by %v\nfix: launch as many programs as there are cells"
	if !require(c, and(and(atLeast(i, 0), below(i, rows)), and(atLeast(j, 0), below(j, cols))), cell, i, j, rows, cols) {
		return nil
	}
	mul := func(x, y value.Value) value.Value { return c.Apply(op.Mul, types.Int, x, y) }
	ij := c.Apply(op.Add, types.Int, mul(i, cols), j)
	perGroup := mul(group, cols)
	if perGroup.IsInt(0) {
		c.fail("a grid of %s by %s in groups of %s overflows", plain(rows), plain(cols), plain(group))
		return nil
	}
	first := mul(c.Divide(op.FloorDiv, c.Where, ij, perGroup), group)
	height := c.Apply(op.Minimum, types.Int, c.Apply(op.Sub, types.Int, rows, first), group)
	if height.IsInt(0) {
		c.fail("cell (%s,%s) lies outside every group", plain(i), plain(j))
		return nil
	}
	ij = c.Divide(op.Mod, c.Where, ij, perGroup)
	return []value.Value{c.Apply(op.Add, types.Int, first, c.Divide(op.Mod, c.Where, ij, height)), c.Divide(op.FloorDiv, c.Where, ij, height)}
}

// require ends the instance if cond does not hold; it reports whether it may.
func require(c *Call, cond value.Value, text string, operands ...value.Value) bool {
	if cond.Known {
		if !cond.Bool() {
			c.fail("%s", describeAll(operands))
		}
		return cond.Bool()
	}
	xs := make([]*ir.Value, len(operands))
	for i, v := range operands {
		xs[i] = c.ScalarValue(v)
	}
	c.Check(cond.IR, text, xs...)
	return true
}
