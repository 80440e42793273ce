package lower

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strconv"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/number"
	"github.com/tiler-go/tiler/exec/triton/spell"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// creation makes tiles, and changes their elements' type.
var creation = []line{
	{"arange", "start end", lowerArange},
	{"zeros", "shape dtype", func(c *call) value { return lowerFull(c, c.arg("shape"), int64(0), c.arg("dtype")) }},
	{"full", "shape value dtype", func(c *call) value { return lowerFull(c, c.arg("shape"), c.arg("value"), c.arg("dtype")) }},
	{"zeros_like", "input", func(c *call) value {
		x := c.numeric(c.what, c.arg("input")).v
		return tensor{v: c.broadcast(c.Constant(x.Type.D, 0), x.Type.Shape)}
	}},
	{".to .cast", "input dtype fp_downcast_rounding bitcast", lowerCast},
	{"to_tensor", "x", func(c *call) value { return c.toTensor(c.arg("x")) }},
	{"constexpr triton.language.constexpr", "value", func(c *call) value {
		v, ok := known(c.arg("value"))
		if !ok {
			fail(c.refuse("tl.constexpr must be known before the kernel runs, not %s", describe(c.arg("value"))))
		}
		return v
	}},
}

func lowerArange(c *call) value {
	lo, hi := c.staticInt(c.arg("start"), "the start of tl.arange"), c.staticInt(c.arg("end"), "the end of tl.arange")
	if hi <= lo {
		fail(c.refuse("tl.arange(%d, %d) is empty: the end must be above the start", lo, hi))
	}
	if lo < math.MinInt32 || hi-1 > math.MaxInt32 {
		fail(c.refuse("tl.arange(%d, %d) does not fit int32", lo, hi))
	}
	c.holds(c.what, rule.Sizes([]int{hi - lo}))
	t := ir.Tile(dtype.Int32, hi-lo)
	c.holds(c.what, t.Check())
	return tensor{v: emit.Indexed(&c.emitter, op.Arange, t, lo)}
}

// element is a dtype of elements.
func (l *place) elementType(what string, v value) dtype.DType {
	if s, ok := v.(string); ok {
		d, known := spell.Type(s)
		if known {
			return d
		}
	}
	t, ok := v.(typeOf)
	if !ok {
		fail(l.refuse("%s: %s is not a dtype", what, describe(v)))
	}
	return t.d
}

func lowerFull(c *call, shape, v, d value) value {
	if d == nil {
		fail(c.refuse("%s: no dtype", c.what))
	}
	t := ir.Type{D: c.elementType(c.what, d), Shape: scalarShape(c, shape)}
	c.holds(c.what, rule.Element(t.D))
	c.holds(c.what, t.Check())
	if number.Is(v) {
		return tensor{v: c.broadcast(c.Constant(t.D, number.Bits(v, t.D)), t.Shape)}
	}
	x := c.numeric(c.what, v).v
	if x.Type.IsTile() {
		fail(c.refuse("%s: a value of shape %s", c.what, x.Type.Shape).Fix("use tl.broadcast_to to repeat a tile"))
	}
	return tensor{v: c.broadcast(c.cast(x, t.D), t.Shape)}
}

// scalarShape is a shape, which may be () or [].
func scalarShape(c *call, v value) ir.Shape {
	if t, ok := v.(tuple); ok && len(t) == 0 {
		return ir.Shape{}
	}
	return c.sizes(v, c.what)
}

