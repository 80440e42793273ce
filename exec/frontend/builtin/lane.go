package builtin

import (
	"strings"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// checkLane refuses what a combining function cannot do.
func (c *Call) checkLane(key string) bool {
	if c.Lane == nil {
		return true
	}
	what := ""
	switch row, isOp := ops[key]; {
	case strings.HasPrefix(key, "DType.") || isOption(key):
		return true
	case strings.HasPrefix(key, "Program.") || strings.HasPrefix(key, "Desc.") || strings.HasPrefix(key, "BlockPtr."):
		what = "it sees only elements"
	case key == "Tile.Int" || key == "Tile.Float" || key == "Tile.Bool":
		what = "it is called for many elements at once"
	case isOp && row.Row().Family == op.Elementwise, laneFuncs[key]:
		return true
	default:
		what = "it sees elements, which have no shape"
	}
	c.Refuse(c.Where, c.Name+" in a combining function", what, "use elementwise operations, and compute anything else beforehand")
	return false
}

// combined emits a Reduce or Scan, whose block is the combining function: of the
// elements so far and the next ones.
func (c *Call) combined(o op.Op, xs []*ir.Value, axis int, shape ir.Shape, fn value.Value) *ir.Value {
	if fn.Kind != value.FuncKind {
		c.fail("the combining function is %s", fn.Describe()).Fix("pass a function of tiles")
		return nil
	}
	pos, outer, before := c.Pos, c.Block, c.Lane
	b := &ir.Block{}
	inner := &value.Lane{Outer: outer, On: map[*ir.Value]bool{}, Seq: c.Seq}
	args := make([]value.Value, 2*len(xs))
	for i := range args {
		v := c.Func.NewValue(op.None, xs[i%len(xs)].Type.Elem(), c.Pos)
		b.Args = append(b.Args, v)
		inner.On[v] = true
		args[i] = value.Tile(v)
	}
	errors := len(c.Diags)
	c.Block, c.Lane = b, inner
	memo := len(c.MemoLog)
	out := c.Inline(fn.Func, args)
	c.Forget(memo)
	ok := len(c.Diags) == errors && c.combines(inner, out, xs)
	if ok {
		c.Pos = pos
		yield := c.Emit(ir.Yield, ir.Type{})
		for _, v := range out {
			yield.Args = append(yield.Args, v.IR)
		}
	}
	c.Block, c.Lane, c.Pos = outer, before, pos
	if !ok {
		return nil
	}
	return emit.Combined(&c.Emitter, o, xs, axis, shape, b)
}

// combines checks what a combining function returned.
func (c *Call) combines(x *value.Lane, out []value.Value, xs []*ir.Value) bool {
	if len(out) != len(xs) {
		return false
	}
	for i, v := range out {
		if v.Kind != value.TileKind || !c.holds(rule.Combined(v.IR.Type, xs[i].Type, !v.IR.Type.IsTile() && x.On[v.IR])) {
			return false
		}
	}
	return true
}
