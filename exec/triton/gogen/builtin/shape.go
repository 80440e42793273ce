package builtin

import (
	"github.com/tiler-go/tiler/exec/triton/gogen/value"
)

var shapes = map[string]func(c *Call) value.Value{
	"broadcast_to": func(c *Call) value.Value { return c.reshaped("BroadcastTo") },
	"broadcast": func(c *Call) value.Value {
		x, y := c.tile("x"), c.tile("y")
		return value.Call(value.TupleOf(x.Type, y.Type), "tl.Broadcast", x.Code, y.Code)
	},
	"reshape":       func(c *Call) value.Value { return c.reshaped("Reshape") },
	"prelude.ravel": func(c *Call) value.Value { x := c.tile("x"); return x.Method(x.Type, "Ravel") },
	"expand_dims": func(c *Call) value.Value {
		x := c.tile("input")
		for _, a := range c.ints(c.Arg("axis")) {
			x = x.Method(x.Type, "ExpandDims", a)
		}
		return x
	},
	"squeeze": func(c *Call) value.Value {
		x := c.tile("x")
		return x.Method(x.Type, "Squeeze", c.count("dim"))
	},
	"trans": func(c *Call) value.Value {
		x := c.tile("input")
		if len(c.Rest) == 0 {
			return x.Method(x.Type, "T")
		}
		return c.reshaped("Permute")
	},
	"join":       func(c *Call) value.Value { return c.pair("tl.Join", "a", "b") },
	"interleave": func(c *Call) value.Value { return c.pair("tl.Interleave", "a", "b") },
	"split": func(c *Call) value.Value {
		x := c.tile("a")
		return value.Call(value.TupleOf(x.Type, x.Type), "tl.Split", x.Code)
	},
	"cat": func(c *Call) value.Value {
		return c.pair("tl.Cat", "input", "other", c.dim("0"))
	},
	"flip": func(c *Call) value.Value {
		x := c.tile("x")
		return value.Call(x.Type, "tl.Flip", x.Code, c.dim("-1"))
	},
	"multiple_of max_contiguous max_constancy": func(c *Call) value.Value { return c.Arg("input") },
}

// dim is the axis that is named, or another.
func (c *Call) dim(otherwise string) string {
	if c.Given("dim") {
		return c.Arg("dim").Code
	}
	return otherwise
}

// reshaped is a method of a tile that takes a shape or axes.
func (c *Call) reshaped(method string) value.Value {
	x := c.tile("input")
	s := c.Rest
	if v, ok := c.Args["shape"]; ok && len(s) == 0 {
		s = []value.Value{v}
	}
	if len(s) == 1 && (s[0].Kind == value.Tuple || s[0].Kind == value.List) {
		return x.Method(x.Type, method, c.shape(s[0]))
	}
	return x.Method(x.Type, method, c.ints(value.Value{Type: value.TupleOf(), Parts: s})...)
}

// pair is a function of two tiles, after what leads.
func (c *Call) pair(name, a, b string, lead ...string) value.Value {
	x, y := c.tile(a), c.tile(b)
	t, _ := x.Type.Join(y.Type)
	return value.Call(t, name, append(lead, x.Code, y.Code)...)
}
