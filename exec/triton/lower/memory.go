package lower

import (
	"slices"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/number"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// memory reads and writes tensors.
var memory = []line{
	{"load", "pointer mask other boundary_check padding_option cache_modifier eviction_policy volatile", lowerLoad},
	{"store", "pointer value mask boundary_check cache_modifier eviction_policy", lowerStore},
	{"make_block_ptr", "base shape strides offsets block_shape order", func(c *call) value { return lowerRegion(c, false) }},
	{"advance region.advance", "base offsets", lowerAdvance},
	{"make_tensor_descriptor _experimental_make_tensor_descriptor", "base shape strides block_shape padding_option", func(c *call) value { return lowerRegion(c, true) }},
	{"load_tensor_descriptor region.load _experimental_descriptor_load", "desc offsets", func(c *call) value {
		d := descriptorOf(c)
		ptr, mask := d.addresses(c, c.elements(c.arg("offsets")), d.allAxes())
		return tensor{v: emit.Load(&c.emitter, c.what, ptr, mask, emit.Padding(&c.emitter, ptr.Type, d.nan))}
	}},
	{"store_tensor_descriptor region.store _experimental_descriptor_store", "desc offsets value", func(c *call) value {
		d := descriptorOf(c)
		ptr, mask := d.addresses(c, c.elements(c.arg("offsets")), d.allAxes())
		c.store(ptr, mask, c.arg("value"))
		return nil
	}},
	{"atomic_add", "pointer val mask sem scope", func(c *call) value { return lowerAtomic(c, op.AtomicAdd) }},
	{"atomic_max", "pointer val mask sem scope", func(c *call) value { return lowerAtomic(c, op.AtomicMax) }},
	{"atomic_min", "pointer val mask sem scope", func(c *call) value { return lowerAtomic(c, op.AtomicMin) }},
	{"atomic_and", "pointer val mask sem scope", func(c *call) value { return lowerAtomic(c, op.AtomicAnd) }},
	{"atomic_or", "pointer val mask sem scope", func(c *call) value { return lowerAtomic(c, op.AtomicOr) }},
	{"atomic_xor", "pointer val mask sem scope", func(c *call) value { return lowerAtomic(c, op.AtomicXor) }},
	{"atomic_xchg", "pointer val mask sem scope", func(c *call) value { return lowerAtomic(c, op.AtomicXchg) }},
	{"atomic_cas", "pointer cmp val sem scope", lowerCAS},
}

// pointer is what is loaded from or stored to.
func (c *call) pointer() *ir.Value {
	v := c.arg("pointer")
	p, ok := v.(tensor)
	if !ok {
		fail(c.refuse("%s of %s: want a pointer", c.what, describe(v)).
			Fix("a tensor that may be None is loaded from only where it is not: if x is not None"))
	}
	c.want(p.v)
	c.holds(c.what, p.v.Type.IsPointer())
	return p.v
}

// maskOf is the mask, nil if there is none or it is always true.
func (c *call) maskOf() *ir.Value {
	v := c.arg("mask")
	if v == nil {
		return nil
	}
	m := c.asBool(c.numeric(c.what, v).v)
	if emit.IsTrue(m) {
		return nil
	}
	return m
}

func lowerLoad(c *call) value {
	if r, ok := c.arg("pointer").(*region); ok {
		return r.load(c)
	}
	p, m := c.pointer(), c.maskOf()
	xs := []*ir.Value{p}
	if m != nil {
		xs = append(xs, m)
	}
	if other := c.arg("other"); other != nil && m != nil {
		xs = append(xs, c.elementFor(p, other))
	}
	s := c.shape(c.what, xs...)
	for i, x := range xs {
		xs[i] = c.broadcast(x, s)
	}
	var fill *ir.Value
	if len(xs) == 3 {
		fill = xs[2]
	}
	if m != nil {
		m = xs[1]
	}
	return tensor{v: emit.Load(&c.emitter, c.what, xs[0], m, fill)}
}

// elementFor is a value as an element that a pointer points to.
func (c *call) elementFor(p *ir.Value, v value) *ir.Value {
	d := p.Type.D.Elem()
	if number.Is(v) {
		return c.Constant(d, number.Bits(v, d))
	}
	return c.cast(c.numeric(c.what, v).v, d)
}

// spread is a value or mask in the shape of pointers, which it must not enlarge.
func (c *call) spread(what string, x, ptr *ir.Value) *ir.Value {
	c.holds(c.what, x.Type.GoesTo(what, ptr.Type))
	return c.broadcast(x, ptr.Type.Shape)
}

func lowerStore(c *call) value {
	if r, ok := c.arg("pointer").(*region); ok {
		ptr, mask := r.addresses(c, r.offsets, r.boundary(c))
		c.store(ptr, mask, c.arg("value"))
		return nil
	}
	p, m := c.pointer(), c.maskOf()
	x := c.elementFor(p, c.arg("value"))
	if !p.Type.IsTile() && x.Type.IsTile() && x.Type.Shape.Len() == 1 {
		x = emit.Reshape(&c.emitter, x, ir.Shape{}) // a single element in brackets
	}
	if m != nil && !p.Type.IsTile() && m.Type.IsTile() && m.Type.Shape.Len() == 1 {
		m = emit.Reshape(&c.emitter, m, ir.Shape{})
	}
	if m != nil {
		m = c.spread("mask", m, p)
	}
	c.write(p, m, x)
	return nil
}

// store writes a value through pointers.
func (c *call) store(ptr, mask *ir.Value, v value) {
	c.write(ptr, mask, c.elementFor(ptr, v))
}

func (c *call) write(ptr, mask, x *ir.Value) {
	emit.Store(&c.emitter, c.what, ptr, mask, c.spread("value", x, ptr))
}

func lowerAtomic(c *call, o op.Op) value {
	p, m := c.pointer(), c.maskOf()
	c.holds(c.what, rule.AtomicOn(o, p.Type))
	x := c.spread("value", c.elementFor(p, c.arg("val")), p)
	if m != nil {
		m = c.spread("mask", m, p)
	}
	return tensor{v: emit.Atomic(&c.emitter, o, c.what, p, m, x)}
}

func lowerCAS(c *call) value {
	p := c.pointer()
	c.holds(c.what, rule.AtomicOn(op.AtomicCAS, p.Type))
	cmp, x := c.spread("value", c.elementFor(p, c.arg("cmp")), p), c.spread("value", c.elementFor(p, c.arg("val")), p)
	return tensor{v: emit.Atomic(&c.emitter, op.AtomicCAS, c.what, p, nil, cmp, x)}
}

// lowerRegion is a block pointer or a descriptor, which is taken apart while lowering: what is
// left at run time is its base and the numbers that are not known.
func lowerRegion(c *call, desc bool) value {
	base, ok := c.arg("base").(tensor)
	if ok {
		c.want(base.v)
	}
	if !ok || !base.v.Type.D.IsPointer() || base.v.Type.IsTile() {
		fail(c.refuse("%s: the base is %s, want a single pointer", c.what, describe(c.arg("base"))))
	}
	r := &region{desc: desc, base: base, shape: c.elements(c.arg("shape")), strides: c.elements(c.arg("strides"))}
	s := c.sizes(c.arg("block_shape"), c.what)
	r.block = s.Dims()
	if !desc {
		r.offsets = c.places(c.elements(c.arg("offsets")))
	}
	r.nan = c.arg("padding_option") == "nan"
	if len(r.shape) != s.N || len(r.strides) != s.N || !desc && len(r.offsets) != s.N {
		fail(c.refuse("%s: shape, strides and block_shape have %d, %d and %d numbers", c.what, len(r.shape), len(r.strides), s.N))
	}
	return r
}

// described is a descriptor that the host made.
func (l *place) described(base tensor, d Descriptor) value {
	s := l.sizes(constant(anys(d.Block)), "a tensor descriptor")
	if len(d.Shape) != s.N || len(d.Strides) != s.N {
		fail(l.refuse("a tensor descriptor: shape, strides and block_shape have %d, %d and %d numbers", len(d.Shape), len(d.Strides), s.N))
	}
	return &region{
		desc: true, base: base, block: s.Dims(), nan: d.NaN,
		shape: constant(anys(d.Shape)).(tuple), strides: constant(anys(d.Strides)).(tuple),
	}
}

func anys(ns []int) (z []any) {
	for _, n := range ns {
		z = append(z, n)
	}
	return z
}

func lowerAdvance(c *call) value {
	r, ok := c.arg("base").(*region)
	if !ok || r.desc {
		fail(c.refuse("%s of %s: want a block pointer", c.what, describe(c.arg("base"))))
	}
	by := c.places(c.elements(c.arg("offsets")))
	if len(by) != len(r.offsets) {
		fail(c.refuse("%s: %d offsets for %d dimensions", c.what, len(by), len(r.offsets)))
	}
	z := *r
	z.offsets = nil
	for i, o := range r.offsets {
		z.offsets = append(z.offsets, c.moved(o.(tensor).v, by[i].(tensor).v))
	}
	return &z
}

// places are offsets in 64 bits, in which block pointers compute.
func (c *call) places(vs tuple) (out []value) {
	for _, v := range vs {
		out = append(out, tensor{v: c.number(v)})
	}
	return out
}

// moved is x + by.
func (c *call) moved(x, by *ir.Value) value {
	switch {
	case isScalarConst(by) && by.Bits == 0:
		return tensor{v: x}
	case isScalarConst(x) && x.Bits == 0:
		return tensor{v: by}
	}
	return tensor{v: c.fold(op.Add, x.Type, x, by)}
}

func descriptorOf(c *call) *region {
	r, ok := c.arg("desc").(*region)
	if !ok {
		fail(c.refuse("%s of %s: want a tensor descriptor made in the kernel", c.what, describe(c.arg("desc"))).
			Fix("make it with tl.make_tensor_descriptor from the tensor, its shape and its strides"))
	}
	return r
}

func (r *region) allAxes() []bool { return slices.Repeat([]bool{true}, len(r.block)) }

// boundary is the axes that boundary_check names.
func (r *region) boundary(c *call) []bool {
	check := make([]bool, len(r.block))
	if !c.given("boundary_check") {
		return check
	}
	axes, ok := c.arg("boundary_check").(tuple)
	if !ok {
		axes = tuple{c.arg("boundary_check")}
	}
	for _, a := range axes {
		i := c.staticInt(a, "an axis of boundary_check")
		if i < 0 || i >= len(check) {
			fail(c.refuse("boundary_check of axis %d of %d", i, len(check)))
		}
		check[i] = true
	}
	return check
}

func (r *region) load(c *call) value {
	ptr, mask := r.addresses(c, r.offsets, r.boundary(c))
	if mask == nil {
		return tensor{v: emit.Load(&c.emitter, c.what, ptr, nil, nil)}
	}
	if p, ok := c.arg("padding_option").(string); ok && p != "" {
		return tensor{v: emit.Load(&c.emitter, c.what, ptr, mask, emit.Padding(&c.emitter, ptr.Type, p == "nan"))}
	}
	return tensor{v: emit.Load(&c.emitter, c.what, ptr, mask, nil)}
}

// addresses is the pointers of a block at a position, and the mask of those that lie inside
// along the axes that are checked; nil if none is. Offsets are computed in 64 bits.
func (r *region) addresses(c *call, at []value, check []bool) (ptr, mask *ir.Value) {
	if len(at) != len(r.block) {
		fail(c.refuse("%s: %d coordinates for a tensor of %d dimensions", c.what, len(at), len(r.block)))
	}
	c.holds(c.what, ir.Type{D: r.base.v.Type.D, Shape: ir.ShapeOf(r.block...)}.Check())
	return emit.Region{
		Base: r.base.v, Block: r.block,
		At:   func(k int) *ir.Value { return c.number(at[k]) },
		Size: func(k int) *ir.Value { return c.number(r.shape[k]) },
		Stride: func(k int) *ir.Value {
			if s := c.number(r.strides[k]); !isOne(s) {
				return s
			}
			return nil
		},
	}.Addresses(&c.emitter, check)
}

// number is an offset, size or stride as an int64 scalar.
func (c *call) number(v value) *ir.Value {
	x := c.numeric(c.what, v).v
	if !x.Type.D.IsInt() || x.Type.IsTile() {
		fail(c.refuse("%s: %s where a single integer is wanted", c.what, describe(v)))
	}
	return c.cast(x, dtype.Int64)
}

func isOne(v *ir.Value) bool { return v.Op == op.Const && v.Bits == 1 }
