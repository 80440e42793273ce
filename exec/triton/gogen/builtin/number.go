package builtin

import (
	"strings"

	"github.com/tiler-go/tiler/exec/triton/gogen/value"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

var numbers = map[string]func(c *Call) value.Value{
	"where": func(c *Call) value.Value {
		x, y := c.Arg("x"), c.Arg("y")
		cond := c.Arg("condition")
		if cond.Kind != value.Tile {
			cond = c.Condition(cond)
		}
		if cond.Kind != value.Tile && x.Kind != value.Tile && y.Kind != value.Tile {
			x = c.Lifted(x)
		}
		t := value.TileOf(value.ResultType(op.Where, x.Type, y.Type))
		x, y = c.Operand(x, y.Type, op.Where), c.Operand(y, x.Type, op.Where)
		return value.Call(t, "tl.Where", cond.Code, x.Code, y.Code)
	},
	"maximum": func(c *Call) value.Value { return c.extremum("max", "tl.Maximum", op.Maximum) },
	"minimum": func(c *Call) value.Value { return c.extremum("min", "tl.Minimum", op.Minimum) },
	"clamp": func(c *Call) value.Value {
		x := c.tile("x")
		lo, hi := c.Operand(c.Arg("min"), x.Type, op.Maximum), c.Operand(c.Arg("max"), x.Type, op.Minimum)
		return value.Call(value.TileOf(dtype.Invalid), "tl.Clamp", x.Code, lo.Code, hi.Code)
	},
	"fdiv":               func(c *Call) value.Value { return c.Tiles(value.Operators["/"], c.tile("x"), c.Arg("y")) },
	"fmod":               func(c *Call) value.Value { return c.Tiles(value.Operators["%"], c.tile("x"), c.Arg("y")) },
	"sqrt_rn":            func(c *Call) value.Value { return c.elementwise(op.Sqrt, "tl.Sqrt", []string{"x"}) },
	"fast_expf":          func(c *Call) value.Value { return c.elementwise(op.Exp, "tl.Exp", []string{"x"}) },
	"fast_logf":          func(c *Call) value.Value { return c.elementwise(op.Log, "tl.Log", []string{"x"}) },
	"fast_powf":          func(c *Call) value.Value { return c.elementwise(op.Pow, "tl.Pow", []string{"x", "y"}) },
	"abs":                func(c *Call) value.Value { return c.elementwise(op.Abs, "tl.Abs", []string{"x"}) },
	"builtins.abs":       func(c *Call) value.Value { return c.elementwise(op.Abs, "tl.Abs", []string{"x"}) },
	"mul_rn mul":         func(c *Call) value.Value { return c.Binary("*", c.Arg("x"), c.Arg("y")) },
	"add":                func(c *Call) value.Value { return c.Binary("+", c.Arg("x"), c.Arg("y")) },
	"sub":                func(c *Call) value.Value { return c.Binary("-", c.Arg("x"), c.Arg("y")) },
	"logical_and":        func(c *Call) value.Value { return c.truths("&") },
	"logical_or":         func(c *Call) value.Value { return c.truths("|") },
	"randint rand randn": random,
	"randint4x": func(c *Call) value.Value {
		t := value.TileOf(dtype.Uint32)
		return c.seeded(value.TupleOf(t, t, t, t), "tl.RandInt4x")
	},
	"builtins.min": func(c *Call) value.Value { return c.least("min", "tl.Minimum", op.Minimum) },
	"builtins.max": func(c *Call) value.Value { return c.least("max", "tl.Maximum", op.Maximum) },
	"triton.cdiv":  cdiv,
	"prelude.cdiv": func(c *Call) value.Value {
		c.Args["y"] = c.Arg("div")
		return cdiv(c)
	},
	"triton.next_power_of_2": func(c *Call) value.Value {
		return value.Call(value.WeakInt, "tl.NextPow2", c.count("n"))
	},
}

// cdiv is a quotient rounded up; of tiles, nothing: Triton's own definition is printed.
func cdiv(c *Call) value.Value {
	x, y := c.Arg("x"), c.Arg("y")
	if x.Kind != value.Int || y.Kind != value.Int {
		return c.Binary("//", c.Binary("-", c.Binary("+", x, y), c.Literal(int64(1))), y)
	}
	return c.ofInts("tl.Cdiv", x, y)
}

// ofInts is a function of two of Go's ints.
func (c *Call) ofInts(name string, x, y value.Value) value.Value {
	c.UsedAsInt(x)
	c.UsedAsInt(y)
	return value.Call(value.Type{Kind: value.Int, Weak: x.Weak && y.Weak, DType: dtype.Int32}, name, x.Code, y.Code)
}

// truths is an operation of two tiles of bools.
func (c *Call) truths(o string) value.Value {
	return c.Tiles(value.Operators[o], c.TruthTile(c.Arg("x")), c.TruthTile(c.Arg("y")))
}

func random(c *Call) value.Value {
	d := dtype.Float32
	if c.Meaning.Row == "randint" {
		d = dtype.Uint32
	}
	names := map[string]string{"randint": "tl.RandInt", "rand": "tl.Rand", "randn": "tl.Randn"}
	return c.seeded(value.TileOf(d), names[c.Meaning.Row])
}

// seeded is a function of a seed and offsets.
func (c *Call) seeded(t value.Type, name string) value.Value {
	if c.Given("n_rounds") && c.Arg("n_rounds").Code != "10" {
		c.Refuse("another number of rounds than 10 has no counterpart in Go")
	}
	c.UsedAsInt(c.Arg("seed"))
	return value.Call(t, name, c.Arg("seed").Code, c.Arg("offset").Code)
}

// extremum is the greater or the lesser of two.
func (c *Call) extremum(scalar, goCall string, o op.Op) value.Value {
	x, y := c.Arg("x"), c.Arg("y")
	if x.Kind == value.Int && y.Kind == value.Int {
		return c.ofInts(scalar, x, y)
	}
	if x.Kind != value.Tile && y.Kind != value.Tile {
		x = c.Lifted(x)
	}
	args := []string{c.Operand(x, y.Type, o).Code, c.Operand(y, x.Type, o).Code}
	if strings.Contains(c.Arg("propagate_nan").Code, "ALL") {
		args = append(args, "tl.PropagateNaN")
	}
	return value.Call(value.TileOf(value.ResultType(o, x.Type, y.Type)), goCall, args...)
}

// least is min or max of any number of values.
func (c *Call) least(scalar, goCall string, o op.Op) value.Value {
	vs := c.Rest
	if len(vs) == 1 {
		vs = vs[0].Parts
	}
	if len(vs) == 0 {
		c.Refuse("%s of nothing", scalar)
	}
	z := vs[0]
	for _, v := range vs[1:] {
		c.Args["x"], c.Args["y"] = z, v
		z = c.extremum(scalar, goCall, o)
	}
	return z
}
