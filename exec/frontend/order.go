package frontend

import (
	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// sortable reports what cannot be sorted.
func (c *call) sortable(x value) bool {
	return x.kind == tileKind && c.holds(x.v.Type.Sortable())
}

func lowerSort(c *call) value {
	x := c.args[0]
	if !c.sortable(x) {
		return bad
	}
	v := c.Emit(op.Sort, x.v.Type, x.v)
	c.options(1).flag(v, "Descending", ir.Descending)
	return tileOf(v)
}

func lowerArgSort(c *call) []value {
	x := c.args[0]
	if !c.sortable(x) {
		return nil
	}
	v := c.Emit(op.ArgSort, ir.Type{}, x.v)
	v.Results = []ir.Type{x.v.Type, int32Like(x.v.Type)}
	c.options(1).flag(v, "Descending", ir.Descending)
	return c.results(v)
}

func lowerTopK(c *call) []value {
	x := c.args[0]
	if !c.sortable(x) {
		return nil
	}
	k, ok := c.staticInt(c.args[1], c.argPos(1), "k of tl.TopK")
	if !ok {
		return nil
	}
	t, d := x.v.Type.TopK(k)
	if !c.holds(d) {
		return nil
	}
	v := emit.Indexed(c, op.TopK, ir.Type{}, k, x.v)
	v.Results = []ir.Type{t, int32Like(t)}
	return c.results(v)
}

func lowerHistogram(c *call) value {
	x := c.args[0]
	if x.kind != tileKind || !c.holds(x.v.Type.Countable()) {
		return bad
	}
	bins, ok := c.staticInt(c.args[1], c.argPos(1), "the number of bins")
	if !ok || !c.holds(x.v.Type.Bins(bins)) {
		return bad
	}
	for _, o := range c.args[2:] {
		if o.s != "Mask" {
			c.holds(rule.OnlyMask())
			return bad
		}
	}
	mask, ok := c.maskFor(x.v, 2)
	t := ir.Tile(dtype.Int32, bins)
	if !ok || !c.checkSize(t.D, t.Shape) {
		return bad
	}
	in := x.v
	if !in.Type.IsTile() {
		in = c.reshaped(x, ir.ShapeOf(1)).v
		if mask != nil {
			mask = emit.Reshape(c, mask, ir.ShapeOf(1))
		}
	}
	v := c.Emit(op.Histogram, t, in)
	emit.Mask(v, mask)
	return tileOf(v)
}

func lowerGather(c *call) value {
	x, index := c.args[0], c.args[1]
	a, ok := c.axis(c.args[2], 2, x.v.Type)
	if !ok {
		return bad
	}
	t, d := x.v.Type.Gather(index.v.Type, a)
	if !c.holds(d) {
		return bad
	}
	v := emit.Along(c, op.Gather, t, a, x.v, index.v)
	v.Text = c.name
	return x.moved(v)
}
