package frontend

import (
	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// reduceArgs is what a reduction's options say.
type reduceArgs struct {
	axis value
	all  bool
	keep bool
	as   dtype.DType // Invalid if not given
}

// reduceOptions reads the options of a reduction from argument i on; typed is
// whether it takes As.
func (c *call) reduceOptions(i int, typed bool) (a reduceArgs, ok bool) {
	a.axis, ok = c.option("Axis", i)
	a.all = !ok
	a.keep = c.hasOption("KeepDims", i)
	a.as, ok = c.asOption(i, typed)
	return a, ok
}

func (c *call) asOption(i int, typed bool) (dtype.DType, bool) {
	v, given := c.option("As", i)
	if !given {
		return dtype.Invalid, true
	}
	if !typed {
		c.holds(rule.ReduceAs(v.d))
		return 0, false
	}
	return c.elementType(v)
}

// arrange flattens x if the reduction is over all elements, and resolves the axis and
// the result's shape.
func (c *call) arrange(x *ir.Value, a reduceArgs) (z *ir.Value, axis int, shape ir.Shape, ok bool) {
	shape = x.Type.Shape
	if a.all {
		z, shape = emit.Flattened(c, x, a.keep)
		return z, 0, shape, true
	}
	n, ok := c.staticInt(a.axis, c.p, "the axis of a reduction")
	if !ok {
		return nil, 0, shape, false
	}
	if axis, ok = c.resolveAxis(n, x.Type); !ok {
		return nil, 0, shape, false
	}
	if a.keep {
		return x, axis, shape.With(axis, 1), true
	}
	return x, axis, shape.Drop(axis), true
}

// reduced emits a reduction of one operand to elements of type d.
func (c *call) reduced(o op.Op, x *ir.Value, d dtype.DType, a reduceArgs) value {
	z, axis, shape, ok := c.arrange(x, a)
	if !ok {
		return bad
	}
	v := c.Emit(o, ir.Type{D: d, Shape: z.Type.Shape.Drop(axis)}, z)
	v.Axis = axis
	return c.reshaped(tileOf(v), shape)
}

func lowerSum(c *call) value {
	a, ok := c.reduceOptions(1, true)
	if !ok || !c.notPointer(c.args[0]) {
		return bad
	}
	x := c.args[0].v
	result := rule.Widened32(x.Type.D)
	if a.as != dtype.Invalid {
		result = a.as
	}
	x = emit.Cast(c, x, result.Compute())
	z := c.reduced(op.Sum, x, x.Type.D, a)
	if z.kind == poison {
		return bad
	}
	return tileOf(emit.Cast(c, z.v, result))
}

func lowerExtreme(c *call, o op.Op) value {
	a, ok := c.reduceOptions(1, false)
	if !ok || !c.notPointer(c.args[0]) {
		return bad
	}
	x := emit.Cast(c, c.args[0].v, rule.Extremum32(c.args[0].v.Type.D))
	return c.reduced(o, x, x.Type.D, a)
}

func lowerBitSum(c *call, o op.Op) value {
	a, ok := c.reduceOptions(1, false)
	x := c.args[0]
	if !ok || x.kind != tileKind || !c.holds(x.v.Type.Bits()) {
		return bad
	}
	return c.reduced(o, x.v, x.v.Type.D, a)
}

// indexed is the operand of a reduction that finds an index.
func (c *call) indexed() (x *ir.Value, a reduceArgs, ok bool) {
	a, ok = c.reduceOptions(1, false)
	if !ok || !c.notPointer(c.args[0]) {
		return nil, a, false
	}
	x = c.args[0].v
	if x.Type.D == dtype.BFloat16 {
		x = emit.Cast(c, x, dtype.Float32)
	}
	return x, a, true
}

func lowerArg(c *call, o op.Op) value {
	x, a, ok := c.indexed()
	if !ok {
		return bad
	}
	return c.reduced(o, x, dtype.Int32, a)
}

func lowerIndex(c *call, o op.Op) []value {
	x, a, ok := c.indexed()
	if !ok {
		return nil
	}
	x, axis, shape, ok := c.arrange(x, a)
	if !ok {
		return nil
	}
	s := x.Type.Shape.Drop(axis)
	v := c.Emit(o, ir.Type{}, x)
	v.Axis = axis
	v.Results = []ir.Type{{D: x.Type.D, Shape: s}, {D: dtype.Int32, Shape: s}}
	rs := c.results2(v)
	for i := range rs {
		rs[i] = c.reshaped(rs[i], shape)
	}
	return rs
}

// results2 is the results of a value that has several.
func (l *lowering) results2(v *ir.Value) []value {
	rs := make([]value, len(v.Results))
	for i, t := range v.Results {
		r := l.Emit(ir.Result, t, v)
		r.Index = i
		rs[i] = tileOf(r)
	}
	return rs
}

func lowerCum(c *call, o op.Op) value {
	x := c.args[0]
	as, ok := c.asOption(1, true)
	if !ok || !c.notPointer(x) {
		return bad
	}
	d := x.v.Type.D
	result := d
	if o == op.CumSum {
		result = rule.Widened32(d)
	}
	if d == dtype.BFloat16 {
		result = dtype.Float32
	}
	if as != dtype.Invalid {
		result = as
	}
	in := emit.Cast(c, x.v, result.Compute())
	axis, ok := c.scanAxis(1, x.v.Type)
	if !ok {
		return bad
	}
	v := c.Emit(o, in.Type, in)
	v.Axis = axis
	c.reverse(v, 1)
	return tileOf(emit.Cast(c, v, result))
}

// scanAxis is the axis of a scan, 0 if it is not given.
func (c *call) scanAxis(i int, t ir.Type) (int, bool) {
	a, given := c.option("Axis", i)
	n := 0
	if given {
		var ok bool
		if n, ok = c.staticInt(a, c.p, "the axis of a scan"); !ok {
			return 0, false
		}
	}
	return c.resolveAxis(n, t)
}

func (c *call) reverse(v *ir.Value, i int) {
	if c.hasOption("Reverse", i) {
		v.Flags |= ir.Reverse
	}
}

// sameShape is k tiles, which must agree in shape.
func (c *call) sameShape(k int) ([]*ir.Value, bool) {
	xs := make([]*ir.Value, k)
	for i, x := range c.args[:k] {
		if !c.notPointer(x) {
			return nil, false
		}
		xs[i] = x.v
		if !c.holds(rule.SameShape(xs[0].Type, x.v.Type)) {
			return nil, false
		}
	}
	return xs, true
}

// lowerReduce is a reduction of k tiles by a function.
func lowerReduce(c *call, k int) []value {
	a, ok := c.reduceOptions(k+1, false)
	xs, same := c.sameShape(k)
	if !ok || !same {
		return nil
	}
	var axis int
	var shape ir.Shape
	for i, x := range xs {
		if xs[i], axis, shape, ok = c.arrange(x, a); !ok {
			return nil
		}
	}
	v := c.combined(op.Reduce, xs, axis, xs[0].Type.Shape.Drop(axis), c.args[k])
	if v == nil {
		return nil
	}
	rs := c.results2(v)
	for i := range rs {
		rs[i] = c.reshaped(rs[i], shape)
	}
	return rs
}

// lowerScan is a scan of k tiles by a function.
func lowerScan(c *call, k int) []value {
	_, ok := c.asOption(k+1, false)
	xs, same := c.sameShape(k)
	if !ok || !same {
		return nil
	}
	axis, ok := c.scanAxis(k+1, xs[0].Type)
	if !ok {
		return nil
	}
	v := c.combined(op.Scan, xs, axis, xs[0].Type.Shape, c.args[k])
	if v == nil {
		return nil
	}
	c.reverse(v, k+1)
	return c.results2(v)
}