func lowerCast(c *call) value {
	v := c.arg("input")
	if t, ok := c.arg("dtype").(typeOf); ok && t.d.IsPointer() {
		if p, ok := v.(tensor); ok && p.v.Type.D == t.d {
			return v
		}
		fail(c.refuse("%s: a pointer made of %s", c.what, describe(v)).
			Fix("pass the tensor itself as a parameter of the kernel"))
	}
	d := c.elementType(c.what, c.arg("dtype"))
	if bits, ok := c.arg("bitcast").(bool); ok && bits {
		x := c.toTensor(v).v
		c.must(x.Type.Bitcast(d))
		return tensor{v: emit.Bitcast(&c.emitter, x, d)}
	}
	if number.Is(v) && c.arg("bitcast") == nil {
		n, isInt := number.Big(v)
		if !isInt || d.IsFloat() || number.Fits(n, d) {
			return tensor{v: c.Constant(d, number.Bits(v, d))}
		}
	}
	x := c.toTensor(v)
	if x.v.Type.D.IsPointer() {
		fail(c.refuse("%s: a pointer as a number", c.what).Fix("compute with the offset before it is added to the pointer"))
	}
	if x.v.Type.D == d {
		return x // also keeps a product what it is
	}
	if c.arg("fp_downcast_rounding") == "rtz" {
		z := c.must(x.v.Type.Cast(d, true))
		return tensor{v: c.Emit(op.CastRTZ, z, x.v)}
	}
	return tensor{v: c.cast(x.v, d)}
}

// arithmetic is what the op table does not spell as a function of operands.
var arithmetic = []line{
	{"where", "condition x y", func(c *call) value {
		cond := c.toTensor(c.arg("condition"))
		return c.where(cond, c.arg("x"), c.arg("y"))
	}},
	{"maximum fmax builtins.max2", "x y propagate_nan", func(c *call) value { return lowerExtremum(c, op.Maximum, op.MaximumNaN) }},
	{"minimum fmin builtins.min2", "x y propagate_nan", func(c *call) value { return lowerExtremum(c, op.Minimum, op.MinimumNaN) }},
	{"clamp", "x min max propagate_nan", func(c *call) value {
		x, lo, hi := c.toTensor(c.arg("x")), c.toTensor(c.arg("min")), c.toTensor(c.arg("max"))
		return c.elementwise(op.Minimum, c.what, c.elementwise(op.Maximum, c.what, x, lo), hi)
	}},
	{"fdiv div_rn fast_dividef", "x y ieee_rounding", func(c *call) value {
		return c.elementwise(op.Div, c.what, c.toTensor(c.arg("x")), c.toTensor(c.arg("y")))
	}},
	{"sqrt_rn", "x", func(c *call) value { return lowerFunction(c, op.Sqrt, []string{"x"}) }},
	{"fast_expf", "x", func(c *call) value { return lowerFunction(c, op.Exp, []string{"x"}) }},
	{"fast_logf", "x", func(c *call) value { return lowerFunction(c, op.Log, []string{"x"}) }},
	{"fast_powf fast_pow", "x y", func(c *call) value { return lowerFunction(c, op.Pow, []string{"x", "y"}) }},
	{".abs fabs", "x", func(c *call) value { return lowerFunction(c, op.Abs, []string{"x"}) }},
	{"mul_rn", "x y", func(c *call) value { return c.elementwise(op.Mul, c.what, c.arg("x"), c.arg("y")) }},
	{"fmod", "x y", func(c *call) value { return c.elementwise(op.Mod, c.what, c.arg("x"), c.arg("y")) }},
	{"add", "x y sanitize_overflow", func(c *call) value { return c.operate("+", c.arg("x"), c.arg("y")) }},
	{"sub", "x y sanitize_overflow", func(c *call) value { return c.operate("-", c.arg("x"), c.arg("y")) }},
	{"mul", "x y sanitize_overflow", func(c *call) value { return c.operate("*", c.arg("x"), c.arg("y")) }},
	{".logical_and", "x y", func(c *call) value { return c.operate("&", c.boolean(c.arg("x")), c.boolean(c.arg("y"))) }},
	{".logical_or", "x y", func(c *call) value { return c.operate("|", c.boolean(c.arg("x")), c.boolean(c.arg("y"))) }},
	{"randint", "seed offset n_rounds", func(c *call) value { return lowerRandom(c, op.RandInt, "_randint") }},
	{"rand", "seed offset n_rounds", func(c *call) value { return lowerRandom(c, op.Rand, "_rand") }},
	{"randn", "seed offset n_rounds", func(c *call) value { return lowerRandom(c, op.Randn, "_randn") }},
	{"randint4x", "seed offset n_rounds", func(c *call) value {
		if otherRounds(c) {
			return lowerRandom(c, op.RandInt, "_randint4x")
		}
		z := tuple{}
		for _, o := range []op.Op{op.RandInt, op.RandInt1, op.RandInt2, op.RandInt3} {
			z = append(z, lowerRandom(c, o, ""))
		}
		return z
	}},
}

