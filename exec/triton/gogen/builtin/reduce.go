package builtin

import (
	"fmt"
	"slices"

	"github.com/tiler-go/tiler/exec/triton/gogen/value"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/rule"
)

var reductions = map[string]func(c *Call) value.Value{
	"sum": func(c *Call) value.Value {
		options := c.axis()
		d := rule.Widened32(c.tile("input").DType)
		if c.Given("dtype") {
			as := c.dtype(c.Arg("dtype"))
			options, d = append(options, "tl.As("+as.Code+")"), as.DType
		}
		return c.reduced("tl.Sum", d, options)
	},
	"max":       func(c *Call) value.Value { return c.extreme("tl.Max", "tl.MaxIndex") },
	"min":       func(c *Call) value.Value { return c.extreme("tl.Min", "tl.MinIndex") },
	"argmax":    func(c *Call) value.Value { return c.reduced("tl.ArgMax", dtype.Int32, c.axis()) },
	"argmin":    func(c *Call) value.Value { return c.reduced("tl.ArgMin", dtype.Int32, c.axis()) },
	"xor_sum":   func(c *Call) value.Value { return c.reduced("tl.XorSum", dtype.Invalid, c.axis()) },
	"reduce_or": func(c *Call) value.Value { return c.reduced("tl.OrSum", dtype.Invalid, c.axis()) },
	"reduce":    func(c *Call) value.Value { return c.combined("tl.Reduce", c.axis(), true) },
	"associative_scan": func(c *Call) value.Value {
		return c.combined("tl.Scan", c.reverse(c.axis()), false)
	},
	"cumsum": func(c *Call) value.Value {
		options := c.reverse(c.axis())
		if c.Given("dtype") {
			options = append(options, "tl.As("+c.dtype(c.Arg("dtype")).Code+")")
		}
		return c.reduced("tl.CumSum", dtype.Invalid, options)
	},
	"cumprod": func(c *Call) value.Value { return c.reduced("tl.CumProd", dtype.Invalid, c.reverse(c.axis())) },
	"sort": func(c *Call) value.Value {
		x := c.tile("x")
		if c.is("descending") {
			return value.Call(x.Type, "tl.Sort", x.Code, "tl.Descending")
		}
		return value.Call(x.Type, "tl.Sort", x.Code)
	},
	"topk": func(c *Call) value.Value {
		x := c.tile("x")
		if c.Repeated {
			c.Refuse("tl.topk in the condition of a loop has no counterpart in Go")
		}
		return value.Of(c.Fn.First("tl.TopK("+x.Code+", "+c.count("k")+")"), x.Type)
	},
	"histogram": func(c *Call) value.Value {
		args := []string{c.tile("input").Code, c.count("num_bins")}
		if c.Given("mask") {
			args = append(args, "tl.Mask("+c.Arg("mask").Code+")")
		}
		return value.Call(value.TileOf(dtype.Int32), "tl.Histogram", args...)
	},
	"gather": func(c *Call) value.Value {
		x := c.tile("src")
		return value.Call(x.Type, "tl.Gather", x.Code, c.tile("index").Code, c.count("axis"))
	},
	"dot": dot,
}

func dot(c *Call) value.Value {
	var options []string
	t := value.TileOf(dtype.Invalid)
	if c.Given("acc") {
		options = append(options, "tl.Acc("+c.tile("acc").Code+")")
		t = c.Arg("acc").Type
	}
	if c.Given("out_dtype") {
		d := c.dtype(c.Arg("out_dtype"))
		options = append(options, "tl.As("+d.Code+")")
		t = value.TileOf(d.DType)
	}
	t.Param = ""
	return value.Call(t, "tl.Dot", append([]string{c.tile("input").Code, c.tile("other").Code}, options...)...)
}

func (c *Call) reverse(options []string) []string {
	if c.is("reverse") {
		return append(options, "tl.Reverse")
	}
	return options
}

func (c *Call) reduced(name string, d dtype.DType, options []string) value.Value {
	if c.is("keep_dims") {
		options = append(options, "tl.KeepDims")
	}
	return value.Call(value.TileOf(d), name, append([]string{c.tile("input").Code}, options...)...)
}

func (c *Call) extreme(name, indexed string) value.Value {
	x := c.tile("input")
	if !c.is("return_indices") {
		d := x.DType
		if d.Bits() < 32 {
			d = dtype.Invalid
		}
		return c.reduced(name, d, c.axis())
	}
	v := c.reduced(indexed, dtype.Invalid, c.axis())
	v.Type = value.TupleOf(value.TileOf(dtype.Invalid), value.TileOf(dtype.Int32))
	return v
}

// combined is a reduction or scan by a function of the file.
func (c *Call) combined(name string, options []string, keeps bool) value.Value {
	fn := c.Arg("combine_fn")
	if fn.Kind != value.Func || fn.Fn.Def == nil {
		c.Refuse("tl.%s: the function is not known before a launch", c.Meaning.Row)
	}
	if fn.Fn.Def.Branches() {
		c.Refuse("%s branches: Go has no if for lanes: choose with tl.where", fn.Fn.Def.Name)
	}
	x := c.Arg("input")
	parts := x.Parts
	if x.Kind != value.Tuple {
		parts = []value.Value{x}
	}
	if len(parts) == 0 {
		c.Refuse("tl.%s of a tuple that another function returns: name its parts first", c.Meaning.Row)
	}
	codes, types := make([]string, len(parts)), make([]value.Type, len(parts))
	for i, p := range parts {
		p = c.Lifted(p)
		codes[i], types[i] = p.Code, value.TileOf(p.DType)
	}
	helper, results := c.Fn.Helper(fn.Fn, slices.Concat(types, types))
	for _, r := range results {
		if r.Kind != value.Tile {
			c.Refuse("%s returns %s: a combining function returns tiles", fn.Fn.Def.Name, r.Kind)
		}
	}
	if len(parts) > 1 {
		name += fmt.Sprint(len(parts))
	}
	options = append([]string{helper}, options...)
	if keeps && c.is("keep_dims") {
		options = append(options, "tl.KeepDims")
	}
	t := value.TupleOf(types...)
	if len(parts) == 1 {
		t = value.TileOf(dtype.Invalid)
	}
	return value.Call(t, name, append(codes, options...)...)
}
