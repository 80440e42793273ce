package lower

import (
	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// reductions go along an axis; a product is one, too.
var reductions = []line{
	{".sum", "input axis keep_dims dtype", lowerSum},
	{".max", "input axis return_indices return_indices_tie_break_left keep_dims", func(c *call) value { return lowerExtreme(c, op.Max, op.MaxIndex) }},
	{".min", "input axis return_indices return_indices_tie_break_left keep_dims", func(c *call) value { return lowerExtreme(c, op.Min, op.MinIndex) }},
	{".argmax", "input axis tie_break_left keep_dims", func(c *call) value { return lowerIndex(c, op.ArgMax) }},
	{".argmin", "input axis tie_break_left keep_dims", func(c *call) value { return lowerIndex(c, op.ArgMin) }},
	{".xor_sum", "input axis keep_dims", func(c *call) value { return lowerBits(c, op.XorSum) }},
	{".reduce_or", "input axis keep_dims", func(c *call) value { return lowerBits(c, op.OrSum) }},
	{".reduce", "input axis combine_fn keep_dims", lowerReduce},
	{".associative_scan", "input axis combine_fn reverse", lowerScan},
	{".cumsum", "input axis reverse dtype", func(c *call) value { return lowerCumulated(c, op.CumSum) }},
	{".cumprod", "input axis reverse", func(c *call) value { return lowerCumulated(c, op.CumProd) }},
	{".sort", "x dim descending", lowerSort},
	{".topk", "x k dim", lowerTopK},
	{".histogram", "input num_bins mask", lowerHistogram},
	{".gather", "src index axis", lowerGather},
	{"dot", "input other acc input_precision allow_tf32 max_num_imprecise_acc out_dtype trans_a trans_b", lowerDot},
}

// arrange flattens x if the reduction is over all elements, and resolves the axis and the
// result's shape.
func (c *call) arrange(x *ir.Value) (z *ir.Value, axis int, s ir.Shape) {
	axis = emit.All
	if c.given("axis") {
		axis = c.scanAxis(x.Type)
	}
	return emit.Arrange(&c.emitter, x, axis, c.asked("keep_dims"))
}

// axis is the axis that an argument names; without is the one if there is no such argument.
func (c *call) axis(t ir.Type, arg string, without int, what string) int {
	if c.given(arg) {
		without = c.staticInt(c.arg(arg), what)
	}
	axis, wrong := t.Axis(without)
	c.holds(c.what, wrong)
	return axis
}

// asked reports whether an argument is known and true.
func (c *call) asked(name string) bool {
	v, ok := known(c.arg(name))
	return ok && truth(v)
}

// reduced is a reduction of one operand to elements of type d.
func (c *call) reduced(o op.Op, x *ir.Value, d dtype.DType) *ir.Value {
	z, axis, s := c.arrange(x)
	return emit.Reshape(&c.emitter, emit.Reduced(&c.emitter, o, z, d, axis), s)
}

func lowerSum(c *call) value {
	x := c.numeric(c.what, c.arg("input")).v
	result := rule.Widened32(x.Type.D)
	if c.given("dtype") {
		result = c.elementType(c.what, c.arg("dtype"))
	}
	x = c.cast(x, result.Compute())
	return tensor{v: c.cast(c.reduced(op.Sum, x, x.Type.D), result)}
}

func lowerExtreme(c *call, o, indexed op.Op) value {
	x := c.numeric(c.what, c.arg("input")).v
	if c.asked("return_indices") {
		z, axis, s := c.arrange(c.float(x))
		return c.results(emit.Found(&c.emitter, indexed, z, axis), s)
	}
	x = c.cast(x, rule.Extremum32(x.Type.D))
	return tensor{v: c.reduced(o, x, x.Type.D)}
}

// float is x for a search, which has no bfloat16.
func (c *call) float(x *ir.Value) *ir.Value {
	if x.Type.D == dtype.BFloat16 {
		return c.cast(x, dtype.Float32)
	}
	return x
}

// results are those of a value that has several, in another shape.
func (c *call) results(v *ir.Value, s ir.Shape) tuple {
	t := tuple{}
	for i := range v.Results {
		t = append(t, tensor{v: emit.Reshape(&c.emitter, emit.Result(&c.emitter, v, i), s)})
	}
	return t
}

func lowerIndex(c *call, o op.Op) value {
	return tensor{v: c.reduced(o, c.float(c.numeric(c.what, c.arg("input")).v), dtype.Int32)}
}

func lowerBits(c *call, o op.Op) value {
	x := c.numeric(c.what, c.arg("input")).v
	if !x.Type.D.IsInt() {
		fail(c.refuse("%s of %s: integers only", c.what, x.Type).Fix("convert first: x.to(tl.int32)"))
	}
	return tensor{v: c.reduced(o, x, x.Type.D)}
}

func lowerCumulated(c *call, o op.Op) value {
	x := c.numeric(c.what, c.arg("input")).v
	result := x.Type.D
	if o == op.CumSum {
		result = rule.Widened32(result)
	}
	if result == dtype.BFloat16 {
		result = dtype.Float32
	}
	if c.given("dtype") {
		result = c.elementType(c.what, c.arg("dtype"))
	}
	x = c.cast(x, result.Compute())
	v := c.Emit(o, x.Type, x)
	v.Axis = c.scanAxis(x.Type)
	c.reverse(v)
	return tensor{v: c.cast(v, result)}
}

func (c *call) scanAxis(t ir.Type) int { return c.axis(t, "axis", 0, "the axis of "+c.what) }

func (c *call) reverse(v *ir.Value) {
	if c.asked("reverse") {
		v.Flags |= ir.Reverse
	}
}

// together are tiles that are reduced or scanned together.
func (c *call) together() (xs []*ir.Value, one bool) {
	list, ok := c.arg("input").(tuple)
	if !ok {
		list = tuple{c.arg("input")}
	}
	for _, v := range list {
		x := c.numeric(c.what, v).v
		xs = append(xs, x)
		c.holds(c.what, rule.SameShape(xs[0].Type, x.Type))
	}
	if len(xs) > 3 {
		fail(c.refuse("%s of %d tiles: at most 3", c.what, len(xs)))
	}
	return xs, !ok
}

func lowerReduce(c *call) value {
	xs, one := c.together()
	var axis int
	var s ir.Shape
	for i, x := range xs {
		xs[i], axis, s = c.arrange(x)
	}
	v := c.combined(op.Reduce, xs, axis, xs[0].Type.Shape.Drop(axis))
	z := c.results(v, s)
	if one {
		return z[0]
	}
	return z
}

func lowerScan(c *call) value {
	xs, one := c.together()
	if len(xs) > 2 {
		fail(c.refuse("%s of %d tiles: at most 2", c.what, len(xs)))
	}
	axis := c.scanAxis(xs[0].Type)
	v := c.combined(op.Scan, xs, axis, xs[0].Type.Shape)
	c.reverse(v)
	z := c.results(v, xs[0].Type.Shape)
	if one {
		return z[0]
	}
	return z
}

// lanes is a combining function being lowered: what does not depend on its lanes goes to the
// block around it.
type lanes struct {
	outer *ir.Block
	in    map[*ir.Value]bool
}

// add appends a value to the current block.
func (n *lanes) add(l *emitter, v *ir.Value) {
	b := l.block
	if n != nil && !v.IsTerm() {
		if v.IsControl() || !v.Pure() {
			fail(l.refuse("%s in a combining function: it only computes", ir.OpName(v.Op)).
				Fix("choose with tl.where, and load or divide before the reduction"))
		}
		depends := false
		for _, a := range v.Args {
			depends = depends || n.in[a]
		}
		if depends {
			n.in[v] = true
		} else {
			b = n.outer
		}
	}
	b.Values = append(b.Values, v)
}

// combined is a reduction or scan by a function of the kernel's.
func (c *call) combined(o op.Op, xs []*ir.Value, axis int, s ir.Shape) *ir.Value {
	f, ok := c.arg("combine_fn").(function)
	if !ok {
		fail(c.refuse("%s: combine_fn is %s, want a function with @triton.jit", c.what, describe(c.arg("combine_fn"))))
	}
	if c.lanes != nil {
		fail(c.refuse("%s within a combining function", c.what))
	}
	at, outer := c.at, c.block
	b := &ir.Block{}
	in := map[*ir.Value]bool{}
	var gs []given
	for range 2 {
		for _, x := range xs {
			a := c.fn.NewValue(op.None, x.Type.Elem(), c.here())
			in[a] = true
			b.Args = append(b.Args, a)
			gs = append(gs, given{value: tensor{v: a}})
		}
	}
	c.lanes, c.block = &lanes{outer, in}, b
	z := c.inline(f, gs, at)
	c.yields(xs, z)
	c.lanes, c.block, c.at = nil, outer, at
	return emit.Combined(&c.emitter, o, xs, axis, s, b)
}

// yields ends a combining function.
func (c *call) yields(xs []*ir.Value, z value) {
	list, ok := z.(tuple)
	if !ok {
		list = tuple{z}
	}
	if len(list) != len(xs) {
		fail(c.refuse("%s: combine_fn returns %d values for %d tiles", c.what, len(list), len(xs)))
	}
	out := make([]*ir.Value, len(xs))
	for i, v := range list {
		out[i] = c.cast(c.numeric(c.what, v).v, xs[i].Type.D)
	}
	c.Emit(ir.Yield, ir.Type{}, out...)
}

func (c *call) lastAxis(t ir.Type, what string) {
	if !c.given(what) {
		return
	}
	axis, wrong := t.Axis(c.staticInt(c.arg(what), "an axis"))
	c.holds(c.what, wrong)
	if axis != t.Shape.N-1 {
		fail(c.refuse("%s: only along the last axis", c.what).Fix("transpose with tl.trans before and after"))
	}
}

func lowerSort(c *call) value {
	x := c.toTensor(c.arg("x")).v
	c.holds(c.what, x.Type.Sortable())
	c.lastAxis(x.Type, "dim")
	v := emit.Along(&c.emitter, op.Sort, x.Type, x.Type.Shape.N-1, x)
	if c.asked("descending") {
		v.Flags |= ir.Descending
	}
	return tensor{v: v}
}

func lowerTopK(c *call) value {
	x := c.toTensor(c.arg("x")).v
	c.holds(c.what, x.Type.Sortable())
	c.lastAxis(x.Type, "dim")
	k := c.staticInt(c.arg("k"), "k")
	t := c.must(x.Type.TopK(k))
	v := emit.Along(&c.emitter, op.TopK, ir.Type{}, x.Type.Shape.N-1, x)
	v.Index = k
	v.Results = []ir.Type{t, t.As(dtype.Int32)}
	return c.results(v, t.Shape)[0]
}

func lowerHistogram(c *call) value {
	x := c.toTensor(c.arg("input")).v
	c.holds(c.what, x.Type.Countable())
	n := c.staticInt(c.arg("num_bins"), "the number of bins")
	c.holds(c.what, rule.Sizes([]int{n}))
	args := []*ir.Value{x}
	if c.given("mask") {
		args = append(args, c.broadcast(c.asBool(c.toTensor(c.arg("mask")).v), x.Type.Shape))
	}
	v := c.Emit(op.Histogram, ir.Tile(dtype.Int32, n), args...)
	if len(args) == 2 {
		v.Flags |= ir.Masked
	}
	return tensor{v: v}
}

func lowerGather(c *call) value {
	x, index := c.toTensor(c.arg("src")).v, c.toTensor(c.arg("index")).v
	axis, wrong := x.Type.Axis(c.staticInt(c.arg("axis"), "an axis"))
	c.holds(c.what, wrong)
	t := c.must(x.Type.Gather(index.Type, axis))
	v := emit.Along(&c.emitter, op.Gather, t, axis, x, index)
	v.Text = c.what
	return tensor{v: v}
}

// lowerDot is a product. How a GPU may round its operands (TF32) is not copied: it is computed
// in full.
func lowerDot(c *call) value {
	in := [2]*ir.Value{}
	for i, names := range [][2]string{{"input", "trans_a"}, {"other", "trans_b"}} { // Triton 2.0 turned operands itself
		x := c.toTensor(c.arg(names[0]))
		if c.asked(names[1]) {
			x = c.transposed(x).(tensor)
		}
		in[i] = x.v
	}
	x, y := in[0], in[1]
	result, wrong := rule.DotSums(x.Type, y.Type)
	c.holds(c.what, wrong)
	if c.given("out_dtype") {
		as := c.elementType(c.what, c.arg("out_dtype"))
		if wrong := rule.DotAs(x.Type, y.Type, result, as); wrong == nil {
			result = as
		}
	}
	s, wrong := rule.DotShape(x.Type, y.Type)
	c.holds(c.what, wrong)
	t := ir.Type{D: result, Shape: s}
	c.holds(c.what, t.Check())
	if !c.given("acc") {
		return tensor{v: c.Emit(op.Dot, t, x, y), dot: true}
	}
	acc := c.toTensor(c.arg("acc")).v
	if acc.Type.D == dtype.Float16 && rule.DotAs(x.Type, y.Type, result, dtype.Float16) == nil {
		t.D = dtype.Float16
	}
	c.holds(c.what, rule.DotAcc(x.Type, y.Type, acc.Type, t))
	v := c.Emit(op.Dot, t, x, y, acc)
	v.Flags = ir.HasAcc
	return tensor{v: v}
}
