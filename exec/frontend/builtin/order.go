package builtin

import (
	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// sortable reports what cannot be sorted.
func sortable(c *Call, x value.Value) bool {
	return x.Kind == value.TileKind && c.holds(x.IR.Type.Sortable())
}

func lowerSort(c *Call) value.Value {
	x := c.Args[0]
	if !sortable(c, x) {
		return value.Bad
	}
	v := c.Emit(op.Sort, x.IR.Type, x.IR)
	c.options(1).flag(v, "Descending", ir.Descending)
	return value.Tile(v)
}

func lowerArgSort(c *Call) []value.Value {
	x := c.Args[0]
	if !sortable(c, x) {
		return nil
	}
	v := c.Emit(op.ArgSort, ir.Type{}, x.IR)
	v.Results = []ir.Type{x.IR.Type, int32Like(x.IR.Type)}
	c.options(1).flag(v, "Descending", ir.Descending)
	return c.results(v)
}

func lowerTopK(c *Call) []value.Value {
	x := c.Args[0]
	if !sortable(c, x) {
		return nil
	}
	k, ok := c.StaticInt(c.Args[1], c.argPos(1), "k of tl.TopK")
	if !ok {
		return nil
	}
	t, d := x.IR.Type.TopK(k)
	if !c.holds(d) {
		return nil
	}
	v := emit.Indexed(&c.Emitter, op.TopK, ir.Type{}, k, x.IR)
	v.Results = []ir.Type{t, int32Like(t)}
	return c.results(v)
}

func lowerHistogram(c *Call) value.Value {
	x := c.Args[0]
	if x.Kind != value.TileKind || !c.holds(x.IR.Type.Countable()) {
		return value.Bad
	}
	bins, ok := c.StaticInt(c.Args[1], c.argPos(1), "the number of bins")
	if !ok || !c.holds(x.IR.Type.Bins(bins)) {
		return value.Bad
	}
	for _, o := range c.Args[2:] {
		if o.Str != "Mask" {
			c.holds(rule.OnlyMask())
			return value.Bad
		}
	}
	mask, ok := c.maskFor(x.IR, 2)
	t := ir.Tile(dtype.Int32, bins)
	if !ok || !c.checkSize(t.D, t.Shape) {
		return value.Bad
	}
	in := x.IR
	if !in.Type.IsTile() {
		in = c.reshaped(x, ir.ShapeOf(1)).IR
		if mask != nil {
			mask = emit.Reshape(&c.Emitter, mask, ir.ShapeOf(1))
		}
	}
	v := c.Emit(op.Histogram, t, in)
	emit.Mask(v, mask)
	return value.Tile(v)
}

func lowerGather(c *Call) value.Value {
	x, index := c.Args[0], c.Args[1]
	a, ok := c.axis(c.Args[2], 2, x.IR.Type)
	if !ok {
		return value.Bad
	}
	t, d := x.IR.Type.Gather(index.IR.Type, a)
	if !c.holds(d) {
		return value.Bad
	}
	v := emit.Along(&c.Emitter, op.Gather, t, a, x.IR, index.IR)
	v.Text = c.Name
	return x.Moved(v)
}
