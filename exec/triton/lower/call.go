package lower

import (
	"github.com/tiler-go/tiler/exec/triton/lower/builtin"
	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/exec/triton/syntax"
)

// call lowers a call.
func (l *lowering) call(e *syntax.Call) value.Value {
	f := l.expr(e.Func)
	l.At = e.At
	switch f := f.(type) {
	case value.Builtin:
		return l.bind(f.Row, e).Lower()
	case value.Method:
		return l.bind(f.Row, e, f.Recv).Lower()
	case bound:
		return l.inline(f.f, append([]builtin.Given{{Value: f.recv}}, l.positional(e)...), e.At)
	case value.Function:
		return l.inline(f, l.positional(e), e.At)
	case typeQuery:
		return f.answer(&l.Place)
	case value.Type: // tl.float32(x)
		to, _ := builtin.Find("cast")
		c := l.bind(to.Row, e)
		c.Args["dtype"] = f
		return c.Lower()
	case value.Class:
		gs := l.positional(e)
		if len(gs) != 1 {
			value.Fail(l.Refuse("%s: want one argument", string(f)))
		}
		return builtin.Convert(&l.Emitter, f, gs[0].Value)
	}
	if l.Func == nil {
		return value.Mystery("something of the host")
	}
	value.Fail(l.Refuse("%s cannot be called in a kernel", value.Describe(f)))
	return nil
}

// positional evaluates a call's arguments.
func (l *lowering) positional(e *syntax.Call) (gs []builtin.Given) {
	for _, a := range e.Args {
		switch a.Stars {
		case 1:
			for _, v := range l.Elements(l.expr(a.Value)) {
				gs = append(gs, builtin.Given{Value: v})
			}
		case 2:
			l.At = a.At
			value.Fail(l.Refuse("** in a call: not possible in a kernel").Fix("write the arguments out"))
		default:
			gs = append(gs, builtin.Given{Name: a.Name, Value: l.expr(a.Value)})
		}
	}
	l.At = e.At
	return gs
}

// bind is a call of a row's function; first is a method's receiver.
func (l *lowering) bind(r *value.Row, e *syntax.Call, first ...value.Value) *builtin.Call {
	py := builtin.Python{Prelude: preludeFunction, Inline: func(f value.Function, gs []builtin.Given) value.Value {
		return l.inline(f, gs, l.At)
	}}
	return builtin.Bind(&l.Emitter, py, r, first, l.positional(e))
}

// inline lowers the body of a function in place of a call of it.
func (l *lowering) inline(f value.Function, gs []builtin.Given, at syntax.Pos) value.Value {
	if l.depth++; l.depth > maxCalls {
		value.Fail(l.Refuse("%s calls itself: not possible in a kernel", f.Def.Name))
	}
	defer func() { l.depth-- }()
	fr := &value.Frame{Scope: f.Scope, Def: f.Def, Vars: map[string]value.Value{}, Outer: l.Frame, Call: at, Nested: true}
	fr.Plain = f.Def.Decorated("constexpr_function")
	l.arguments(fr, gs)
	if l.Func != nil {
		l.Live.Add(f.Def)
	}
	caller, place, loops := l.Frame, l.At, l.loops
	l.Frame, l.loops = fr, 0
	l.list(f.Def.Body)
	l.Frame, l.At, l.loops = caller, place, loops
	return fr.Result
}

// arguments gives a function's parameters their values.
func (l *lowering) arguments(fr *value.Frame, gs []builtin.Given) {
	ps := fr.Def.Params
	n := 0
	for _, g := range gs {
		name := g.Name
		switch {
		case name != "":
		case n < len(ps) && ps[n].Stars == 0:
			name = ps[n].Name
			n++
		case n < len(ps) && ps[n].Stars == 1:
			rest, _ := fr.Vars[ps[n].Name].(value.Tuple)
			fr.Vars[ps[n].Name] = append(rest, g.Value)
			continue
		default:
			value.Fail(l.Refuse("%s: more than %d arguments", fr.Def.Name, len(ps)))
		}
		p := parameter(ps, name)
		if p == nil {
			value.Fail(l.Refuse("%s has no parameter %s", fr.Def.Name, name))
		}
		fr.Vars[name] = g.Value
		if c, ok := value.Known(g.Value); ok && p.Annotation != nil && isConstexpr(p.Annotation) {
			fr.Vars[name] = c
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
func (l *lowering) defaults(fr *value.Frame) {
	for _, p := range fr.Def.Params {
		if _, ok := fr.Vars[p.Name]; ok {
			continue
		}
		switch {
		case p.Stars > 0:
			fr.Vars[p.Name] = value.Tuple{}
		case p.Default != nil:
			fr.Vars[p.Name] = l.defaultOf(fr.Scope, p)
		default:
			value.Fail(l.Refuse("%s: no argument for %s", fr.Def.Name, p.Name))
		}
	}
}

// defaultOf is the default of a parameter, which stands in the file and not in the caller.
func (l *lowering) defaultOf(f value.Scope, p syntax.Param) value.Value {
	at := l.At
	caller := l.Frame
	l.Frame = &value.Frame{Scope: f, Vars: map[string]value.Value{}, Outer: caller, Call: at}
	v := l.expr(p.Default)
	l.Frame, l.At = caller, at
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
func exported(v value.Value) (c any, ok bool) {
	switch v := v.(type) {
	case nil, bool, int64, float64, string:
		return v, true
	case value.Type:
		return v.D, true
	case value.Function:
		return Function{v.Scope.(*File), v.Def}, true
	case value.Tuple:
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
