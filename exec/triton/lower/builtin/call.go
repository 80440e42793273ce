package builtin

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A Call is one of a function of the language, with its arguments.
type Call struct {
	*value.Emitter
	Python
	row  *value.Row
	Args map[string]value.Value
	rest []value.Value // of a function that takes any number
	what string        // as messages name it: "tl.load"
}

// Python lowers functions that are written in Python.
type Python struct {
	Inline  func(f value.Function, gs []Given) value.Value // what a function returns
	Prelude func(name string) value.Function               // a function of the language that is written in it
}

// A Given is an argument where a function is called.
type Given struct {
	Name  string // "" by position
	Value value.Value
}

// Bind gives arguments to the parameters of a row's function; first is a method's receiver.
func Bind(l *value.Emitter, py Python, r *value.Row, first []value.Value, gs []Given) *Call {
	c := &Call{Emitter: l, Python: py, row: r, Args: map[string]value.Value{}, what: r.Spelling()}
	n := 0
	put := func(v value.Value) {
		switch {
		case n < len(r.Params) && r.Params[n] != "*":
			c.Args[r.Params[n]] = v
			n++
		case n < len(r.Params):
			c.rest = append(c.rest, v)
		default:
			value.Fail(l.Refuse("%s: more than %d arguments", c.what, len(r.Params)))
		}
	}
	for _, v := range first {
		put(v)
	}
	for _, g := range gs {
		if g.Name == "" {
			put(g.Value)
			continue
		}
		if !IsHint(g.Name) && !slices.Contains(r.Params, g.Name) {
			value.Fail(l.Refuse("%s has no argument %s", c.what, g.Name))
		}
		c.Args[g.Name] = g.Value
	}
	return c
}

// IsHint reports whether an argument of any function changes nothing here.
func IsHint(name string) bool { return hints[name] }

var hints = map[string]bool{
	"cache_modifier": true, "eviction_policy": true, "volatile": true, "sem": true, "scope": true, "num_stages": true, "loop_unroll_factor": true,
	"disallow_acc_multi_buffer": true, "flatten": true, "warp_specialize": true, "disable_licm": true, "can_reorder": true, "ieee_rounding": true,
	"max_num_imprecise_acc": true, "_builder": true, "_semantic": true, "_generator": true, "is_pure": true,
}

// Lower is what the call gives.
func (c *Call) Lower() value.Value { return rows[c.row.Names[0]].lower(c) }

// arg is an argument, nil (None) if it is not given.
func (c *Call) arg(name string) value.Value { return c.Args[name] }

// given reports whether an argument is there and not None.
func (c *Call) given(name string) bool { return c.Args[name] != nil }

// must is a type that a rule gives, if nothing is wrong.
func (c *Call) must(t ir.Type, wrong *diag.Diagnostic) ir.Type {
	c.Holds(c.what, wrong)
	return t
}
