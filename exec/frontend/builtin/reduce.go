package builtin

import (
	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// reduction is what a reduction's options say.
type reduction struct {
	c    *Call
	axis value.Value
	all  bool
	keep bool
	as   dtype.DType // Invalid if not given
}

// newReduction reads the options of a reduction from argument i on; typed is
// whether it takes As.
func newReduction(c *Call, i int, typed bool) (r reduction, ok bool) {
	r.c = c
	r.axis, ok = c.options(i).last("Axis")
	r.all = !ok
	r.keep = c.options(i).has("KeepDims")
	r.as, ok = c.asOption(i, typed)
	return r, ok
}

func (c *Call) asOption(i int, typed bool) (dtype.DType, bool) {
	v, given := c.options(i).last("As")
	if !given {
		return dtype.Invalid, true
	}
	if !typed {
		c.holds(rule.ReduceAs(v.D))
		return 0, false
	}
	return c.elementType(v)
}

// arrange flattens x if the reduction is over all elements, and resolves the axis and
// the result's shape.
func (r reduction) arrange(x *ir.Value) (z *ir.Value, axis int, shape ir.Shape, ok bool) {
	c := r.c
	axis = emit.All
	if !r.all {
		n, known := c.StaticInt(r.axis, c.Where, "the axis of a reduction")
		if !known {
			return nil, 0, shape, false
		}
		if axis, ok = c.resolveAxis(n, x.Type); !ok {
			return nil, 0, shape, false
		}
	}
	z, axis, shape = emit.Arrange(&c.Emitter, x, axis, r.keep)
	return z, axis, shape, true
}

// reduced emits a reduction of one operand to elements of type d.
func (r reduction) reduced(o op.Op, x *ir.Value, d dtype.DType) value.Value {
	z, axis, shape, ok := r.arrange(x)
	if !ok {
		return value.Bad
	}
	return r.c.reshaped(value.Tile(emit.Reduced(&r.c.Emitter, o, z, d, axis)), shape)
}

func lowerSum(c *Call) value.Value {
	r, ok := newReduction(c, 1, true)
	if !ok || !c.notPointer(c.Args[0]) {
		return value.Bad
	}
	x := c.Args[0].IR
	result := rule.Widened32(x.Type.D)
	if r.as != dtype.Invalid {
		result = r.as
	}
	x = emit.Cast(&c.Emitter, x, result.Compute())
	z := r.reduced(op.Sum, x, x.Type.D)
	if z.Kind == value.Poison {
		return value.Bad
	}
	return value.Tile(emit.Cast(&c.Emitter, z.IR, result))
}

func lowerExtreme(c *Call, o op.Op) value.Value {
	r, ok := newReduction(c, 1, false)
	if !ok || !c.notPointer(c.Args[0]) {
		return value.Bad
	}
	x := emit.Cast(&c.Emitter, c.Args[0].IR, rule.Extremum32(c.Args[0].IR.Type.D))
	return r.reduced(o, x, x.Type.D)
}

func lowerBitSum(c *Call, o op.Op) value.Value {
	r, ok := newReduction(c, 1, false)
	x := c.Args[0]
	if !ok || x.Kind != value.TileKind || !c.holds(x.IR.Type.Bits()) {
		return value.Bad
	}
	return r.reduced(o, x.IR, x.IR.Type.D)
}

// indexed is the operand of a reduction that finds an index.
func indexed(c *Call) (x *ir.Value, r reduction, ok bool) {
	r, ok = newReduction(c, 1, false)
	if !ok || !c.notPointer(c.Args[0]) {
		return nil, r, false
	}
	x = c.Args[0].IR
	if x.Type.D == dtype.BFloat16 {
		x = emit.Cast(&c.Emitter, x, dtype.Float32)
	}
	return x, r, true
}

func lowerArg(c *Call, o op.Op) value.Value {
	x, r, ok := indexed(c)
	if !ok {
		return value.Bad
	}
	return r.reduced(o, x, dtype.Int32)
}

func lowerIndex(c *Call, o op.Op) []value.Value {
	x, r, ok := indexed(c)
	if !ok {
		return nil
	}
	x, axis, shape, ok := r.arrange(x)
	if !ok {
		return nil
	}
	return c.shaped(emit.Found(&c.Emitter, o, x, axis), shape)
}

// results is the results of a value that has several.
func (c *Call) results(v *ir.Value) []value.Value {
	rs := make([]value.Value, len(v.Results))
	for i := range rs {
		rs[i] = value.Tile(emit.Result(&c.Emitter, v, i))
	}
	return rs
}

// shaped is results in another shape.
func (c *Call) shaped(v *ir.Value, s ir.Shape) []value.Value {
	rs := c.results(v)
	for i := range rs {
		rs[i] = c.reshaped(rs[i], s)
	}
	return rs
}

func lowerCum(c *Call, o op.Op) value.Value {
	x := c.Args[0]
	as, ok := c.asOption(1, true)
	if !ok || !c.notPointer(x) {
		return value.Bad
	}
	d := x.IR.Type.D
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
	in := emit.Cast(&c.Emitter, x.IR, result.Compute())
	axis, ok := scanAxis(c, 1, x.IR.Type)
	if !ok {
		return value.Bad
	}
	v := emit.Along(&c.Emitter, o, in.Type, axis, in)
	c.options(1).flag(v, "Reverse", ir.Reverse)
	return value.Tile(emit.Cast(&c.Emitter, v, result))
}

// scanAxis is the axis of a scan, 0 if it is not given.
func scanAxis(c *Call, i int, t ir.Type) (int, bool) {
	a, given := c.options(i).last("Axis")
	n := 0
	if given {
		var ok bool
		if n, ok = c.StaticInt(a, c.Where, "the axis of a scan"); !ok {
			return 0, false
		}
	}
	return c.resolveAxis(n, t)
}

// sameShape is k tiles, which must agree in shape.
func sameShape(c *Call, k int) ([]*ir.Value, bool) {
	xs := make([]*ir.Value, k)
	for i, x := range c.Args[:k] {
		if !c.notPointer(x) {
			return nil, false
		}
		xs[i] = x.IR
		if !c.holds(rule.SameShape(xs[0].Type, x.IR.Type)) {
			return nil, false
		}
	}
	return xs, true
}

// lowerReduce is a reduction of k tiles by a function.
func lowerReduce(c *Call, k int) []value.Value {
	r, ok := newReduction(c, k+1, false)
	xs, same := sameShape(c, k)
	if !ok || !same {
		return nil
	}
	var axis int
	var shape ir.Shape
	for i, x := range xs {
		if xs[i], axis, shape, ok = r.arrange(x); !ok {
			return nil
		}
	}
	v := c.combined(op.Reduce, xs, axis, xs[0].Type.Shape.Drop(axis), c.Args[k])
	if v == nil {
		return nil
	}
	return c.shaped(v, shape)
}

// lowerScan is a scan of k tiles by a function.
func lowerScan(c *Call, k int) []value.Value {
	_, ok := c.asOption(k+1, false)
	xs, same := sameShape(c, k)
	if !ok || !same {
		return nil
	}
	axis, ok := scanAxis(c, k+1, xs[0].Type)
	if !ok {
		return nil
	}
	v := c.combined(op.Scan, xs, axis, xs[0].Type.Shape, c.Args[k])
	if v == nil {
		return nil
	}
	c.options(k+1).flag(v, "Reverse", ir.Reverse)
	return c.results(v)
}
