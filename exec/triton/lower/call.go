package lower

import (
	"strings"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A row is a function of the language.
type row struct {
	names  []string // as a file finds it: "load", "builtins.len", "triton.cdiv"
	params []string
	member bool // tensors have it as a method, too
	lower  func(c *call) value
}

func (r *row) name() string { return r.names[0][strings.LastIndex(r.names[0], ".")+1:] }

// A call is a call of a row's function.
type call struct {
	*lowering
	row  *row
	args map[string]value
	rest []value // of a function that takes any number
	what string  // as messages name it: "tl.load"
}

// arg is an argument, nil (None) if it is not given.
func (c *call) arg(name string) value { return c.args[name] }

// given reports whether an argument is there and not None.
func (c *call) given(name string) bool { return c.args[name] != nil }

// must is a type that a rule gives, if nothing is wrong.
func (c *call) must(t ir.Type, wrong *diag.Diagnostic) ir.Type {
	c.holds(c.what, wrong)
	return t
}

// call lowers a call.
func (l *lowering) call(e *syntax.Call) value {
	f := l.expr(e.Func)
	l.at = e.At
	switch f := f.(type) {
	case builtin:
		return f.lower(l.bind(f.row, nil, e))
	case method:
		return f.row.lower(l.bind(f.row, []value{f.recv}, e))
	case bound:
		return l.inline(f.f, append(l.positional(e), given{value: f.recv, first: true}), e.At)
	case function:
		return l.inline(f, l.positional(e), e.At)
	case typeQuery:
		return l.is(f)
	case typeOf: // tl.float32(x)
		c := l.bind(rows["cast"], nil, e)
		c.args["dtype"] = f
		return rows["cast"].lower(c)
	case class:
		gs := l.positional(e)
		if len(gs) != 1 {
			fail(l.refuse("%s: want one argument", string(f)))
		}
		return l.convert(f, gs[0].value)
	}
	if l.fn == nil {
		return mystery{"something of the host"}
	}
	fail(l.refuse("%s cannot be called in a kernel", describe(f)))
	return nil
}

// A given is an argument of a call.
type given struct {
	name  string // "" by position
	value value
	first bool // the receiver
}

// positional evaluates a call's arguments.
func (l *lowering) positional(e *syntax.Call) (gs []given) {
	for _, a := range e.Args {
		switch a.Stars {
		case 1:
			for _, v := range l.elements(l.expr(a.Value)) {
				gs = append(gs, given{value: v})
			}
		case 2:
			l.at = a.At
			fail(l.refuse("** in a call: not possible in a kernel").Fix("write the arguments out"))
		default:
			gs = append(gs, given{name: a.Name, value: l.expr(a.Value)})
		}
	}
	l.at = e.At
	return gs
}

// bind gives the arguments of a call to a row's parameters.
func (l *lowering) bind(r *row, first []value, e *syntax.Call) *call {
	c := &call{lowering: l, row: r, args: map[string]value{}, what: r.spelling()}
	n := 0
	put := func(v value) {
		switch {
		case n < len(r.params) && r.params[n] != "*":
			c.args[r.params[n]] = v
			n++
		case n < len(r.params):
			c.rest = append(c.rest, v)
		default:
			fail(l.refuse("%s: more than %d arguments", c.what, len(r.params)))
		}
	}
	for _, v := range first {
		put(v)
	}
	for _, g := range l.positional(e) {
		if g.name == "" {
			put(g.value)
			continue
		}
		if !r.has(g.name) {
			fail(l.refuse("%s has no argument %s", c.what, g.name))
		}
		c.args[g.name] = g.value
	}
	return c
}

// hints are arguments that change nothing here.
var hints = map[string]bool{
	"cache_modifier": true, "eviction_policy": true, "volatile": true, "sem": true, "scope": true, "num_stages": true, "loop_unroll_factor": true,
	"disallow_acc_multi_buffer": true, "flatten": true, "warp_specialize": true, "disable_licm": true, "can_reorder": true, "ieee_rounding": true,
	"max_num_imprecise_acc": true, "_builder": true, "_semantic": true, "_generator": true, "is_pure": true,
}

func (r *row) has(name string) bool {
	if hints[name] {
		return true
	}
	for _, p := range r.params {
		if p == name {
			return true
		}
	}
	return false
}

// spelling is the function as messages name it.
func (r *row) spelling() string {
	if strings.Contains(r.names[0], ".") {
		return r.name()
	}
	return "tl." + r.names[0]
}

// inline lowers the body of a function in place of a call of it.
func (l *lowering) inline(f function, gs []given, at syntax.Pos) value {
	if l.depth++; l.depth > maxCalls {
		fail(l.refuse("%s calls itself: not possible in a kernel", f.def.Name))
	}
	defer func() { l.depth-- }()
	fr := &frame{file: f.file, def: f.def, vars: map[string]value{}, outer: l.frame, call: at, nested: true}
	fr.plain = f.def.Decorated("constexpr_function")
	l.arguments(fr, gs)
	if l.fn != nil {
		l.live.Add(f.def)
	}
	caller, place, loops := l.frame, l.at, l.loops
	l.frame, l.loops = fr, 0
	l.list(f.def.Body)
	l.frame, l.at, l.loops = caller, place, loops
	return fr.result
}

// arguments gives a function's parameters their values.
func (l *lowering) arguments(fr *frame, gs []given) {
	ps := fr.def.Params
	n := 0
	for i := len(gs) - 1; i >= 0; i-- {
		if gs[i].first {
			gs = append([]given{{value: gs[i].value}}, append(append([]given{}, gs[:i]...), gs[i+1:]...)...)
			break
		}
	}
	for _, g := range gs {
		name := g.name
		switch {
		case name != "":
		case n < len(ps) && ps[n].Stars == 0:
			name = ps[n].Name
			n++
		case n < len(ps) && ps[n].Stars == 1:
			rest, _ := fr.vars[ps[n].Name].(tuple)
			fr.vars[ps[n].Name] = append(rest, g.value)
			continue
		default:
			fail(l.refuse("%s: more than %d arguments", fr.def.Name, len(ps)))
		}
		p := parameter(ps, name)
		if p == nil {
			fail(l.refuse("%s has no parameter %s", fr.def.Name, name))
		}
		fr.vars[name] = g.value
		if c, ok := known(g.value); ok && p.Annotation != nil && isConstexpr(p.Annotation) {
			fr.vars[name] = c
		}
	}
	l.defaults(fr)
}

// parameter is that of a name, nil if there is none.
func parameter(ps []syntax.Param, name string) *syntax.Param {
	for i, p := range ps {
		if p.Name == name && p.Stars == 0 {
			return &ps[i]
		}
	}
	return nil
}

// defaults gives the parameters that are left theirs.
func (l *lowering) defaults(fr *frame) {
	for _, p := range fr.def.Params {
		if _, ok := fr.vars[p.Name]; ok {
			continue
		}
		switch {
		case p.Stars > 0:
			fr.vars[p.Name] = tuple{}
		case p.Default != nil:
			fr.vars[p.Name] = l.defaultOf(fr.file, p)
		default:
			fail(l.refuse("%s: no argument for %s", fr.def.Name, p.Name))
		}
	}
}

// defaultOf is the default of a parameter, which stands in the file and not in the caller.
func (l *lowering) defaultOf(f *File, p syntax.Param) value {
	at := l.at
	caller := l.frame
	l.frame = &frame{file: f, vars: map[string]value{}, outer: caller, call: at}
	v := l.expr(p.Default)
	l.frame, l.at = caller, at
	return v
}

// Default is the default of a kernel's parameter as a compile-time value; ok is false if it
// has none that is known.
func (f *File) Default(p syntax.Param) (c any, ok bool) {
	if p.Default == nil {
		return nil, false
	}
	looking.Lock()
	defer looking.Unlock()
	v, ok := f.evaluate(binding{expr: p.Default})
	if !ok {
		return nil, false
	}
	return exported(v)
}

// exported is a known value as an Arg's Const.
func exported(v value) (c any, ok bool) {
	switch v := v.(type) {
	case nil, bool, int64, float64, string:
		return v, true
	case typeOf:
		return v.d, true
	case function:
		return Function{v.file, v.def}, true
	case tuple:
		list := []any{}
		for _, e := range v {
			x, ok := exported(e)
			if !ok {
				return nil, false
			}
			list = append(list, x)
		}
		return list, true
	}
	return nil, false
}
