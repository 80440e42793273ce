package frontend

import (
	"strings"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// checkLane refuses what a combining function cannot do.
func (c *call) checkLane(key string) bool {
	if c.lane == nil {
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
	c.refuse(c.p, c.name+" in a combining function", what, "use elementwise operations, and compute anything else beforehand")
	return false
}

// combined emits a Reduce or Scan, whose block is the combining function: of the
// elements so far and the next ones.
func (c *call) combined(o op.Op, xs []*ir.Value, axis int, shape ir.Shape, fn value) *ir.Value {
	if fn.kind != funcKind {
		c.fail("the combining function is %s", fn.describe()).Fix("pass a function of tiles")
		return nil
	}
	pos, outer, before := c.pos, c.block, c.lane
	b := &ir.Block{}
	inner := &lane{outer: outer, on: map[*ir.Value]bool{}, seq: c.seq}
	args := make([]value, 2*len(xs))
	for i := range args {
		v := c.fn.NewValue(op.None, xs[i%len(xs)].Type.Elem(), c.pos)
		b.Args = append(b.Args, v)
		inner.on[v] = true
		args[i] = tileOf(v)
	}
	errors := len(c.diags)
	c.block, c.lane = b, inner
	memo := len(c.memoLog)
	out := c.inline(fn.fn, args)
	c.forget(memo)
	ok := len(c.diags) == errors && inner.combines(c, out, xs)
	if ok {
		c.pos = pos
		yield := c.Emit(ir.Yield, ir.Type{})
		for _, v := range out {
			yield.Args = append(yield.Args, v.v)
		}
	}
	c.block, c.lane, c.pos = outer, before, pos
	if !ok {
		return nil
	}
	return emit.Combined(c, o, xs, axis, shape, b)
}

// combines checks what a combining function returned.
func (x *lane) combines(c *call, out []value, xs []*ir.Value) bool {
	if len(out) != len(xs) {
		return false
	}
	for i, v := range out {
		if v.kind != tileKind || !c.holds(rule.Combined(v.v.Type, xs[i].Type, !v.v.Type.IsTile() && x.on[v.v])) {
			return false
		}
	}
	return true
}
