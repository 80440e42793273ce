// Package onehot makes sums of one-hot rows histograms: to count how often x is 0, 1, 2, ... by comparing each element
// with each number takes a comparison for each pair, and a histogram looks at each element once.
package onehot

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// So many numbers at least are counted by a histogram, and so many elements: vectors compare with a few as fast.
const (
	minBins = 16
	minLen  = 64
)

// Run changes the sums of f. The counts are the same bits: integers add up to the same in any order.
func Run(f *ir.Func) {
	f.Walk(func(b *ir.Block) {
		var values []*ir.Value
		for _, v := range b.Values {
			if c := countOf(v); c != nil {
				values = append(values, c.become(f, v)...)
			}
			values = append(values, v)
		}
		b.Values = values
	})
}

// A count is how many elements along an axis equal each number of an Arange along the other one, where masks hold.
type count struct {
	axis  int
	x     *ir.Value   // int32, of one element across
	masks []*ir.Value // as x
}

// countOf is nil if v is no such sum.
func countOf(v *ir.Value) *count {
	if v.Op != op.Sum || v.Args[0].Type.Shape.N != 2 || v.Type.D != dtype.Int32 && v.Type.D != dtype.Uint32 {
		return nil
	}
	s := v.Args[0].Type.Shape
	if s.D[1-v.Axis] < minBins || s.D[v.Axis] < minLen {
		return nil
	}
	c := &count{axis: v.Axis}
	if hit := condition(v.Args[0]); hit == nil || !c.holds(hit) || c.x == nil {
		return nil
	}
	return c
}

// condition is where x is 1, if it is 0 elsewhere.
func condition(x *ir.Value) *ir.Value {
	switch {
	case x.Op == op.Cast && x.Args[0].Type.D == dtype.Bool:
		return x.Args[0]
	case x.Op == op.Where && repeats(x.Args[1], 1) && repeats(x.Args[2], 0):
		return x.Args[0]
	}
	return nil
}

// repeats reports whether all elements of x are a number.
func repeats(x *ir.Value, n uint64) bool {
	return x.Op == op.Broadcast && x.Args[0].Op == op.Const && x.Args[0].Bits == n
}

// holds finds what a condition asks for, and reports whether that is all.
func (c *count) holds(v *ir.Value) bool {
	switch v.Op {
	case op.And:
		return c.holds(v.Args[0]) && c.holds(v.Args[1])
	case op.Eq:
		x, y := v.Args[0], v.Args[1]
		return c.x == nil && x.Type.D == dtype.Int32 && (c.compares(x, y) || c.compares(y, x))
	case op.Broadcast:
		m := v.Args[0]
		c.masks = append(c.masks, m)
		return c.across(m)
	}
	return false
}

// compares reports whether x lies along the axis, and y is the numbers from 0 across it.
func (c *count) compares(x, y *ir.Value) bool {
	if x.Op != op.Broadcast || y.Op != op.Broadcast || !c.across(x.Args[0]) {
		return false
	}
	n := y.Args[0]
	if n.Op != op.Reshape || n.Args[0].Op != op.Arange || n.Args[0].Index != 0 || n.Type.Shape.N != 2 {
		return false
	}
	if s := y.Type.Shape; n.Type.Shape.D[c.axis] != 1 || n.Type.Shape.D[1-c.axis] != s.D[1-c.axis] {
		return false
	}
	c.x = x.Args[0]
	return true
}

// across reports whether x is one element across the axis, and may differ along it.
func (c *count) across(x *ir.Value) bool { return x.Type.Shape.N == 2 && x.Type.Shape.D[1-c.axis] == 1 }

// become makes v a histogram, or a cast of one, which goes behind the values that it gives.
func (c *count) become(f *ir.Func, v *ir.Value) (ahead []*ir.Value) {
	n := v.Args[0].Type.Shape.D[v.Axis]
	add := func(o op.Op, t ir.Type, args ...*ir.Value) *ir.Value {
		z := f.NewValue(o, t, v.Pos, args...)
		ahead = append(ahead, z)
		return z
	}
	row := func(x *ir.Value) *ir.Value {
		if x.Type.Shape.D[c.axis] != n { // one mask for all
			x = add(op.Broadcast, ir.Type{D: x.Type.D, Shape: x.Type.Shape.With(c.axis, n)}, x)
		}
		return add(op.Reshape, ir.Tile(x.Type.D, n), x)
	}
	args, flags := []*ir.Value{row(c.x)}, ir.Flags(0)
	if len(c.masks) > 0 {
		mask := row(c.masks[0])
		for _, m := range c.masks[1:] {
			mask = add(op.And, mask.Type, mask, row(m))
		}
		args, flags = append(args, mask), ir.Masked
	}
	v.Axis = 0
	if v.Type.D == dtype.Int32 {
		v.Op, v.Args, v.Flags = op.Histogram, args, flags
		return ahead
	}
	h := add(op.Histogram, v.Type.As(dtype.Int32), args...)
	h.Flags = flags
	v.Op, v.Args = op.Cast, []*ir.Value{h}
	return ahead
}
