package gogen

import (
	"fmt"
	"strings"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/rule"
)

var reductions = map[string]func(c *bound) val{
	"sum": func(c *bound) val {
		options := c.axis("axis")
		d := rule.Widened32(c.tile("input").t.d)
		if c.given("dtype") {
			as := c.dtype(c.arg("dtype"))
			options, d = append(options, "tl.As("+as.code+")"), as.t.d
		}
		return c.reduced("tl.Sum", d, options)
	},
	"max":       func(c *bound) val { return c.extreme("tl.Max", "tl.MaxIndex") },
	"min":       func(c *bound) val { return c.extreme("tl.Min", "tl.MinIndex") },
	"argmax":    func(c *bound) val { return c.reduced("tl.ArgMax", dtype.Int32, c.axis("axis")) },
	"argmin":    func(c *bound) val { return c.reduced("tl.ArgMin", dtype.Int32, c.axis("axis")) },
	"xor_sum":   func(c *bound) val { return c.reduced("tl.XorSum", dtype.Invalid, c.axis("axis")) },
	"reduce_or": func(c *bound) val { return c.reduced("tl.OrSum", dtype.Invalid, c.axis("axis")) },
	"reduce":    func(c *bound) val { return c.combined("tl.Reduce", c.axis("axis"), true) },
	"associative_scan": func(c *bound) val {
		return c.combined("tl.Scan", c.reverse(c.axis("axis")), false)
	},
	"cumsum": func(c *bound) val {
		options := c.reverse(c.axis("axis"))
		if c.given("dtype") {
			options = append(options, "tl.As("+c.dtype(c.arg("dtype")).code+")")
		}
		return c.reduced("tl.CumSum", dtype.Invalid, options)
	},
	"cumprod": func(c *bound) val { return c.reduced("tl.CumProd", dtype.Invalid, c.reverse(c.axis("axis"))) },
	"sort": func(c *bound) val {
		x := c.tile("x")
		if c.is("descending") {
			return call(fmt.Sprintf("tl.Sort(%s, tl.Descending)", x.code), x.t)
		}
		return call(fmt.Sprintf("tl.Sort(%s)", x.code), x.t)
	},
	"topk": func(c *bound) val {
		x, temp := c.tile("x"), c.temp()
		if c.cond {
			c.refuse("tl.topk in the condition of a loop has no counterpart in Go")
		}
		c.emit("%s, _ := tl.TopK(%s, %s)", temp, x.code, c.count(c.arg("k")).code)
		return call(temp, x.t)
	},
	"histogram": func(c *bound) val {
		code := fmt.Sprintf("tl.Histogram(%s, %s", c.tile("input").code, c.count(c.arg("num_bins")).code)
		if c.given("mask") {
			code += ", tl.Mask(" + c.arg("mask").code + ")"
		}
		return call(code+")", tile(dtype.Int32))
	},
	"gather": func(c *bound) val {
		x := c.tile("src")
		return call(fmt.Sprintf("tl.Gather(%s, %s, %s)", x.code, c.tile("index").code, c.count(c.arg("axis")).code), x.t)
	},
	"dot": dot,
}

func dot(c *bound) val {
	options := ""
	t := tile(dtype.Invalid)
	if c.given("acc") {
		options += ", tl.Acc(" + c.tile("acc").code + ")"
		t = c.arg("acc").t
	}
	if c.given("out_dtype") {
		d := c.dtype(c.arg("out_dtype"))
		options += ", tl.As(" + d.code + ")"
		t = tile(d.t.d)
	}
	t.param = ""
	return call(fmt.Sprintf("tl.Dot(%s, %s%s)", c.tile("input").code, c.tile("other").code, options), t)
}

// axis is the option that names an axis.
func (c *bound) axis(name string) (options []string) {
	if c.given(name) {
		return []string{"tl.Axis(" + c.count(c.arg(name)).code + ")"}
	}
	return nil
}

func (c *bound) reverse(options []string) []string {
	if c.is("reverse") {
		return append(options, "tl.Reverse")
	}
	return options
}

func (c *bound) reduced(name string, d dtype.DType, options []string) val {
	if c.is("keep_dims") {
		options = append(options, "tl.KeepDims")
	}
	return fun(tile(d), name, append([]string{c.tile("input").code}, options...)...)
}

