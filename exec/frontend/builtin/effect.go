package builtin

import (
	"go/types"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// lowerProgram is p.ID(axis) or p.Num(axis).
func lowerProgram(c *Call, o op.Op) value.Value {
	axis, ok := c.StaticInt(c.Args[0], c.argPos(0), "an axis of the grid")
	if !ok || !c.holds(rule.GridAxis(axis)) {
		return value.Bad
	}
	return value.Runtime(types.Int, c.Once(o, 0, uint64(axis), nil, func() *ir.Value {
		return emit.Indexed(&c.Emitter, o, ir.Scalar(dtype.Int64), axis)
	}))
}

// shown is the values of a Print or Assert, and for each whether it is a Go scalar.
func shown(c *Call, first int) (xs []*ir.Value, isGo []int, ok bool) {
	for i, v := range c.Args[first:] {
		switch v.Kind {
		case value.ScalarKind:
			xs, isGo = append(xs, c.ScalarValue(v)), append(isGo, 1)
		case value.TileKind:
			xs, isGo = append(xs, v.IR), append(isGo, 0)
		default:
			c.Error(c.argPos(first+i), "%s: %s as a value, want tiles and numbers", c.Name, v.Describe()).
				Fix("put constant text into the label")
			return nil, nil, false
		}
	}
	return xs, isGo, true
}

// label is the text that a Print or Assert begins with.
func label(v value.Value) (string, bool) { return v.Str, v.Kind == value.StringKind }

func lowerPrint(c *Call) {
	text, ok := label(c.Args[0])
	xs, isGo, ok2 := shown(c, 1)
	if ok && ok2 {
		v := c.Emit(op.Print, ir.Type{}, xs...)
		v.Text, v.Axes = text, isGo
	}
}

func lowerAssert(c *Call) {
	cond := c.condition("condition", c.Args[0])
	text, ok := label(c.Args[1])
	xs, isGo, ok2 := shown(c, 2)
	if cond == nil || !ok || !ok2 || cond.Op == op.Const && cond.Bits != 0 {
		return
	}
	v := c.Emit(op.Assert, ir.Type{}, append([]*ir.Value{cond}, xs...)...)
	v.Text, v.Axes = text, append([]int{0}, isGo...)
}

func lowerStaticAssert(c *Call) {
	cond, ok := c.Static(c.Args[0], c.argPos(0), "the condition of tl.StaticAssert")
	if ok && cond == 0 {
		message := c.Args[1].Str
		c.fail("%s", message)
	}
}
