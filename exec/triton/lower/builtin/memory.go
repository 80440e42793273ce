package builtin

import (
	"slices"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/exec/triton/number"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// memory reads and writes tensors.
var memory = []line{
	{"load", "pointer mask other boundary_check padding_option cache_modifier eviction_policy volatile", lowerLoad},
	{"store", "pointer value mask boundary_check cache_modifier eviction_policy", lowerStore},
	{"make_block_ptr", "base shape strides offsets block_shape order", func(c *Call) value.Value { return lowerRegion(c, false) }},
	{"advance region.advance", "base offsets", lowerAdvance},
	{"make_tensor_descriptor _experimental_make_tensor_descriptor", "base shape strides block_shape padding_option", func(c *Call) value.Value { return lowerRegion(c, true) }},
	{"load_tensor_descriptor region.load _experimental_descriptor_load", "desc offsets", func(c *Call) value.Value {
		d := descriptorOf(c)
		ptr, mask := c.addresses(d, c.Elements(c.arg("offsets")), allAxes(d))
		return value.Tensor{IR: emit.Load(c.Emitter, c.what, ptr, mask, emit.Padding(c.Emitter, ptr.Type, d.NaN))}
	}},
	{"store_tensor_descriptor region.store _experimental_descriptor_store", "desc offsets value", func(c *Call) value.Value {
		d := descriptorOf(c)
		ptr, mask := c.addresses(d, c.Elements(c.arg("offsets")), allAxes(d))
		c.store(ptr, mask, c.arg("value"))
		return nil
	}},
	{"atomic_add", "pointer val mask sem scope", func(c *Call) value.Value { return lowerAtomic(c, op.AtomicAdd) }},
	{"atomic_max", "pointer val mask sem scope", func(c *Call) value.Value { return lowerAtomic(c, op.AtomicMax) }},
	{"atomic_min", "pointer val mask sem scope", func(c *Call) value.Value { return lowerAtomic(c, op.AtomicMin) }},
	{"atomic_and", "pointer val mask sem scope", func(c *Call) value.Value { return lowerAtomic(c, op.AtomicAnd) }},
	{"atomic_or", "pointer val mask sem scope", func(c *Call) value.Value { return lowerAtomic(c, op.AtomicOr) }},
	{"atomic_xor", "pointer val mask sem scope", func(c *Call) value.Value { return lowerAtomic(c, op.AtomicXor) }},
	{"atomic_xchg", "pointer val mask sem scope", func(c *Call) value.Value { return lowerAtomic(c, op.AtomicXchg) }},
	{"atomic_cas", "pointer cmp val sem scope", lowerCAS},
}

// pointer is what is loaded from or stored to.
func (c *Call) pointer() *ir.Value {
	v := c.arg("pointer")
	p, ok := v.(value.Tensor)
	if !ok {
		value.Fail(c.Refuse("%s of %s: want a pointer", c.what, value.Describe(v)).
			Fix("a tensor that may be None is loaded from only where it is not: if x is not None"))
	}
	want(c.Emitter, p.IR)
	c.Holds(c.what, p.IR.Type.IsPointer())
	return p.IR
}

// maskOf is the mask, nil if there is none or it is always true.
func (c *Call) maskOf() *ir.Value {
	v := c.arg("mask")
	if v == nil {
		return nil
	}
	m := c.AsBool(c.Numeric(c.what, v).IR)
	if emit.IsTrue(m) {
		return nil
	}
	return m
}

func lowerLoad(c *Call) value.Value {
	if r, ok := c.arg("pointer").(*value.Region); ok {
		return loadBlock(c, r)
	}
	p, m := c.pointer(), c.maskOf()
	xs := []*ir.Value{p}
	if m != nil {
		xs = append(xs, m)
	}
	if other := c.arg("other"); other != nil && m != nil {
		xs = append(xs, c.elementFor(p, other))
	}
	s := c.Shape(c.what, xs...)
	for i, x := range xs {
		xs[i] = c.Broadcast(x, s)
	}
	var fill *ir.Value
	if len(xs) == 3 {
		fill = xs[2]
	}
	if m != nil {
		m = xs[1]
	}
	return value.Tensor{IR: emit.Load(c.Emitter, c.what, xs[0], m, fill)}
}

// elementFor is a value as an element that a pointer points to.
func (c *Call) elementFor(p *ir.Value, v value.Value) *ir.Value {
	d := p.Type.D.Elem()
	if number.Is(v) {
		return c.Constant(d, number.Bits(v, d))
	}
	return c.Cast(c.Numeric(c.what, v).IR, d)
}

// spread is a value or mask in the shape of pointers, which it must not enlarge.
func (c *Call) spread(what string, x, ptr *ir.Value) *ir.Value {
	c.Holds(c.what, x.Type.GoesTo(what, ptr.Type))
	return c.Broadcast(x, ptr.Type.Shape)
}

func lowerStore(c *Call) value.Value {
	if r, ok := c.arg("pointer").(*value.Region); ok {
		ptr, mask := c.addresses(r, r.Offsets, c.boundary(r))
		c.store(ptr, mask, c.arg("value"))
		return nil
	}
	p, m := c.pointer(), c.maskOf()
	x := c.elementFor(p, c.arg("value"))
	if !p.Type.IsTile() && x.Type.IsTile() && x.Type.Shape.Len() == 1 {
		x = emit.Reshape(c.Emitter, x, ir.Shape{}) // a single element in brackets
	}
	if m != nil && !p.Type.IsTile() && m.Type.IsTile() && m.Type.Shape.Len() == 1 {
		m = emit.Reshape(c.Emitter, m, ir.Shape{})
	}
	if m != nil {
		m = c.spread("mask", m, p)
	}
	c.write(p, m, x)
	return nil
}

// store writes a value through pointers.
func (c *Call) store(ptr, mask *ir.Value, v value.Value) {
	c.write(ptr, mask, c.elementFor(ptr, v))
}

func (c *Call) write(ptr, mask, x *ir.Value) {
	emit.Store(c.Emitter, c.what, ptr, mask, c.spread("value", x, ptr))
}

func lowerAtomic(c *Call, o op.Op) value.Value {
	p, m := c.pointer(), c.maskOf()
	c.Holds(c.what, rule.AtomicOn(o, p.Type))
	x := c.spread("value", c.elementFor(p, c.arg("val")), p)
	if m != nil {
		m = c.spread("mask", m, p)
	}
	return value.Tensor{IR: emit.Atomic(c.Emitter, o, c.what, p, m, x)}
}

func lowerCAS(c *Call) value.Value {
	p := c.pointer()
	c.Holds(c.what, rule.AtomicOn(op.AtomicCAS, p.Type))
	cmp, x := c.spread("value", c.elementFor(p, c.arg("cmp")), p), c.spread("value", c.elementFor(p, c.arg("val")), p)
	return value.Tensor{IR: emit.Atomic(c.Emitter, op.AtomicCAS, c.what, p, nil, cmp, x)}
}

// lowerRegion is a block pointer or a descriptor, which is taken apart while lowering: what is
// left at run time is its base and the numbers that are not known.
func lowerRegion(c *Call, desc bool) value.Value {
	base, ok := c.arg("base").(value.Tensor)
	if ok {
		want(c.Emitter, base.IR)
	}
	if !ok || !base.IR.Type.D.IsPointer() || base.IR.Type.IsTile() {
		value.Fail(c.Refuse("%s: the base is %s, want a single pointer", c.what, value.Describe(c.arg("base"))))
	}
	r := &value.Region{Desc: desc, Base: base, Shape: c.Elements(c.arg("shape")), Strides: c.Elements(c.arg("strides"))}
	s := c.Sizes(c.arg("block_shape"), c.what)
	r.Block = s.Dims()
	if !desc {
		r.Offsets = c.places(c.Elements(c.arg("offsets")))
	}
	r.NaN = c.arg("padding_option") == "nan"
	if len(r.Shape) != s.N || len(r.Strides) != s.N || !desc && len(r.Offsets) != s.N {
		value.Fail(c.Refuse("%s: shape, strides and block_shape have %d, %d and %d numbers",
			c.what, len(r.Shape), len(r.Strides), s.N))
	}
	return r
}

func lowerAdvance(c *Call) value.Value {
	r, ok := c.arg("base").(*value.Region)
	if !ok || r.Desc {
		value.Fail(c.Refuse("%s of %s: want a block pointer", c.what, value.Describe(c.arg("base"))))
	}
	by := c.places(c.Elements(c.arg("offsets")))
	if len(by) != len(r.Offsets) {
		value.Fail(c.Refuse("%s: %d offsets for %d dimensions", c.what, len(by), len(r.Offsets)))
	}
	z := *r
	z.Offsets = nil
	for i, o := range r.Offsets {
		z.Offsets = append(z.Offsets, c.moved(o.(value.Tensor).IR, by[i].(value.Tensor).IR))
	}
	return &z
}

// places are offsets in 64 bits, in which block pointers compute.
func (c *Call) places(vs value.Tuple) (out []value.Value) {
	for _, v := range vs {
		out = append(out, value.Tensor{IR: c.number(v)})
	}
	return out
}

// moved is x + by.
func (c *Call) moved(x, by *ir.Value) value.Value {
	switch {
	case value.IsScalarConst(by) && by.Bits == 0:
		return value.Tensor{IR: x}
	case value.IsScalarConst(x) && x.Bits == 0:
		return value.Tensor{IR: by}
	}
	return value.Tensor{IR: c.Fold(op.Add, x.Type, x, by)}
}

func descriptorOf(c *Call) *value.Region {
	r, ok := c.arg("desc").(*value.Region)
	if !ok {
		value.Fail(c.Refuse("%s of %s: want a tensor descriptor made in the kernel", c.what, value.Describe(c.arg("desc"))).
			Fix("make it with tl.make_tensor_descriptor from the tensor, its shape and its strides"))
	}
	return r
}

func allAxes(r *value.Region) []bool { return slices.Repeat([]bool{true}, len(r.Block)) }

// boundary is the axes that boundary_check names.
func (c *Call) boundary(r *value.Region) []bool {
	check := make([]bool, len(r.Block))
	if !c.given("boundary_check") {
		return check
	}
	for _, a := range value.List(c.arg("boundary_check")) {
		i := c.StaticInt(a, "an axis of boundary_check")
		if i < 0 || i >= len(check) {
			value.Fail(c.Refuse("boundary_check of axis %d of %d", i, len(check)))
		}
		check[i] = true
	}
	return check
}

func loadBlock(c *Call, r *value.Region) value.Value {
	ptr, mask := c.addresses(r, r.Offsets, c.boundary(r))
	var fill *ir.Value
	if p, ok := c.arg("padding_option").(string); ok && p != "" && mask != nil {
		fill = emit.Padding(c.Emitter, ptr.Type, p == "nan")
	}
	return value.Tensor{IR: emit.Load(c.Emitter, c.what, ptr, mask, fill)}
}

// addresses is the pointers of a block at a position, and the mask of those that lie inside
// along the axes that are checked; nil if none is. Offsets are computed in 64 bits.
func (c *Call) addresses(r *value.Region, at []value.Value, check []bool) (ptr, mask *ir.Value) {
	if len(at) != len(r.Block) {
		value.Fail(c.Refuse("%s: %d coordinates for a tensor of %d dimensions", c.what, len(at), len(r.Block)))
	}
	c.Holds(c.what, ir.Type{D: r.Base.IR.Type.D, Shape: ir.ShapeOf(r.Block...)}.Check())
	return emit.Region{
		Base: r.Base.IR, Block: r.Block,
		At:   func(k int) *ir.Value { return c.number(at[k]) },
		Size: func(k int) *ir.Value { return c.number(r.Shape[k]) },
		Stride: func(k int) *ir.Value {
			if s := c.number(r.Strides[k]); !value.IsScalarConst(s) || s.Bits != 1 {
				return s
			}
			return nil
		},
	}.Addresses(c.Emitter, check)
}

// number is an offset, size or stride as an int64 scalar.
func (c *Call) number(v value.Value) *ir.Value {
	x := c.Numeric(c.what, v).IR
	if !x.Type.D.IsInt() || x.Type.IsTile() {
		value.Fail(c.Refuse("%s: %s where a single integer is wanted", c.what, value.Describe(v)))
	}
	return c.Cast(x, dtype.Int64)
}
