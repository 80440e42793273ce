package frontend

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// sortable reports what cannot be sorted.
func (c *call) sortable(x value) bool {
	if !c.notPointer(x) {
		return false
	}
	if !x.v.Type.IsTile() {
		c.fail("%s: a scalar", x.describe()).Fix("sort a tile of at least one dimension")
		return false
	}
	return true
}

func (c *call) descending(v *ir.Value) {
	if c.hasOption("Descending", 1) {
		v.Flags |= ir.Descending
	}
}

func lowerSort(c *call) value {
	x := c.args[0]
	if !c.sortable(x) {
		return bad
	}
	v := c.emit(op.Sort, x.v.Type, x.v)
	c.descending(v)
	return tileOf(v)
}

func lowerArgSort(c *call) []value {
	x := c.args[0]
	if !c.sortable(x) {
		return nil
	}
	v := c.emit(op.ArgSort, ir.Type{}, x.v)
	v.Results = []ir.Type{x.v.Type, int32Like(x.v.Type)}
	c.descending(v)
	return c.results2(v)
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
	t := x.v.Type
	last := t.Shape.N - 1
	if n := t.Shape.D[last]; k < 1 || k > n {
		c.fail("k is %d, but the last axis of %s has %d elements", k, t, n).Fix("k must be 1 ... %d", n)
		return nil
	}
	t.Shape = t.Shape.With(last, k)
	v := c.emit(op.TopK, ir.Type{}, x.v)
	v.Index = k
	v.Results = []ir.Type{t, int32Like(t)}
	return c.results2(v)
}

func lowerHistogram(c *call) value {
	x := c.args[0]
	if !c.notPointer(x) {
		return bad
	}
	if d := x.v.Type.D; !d.IsInt() || d == dtype.Bool {
		c.fail("%s: integers only", x.describe()).Fix("convert first: x.To(tl.Int32)")
		return bad
	}
	bins, ok := c.staticInt(c.args[1], c.argPos(1), "the number of bins")
	if !ok {
		return bad
	}
	if bins < 1 {
		c.fail("%s into %d bins", x.describe(), bins).Fix("use at least one")
		return bad
	}
	for _, o := range c.args[2:] {
		if o.s != "Mask" {
			c.fail("the only option is tl.Mask").Fix("use tl.Mask to choose what is counted")
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
			mask = c.reshaped(tileOf(mask), ir.ShapeOf(1)).v
		}
	}
	v := c.emit(op.Histogram, t, in)
	c.mask(v, mask)
	return tileOf(v)
}

func lowerGather(c *call) value {
	x, index := c.args[0], c.args[1]
	a, ok := c.axis(c.args[2], 2, x.v.Type)
	if !ok {
		return bad
	}
	if d := index.v.Type.D; !d.IsInt() || d == dtype.Bool {
		c.fail("%s by an index of %s: integers only", x.describe(), index.describe()).Fix("convert the index first: i.To(tl.Int32)")
		return bad
	}
	want, s := x.v.Type.Shape, index.v.Type.Shape
	if s.N != want.N || s.With(a, want.D[a]) != want {
		c.fail("%s by an index of %s: all sizes but that of axis %d must agree", x.describe(), index.describe(), a).Fix("repeat the index with BroadcastTo")
		return bad
	}
	v := c.emit(op.Gather, ir.Type{D: x.v.Type.D, Shape: s}, x.v, index.v)
	v.Axis, v.Text = a, c.name
	return x.moved(v)
}
