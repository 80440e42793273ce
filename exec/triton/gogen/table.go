package gogen

import (
	"fmt"
	"strings"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// rows print the functions of the language that the op table does not spell as functions of
// their operands, by the name that lower has for them.
var rows map[string]func(c *bound) val

func init() {
	rows = map[string]func(c *bound) val{}
	for _, table := range []map[string]func(c *bound) val{creation, numbers, shapes, reductions, memory, program} {
		for names, row := range table {
			for _, n := range strings.Fields(names) {
				rows[n] = row
			}
		}
	}
}

// elementwiseOp is the op that Triton calls by a name, and the function of Go for it.
func elementwiseOp(name string) (o op.Op, goCall string) {
	for o := op.None + 1; o < op.NumOps; o++ {
		r := o.Row()
		triton, _, ok := strings.Cut(r.Triton, "(")
		goCall, _, both := strings.Cut(r.Go, "(")
		if !ok || !both || r.Family != op.Elementwise || strings.Contains(r.Go, "PropagateNaN") {
			continue
		}
		if triton == "tl."+name || triton == "libdevice."+name {
			return o, goCall
		}
	}
	return op.None, ""
}

// elementwise is a call of an op's function, whose operands are tiles, or numbers beside one.
func (c *bound) elementwise(o op.Op, goCall string, params []string) val {
	vs := make([]val, len(params))
	var with typ
	for i, p := range params {
		v, ok := c.args[p]
		if !ok {
			c.refuse("tl.%s: no argument for %s", c.m.Row, p)
		}
		if v.t.k == tileKind && with.k != tileKind {
			with = v.t
		}
		vs[i] = v
	}
	floats := o.Row().In&op.IntsB == 0
	if with.k != tileKind {
		if floats && vs[0].t.k == intKind {
			vs[0] = call(fmt.Sprintf("tl.Full(tl.Float32, %s)", vs[0].code), tile(dtype.Float32))
		}
		vs[0] = c.lifted(vs[0])
		with = vs[0].t
	}
	codes := make([]string, len(vs))
	d := with.d
	for i, v := range vs {
		if v.t.k == tileKind && floats && v.t.d.IsInt() {
			v = call(v.at(primary)+".To(tl.Float32)", tile(dtype.Float32))
			d = dtype.Float32
		}
		if v.t.d != with.d {
			d = dtype.Invalid
		}
		codes[i] = c.operand(v, with, o).code
	}
	return call(goCall+"("+strings.Join(codes, ", ")+")", tile(d))
}

var creation = map[string]func(c *bound) val{
	"arange": func(c *bound) val {
		return fun(tile(dtype.Int32), "tl.Arange", c.count(c.arg("start")).code, c.count(c.arg("end")).code)
	},
	"zeros": func(c *bound) val { return c.full(c.arg("shape"), "", c.arg("dtype")) },
	"full": func(c *bound) val {
		v := c.arg("value")
		if v.t.k == tileKind {
			z := c.to(v, c.arg("dtype"), "")
			if s := c.shape(c.arg("shape")); s != "" {
				z = call(fmt.Sprintf("%s.BroadcastTo(%s)", z.at(primary), s), z.t)
			}
			return z
		}
		return c.full(c.arg("shape"), v.code, c.arg("dtype"))
	},
	"zeros_like": func(c *bound) val {
		return call(fmt.Sprintf("tl.ZerosLike(%s)", c.tile("input").code), tile(c.arg("input").t.d))
	},
	"to": func(c *bound) val {
		if c.is("bitcast") {
			d := c.dtype(c.arg("dtype"))
			return call(fmt.Sprintf("%s.Bitcast(%s)", c.tile("input").at(primary), d.code), tile(d.t.d))
		}
		option := ""
		if c.given("fp_downcast_rounding") && c.text("fp_downcast_rounding") == "rtz" {
			option = ", tl.TowardZero"
		}
		return c.to(c.arg("input"), c.arg("dtype"), option)
	},
	"to_tensor":                           func(c *bound) val { return c.lifted(c.arg("x")) },
	"constexpr triton.language.constexpr": func(c *bound) val { return c.arg("value") },
	"float":                               func(c *bound) val { return c.converted(dtype.Float32) },
	"int":                                 func(c *bound) val { return c.converted(dtype.Int32) },
}

// converted is int(x) or float(x).
func (c *bound) converted(d dtype.DType) val {
	x := c.arg("x")
	switch {
	case x.t.k == textKind:
		switch strings.ToLower(strings.Trim(x.code, `"+`)) {
		case "inf", "infinity":
			return c.literal(inf)
		case "-inf", "-infinity":
			return c.literal(-inf)
		case "nan":
			return c.literal(inf - inf)
		}
	case x.t.weak && x.t.k == intKind && d == dtype.Float32:
		return toFloat(x)
	case x.t.k == intKind && d == dtype.Int32 || x.t.k == floatKind && d == dtype.Float32:
		return x
	case x.t.k == tileKind || x.t.number():
		return c.to(x, call(dtypeName(d), typ{k: dtypeKind, d: d}), "")
	}
	c.refuse("a conversion of %s has no counterpart in Go", x.t.k)
	return x
}

var inf = func() float64 { x := 1e300; return x * x }()

// dtype is an argument that is a dtype; a parameter that is one becomes it.
func (c *bound) dtype(v val) val {
	if v.t.k != dtypeKind {
		c.g.become(v.t.param, typ{k: dtypeKind})
		c.refuse("%s where a dtype is wanted", v.t.k)
	}
	return v
}

// to is a cast; an int stays Go's, since that holds all of them.
func (c *bound) to(x, d val, option string) val {
	d = c.dtype(d)
	switch {
	case x.t.ptr:
		c.refuse("a pointer as a number has no counterpart in Go")
	case x.t.k == intKind && d.code == "tl.Int64" || x.t.k == intKind && d.code == "tl.Int32" && x.t.d != dtype.Int64:
		x.t.d, x.t.weak, x.t.param = d.t.d, false, ""
		return x
	case x.t.k == floatKind && d.code == "tl.Float32", x.t.k == intKind && !strings.Contains(d.code, "("):
		c.usedBeside(x, typ{d: dtype.Float32})
		return call(fmt.Sprintf("tl.Full(%s, %s)", d.code, x.code), tile(d.t.d))
	}
	return call(fmt.Sprintf("%s.To(%s%s)", c.lifted(x).at(primary), d.code, option), tile(d.t.d))
}

// full is a tile of one value, 0 if there is no text of it.
func (c *bound) full(shape val, v string, d val) val {
	d = c.dtype(d)
	args := []string{d.code}
	name := "tl.Full"
	if s := c.shape(shape); v == "" && s != "" {
		name, args = "tl.Zeros", append(args, s)
	} else {
		if v == "" {
			v = "0"
		}
		args = append(args, v)
		if s != "" {
			args = append(args, s)
		}
	}
	return call(name+"("+strings.Join(args, ", ")+")", tile(d.t.d))
}

// shape is the sizes of a shape.
func (c *bound) shape(v val) string {
	if v.t.k == listKind {
		return v.code + "..."
	}
	return strings.Join(c.ints(v), ", ")
}

// ints are the numbers of a tuple, or one.
func (c *bound) ints(v val) (codes []string) {
	vs := v.parts
	if v.t.k != tupleKind {
		vs = []val{v}
	}
	for _, p := range vs {
		codes = append(codes, c.count(p).code)
	}
	return codes
}

func (c *bound) list(v val) string {
	if v.t.k == listKind {
		return v.code
	}
	return "[]int{" + strings.Join(c.ints(v), ", ") + "}"
}

// tile is an argument as a tile.
func (c *bound) tile(name string) val {
	v, ok := c.args[name]
	if !ok {
		c.refuse("tl.%s: no argument for %s", c.m.Row, name)
	}
	return c.lifted(v)
}

var numbers = map[string]func(c *bound) val{
	"where": func(c *bound) val {
		x, y := c.arg("x"), c.arg("y")
		cond := c.arg("condition")
		if cond.t.k != tileKind {
			cond = c.condition(cond)
		}
		if cond.t.k != tileKind && x.t.k != tileKind && y.t.k != tileKind {
			x = c.lifted(x)
		}
		t := tile(c.resultType(op.Where, x.t, y.t))
		return fun(t, "tl.Where", cond.code, c.operand(x, y.t, op.Where).code, c.operand(y, x.t, op.Where).code)
	},
	"maximum": func(c *bound) val { return c.extremum("max", "tl.Maximum", op.Maximum) },
	"minimum": func(c *bound) val { return c.extremum("min", "tl.Minimum", op.Minimum) },
	"clamp": func(c *bound) val {
		x := c.tile("x")
		lo, hi := c.operand(c.arg("min"), x.t, op.Maximum), c.operand(c.arg("max"), x.t, op.Minimum)
		return call(fmt.Sprintf("tl.Clamp(%s, %s, %s)", x.code, lo.code, hi.code), tile(dtype.Invalid))
	},
	"fdiv":               func(c *bound) val { return c.tiles(operators["/"], c.tile("x"), c.arg("y")) },
	"fmod":               func(c *bound) val { return c.tiles(operators["%"], c.tile("x"), c.arg("y")) },
	"sqrt_rn":            func(c *bound) val { return c.elementwise(op.Sqrt, "tl.Sqrt", []string{"x"}) },
	"fast_expf":          func(c *bound) val { return c.elementwise(op.Exp, "tl.Exp", []string{"x"}) },
	"fast_logf":          func(c *bound) val { return c.elementwise(op.Log, "tl.Log", []string{"x"}) },
	"fast_powf":          func(c *bound) val { return c.elementwise(op.Pow, "tl.Pow", []string{"x", "y"}) },
	"abs":                func(c *bound) val { return c.elementwise(op.Abs, "tl.Abs", []string{"x"}) },
	"builtins.abs":       func(c *bound) val { return c.elementwise(op.Abs, "tl.Abs", []string{"x"}) },
	"mul_rn mul":         func(c *bound) val { return c.binary("*", c.arg("x"), c.arg("y")) },
	"add":                func(c *bound) val { return c.binary("+", c.arg("x"), c.arg("y")) },
	"sub":                func(c *bound) val { return c.binary("-", c.arg("x"), c.arg("y")) },
	"logical_and":        func(c *bound) val { return c.truths("&") },
	"logical_or":         func(c *bound) val { return c.truths("|") },
	"randint rand randn": random,
	"randint4x": func(c *bound) val {
		t := tile(dtype.Uint32)
		return val{code: c.seeded("tl.RandInt4x"), prec: primary, t: typ{k: tupleKind, elems: []typ{t, t, t, t}}}
	},
	"builtins.min": func(c *bound) val { return c.least("min", "tl.Minimum", op.Minimum) },
	"builtins.max": func(c *bound) val { return c.least("max", "tl.Maximum", op.Maximum) },
	"triton.cdiv":  cdiv,
	"prelude.cdiv": func(c *bound) val {
		c.args["y"] = c.arg("div")
		return cdiv(c)
	},
	"triton.next_power_of_2": func(c *bound) val {
		return call(fmt.Sprintf("tl.NextPow2(%s)", c.count(c.arg("n")).code), typ{k: intKind, weak: true, d: dtype.Int32})
	},
}

// cdiv is a quotient rounded up; of tiles, nothing: Triton's own definition is printed.
func cdiv(c *bound) val {
	x, y := c.arg("x"), c.arg("y")
	if x.t.k != intKind || y.t.k != intKind {
		return c.binary("//", c.binary("-", c.binary("+", x, y), c.literal(int64(1))), y)
	}
	c.usedAsInt(x)
	c.usedAsInt(y)
	t := typ{k: intKind, weak: x.t.weak && y.t.weak, d: dtype.Int32}
	return call(fmt.Sprintf("tl.Cdiv(%s, %s)", x.code, y.code), t)
}

// truths is an operation of two tiles of bools.
func (c *bound) truths(o string) val {
	return c.tiles(operators[o], c.truthTile(c.arg("x")), c.truthTile(c.arg("y")))
}

func random(c *bound) val {
	d := dtype.Float32
	if c.m.Row == "randint" {
		d = dtype.Uint32
	}
	names := map[string]string{"randint": "tl.RandInt", "rand": "tl.Rand", "randn": "tl.Randn"}
	return call(c.seeded(names[c.m.Row]), tile(d))
}

func (c *bound) seeded(name string) string {
	if c.given("n_rounds") && c.arg("n_rounds").code != "10" {
		c.refuse("another number of rounds than 10 has no counterpart in Go")
	}
	c.usedAsInt(c.arg("seed"))
	return fmt.Sprintf("%s(%s, %s)", name, c.arg("seed").code, c.arg("offset").code)
}

// extremum is the greater or the lesser of two.
func (c *bound) extremum(scalar, goCall string, o op.Op) val {
	x, y := c.arg("x"), c.arg("y")
	option := ""
	if strings.Contains(c.args["propagate_nan"].code, "ALL") {
		option = ", tl.PropagateNaN"
	}
	if x.t.k == intKind && y.t.k == intKind {
		c.usedAsInt(x)
		c.usedAsInt(y)
		t := typ{k: intKind, weak: x.t.weak && y.t.weak, d: dtype.Int32}
		return call(fmt.Sprintf("%s(%s, %s)", scalar, x.code, y.code), t)
	}
	if x.t.k != tileKind && y.t.k != tileKind {
		x = c.lifted(x)
	}
	code := fmt.Sprintf("%s(%s, %s%s)", goCall, c.operand(x, y.t, o).code, c.operand(y, x.t, o).code, option)
	return call(code, tile(c.resultType(o, x.t, y.t)))
}

// least is min or max of any number of values.
func (c *bound) least(scalar, goCall string, o op.Op) val {
	vs := c.rest
	if len(vs) == 1 {
		vs = vs[0].parts
	}
	if len(vs) == 0 {
		c.refuse("%s of nothing", scalar)
	}
	z := vs[0]
	for _, v := range vs[1:] {
		c.args["x"], c.args["y"] = z, v
		z = c.extremum(scalar, goCall, o)
	}
	return z
}

var shapes = map[string]func(c *bound) val{
	"broadcast_to": func(c *bound) val { return c.reshaped("BroadcastTo") },
	"broadcast": func(c *bound) val {
		x, y := c.tile("x"), c.tile("y")
		return fun(tupleOf(x.t, y.t), "tl.Broadcast", x.code, y.code)
	},
	"reshape":       func(c *bound) val { return c.reshaped("Reshape") },
	"prelude.ravel": func(c *bound) val { x := c.tile("x"); return call(x.at(primary)+".Ravel()", x.t) },
	"expand_dims": func(c *bound) val {
		x := c.tile("input")
		code := x.at(primary)
		for _, a := range c.ints(c.arg("axis")) {
			code += fmt.Sprintf(".ExpandDims(%s)", a)
		}
		return call(code, x.t)
	},
	"squeeze": func(c *bound) val {
		x := c.tile("x")
		return call(fmt.Sprintf("%s.Squeeze(%s)", x.at(primary), c.count(c.arg("dim")).code), x.t)
	},
	"trans": func(c *bound) val {
		x := c.tile("input")
		if len(c.rest) == 0 {
			return call(x.at(primary)+".T()", x.t)
		}
		return c.reshaped("Permute")
	},
	"join":       func(c *bound) val { return c.pair("tl.Join", "a", "b") },
	"interleave": func(c *bound) val { return c.pair("tl.Interleave", "a", "b") },
	"split": func(c *bound) val {
		x := c.tile("a")
		return val{code: fmt.Sprintf("tl.Split(%s)", x.code), prec: primary, t: typ{k: tupleKind, elems: []typ{x.t, x.t}}}
	},
	"cat": func(c *bound) val {
		axis := "0"
		if c.given("dim") {
			axis = c.arg("dim").code
		}
		return c.pair("tl.Cat", "input", "other", axis)
	},
	"flip": func(c *bound) val {
		axis := "-1"
		if c.given("dim") {
			axis = c.arg("dim").code
		}
		x := c.tile("x")
		return call(fmt.Sprintf("tl.Flip(%s, %s)", x.code, axis), x.t)
	},
	"multiple_of max_contiguous max_constancy": func(c *bound) val { return c.arg("input") },
}

// reshaped is a method of a tile that takes a shape or axes.
func (c *bound) reshaped(method string) val {
	x := c.tile("input")
	s := c.rest
	if v, ok := c.args["shape"]; ok && len(s) == 0 {
		s = []val{v}
	}
	if len(s) == 1 && (s[0].t.k == tupleKind || s[0].t.k == listKind) {
		return x.method(x.t, method, c.shape(s[0]))
	}
	return x.method(x.t, method, c.ints(val{t: tupleOf(), parts: s})...)
}

// pair is a function of two tiles, after what leads.
func (c *bound) pair(name, a, b string, lead ...string) val {
	x, y := c.tile(a), c.tile(b)
	codes := append(lead, x.code, y.code)
	t, _ := x.t.join(y.t)
	return call(fmt.Sprintf("%s(%s)", name, strings.Join(codes, ", ")), t)
}