func lowerExtremum(c *call, o, nan op.Op) value {
	if c.arg("propagate_nan") == "ALL" {
		o = nan
	}
	x, y := c.arg("x"), c.arg("y")
	if number.Is(x) && number.Is(y) {
		less, _ := constCompare("<", x, y)
		if less == (o == op.Maximum || o == op.MaximumNaN) {
			return y
		}
		return x
	}
	return c.elementwise(o, c.what, c.toTensor(x), c.toTensor(y))
}

func otherRounds(c *call) bool {
	return c.given("n_rounds") && c.staticInt(c.arg("n_rounds"), "n_rounds") != 10
}

// lowerRandom is a random op of a seed and an offset. Other than 10 rounds are a function of the prelude's.
func lowerRandom(c *call, o op.Op, general string) value {
	seed, off := c.numeric(c.what, c.arg("seed")).v, c.numeric(c.what, c.arg("offset")).v
	for _, x := range []*ir.Value{seed, off} {
		if !x.Type.D.IsInt() {
			fail(c.refuse("%s of %s: want integers", c.what, x.Type))
		}
	}
	if otherRounds(c) {
		f, _ := prelude().lookup(general)
		gs := []given{{value: c.arg("seed")}, {value: c.arg("offset")}, {value: c.arg("n_rounds")}}
		return c.inline(f.(function), gs, c.at)
	}
	return tensor{v: emit.Random(&c.emitter, o, seed, off, false, c.shape(c.what, off, seed))}
}

// program is the program instance, and what only says something about it.
var program = []line{
	{"program_id", "axis", func(c *call) value { return c.place(op.ProgramID) }},
	{"num_programs", "axis", func(c *call) value { return c.place(op.NumPrograms) }},
	{"range builtins.range", "arg1 arg2 step num_stages loop_unroll_factor", misplaced},
	{"static_range", "arg1 arg2 step", misplaced},
	{"multiple_of max_contiguous max_constancy", "input values", func(c *call) value { return c.arg("input") }},
	{"assume", "cond", nothing},
	{"debug_barrier gdc_wait gdc_launch_dependents", "", nothing}, // here nobody is to be waited for
	{"static_print", "*", nothing},
	{"static_assert", "cond msg", func(c *call) value {
		if v, ok := known(c.arg("cond")); !ok || !truth(v) {
			fail(c.refuse("tl.static_assert does not hold%s", message(c.arg("msg"))))
		}
		return nil
	}},
	{"device_assert", "cond msg mask", func(c *call) value {
		text, _ := c.arg("msg").(string)
		cond := c.arg("cond")
		if c.given("mask") {
			cond = c.operate("|", c.boolean(cond), c.elementwise(op.Eq, c.what, c.boolean(c.arg("mask")), false))
		}
		c.asserts(cond, text)
		return nil
	}},
	{"device_print builtins.print", "prefix *", func(c *call) value {
		label, _ := c.arg("prefix").(string)
		xs := make([]*ir.Value, len(c.rest))
		for i, v := range c.rest {
			xs[i] = c.numeric(c.what, v).v
		}
		c.Emit(op.Print, ir.Type{}, xs...).Text = label
		return nil
	}},
	{"inline_asm_elementwise", "asm constraints args dtype is_pure pack", func(c *call) value {
		fail(c.refuse("tl.inline_asm_elementwise: instructions of a GPU mean nothing here").
			Fix("write what they compute with operators and tl functions"))
		return nil
	}},
}

