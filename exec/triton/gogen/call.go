package gogen

import (
	"fmt"
	"strings"

	"github.com/tiler-go/tiler/exec/triton/gogen/builtin"
	"github.com/tiler-go/tiler/exec/triton/gogen/value"
	"github.com/tiler-go/tiler/exec/triton/lower"
	"github.com/tiler-go/tiler/exec/triton/spell"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// call is a call of what is known by name, or of a method.
func (f *expressions) call(e *syntax.Call) value.Value {
	if m, ok := f.meaning(e.Func); ok {
		return f.called(m, e, nil)
	}
	if a, ok := e.Func.(*syntax.Attribute); ok {
		return f.method(a, e)
	}
	f.Refuse("what is called here is not known before a launch")
	return value.Value{}
}

// called is a call of a function, perhaps as a method of a value.
func (f *expressions) called(m lower.Meaning, e *syntax.Call, recv *value.Value) value.Value {
	if m.Known {
		d, ok := m.Const.(dtype.DType)
		if !ok {
			f.Refuse("what is called here is no function")
		}
		c := f.bindCall(lower.Meaning{Row: "to", Params: []string{"input"}}, e, recv)
		f.At = e.At
		c.Args["dtype"] = f.Literal(d)
		return builtin.Row("to")(c)
	}
	if m.Def != nil {
		if row := builtin.Row("prelude." + m.Def.Name); row != nil && m.Prelude() {
			c := f.bindCall(lower.Meaning{Row: m.Def.Name, Params: paramNames(m.Def)}, e, recv)
			f.At = e.At
			if v := row(c); v.Code != "" {
				return v
			}
		}
		return f.inner(m, e, recv)
	}
	if m.Row == "static_print" || m.Row == "static_assert" { // what Triton says while it compiles
		return value.Value{}
	}
	c := f.bindCall(m, e, recv)
	f.At = e.At
	if row := builtin.Row(m.Row); row != nil {
		return row(c)
	}
	f.Refuse("tl.%s has no counterpart in Go", strings.TrimPrefix(m.Row, "builtins."))
	return value.Value{}
}

func paramNames(def *syntax.FuncDef) (names []string) {
	for _, p := range def.Params {
		names = append(names, p.Name)
	}
	return names
}

// bindCall evaluates a call's arguments, and gives them to parameters.
func (f *expressions) bindCall(m lower.Meaning, e *syntax.Call, recv *value.Value) *builtin.Call {
	c := &builtin.Call{Printer: &f.Printer, Fn: f, Meaning: m, Args: map[string]value.Value{}}
	n := 0
	put := func(v value.Value) {
		switch {
		case n < len(m.Params) && m.Params[n] != "*":
			c.Args[m.Params[n]] = v
			n++
		case n < len(m.Params):
			c.Rest = append(c.Rest, v)
		default:
			f.Refuse("tl.%s: more than %d arguments", m.Row, len(m.Params))
		}
	}
	if recv != nil {
		put(*recv)
	}
	for _, a := range e.Args {
		switch {
		case a.Stars > 0:
			f.Refuse("* in a call has no counterpart in Go")
		case a.Name == "":
			put(f.expr(a.Value))
		case a.Name == "msg" || lower.IsHint(a.Name) && !strings.Contains(strings.Join(m.Params, " "), a.Name):
		default:
			v := f.expr(a.Value)
			if m.Row == "range" && a.Name != "step" && lower.IsHint(a.Name) {
				continue
			}
			c.Args[a.Name] = v
		}
	}
	if m.Row == "range" || m.Row == "static_range" {
		c.Args = map[string]value.Value{"arg1": c.Args["arg1"], "arg2": c.Args["arg2"], "step": c.Args["step"]}
		for n, v := range c.Args {
			if v.Code == "" {
				delete(c.Args, n)
			}
		}
	}
	return c
}

// inner is a call of a function of a file, which is printed, too.
func (f *expressions) inner(m lower.Meaning, e *syntax.Call, recv *value.Value) value.Value {
	args, filled := make([]value.Value, len(m.Def.Params)), make([]bool, len(m.Def.Params))
	n := 0
	put := func(i int, v value.Value) {
		if i >= len(args) {
			f.Refuse("%s: more than %d arguments", m.Def.Name, len(args))
		}
		args[i], filled[i] = v, true
	}
	if recv != nil {
		put(0, *recv)
		n++
	}
	for _, a := range e.Args {
		if a.Stars > 0 {
			f.Refuse("* in a call has no counterpart in Go")
		}
		if a.Name == "" {
			put(n, f.expr(a.Value))
			n++
			continue
		}
		i := index(m.Def, a.Name)
		if i < 0 {
			f.At = e.At
			f.Refuse("%s has no parameter %s", m.Def.Name, a.Name)
		}
		put(i, f.expr(a.Value))
	}
	f.At = e.At
	for i, p := range m.Def.Params {
		if !filled[i] && p.Default == nil {
			f.Refuse("%s: no argument for %s", m.Def.Name, p.Name)
		}
		if !filled[i] {
			args[i] = f.defaultOf(m, p)
		}
	}
	return f.invoke(m, args)
}

func index(def *syntax.FuncDef, name string) int {
	for i, p := range def.Params {
		if p.Name == name {
			return i
		}
	}
	return -1
}

func (f *expressions) defaultOf(m lower.Meaning, p syntax.Param) value.Value {
	d, ok := m.In.Meaning(p.Default)
	if !ok {
		f.Refuse("the default of %s's %s is not known before a launch", m.Def.Name, p.Name)
	}
	return f.meant("", d)
}

// invoke is a call of a function that is printed for these arguments.
func (f *expressions) invoke(m lower.Meaning, args []value.Value) value.Value {
	ts, codes := make([]value.Type, len(args)), []string{}
	for i, a := range args {
		ts[i] = a.Type
		switch {
		case a.Kind == value.Tuple || a.Kind == value.List:
			f.Refuse("a tuple as an argument of %s has no counterpart in Go", m.Def.Name)
		case a.Kind == value.Func || a.Kind == value.None:
		default:
			codes = append(codes, a.Code)
		}
	}
	h := f.g.helper(m.In, m.Def, ts)
	if heading, _, _ := strings.Cut(h.text, "{"); strings.Contains(heading, "*tl.Program") {
		codes = append([]string{f.Instance()}, codes...)
	}
	t := value.TupleOf(h.results...)
	switch len(h.results) {
	case 0:
		t = value.Type{}
	case 1:
		t = h.results[0]
	}
	return value.Call(t, h.name, codes...)
}

// Instance is the program, which a function that is called gets as an argument.
func (f *expressions) Instance() string {
	f.needs = true
	return f.program
}

// Masks notes that a variable is used as a mask.
func (f *expressions) Masks(name string) {
	if !f.masks[name] {
		f.masks[name], f.changed = true, true
	}
}

// First prints a call of two results before the statement, and is a name of the first of them.
func (f *expressions) First(code string) string {
	temp := f.temp()
	f.emit("%s, _ := %s", temp, code)
	return temp
}

// Helper prints a function for arguments of some types, and is its name and what it returns.
func (f *expressions) Helper(m *lower.Meaning, args []value.Type) (name string, results []value.Type) {
	h := f.g.helper(m.In, m.Def, args)
	return h.name, h.results
}

// method is a call of a method of a value.
func (f *expressions) method(a *syntax.Attribute, e *syntax.Call) value.Value {
	if strings.HasPrefix(a.Name, "is_") {
		return f.isType(a)
	}
	x := f.expr(a.X)
	f.At = a.At
	region := x.Kind == value.Block || x.Kind == value.Desc
	m, ok := lower.MethodOf(a.Name, region)
	if !ok || !region && x.Kind != value.Tile && !x.IsNumber() {
		f.Refuse("%s has no method %s that has a counterpart in Go", x.Kind, a.Name)
	}
	return f.called(m, e, &x)
}

// isType asks a dtype what it is: is_fp16().
func (f *expressions) isType(a *syntax.Attribute) value.Value {
	x := f.expr(a.X)
	f.At = a.At
	if x.Kind != value.DType {
		f.Refuse("%s has no %s", x.Kind, a.Name)
	}
	d, ok := spell.Type(strings.TrimPrefix(a.Name, "is_"))
	if !ok {
		f.Refuse("%s has no counterpart in Go: compare the dtype with others", a.Name)
	}
	return f.Binary("==", x, f.Literal(d))
}

// attribute is x.name.
func (f *expressions) attribute(e *syntax.Attribute) value.Value {
	if m, ok := f.meaning(e); ok {
		return f.meant("", m)
	}
	x := f.expr(e.X)
	f.At = e.At
	switch e.Name {
	case "element_ty", "scalar":
		if x.Kind == value.DType {
			return x
		}
	case "value":
		return x
	case "primitive_bitwidth":
		if x.Kind == value.DType && x.DType != dtype.Invalid {
			return f.Literal(int64(x.DType.Bits()))
		}
	case "dtype", "type":
		return f.DTypeOf(x)
	case "shape":
		if x.Kind == value.Tile {
			v := x.Method(value.Type{Kind: value.List}, "Shape")
			v.Parts = []value.Value{x}
			return v
		}
	case "T":
		if x.Kind == value.Tile {
			return x.Method(x.Type, "T")
		}
	}
	f.Refuse("%s of %s has no counterpart in Go", e.Name, x.Kind)
	return value.Value{}
}

// subscript is x[:, None], or an element of a tuple.
func (f *expressions) subscript(e *syntax.Subscript) value.Value {
	x := f.expr(e.X)
	f.At = e.At
	switch {
	case x.Kind == value.List:
		i := f.expr(e.Index)
		return x.Parts[0].Method(value.WeakInt, "Dim", i.Code)
	case x.Kind == value.Tuple && len(x.Parts) > 0:
		return f.Element(x, f.expr(e.Index))
	case x.Kind != value.Tile:
		f.Refuse("an element of %s has no counterpart in Go", x.Kind)
	}
	index := []syntax.Expr{e.Index}
	if t, ok := e.Index.(*syntax.Tuple); ok {
		index = t.Elems
	}
	var axes []int
	colons := 0
	for i, x := range index {
		switch s := x.(type) {
		case *syntax.Slice:
			if s.Lo != nil || s.Hi != nil || s.Step != nil {
				f.Refuse("a tile is indexed with : and None only")
			}
			colons++
		default:
			if f.expr(x).Kind != value.None {
				f.Refuse("a tile is indexed with : and None only")
			}
			axes = append(axes, i)
		}
	}
	if len(axes) == 1 && colons == 1 {
		return x.Method(x.Type, []string{"Row", "Col"}[axes[0]])
	}
	x.Name = ""
	for _, a := range axes {
		x = x.Method(x.Type, "ExpandDims", fmt.Sprint(a))
	}
	return x
}
