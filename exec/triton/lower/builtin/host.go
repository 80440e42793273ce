package builtin

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strconv"

	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/exec/triton/number"
	"github.com/tiler-go/tiler/exec/triton/spell"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// host is Python's own functions, and Triton's for the host.
var host = []line{
	{"builtins.len", "x", func(c *Call) value.Value { return int64(len(c.Elements(c.arg("x")))) }},
	{"builtins.min", "*", func(c *Call) value.Value { return c.least("min2") }},
	{"builtins.max", "*", func(c *Call) value.Value { return c.least("max2") }},
	{"builtins.isinstance", "x of", lowerIsinstance},
	{"builtins.hasattr", "x name", func(c *Call) value.Value { return false }},
	{"builtins.abs", "x", func(c *Call) value.Value {
		if less, ok := value.ConstCompare("<", c.arg("x"), int64(0)); ok && number.Is(c.arg("x")) {
			if less {
				return c.ConstUnary("-", c.arg("x"))
			}
			return c.arg("x")
		}
		return lowerFunction(c, op.Abs, []string{"x"})
	}},
	{"triton.cdiv", "x y", func(c *Call) value.Value {
		x, y := c.arg("x"), c.arg("y")
		return c.Operate("//", c.Operate("-", c.Operate("+", x, y), int64(1)), y)
	}},
	{"triton.next_power_of_2", "n", func(c *Call) value.Value {
		n := c.StaticInt(c.arg("n"), "the argument of next_power_of_2")
		p := int64(1)
		for p < int64(n) && p < 1<<62 {
			p *= 2
		}
		return p
	}},
	{"_log2", "i", func(c *Call) value.Value {
		return int64(bits.Len(uint(max(c.StaticInt(c.arg("i"), "the argument of _log2"), 1))) - 1)
	}},
	{"_is_power_of_two", "i", func(c *Call) value.Value {
		n := c.StaticInt(c.arg("i"), "the argument of _is_power_of_two")
		return n > 0 && n&(n-1) == 0
	}},
	{"get_int_dtype", "bitwidth signed", func(c *Call) value.Value {
		letter := "i"
		if !value.Truth(c.arg("signed")) {
			letter = "u"
		}
		return c.typeNamed(letter + strconv.Itoa(c.StaticInt(c.arg("bitwidth"), "the width of an integer")))
	}},
	{"dtype", "name", func(c *Call) value.Value { return c.typeNamed(fmt.Sprint(c.arg("name"))) }},
	{"tuple", "args", func(c *Call) value.Value { return c.Elements(c.arg("args")) }},
	{"torch.finfo torch.iinfo", "type", lowerLimits},
	{"math.sqrt", "x", hostMath(math.Sqrt)}, {"math.log", "x", hostMath(math.Log)}, {"math.log2", "x", hostMath(math.Log2)},
	{"math.exp", "x", hostMath(math.Exp)}, {"math.floor", "x", hostMath(math.Floor)}, {"math.ceil", "x", hostMath(math.Ceil)},
}

// ranges are the bits of a significand after its first, and the largest exponent.
var ranges = map[dtype.DType][2]int{
	dtype.Float16: {10, 15}, dtype.BFloat16: {7, 127}, dtype.Float32: {23, 127}, dtype.Float64: {52, 1023},
	dtype.Float8E5: {2, 15},
}

// lowerLimits is what PyTorch knows of a dtype's numbers.
func lowerLimits(c *Call) value.Value {
	t, _ := c.arg("type").(value.Type)
	if t.D.IsInt() {
		most := number.Whole(new(big.Int).SetUint64(t.D.MaxInt()))
		return value.Namespace{"min": t.D.MinInt(), "max": most, "bits": int64(t.D.Bits())}
	}
	r, ok := ranges[t.D]
	e4m3 := t.D.IsFP8() && !ok // whose largest number's last bit is 0: the one above is NaN
	if e4m3 {
		r = [2]int{3, 8}
	} else if !ok {
		value.Fail(c.Refuse("%s of %s, want a dtype of numbers", c.what, value.Describe(c.arg("type"))))
	}
	eps, least := math.Ldexp(1, -r[0]), math.Ldexp(1, 1-r[1])
	most := math.Ldexp(2-eps, r[1])
	if e4m3 {
		most, least = math.Ldexp(2-2*eps, r[1]), math.Ldexp(1, 2-r[1])
	}
	return value.Namespace{"min": -most, "max": most, "eps": eps, "tiny": least, "smallest_normal": least,
		"bits": int64(t.D.Bits())}
}

// typeNamed is a dtype by its name.
func (c *Call) typeNamed(name string) value.Value {
	d, ok := spell.Type(name)
	if !ok {
		value.Fail(c.Refuse("%s: no dtype is called %s", c.what, name))
	}
	return value.Type{D: d}
}

func hostMath(f func(x float64) float64) func(c *Call) value.Value {
	return func(c *Call) value.Value {
		v, ok := value.Known(c.arg("x"))
		x, isNumber := number.Float(v)
		if !ok || !isNumber {
			value.Fail(c.Refuse("%s of %s: Python's math takes numbers that are known", c.what, value.Describe(c.arg("x"))).
				Fix("use tl.%s", c.row.Name()))
		}
		return f(x)
	}
}

// least is min or max of any number of values.
func (c *Call) least(name string) value.Value {
	vs := c.rest
	if len(vs) == 1 {
		vs = c.Elements(vs[0])
	}
	if len(vs) == 0 {
		value.Fail(c.Refuse("%s: no arguments", c.what))
	}
	z := vs[0]
	r := rows["builtins."+name]
	for _, v := range vs[1:] {
		two := &Call{Emitter: c.Emitter, row: &r.Row, what: c.what, Args: map[string]value.Value{"x": z, "y": v}}
		z = two.Lower()
	}
	return z
}

func lowerIsinstance(c *Call) value.Value {
	for _, k := range value.List(c.arg("of")) {
		name := ""
		switch k := k.(type) {
		case value.Class:
			name = string(k)
		case value.Builtin:
			name = k.Name()
		}
		if isA(c.arg("x"), name) {
			return true
		}
	}
	return false
}

func isA(v value.Value, name string) bool {
	switch v.(type) {
	case value.Tensor:
		return name == "tensor"
	case value.Tuple:
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

// Convert is int(x), float(x) or bool(x).
func Convert(l *value.Emitter, f value.Class, v value.Value) value.Value {
	if s, ok := v.(string); ok && f == "float" {
		return floatText(l, s)
	}
	if t, ok := v.(value.Tensor); ok && !value.IsScalarConst(t.IR) {
		d := map[value.Class]dtype.DType{"int": dtype.Int32, "float": dtype.Float32, "bool": dtype.Bool}[f]
		if d == dtype.Invalid {
			value.Fail(l.Refuse("%s(%s): not possible in a kernel", f, value.Describe(v)))
		}
		if d == dtype.Int32 && t.IR.Type.D.IsInt() || d == dtype.Float32 && t.IR.Type.D.IsFloat() {
			return v
		}
		return value.Tensor{IR: l.Cast(t.IR, d)}
	}
	c, _ := value.Known(v)
	x, isNum := number.Float(c)
	switch {
	case f == "tuple" || f == "list":
		return l.Elements(v)
	case f == "bool":
		return value.Truth(c)
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
	value.Fail(l.Refuse("%s(%s): not possible in a kernel", f, value.Describe(v)))
	return nil
}

func floatText(l *value.Emitter, s string) value.Value {
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
		value.Fail(l.Refuse("float(%q) is not a number", s))
	}
	x, _ := f.Float64()
	return x
}
