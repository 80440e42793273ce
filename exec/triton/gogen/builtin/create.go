package builtin

import (
	"cmp"
	"strings"

	"github.com/tiler-go/tiler/exec/triton/gogen/value"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

var creation = map[string]func(c *Call) value.Value{
	"arange": func(c *Call) value.Value {
		return value.Call(value.TileOf(dtype.Int32), "tl.Arange", c.count("start"), c.count("end"))
	},
	"zeros": func(c *Call) value.Value { return c.full(c.Arg("shape"), "", c.Arg("dtype")) },
	"full": func(c *Call) value.Value {
		v := c.Arg("value")
		if v.Kind == value.Tile {
			z := c.to(v, c.Arg("dtype"))
			if s := c.shape(c.Arg("shape")); s != "" {
				z = z.Method(z.Type, "BroadcastTo", s)
			}
			return z
		}
		return c.full(c.Arg("shape"), v.Code, c.Arg("dtype"))
	},
	"zeros_like": func(c *Call) value.Value {
		return value.Call(value.TileOf(c.Arg("input").DType), "tl.ZerosLike", c.tile("input").Code)
	},
	"to": func(c *Call) value.Value {
		if c.is("bitcast") {
			d := c.dtype(c.Arg("dtype"))
			return c.tile("input").Method(value.TileOf(d.DType), "Bitcast", d.Code)
		}
		if c.Given("fp_downcast_rounding") && c.text("fp_downcast_rounding") == "rtz" {
			return c.to(c.Arg("input"), c.Arg("dtype"), "tl.TowardZero")
		}
		return c.to(c.Arg("input"), c.Arg("dtype"))
	},
	"to_tensor":                           func(c *Call) value.Value { return c.Lifted(c.Arg("x")) },
	"constexpr triton.language.constexpr": func(c *Call) value.Value { return c.Arg("value") },
	"float":                               func(c *Call) value.Value { return c.converted(dtype.Float32) },
	"int":                                 func(c *Call) value.Value { return c.converted(dtype.Int32) },
}

// converted is int(x) or float(x).
func (c *Call) converted(d dtype.DType) value.Value {
	x := c.Arg("x")
	switch {
	case x.Kind == value.Text:
		switch strings.ToLower(strings.Trim(x.Code, `"+`)) {
		case "inf", "infinity":
			return c.Literal(inf)
		case "-inf", "-infinity":
			return c.Literal(-inf)
		case "nan":
			return c.Literal(inf - inf)
		}
	case x.Weak && x.Kind == value.Int && d == dtype.Float32:
		return value.ToFloat(x)
	case x.Kind == value.Int && d == dtype.Int32 || x.Kind == value.Float && d == dtype.Float32:
		return x
	case x.Kind == value.Tile || x.IsNumber():
		return c.to(x, c.Literal(d))
	}
	c.Refuse("a conversion of %s has no counterpart in Go", x.Kind)
	return x
}

var inf = func() float64 { x := 1e300; return x * x }()

// to is a cast; an int stays Go's, since that holds all of them.
func (c *Call) to(x, d value.Value, options ...string) value.Value {
	d = c.dtype(d)
	switch {
	case x.Ptr:
		c.Refuse("a pointer as a number has no counterpart in Go")
	case x.Kind == value.Int && (d.Code == "tl.Int64" || d.Code == "tl.Int32" && x.DType != dtype.Int64):
		x.DType, x.Weak, x.Param = d.DType, false, ""
		return x
	case x.Kind == value.Float && d.Code == "tl.Float32", x.Kind == value.Int && !strings.Contains(d.Code, "("):
		c.UsedBeside(x, value.Type{DType: dtype.Float32})
		return value.Call(value.TileOf(d.DType), "tl.Full", d.Code, x.Code)
	}
	return c.Lifted(x).Method(value.TileOf(d.DType), "To", append([]string{d.Code}, options...)...)
}

// full is a tile of one value, 0 if there is no text of it.
func (c *Call) full(shape value.Value, v string, d value.Value) value.Value {
	d = c.dtype(d)
	t := value.TileOf(d.DType)
	s := c.shape(shape)
	switch {
	case v == "" && s != "":
		return value.Call(t, "tl.Zeros", d.Code, s)
	case s != "":
		return value.Call(t, "tl.Full", d.Code, v, s)
	}
	return value.Call(t, "tl.Full", d.Code, cmp.Or(v, "0"))
}