func (c *bound) extreme(name, indexed string) val {
	x := c.tile("input")
	if !c.is("return_indices") {
		d := x.t.d
		if d.Bits() < 32 {
			d = dtype.Invalid
		}
		return c.reduced(name, d, c.axis("axis"))
	}
	v := c.reduced(indexed, dtype.Invalid, c.axis("axis"))
	v.t = typ{k: tupleKind, elems: []typ{tile(dtype.Invalid), tile(dtype.Int32)}}
	return v
}

// combined is a reduction or scan by a function of the file.
func (c *bound) combined(name string, options []string, keeps bool) val {
	fn := c.arg("combine_fn")
	if fn.t.k != funcKind || fn.t.fn.Def == nil {
		c.refuse("tl.%s: the function is not known before a launch", c.m.Row)
	}
	x := c.arg("input")
	parts := []val{x}
	if x.t.k == tupleKind {
		parts = x.parts
		if len(parts) == 0 {
			c.refuse("tl.%s of a tuple that another function returns: name its parts first", c.m.Row)
		}
	}
	codes, types := make([]string, len(parts)), make([]typ, len(parts))
	for i, p := range parts {
		p = c.lifted(p)
		codes[i], types[i] = p.code, tile(p.t.d)
	}
	h := c.g.helper(fn.t.fn.In, fn.t.fn.Def, append(append([]typ{}, types...), types...))
	for _, r := range h.results {
		if r.k != tileKind {
			c.refuse("%s returns %s: a combining function returns tiles", h.def.Name, r.k)
		}
	}
	if len(parts) > 1 {
		name += fmt.Sprint(len(parts))
	}
	options = append([]string{h.name}, options...)
	if keeps && c.is("keep_dims") {
		options = append(options, "tl.KeepDims")
	}
	code := fmt.Sprintf("%s(%s)", name, strings.Join(append(codes, options...), ", "))
	if len(parts) == 1 {
		return call(code, tile(dtype.Invalid))
	}
	return val{code: code, prec: primary, t: typ{k: tupleKind, elems: types}}
}

var memory = map[string]func(c *bound) val{
	"load": func(c *bound) val {
		p := c.arg("pointer")
		if p.t.k == blockKind {
			return p.method(tile(dtype.Invalid), "Load", c.boundary()...)
		}
		args := []string{c.pointer("pointer").code}
		if c.given("mask") {
			args = append(args, "tl.Mask("+c.mask().code+")")
			if c.given("other") {
				args = append(args, "tl.Other("+c.arg("other").code+")")
			}
		}
		return call("tl.Load("+strings.Join(args, ", ")+")", tile(dtype.Invalid))
	},
	"store": func(c *bound) val {
		p := c.arg("pointer")
		if p.t.k == blockKind {
			return p.method(typ{}, "Store", append([]string{c.arg("value").code}, c.boundary()...)...)
		}
		args := []string{c.pointer("pointer").code, c.arg("value").code}
		if c.given("mask") {
			args = append(args, "tl.Mask("+c.mask().code+")")
		}
		return call("tl.Store("+strings.Join(args, ", ")+")", typ{})
	},
	"make_block_ptr": func(c *bound) val {
		args := []string{c.base().code}
		for _, n := range []string{"shape", "strides", "offsets", "block_shape"} {
			args = append(args, c.list(c.arg(n)))
		}
		order := "nil"
		if c.given("order") {
			order = c.list(c.arg("order"))
		}
		return call("tl.MakeBlockPtr("+strings.Join(append(args, order), ", ")+")", typ{k: blockKind, base: c.base().t.param})
	},
	"advance": func(c *bound) val {
		return c.arg("base").method(c.arg("base").t, "Advance", c.ints(c.arg("offsets"))...)
	},
	"make_tensor_descriptor": func(c *bound) val {
		args := []string{c.base().code}
		for _, n := range []string{"shape", "strides", "block_shape"} {
			args = append(args, c.list(c.arg(n)))
		}
		if c.given("padding_option") && c.text("padding_option") == "nan" {
			args = append(args, "tl.PadNaN")
		}
		return call("tl.MakeDesc("+strings.Join(args, ", ")+")", typ{k: descKind})
	},
	"load_tensor_descriptor": func(c *bound) val {
		return c.desc().method(tile(dtype.Invalid), "Load", c.ints(c.arg("offsets"))...)
	},
	"store_tensor_descriptor": func(c *bound) val {
		args := append([]string{c.arg("value").code}, c.ints(c.arg("offsets"))...)
		return c.desc().method(typ{}, "Store", args...)
	},
	"atomic_add atomic_max atomic_min atomic_and atomic_or atomic_xor atomic_xchg": atomic,
	"atomic_cas": func(c *bound) val {
		p := c.pointer("pointer")
		return fun(tile(dtype.Invalid), "tl.AtomicCAS", p.code, c.arg("cmp").code, c.arg("val").code)
	},
}

