package pass

import (
	"math"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// compare compares int64 as int32 where operands are int32 that were widened: twice as many lanes fit a vector. If only
// one is, it may equal values of the other only that fit int32; this pays if these are few and repeated. What
// is not below a limit is from it on, of which limits of loops are made.
func (d *folder) compare(v *ir.Value) *ir.Value {
	if x := v.Args[0]; v.Op == op.Not && x.Op.IsCompare() && !x.Args[0].Type.D.IsFloat() {
		return d.add(v, x.Op.Opposite(), v.Type, x.Args[0], x.Args[1])
	}
	if w := d.compareChosen(v); w != nil {
		return w
	}
	if !v.Op.IsCompare() || v.Args[0].Type.D != dtype.Int64 {
		return nil
	}
	x, y := narrowed(v.Args[0]), narrowed(v.Args[1])
	switch {
	case x != nil && y != nil:
		return d.add(v, v.Op, v.Type, d.spread(v, x), d.spread(v, y))
	case v.Op != op.Eq && v.Op != op.Ne || x == nil && y == nil:
		return nil
	}
	wide := v.Args[0]
	if x != nil {
		wide, y = v.Args[1], x
	}
	if wide.Op != op.Broadcast || wide.Args[0].Type.Shape.Len()*manyTimes > v.Type.Shape.Len() {
		return nil
	}
	few := wide.Args[0]
	short := d.add(v, op.Cast, ir.Type{D: dtype.Int32, Shape: few.Type.Shape}, few)
	same := d.add(v, v.Op, v.Type, d.spread(v, short), d.spread(v, y))
	fits := d.add(v, v.Op, ir.Type{D: dtype.Bool, Shape: few.Type.Shape}, d.add(v, op.Cast, few.Type, short), few)
	both := op.And
	if v.Op == op.Ne {
		both = op.Or
	}
	return d.add(v, both, v.Type, same, d.spread(v, fits))
}

// compareChosen makes of where(c, x, k) != k, and of other comparisons with a constant that do not hold for k, c and
// the comparison of x, which may hold for all x.
func (d *folder) compareChosen(v *ir.Value) *ir.Value {
	if !v.Op.IsCompare() || v.Args[0].Op != op.Where || !v.Args[0].Type.D.IsInt() {
		return nil
	}
	where := v.Args[0]
	k, n, t := constBehind(where.Args[2]), constBehind(v.Args[1]), where.Type.D
	if k == nil || n == nil || op.Scalar(v.Op, t, k.Bits, n.Bits) != 0 {
		return nil
	}
	c, x, at := where.Args[0], where.Args[1], dtype.ToInt(t, n.Bits)
	above, below := affine.Between(x, at+1, math.MaxInt64), affine.Between(x, math.MinInt64, at-1)
	switch v.Op {
	case op.Gt, op.Ge:
		below = false
	case op.Lt, op.Le:
		above = false
	case op.Eq:
		above, below = false, false
	}
	if above || below {
		return c
	}
	return d.add(v, op.And, v.Type, c, d.add(v, v.Op, v.Type, x, v.Args[1]))
}

// manyTimes is how often elements are repeated at least that are looked at whether they fit int32.
const manyTimes = 32

// narrowed is the int32 tile that x is made of by widening it, and then repeating its elements; nil if it is not.
func narrowed(x *ir.Value) *ir.Value {
	if x.Op == op.Broadcast {
		x = x.Args[0]
	}
	if x.Op == op.Cast && x.Args[0].Type.D == dtype.Int32 {
		return x.Args[0]
	}
	return nil
}

// spread repeats x to v's shape.
func (d *folder) spread(v, x *ir.Value) *ir.Value {
	if x.Type.Shape == v.Type.Shape {
		return x
	}
	return d.add(v, op.Broadcast, ir.Type{D: x.Type.D, Shape: v.Type.Shape}, x)
}
