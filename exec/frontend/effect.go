package frontend

import (
	"go/types"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// lowerProgram is p.ID(axis) or p.Num(axis).
func lowerProgram(c *call, o op.Op) value {
	axis, ok := c.staticInt(c.args[0], c.argPos(0), "an axis of the grid")
	if !ok || !c.holds(rule.GridAxis(axis)) {
		return bad
	}
	return runtime(types.Int, c.once(memoKey{o, 0, uint64(axis), nil}, func() *ir.Value {
		return emit.Indexed(c, o, ir.Scalar(dtype.Int64), axis)
	}))
}

// label is the text that a Print or Assert begins with.
func (v value) label() (string, bool) { return v.s, v.kind == stringKind }

// shown is the values of a Print or Assert, and for each whether it is a Go scalar.
func shown(c *call, first int) (xs []*ir.Value, isGo []int, ok bool) {
	for i, v := range c.args[first:] {
		switch v.kind {
		case scalarKind:
			xs, isGo = append(xs, c.scalarValue(v)), append(isGo, 1)
		case tileKind:
			xs, isGo = append(xs, v.v), append(isGo, 0)
		default:
			c.error(c.argPos(first+i), "%s: %s as a value, want tiles and numbers", c.name, v.describe()).
				Fix("put constant text into the label")
			return nil, nil, false
		}
	}
	return xs, isGo, true
}

func lowerPrint(c *call) {
	label, ok := c.args[0].label()
	xs, isGo, ok2 := shown(c, 1)
	if ok && ok2 {
		v := c.Emit(op.Print, ir.Type{}, xs...)
		v.Text, v.Axes = label, isGo
	}
}

func lowerAssert(c *call) {
	cond := c.condition("condition", c.args[0])
	label, ok := c.args[1].label()
	xs, isGo, ok2 := shown(c, 2)
	if cond == nil || !ok || !ok2 || cond.Op == op.Const && cond.Bits != 0 {
		return
	}
	v := c.Emit(op.Assert, ir.Type{}, append([]*ir.Value{cond}, xs...)...)
	v.Text, v.Axes = label, append([]int{0}, isGo...)
}

func lowerStaticAssert(c *call) {
	cond, ok := c.static(c.args[0], c.argPos(0), "the condition of tl.StaticAssert")
	if ok && cond == 0 {
		message := c.args[1].s
		c.fail("%s", message)
	}
}

func lowerAssume(c *call) { c.condition("condition", c.args[0]) }

// lowerHint is a promise about a tile, which changes nothing.
func lowerHint(c *call) value { return c.args[0] }
