package builtin

import (
	"strings"

	"github.com/tiler-go/tiler/exec/triton/gogen/value"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

var memory = map[string]func(c *Call) value.Value{
	"load": func(c *Call) value.Value {
		p := c.Arg("pointer")
		if p.Kind == value.Block {
			return p.Method(value.TileOf(dtype.Invalid), "Load", c.boundary()...)
		}
		args := c.masked(c.pointer("pointer"))
		if c.Given("mask") && c.Given("other") {
			args = append(args, "tl.Other("+c.Arg("other").Code+")")
		}
		return value.Call(value.TileOf(dtype.Invalid), "tl.Load", args...)
	},
	"store": func(c *Call) value.Value {
		p := c.Arg("pointer")
		if p.Kind == value.Block {
			return p.Method(value.Type{}, "Store", append([]string{c.Arg("value").Code}, c.boundary()...)...)
		}
		return value.Call(value.Type{}, "tl.Store", c.masked(c.pointer("pointer"), c.Arg("value"))...)
	},
	"make_block_ptr": func(c *Call) value.Value {
		base, order := c.pointer("base"), "nil"
		args := []string{base.Code, c.list("shape"), c.list("strides"), c.list("offsets"), c.list("block_shape")}
		if c.Given("order") {
			order = c.list("order")
		}
		t := value.Type{Kind: value.Block, Base: base.Param}
		return value.Call(t, "tl.MakeBlockPtr", append(args, order)...)
	},
	"advance": func(c *Call) value.Value {
		return c.Arg("base").Method(c.Arg("base").Type, "Advance", c.ints(c.Arg("offsets"))...)
	},
	"make_tensor_descriptor": func(c *Call) value.Value {
		args := []string{c.pointer("base").Code, c.list("shape"), c.list("strides"), c.list("block_shape")}
		if c.Given("padding_option") && c.text("padding_option") == "nan" {
			args = append(args, "tl.PadNaN")
		}
		return value.Call(value.Type{Kind: value.Desc}, "tl.MakeDesc", args...)
	},
	"load_tensor_descriptor": func(c *Call) value.Value {
		return c.desc().Method(value.TileOf(dtype.Invalid), "Load", c.ints(c.Arg("offsets"))...)
	},
	"store_tensor_descriptor": func(c *Call) value.Value {
		args := append([]string{c.Arg("value").Code}, c.ints(c.Arg("offsets"))...)
		return c.desc().Method(value.Type{}, "Store", args...)
	},
	"atomic_add atomic_max atomic_min atomic_and atomic_or atomic_xor atomic_xchg": atomic,
	"atomic_cas": func(c *Call) value.Value {
		p := c.pointer("pointer")
		return value.Call(value.TileOf(dtype.Invalid), "tl.AtomicCAS", p.Code, c.Arg("cmp").Code, c.Arg("val").Code)
	},
}

// atomicNames are the atomics in Go.
var atomicNames = map[string]string{
	"add": "Add", "max": "Max", "min": "Min", "and": "And", "or": "Or", "xor": "Xor", "xchg": "Xchg",
}

func atomic(c *Call) value.Value {
	name := "tl.Atomic" + atomicNames[strings.TrimPrefix(c.Meaning.Row, "atomic_")]
	return value.Call(value.TileOf(dtype.Invalid), name, c.masked(c.pointer("pointer"), c.Arg("val"))...)
}

// masked is arguments, and the mask if there is one: tiles or Go's bool.
func (c *Call) masked(args ...value.Value) (codes []string) {
	for _, a := range args {
		codes = append(codes, a.Code)
	}
	if !c.Given("mask") {
		return codes
	}
	m := c.Arg("mask")
	if m.Name != "" {
		c.Fn.Masks(m.Name)
	}
	return append(codes, "tl.Mask("+c.TruthTile(m).Code+")")
}

// pointer is an argument that is a pointer; a parameter that is used as one becomes it.
func (c *Call) pointer(name string) value.Value {
	p := c.Arg(name)
	if p.Kind == value.Desc || p.Kind == value.Block {
		c.Refuse("tl.%s of %s has no counterpart in Go", c.Meaning.Row, p.Kind)
	}
	if !p.Ptr {
		c.Become(p.Param, value.Pointer)
		c.Refuse("tl.%s of %s: want a pointer", c.Meaning.Row, p.Kind)
	}
	return p
}

func (c *Call) desc() value.Value {
	d := c.Arg("desc")
	if d.Kind != value.Desc {
		c.Refuse("tl.%s of %s: make the descriptor in the kernel", c.Meaning.Row, d.Kind)
	}
	return d
}

// boundary is the options of a load or store of a block.
func (c *Call) boundary() (options []string) {
	if c.Given("boundary_check") {
		options = append(options, "tl.BoundaryCheck("+strings.Join(c.ints(c.Arg("boundary_check")), ", ")+")")
	}
	if c.Given("padding_option") {
		switch c.text("padding_option") {
		case "zero":
			options = append(options, "tl.PadZero")
		case "nan":
			options = append(options, "tl.PadNaN")
		}
	}
	return options
}

var program = map[string]func(c *Call) value.Value{
	"program_id":   func(c *Call) value.Value { return c.place("ID") },
	"num_programs": func(c *Call) value.Value { return c.place("Num") },
	"assume debug_barrier": func(c *Call) value.Value {
		switch {
		case c.Meaning.Row == "debug_barrier":
			return value.Call(value.Type{}, "tl.DebugBarrier")
		case c.Meaning.Row == "assume" && c.Arg("cond").Kind == value.Bool:
			return value.Call(value.Type{}, "tl.Assume", c.Arg("cond").Code)
		}
		return value.Value{}
	},
	"device_assert": func(c *Call) value.Value {
		label := c.Arg("msg").Code
		if c.Arg("msg").Kind != value.Text || label == "" {
			label = `"assert"`
		}
		return value.Call(value.Type{}, c.Fn.Instance()+".Assert", c.Arg("cond").Code, label)
	},
	"device_print": func(c *Call) value.Value {
		args := []string{`""`}
		if c.Arg("prefix").Kind == value.Text {
			args[0] = c.Arg("prefix").Code
		}
		for _, v := range c.Rest {
			args = append(args, v.Code)
		}
		return value.Call(value.Type{}, c.Fn.Instance()+".Print", args...)
	},
}

func (c *Call) place(method string) value.Value {
	t := value.Type{Kind: value.Int, DType: dtype.Int32}
	return value.Call(t, c.Fn.Instance()+"."+method, c.count("axis"))
}