func nothing(c *call) value { return nil }

func misplaced(c *call) value {
	fail(c.refuse("%s stands only behind for ... in", c.what))
	return nil
}

func message(v value) string {
	if s, ok := v.(string); ok {
		return ": " + s
	}
	return ""
}

func (c *call) place(o op.Op) value {
	axis := c.staticInt(c.arg("axis"), "the axis of "+c.what)
	if axis < 0 || axis > 2 {
		fail(c.refuse("%s: axis %d: a grid has axes 0, 1 and 2", c.what, axis))
	}
	return tensor{v: c.cast(emit.Indexed(&c.emitter, o, ir.Scalar(dtype.Int64), axis), dtype.Int32)}
}

// asserts ends the instance where a condition does not hold.
func (l *emitter) asserts(cond value, text string) {
	if c, ok := known(cond); ok {
		if !truth(c) {
			fail(l.refuse("this assertion does not hold%s", message(text)))
		}
		return
	}
	c := l.boolean(cond).(tensor)
	l.Emit(op.Assert, ir.Type{}, c.v).Text = text
}

// host is Python's own functions, and Triton's for the host.
var host = []line{
	{"builtins.len", "x", func(c *call) value { return int64(len(c.elements(c.arg("x")))) }},
	{"builtins.min", "*", func(c *call) value { return c.least("min2") }},
	{"builtins.max", "*", func(c *call) value { return c.least("max2") }},
	{"builtins.isinstance", "x of", lowerIsinstance},
	{"builtins.hasattr", "x name", func(c *call) value { return false }},
	{"builtins.abs", "x", func(c *call) value {
		if less, ok := constCompare("<", c.arg("x"), int64(0)); ok && number.Is(c.arg("x")) {
			if less {
				return c.constUnary("-", c.arg("x"))
			}
			return c.arg("x")
		}
		return lowerFunction(c, op.Abs, []string{"x"})
	}},
	{"triton.cdiv", "x y", func(c *call) value {
		x, y := c.arg("x"), c.arg("y")
		return c.operate("//", c.operate("-", c.operate("+", x, y), int64(1)), y)
	}},
	{"triton.next_power_of_2", "n", func(c *call) value {
		n := c.staticInt(c.arg("n"), "the argument of next_power_of_2")
		p := int64(1)
		for p < int64(n) && p < 1<<62 {
			p *= 2
		}
		return p
	}},
	{"_log2", "i", func(c *call) value {
		return int64(bits.Len(uint(max(c.staticInt(c.arg("i"), "the argument of _log2"), 1))) - 1)
	}},
	{"_is_power_of_two", "i", func(c *call) value {
		n := c.staticInt(c.arg("i"), "the argument of _is_power_of_two")
		return n > 0 && n&(n-1) == 0
	}},
	{"get_int_dtype", "bitwidth signed", func(c *call) value {
		letter := "i"
		if !truth(c.arg("signed")) {
			letter = "u"
		}
		return c.typeNamed(letter + strconv.Itoa(c.staticInt(c.arg("bitwidth"), "the width of an integer")))
	}},
	{"dtype", "name", func(c *call) value { return c.typeNamed(fmt.Sprint(c.arg("name"))) }},
	{"tuple", "args", func(c *call) value { return c.elements(c.arg("args")) }},
	{"math.sqrt", "x", hostMath(math.Sqrt)}, {"math.log", "x", hostMath(math.Log)}, {"math.log2", "x", hostMath(math.Log2)},
	{"math.exp", "x", hostMath(math.Exp)}, {"math.floor", "x", hostMath(math.Floor)}, {"math.ceil", "x", hostMath(math.Ceil)},
}

