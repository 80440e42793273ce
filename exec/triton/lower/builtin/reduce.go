package builtin

import (
	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// reductions go along an axis; a product is one, too.
var reductions = []line{
	{".sum", "input axis keep_dims dtype", lowerSum},
	{".max", "input axis return_indices return_indices_tie_break_left keep_dims", func(c *Call) value.Value { return lowerExtreme(c, op.Max, op.MaxIndex) }},
	{".min", "input axis return_indices return_indices_tie_break_left keep_dims", func(c *Call) value.Value { return lowerExtreme(c, op.Min, op.MinIndex) }},
	{".argmax", "input axis tie_break_left keep_dims", func(c *Call) value.Value { return lowerIndex(c, op.ArgMax) }},
	{".argmin", "input axis tie_break_left keep_dims", func(c *Call) value.Value { return lowerIndex(c, op.ArgMin) }},
	{".xor_sum", "input axis keep_dims", func(c *Call) value.Value { return lowerBits(c, op.XorSum) }},
	{".reduce_or", "input axis keep_dims", func(c *Call) value.Value { return lowerBits(c, op.OrSum) }},
	{".reduce", "input axis combine_fn keep_dims", lowerReduce},
	{".associative_scan", "input axis combine_fn reverse", lowerScan},
	{".cumsum", "input axis reverse dtype", func(c *Call) value.Value { return lowerCumulated(c, op.CumSum) }},
	{".cumprod", "input axis reverse", func(c *Call) value.Value { return lowerCumulated(c, op.CumProd) }},
	{".sort", "x dim descending", lowerSort},
	{".topk", "x k dim", lowerTopK},
	{".histogram", "input num_bins mask", lowerHistogram},
	{".gather", "src index axis", lowerGather},
	{"dot", "input other acc input_precision allow_tf32 max_num_imprecise_acc out_dtype trans_a trans_b", lowerDot},
}

// arrange flattens x if the reduction is over all elements, and resolves the axis and the
// result's shape.
func (c *Call) arrange(x *ir.Value) (z *ir.Value, axis int, s ir.Shape) {
	axis = emit.All
	if c.given("axis") {
		axis = c.scanAxis(x.Type)
	}
	return emit.Arrange(c.Emitter, x, axis, c.asked("keep_dims"))
}

// axis is the axis that an argument names; without is the one if there is no such argument.
func (c *Call) axis(t ir.Type, arg string, without int, what string) int {
	if c.given(arg) {
		without = c.StaticInt(c.arg(arg), what)
	}
	axis, wrong := t.Axis(without)
	c.Holds(c.what, wrong)
	return axis
}

// asked reports whether an argument is known and true.
func (c *Call) asked(name string) bool {
	v, ok := value.Known(c.arg(name))
	return ok && value.Truth(v)
}

// reduced is a reduction of one operand to elements of type d.
func (c *Call) reduced(o op.Op, x *ir.Value, d dtype.DType) *ir.Value {
	z, axis, s := c.arrange(x)
	return emit.Reshape(c.Emitter, emit.Reduced(c.Emitter, o, z, d, axis), s)
}

func lowerSum(c *Call) value.Value {
	x := c.Numeric(c.what, c.arg("input")).IR
	result := rule.Widened32(x.Type.D)
	if c.given("dtype") {
		result = c.elementType(c.arg("dtype"))
	}
	x = c.Cast(x, result.Compute())
	return value.Tensor{IR: c.Cast(c.reduced(op.Sum, x, x.Type.D), result)}
}

func lowerExtreme(c *Call, o, indexed op.Op) value.Value {
	x := c.Numeric(c.what, c.arg("input")).IR
	if c.asked("return_indices") {
		z, axis, s := c.arrange(c.float(x))
		return c.results(emit.Found(c.Emitter, indexed, z, axis), s)
	}
	x = c.Cast(x, rule.Extremum32(x.Type.D))
	return value.Tensor{IR: c.reduced(o, x, x.Type.D)}
}

// float is x for a search, which has no bfloat16.
func (c *Call) float(x *ir.Value) *ir.Value {
	if x.Type.D == dtype.BFloat16 {
		return c.Cast(x, dtype.Float32)
	}
	return x
}

// results are those of a value that has several, in another shape.
func (c *Call) results(v *ir.Value, s ir.Shape) value.Tuple {
	t := value.Tuple{}
	for i := range v.Results {
		t = append(t, value.Tensor{IR: emit.Reshape(c.Emitter, emit.Result(c.Emitter, v, i), s)})
	}
	return t
}

func lowerIndex(c *Call, o op.Op) value.Value {
	return value.Tensor{IR: c.reduced(o, c.float(c.Numeric(c.what, c.arg("input")).IR), dtype.Int32)}
}

func lowerBits(c *Call, o op.Op) value.Value {
	x := c.Numeric(c.what, c.arg("input")).IR
	if !x.Type.D.IsInt() {
		value.Fail(c.Refuse("%s of %s: integers only", c.what, x.Type).Fix("convert first: x.to(tl.int32)"))
	}
	return value.Tensor{IR: c.reduced(o, x, x.Type.D)}
}

func lowerCumulated(c *Call, o op.Op) value.Value {
	x := c.Numeric(c.what, c.arg("input")).IR
	result := x.Type.D
	if o == op.CumSum {
		result = rule.Widened32(result)
	}
	if result == dtype.BFloat16 {
		result = dtype.Float32
	}
	if c.given("dtype") {
		result = c.elementType(c.arg("dtype"))
	}
	x = c.Cast(x, result.Compute())
	v := c.Emit(o, x.Type, x)
	v.Axis = c.scanAxis(x.Type)
	c.reverse(v)
	return value.Tensor{IR: c.Cast(v, result)}
}

func (c *Call) scanAxis(t ir.Type) int { return c.axis(t, "axis", 0, "the axis of "+c.what) }

func (c *Call) reverse(v *ir.Value) {
	if c.asked("reverse") {
		v.Flags |= ir.Reverse
	}
}

// together are tiles that are reduced or scanned together.
func (c *Call) together() (xs []*ir.Value, one bool) {
	_, several := c.arg("input").(value.Tuple)
	for _, v := range value.List(c.arg("input")) {
		x := c.Numeric(c.what, v).IR
		xs = append(xs, x)
		c.Holds(c.what, rule.SameShape(xs[0].Type, x.Type))
	}
	if len(xs) > 3 {
		value.Fail(c.Refuse("%s of %d tiles: at most 3", c.what, len(xs)))
	}
	return xs, !several
}

func lowerReduce(c *Call) value.Value {
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

func lowerScan(c *Call) value.Value {
	xs, one := c.together()
	if len(xs) > 2 {
		value.Fail(c.Refuse("%s of %d tiles: at most 2", c.what, len(xs)))
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

// combined is a reduction or scan by a function of the kernel's.
func (c *Call) combined(o op.Op, xs []*ir.Value, axis int, s ir.Shape) *ir.Value {
	f, ok := c.arg("combine_fn").(value.Function)
	if !ok {
		value.Fail(c.Refuse("%s: combine_fn is %s, want a function with @triton.jit", c.what, value.Describe(c.arg("combine_fn"))))
	}
	if c.Lanes != nil {
		value.Fail(c.Refuse("%s within a combining function", c.what))
	}
	at, outer := c.At, c.Block
	b := &ir.Block{}
	in := map[*ir.Value]bool{}
	var gs []Given
	for range 2 {
		for _, x := range xs {
			a := c.Func.NewValue(op.None, x.Type.Elem(), c.Here())
			in[a] = true
			b.Args = append(b.Args, a)
			gs = append(gs, Given{Value: value.Tensor{IR: a}})
		}
	}
	c.Lanes, c.Block = &value.Lanes{Outer: outer, In: in}, b
	z := c.Inline(f, gs)
	c.yields(xs, z)
	c.Lanes, c.Block, c.At = nil, outer, at
	return emit.Combined(c.Emitter, o, xs, axis, s, b)
}

// yields ends a combining function.
func (c *Call) yields(xs []*ir.Value, z value.Value) {
	list := value.List(z)
	if len(list) != len(xs) {
		value.Fail(c.Refuse("%s: combine_fn returns %d values for %d tiles", c.what, len(list), len(xs)))
	}
	out := make([]*ir.Value, len(xs))
	for i, v := range list {
		out[i] = c.Cast(c.Numeric(c.what, v).IR, xs[i].Type.D)
	}
	c.Emit(ir.Yield, ir.Type{}, out...)
}

func (c *Call) lastAxis(t ir.Type, what string) {
	if !c.given(what) {
		return
	}
	axis, wrong := t.Axis(c.StaticInt(c.arg(what), "an axis"))
	c.Holds(c.what, wrong)
	if axis != t.Shape.N-1 {
		value.Fail(c.Refuse("%s: only along the last axis", c.what).Fix("transpose with tl.trans before and after"))
	}
}

func lowerSort(c *Call) value.Value {
	x := c.ToTensor(c.arg("x")).IR
	c.Holds(c.what, x.Type.Sortable())
	c.lastAxis(x.Type, "dim")
	v := emit.Along(c.Emitter, op.Sort, x.Type, x.Type.Shape.N-1, x)
	if c.asked("descending") {
		v.Flags |= ir.Descending
	}
	return value.Tensor{IR: v}
}

func lowerTopK(c *Call) value.Value {
	x := c.ToTensor(c.arg("x")).IR
	c.Holds(c.what, x.Type.Sortable())
	c.lastAxis(x.Type, "dim")
	k := c.StaticInt(c.arg("k"), "k")
	t := c.must(x.Type.TopK(k))
	v := emit.Along(c.Emitter, op.TopK, ir.Type{}, x.Type.Shape.N-1, x)
	v.Index = k
	v.Results = []ir.Type{t, t.As(dtype.Int32)}
	return c.results(v, t.Shape)[0]
}

func lowerHistogram(c *Call) value.Value {
	x := c.ToTensor(c.arg("input")).IR
	c.Holds(c.what, x.Type.Countable())
	n := c.StaticInt(c.arg("num_bins"), "the number of bins")
	c.Holds(c.what, rule.Sizes([]int{n}))
	args := []*ir.Value{x}
	if c.given("mask") {
		args = append(args, c.Broadcast(c.AsBool(c.ToTensor(c.arg("mask")).IR), x.Type.Shape))
	}
	v := c.Emit(op.Histogram, ir.Tile(dtype.Int32, n), args...)
	if len(args) == 2 {
		v.Flags |= ir.Masked
	}
	return value.Tensor{IR: v}
}

func lowerGather(c *Call) value.Value {
	x, index := c.ToTensor(c.arg("src")).IR, c.ToTensor(c.arg("index")).IR
	axis, wrong := x.Type.Axis(c.StaticInt(c.arg("axis"), "an axis"))
	c.Holds(c.what, wrong)
	t := c.must(x.Type.Gather(index.Type, axis))
	v := emit.Along(c.Emitter, op.Gather, t, axis, x, index)
	v.Text = c.what
	return value.Tensor{IR: v}
}

// lowerDot is a product. How a GPU may round its operands (TF32) is not copied: it is computed
// in full.
func lowerDot(c *Call) value.Value {
	in := [2]*ir.Value{}
	for i, names := range [][2]string{{"input", "trans_a"}, {"other", "trans_b"}} { // Triton 2.0 turned operands itself
		x := c.ToTensor(c.arg(names[0]))
		if c.asked(names[1]) {
			x = c.Transposed(x).(value.Tensor)
		}
		in[i] = x.IR
	}
	x, y := in[0], in[1]
	result, wrong := rule.DotSums(x.Type, y.Type)
	c.Holds(c.what, wrong)
	if c.given("out_dtype") {
		as := c.elementType(c.arg("out_dtype"))
		if wrong := rule.DotAs(x.Type, y.Type, result, as); wrong == nil {
			result = as
		}
	}
	s, wrong := rule.DotShape(x.Type, y.Type)
	c.Holds(c.what, wrong)
	t := ir.Type{D: result, Shape: s}
	c.Holds(c.what, t.Check())
	if !c.given("acc") {
		return value.Tensor{IR: c.Emit(op.Dot, t, x, y), Dot: true}
	}
	acc := c.ToTensor(c.arg("acc")).IR
	if acc.Type.D == dtype.Float16 && rule.DotAs(x.Type, y.Type, result, dtype.Float16) == nil {
		t.D = dtype.Float16
	}
	c.Holds(c.what, rule.DotAcc(x.Type, y.Type, acc.Type, t))
	v := c.Emit(op.Dot, t, x, y, acc)
	v.Flags = ir.HasAcc
	return value.Tensor{IR: v}
}
