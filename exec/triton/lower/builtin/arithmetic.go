package builtin

import (
	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/exec/triton/number"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// arithmetic is what the op table does not spell as a function of operands.
var arithmetic = []line{
	{"where", "condition x y", func(c *Call) value.Value {
		cond := c.ToTensor(c.arg("condition"))
		return c.Where(cond, c.arg("x"), c.arg("y"))
	}},
	{"maximum fmax builtins.max2", "x y propagate_nan", func(c *Call) value.Value { return lowerExtremum(c, op.Maximum, op.MaximumNaN) }},
	{"minimum fmin builtins.min2", "x y propagate_nan", func(c *Call) value.Value { return lowerExtremum(c, op.Minimum, op.MinimumNaN) }},
	{"clamp", "x min max propagate_nan", func(c *Call) value.Value {
		x, lo, hi := c.ToTensor(c.arg("x")), c.ToTensor(c.arg("min")), c.ToTensor(c.arg("max"))
		return c.Elementwise(op.Minimum, c.what, c.Elementwise(op.Maximum, c.what, x, lo), hi)
	}},
	{"fdiv div_rn fast_dividef", "x y ieee_rounding", func(c *Call) value.Value {
		return c.Elementwise(op.Div, c.what, c.ToTensor(c.arg("x")), c.ToTensor(c.arg("y")))
	}},
	{"sqrt_rn", "x", func(c *Call) value.Value { return lowerFunction(c, op.Sqrt, []string{"x"}) }},
	{"fast_expf", "x", func(c *Call) value.Value { return lowerFunction(c, op.Exp, []string{"x"}) }},
	{"fast_logf", "x", func(c *Call) value.Value { return lowerFunction(c, op.Log, []string{"x"}) }},
	{"fast_powf fast_pow", "x y", func(c *Call) value.Value { return lowerFunction(c, op.Pow, []string{"x", "y"}) }},
	{".abs fabs", "x", func(c *Call) value.Value { return lowerFunction(c, op.Abs, []string{"x"}) }},
	{"mul_rn", "x y", func(c *Call) value.Value { return c.Elementwise(op.Mul, c.what, c.arg("x"), c.arg("y")) }},
	{"fmod", "x y", func(c *Call) value.Value { return c.Elementwise(op.Mod, c.what, c.arg("x"), c.arg("y")) }},
	{"add", "x y sanitize_overflow", func(c *Call) value.Value { return c.Operate("+", c.arg("x"), c.arg("y")) }},
	{"sub", "x y sanitize_overflow", func(c *Call) value.Value { return c.Operate("-", c.arg("x"), c.arg("y")) }},
	{"mul", "x y sanitize_overflow", func(c *Call) value.Value { return c.Operate("*", c.arg("x"), c.arg("y")) }},
	{".logical_and", "x y", func(c *Call) value.Value { return c.Operate("&", c.Boolean(c.arg("x")), c.Boolean(c.arg("y"))) }},
	{".logical_or", "x y", func(c *Call) value.Value { return c.Operate("|", c.Boolean(c.arg("x")), c.Boolean(c.arg("y"))) }},
	{"randint", "seed offset n_rounds", func(c *Call) value.Value { return lowerRandom(c, op.RandInt, "_randint") }},
	{"rand", "seed offset n_rounds", func(c *Call) value.Value { return lowerRandom(c, op.Rand, "_rand") }},
	{"randn", "seed offset n_rounds", func(c *Call) value.Value { return lowerRandom(c, op.Randn, "_randn") }},
	{"randint4x", "seed offset n_rounds", func(c *Call) value.Value {
		if otherRounds(c) {
			return lowerRandom(c, op.RandInt, "_randint4x")
		}
		z := value.Tuple{}
		for _, o := range []op.Op{op.RandInt, op.RandInt1, op.RandInt2, op.RandInt3} {
			z = append(z, lowerRandom(c, o, ""))
		}
		return z
	}},
}

func lowerExtremum(c *Call, o, nan op.Op) value.Value {
	if c.arg("propagate_nan") == "ALL" {
		o = nan
	}
	x, y := c.arg("x"), c.arg("y")
	if number.Is(x) && number.Is(y) {
		less, _ := value.ConstCompare("<", x, y)
		if less == (o == op.Maximum || o == op.MaximumNaN) {
			return y
		}
		return x
	}
	return c.Elementwise(o, c.what, c.ToTensor(x), c.ToTensor(y))
}

func otherRounds(c *Call) bool {
	return c.given("n_rounds") && c.StaticInt(c.arg("n_rounds"), "n_rounds") != 10
}

// lowerRandom is a random op of a seed and an offset. Other than 10 rounds are a function of the prelude's.
func lowerRandom(c *Call, o op.Op, general string) value.Value {
	seed, off := c.Numeric(c.what, c.arg("seed")).IR, c.Numeric(c.what, c.arg("offset")).IR
	for _, x := range []*ir.Value{seed, off} {
		if !x.Type.D.IsInt() {
			value.Fail(c.Refuse("%s of %s: want integers", c.what, x.Type))
		}
	}
	if otherRounds(c) {
		return c.Inline(c.Prelude(general), []Given{{Value: c.arg("seed")}, {Value: c.arg("offset")}, {Value: c.arg("n_rounds")}})
	}
	return value.Tensor{IR: emit.Random(c.Emitter, o, seed, off, false, c.Shape(c.what, off, seed))}
}

// lowerFunction is an elementwise op of the arguments.
func lowerFunction(c *Call, o op.Op, params []string) value.Value {
	vs := make([]value.Value, len(params))
	for i, p := range params {
		v, ok := c.Args[p]
		if !ok {
			value.Fail(c.Refuse("%s: no argument for %s", c.what, p))
		}
		vs[i] = c.Numeric(c.what, v)
	}
	if o.Row().In&op.IntsB == 0 {
		for i, v := range vs {
			if t := v.(value.Tensor); !t.IR.Type.D.IsFloat() {
				vs[i] = value.Tensor{IR: c.Cast(t.IR, dtype.Float32)}
			}
		}
	}
	return c.Elementwise(o, c.what, vs...)
}
