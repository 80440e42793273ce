package builtin

import (
	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// program is the program instance, and what only says something about it.
var program = []line{
	{"program_id", "axis", func(c *Call) value.Value { return c.place(op.ProgramID) }},
	{"num_programs", "axis", func(c *Call) value.Value { return c.place(op.NumPrograms) }},
	{"range builtins.range", "arg1 arg2 step num_stages loop_unroll_factor", misplaced},
	{"static_range", "arg1 arg2 step", misplaced},
	{"multiple_of max_contiguous max_constancy", "input values", func(c *Call) value.Value { return c.arg("input") }},
	{"assume", "cond", nothing},
	{"debug_barrier gdc_wait gdc_launch_dependents", "", nothing}, // here nobody is to be waited for
	{"static_print", "*", nothing},
	{"static_assert", "cond msg", func(c *Call) value.Value {
		if v, ok := value.Known(c.arg("cond")); !ok || !value.Truth(v) {
			value.Fail(c.Refuse("tl.static_assert does not hold%s", message(c.arg("msg"))))
		}
		return nil
	}},
	{"device_assert", "cond msg mask", func(c *Call) value.Value {
		text, _ := c.arg("msg").(string)
		cond := c.arg("cond")
		if c.given("mask") {
			cond = c.Operate("|", c.Boolean(cond), c.Elementwise(op.Eq, c.what, c.Boolean(c.arg("mask")), false))
		}
		Assert(c.Emitter, cond, text)
		return nil
	}},
	{"device_print builtins.print", "prefix *", func(c *Call) value.Value {
		label, _ := c.arg("prefix").(string)
		xs := make([]*ir.Value, len(c.rest))
		for i, v := range c.rest {
			xs[i] = c.Numeric(c.what, v).IR
		}
		c.Emit(op.Print, ir.Type{}, xs...).Text = label
		return nil
	}},
	{"inline_asm_elementwise", "asm constraints args dtype is_pure pack", func(c *Call) value.Value {
		value.Fail(c.Refuse("tl.inline_asm_elementwise: instructions of a GPU mean nothing here").
			Fix("write what they compute with operators and tl functions"))
		return nil
	}},
}

func nothing(c *Call) value.Value { return nil }

func misplaced(c *Call) value.Value {
	value.Fail(c.Refuse("%s stands only behind for ... in", c.what))
	return nil
}

func message(v value.Value) string {
	if s, ok := v.(string); ok {
		return ": " + s
	}
	return ""
}

func (c *Call) place(o op.Op) value.Value {
	axis := c.StaticInt(c.arg("axis"), "the axis of "+c.what)
	if axis < 0 || axis > 2 {
		value.Fail(c.Refuse("%s: axis %d: a grid has axes 0, 1 and 2", c.what, axis))
	}
	return value.Tensor{IR: c.Cast(emit.Indexed(c.Emitter, o, ir.Scalar(dtype.Int64), axis), dtype.Int32)}
}

// Assert ends the instance where a condition does not hold.
func Assert(l *value.Emitter, cond value.Value, text string) {
	if c, ok := value.Known(cond); ok {
		if !value.Truth(c) {
			value.Fail(l.Refuse("this assertion does not hold%s", message(text)))
		}
		return
	}
	c := l.Boolean(cond).(value.Tensor)
	l.Emit(op.Assert, ir.Type{}, c.IR).Text = text
}

// Range is the start, end and step.
func (c *Call) Range() (lo, hi, step value.Value) {
	lo, hi, step = c.arg("arg1"), c.arg("arg2"), c.arg("step")
	if hi == nil {
		lo, hi = int64(0), lo
	}
	if step == nil {
		step = int64(1)
	}
	return lo, hi, step
}

// Numbers is what a range that is known counts through.
func (c *Call) Numbers() value.Tuple {
	lo, hi, step := c.Range()
	from, to := c.StaticInt(lo, "the start of tl.static_range"), c.StaticInt(hi, "the end of tl.static_range")
	by := c.StaticInt(step, "the step of tl.static_range")
	if by == 0 {
		value.Fail(c.Refuse("tl.static_range: a step of 0"))
	}
	list := value.Tuple{}
	for i := from; i < to && by > 0 || i > to && by < 0; i += by {
		list = append(list, int64(i))
		if len(list) > value.MaxValues {
			value.Fail(c.Refuse("tl.static_range: more than %d rounds", value.MaxValues).Fix("loop with range instead"))
		}
	}
	return list
}