// typeNamed is a dtype by its name.
func (c *call) typeNamed(name string) value {
	d, ok := spell.Type(name)
	if !ok {
		fail(c.refuse("%s: no dtype is called %s", c.what, name))
	}
	return typeOf{d: d}
}

func hostMath(f func(x float64) float64) func(c *call) value {
	return func(c *call) value {
		v, ok := known(c.arg("x"))
		x, isNumber := number.Float(v)
		if !ok || !isNumber {
			fail(c.refuse("%s of %s: Python's math takes numbers that are known", c.what, describe(c.arg("x"))).Fix("use tl.%s", c.row.name()))
		}
		return f(x)
	}
}

// least is min or max of any number of values.
func (c *call) least(name string) value {
	vs := c.rest
	if len(vs) == 1 {
		vs = c.elements(vs[0])
	}
	if len(vs) == 0 {
		fail(c.refuse("%s: no arguments", c.what))
	}
	z := vs[0]
	r := rows["builtins."+name]
	for _, v := range vs[1:] {
		z = r.lower(&call{lowering: c.lowering, row: r, what: c.what, args: map[string]value{"x": z, "y": v}})
	}
	return z
}

func lowerIsinstance(c *call) value {
	kinds, ok := c.arg("of").(tuple)
	if !ok {
		kinds = tuple{c.arg("of")}
	}
	for _, k := range kinds {
		name := ""
		switch k := k.(type) {
		case class:
			name = string(k)
		case builtin:
			name = k.name()
		}
		if isA(c.arg("x"), name) {
			return true
		}
	}
	return false
}

func isA(v value, name string) bool {
	switch v.(type) {
	case tensor:
		return name == "tensor"
	case tuple:
		return name == "tuple" || name == "list"
	case bool:
		return name == "bool" || name == "int" || name == "constexpr"
	case int64, *big.Int:
		return name == "int" || name == "constexpr"
	case float64:
		return name == "float" || name == "constexpr"
	case string:
		return name == "str" || name == "constexpr"
	}
	return false
}

// convert is int(x), float(x) or bool(x).
func (l *emitter) convert(f class, v value) value {
	if s, ok := v.(string); ok && f == "float" {
		return l.floatText(s)
	}
	if t, ok := v.(tensor); ok && !isScalarConst(t.v) {
		d := map[class]dtype.DType{"int": dtype.Int32, "float": dtype.Float32, "bool": dtype.Bool}[f]
		if d == dtype.Invalid {
			fail(l.refuse("%s(%s): not possible in a kernel", f, describe(v)))
		}
		if d == dtype.Int32 && t.v.Type.D.IsInt() || d == dtype.Float32 && t.v.Type.D.IsFloat() {
			return v
		}
		return tensor{v: l.cast(t.v, d)}
	}
	c, _ := known(v)
	x, isNum := number.Float(c)
	switch {
	case f == "tuple" || f == "list":
		return l.elements(v)
	case f == "bool":
		return truth(c)
	case isNum && f == "float":
		return x
	case isNum && f == "int":
		if n, ok := number.Big(c); ok {
			return number.Whole(n)
		}
		if x == math.Trunc(x) || !math.IsInf(x, 0) && x == x {
			n, _ := big.NewFloat(math.Trunc(x)).Int(nil)
			return number.Whole(n)
		}
	}
	fail(l.refuse("%s(%s): not possible in a kernel", f, describe(v)))
	return nil
}

func (l *place) floatText(s string) value {
	switch s {
	case "inf", "+inf", "Infinity":
		return math.Inf(1)
	case "-inf", "-Infinity":
		return math.Inf(-1)
	case "nan", "NaN":
		return math.NaN()
	}
	f, _, err := big.ParseFloat(s, 10, 64, big.ToNearestEven)
	if err != nil {
		fail(l.refuse("float(%q) is not a number", s))
	}
	x, _ := f.Float64()
	return x
}