// atomicNames are the atomics in Go.
var atomicNames = map[string]string{
	"add": "Add", "max": "Max", "min": "Min", "and": "And", "or": "Or", "xor": "Xor", "xchg": "Xchg",
}

func atomic(c *bound) val {
	args := []string{c.pointer("pointer").code, c.arg("val").code}
	if c.given("mask") {
		args = append(args, "tl.Mask("+c.mask().code+")")
	}
	name := atomicNames[strings.TrimPrefix(c.m.Row, "atomic_")]
	return call(fmt.Sprintf("tl.Atomic%s(%s)", name, strings.Join(args, ", ")), tile(dtype.Invalid))
}

// mask is the mask, as tiles or Go's bool.
func (c *bound) mask() val {
	m := c.arg("mask")
	if m.name != "" && !c.masks[m.name] {
		c.masks[m.name], c.changed = true, true
	}
	if m.t.k == tileKind {
		return c.truthTile(m)
	}
	return c.condition(m)
}

// pointer is an argument that is a pointer; a parameter that is used as one becomes it.
func (c *bound) pointer(name string) val {
	p := c.arg(name)
	if p.t.k == descKind || p.t.k == blockKind {
		c.refuse("tl.%s of %s has no counterpart in Go", c.m.Row, p.t.k)
	}
	if !p.t.ptr {
		c.g.become(p.t.param, typ{k: tileKind, ptr: true})
		c.refuse("tl.%s of %s: want a pointer", c.m.Row, p.t.k)
	}
	return p
}

func (c *bound) base() val { return c.pointer("base") }

func (c *bound) desc() val {
	d := c.arg("desc")
	if d.t.k != descKind {
		c.refuse("tl.%s of %s: make the descriptor in the kernel", c.m.Row, d.t.k)
	}
	return d
}

// boundary is the options of a load or store of a block.
func (c *bound) boundary() (options []string) {
	if c.given("boundary_check") {
		options = append(options, "tl.BoundaryCheck("+strings.Join(c.ints(c.arg("boundary_check")), ", ")+")")
	}
	if c.given("padding_option") {
		switch c.text("padding_option") {
		case "zero":
			options = append(options, "tl.PadZero")
		case "nan":
			options = append(options, "tl.PadNaN")
		}
	}
	return options
}

var program = map[string]func(c *bound) val{
	"program_id":   func(c *bound) val { return c.place("ID") },
	"num_programs": func(c *bound) val { return c.place("Num") },
	"assume debug_barrier": func(c *bound) val {
		switch {
		case c.m.Row == "debug_barrier":
			return call("tl.DebugBarrier()", typ{})
		case c.m.Row == "assume" && c.arg("cond").t.k == boolKind:
			return call("tl.Assume("+c.arg("cond").code+")", typ{})
		}
		return val{}
	},
	"device_assert": func(c *bound) val {
		label := c.args["msg"].code
		if c.args["msg"].t.k != textKind || label == "" {
			label = `"assert"`
		}
		return call(fmt.Sprintf("%s.Assert(%s, %s)", c.instance(), c.arg("cond").code, label), typ{})
	},
	"device_print": func(c *bound) val {
		args := []string{`""`}
		if c.arg("prefix").t.k == textKind {
			args[0] = c.arg("prefix").code
		}
		for _, v := range c.rest {
			args = append(args, v.code)
		}
		return call(fmt.Sprintf("%s.Print(%s)", c.instance(), strings.Join(args, ", ")), typ{})
	},
}

func (c *bound) place(method string) val {
	return fun(typ{k: intKind, d: dtype.Int32}, c.instance()+"."+method, c.count(c.arg("axis")).code)
}
