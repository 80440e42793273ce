package gogen

import (
	"fmt"
	"strings"

	"github.com/tiler-go/tiler/exec/triton/lower"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A bound is a call of a function of the language with its arguments.
type bound struct {
	*fn
	m    lower.Meaning
	args map[string]val
	rest []val
}

func (c *bound) arg(name string) val { return c.args[name] }

// given reports whether an argument is there and not None.
func (c *bound) given(name string) bool {
	v, ok := c.args[name]
	return ok && v.t.k != noneKind
}

// is reports whether an argument is True.
func (c *bound) is(name string) bool {
	v, ok := c.args[name]
	if ok && v.t.k != noneKind && v.static == nil {
		c.refuse("%s of tl.%s must be True or False", name, c.m.Row)
	}
	return ok && v.static != nil && *v.static
}

// text is an argument that is a string.
func (c *bound) text(name string) string { return strings.Trim(c.args[name].code, `"`) }

func (f *fn) call(e *syntax.Call) val {
	if m, ok := f.meaning(e.Func); ok {
		return f.called(m, e, nil)
	}
	if a, ok := e.Func.(*syntax.Attribute); ok {
		return f.method(a, e)
	}
	f.refuse("what is called here is not known before a launch")
	return val{}
}

// called is a call of a function, perhaps as a method of a value.
func (f *fn) called(m lower.Meaning, e *syntax.Call, recv *val) val {
	at := e.At
	if m.Known {
		d, ok := m.Const.(dtype.DType)
		if !ok {
			f.refuse("what is called here is no function")
		}
		c := f.bindCall(lower.Meaning{Row: "to", Params: []string{"input"}}, e, recv)
		f.at = at
		c.args["dtype"] = call(dtypeName(d), typ{k: dtypeKind, d: d})
		return rows["to"](c)
	}
	if m.Def != nil {
		if row, ok := rows["prelude."+m.Def.Name]; ok && m.Prelude() {
			c := f.bindCall(lower.Meaning{Row: m.Def.Name, Params: paramNames(m.Def)}, e, recv)
			f.at = at
			if v := row(c); v.code != "" {
				return v
			}
		}
		return f.inner(m, e, recv)
	}
	if m.Row == "static_print" || m.Row == "static_assert" { // what Triton says while it compiles
		return val{}
	}
	c := f.bindCall(m, e, recv)
	f.at = at
	if row, ok := rows[m.Row]; ok {
		return row(c)
	}
	if o, goCall := elementwiseOp(m.Row); o != op.None {
		return c.elementwise(o, goCall, c.m.Params)
	}
	f.refuse("tl.%s has no counterpart in Go", strings.TrimPrefix(m.Row, "builtins."))
	return val{}
}

func paramNames(def *syntax.FuncDef) (names []string) {
	for _, p := range def.Params {
		names = append(names, p.Name)
	}
	return names
}

// bindCall evaluates a call's arguments, and gives them to parameters.
func (f *fn) bindCall(m lower.Meaning, e *syntax.Call, recv *val) *bound {
	c := &bound{fn: f, m: m, args: map[string]val{}}
	n := 0
	put := func(v val) {
		switch {
		case n < len(m.Params) && m.Params[n] != "*":
			c.args[m.Params[n]] = v
			n++
		case n < len(m.Params):
			c.rest = append(c.rest, v)
		default:
			f.refuse("tl.%s: more than %d arguments", m.Row, len(m.Params))
		}
	}
	if recv != nil {
		put(*recv)
	}
	for _, a := range e.Args {
		switch {
		case a.Stars > 0:
			f.refuse("* in a call has no counterpart in Go")
		case a.Name == "":
			put(f.expr(a.Value))
		case a.Name == "msg" || lower.IsHint(a.Name) && !strings.Contains(strings.Join(m.Params, " "), a.Name):
		default:
			v := f.expr(a.Value)
			if m.Row == "range" && a.Name != "step" && lower.IsHint(a.Name) {
				continue
			}
			c.args[a.Name] = v
		}
	}
	if m.Row == "range" || m.Row == "static_range" {
		c.args = map[string]val{"arg1": c.args["arg1"], "arg2": c.args["arg2"], "step": c.args["step"]}
		for n, v := range c.args {
			if v.code == "" {
				delete(c.args, n)
			}
		}
	}
	return c
}

// inner is a call of a function of a file, which is printed, too.
func (f *fn) inner(m lower.Meaning, e *syntax.Call, recv *val) val {
	args, filled := make([]val, len(m.Def.Params)), make([]bool, len(m.Def.Params))
	n := 0
	put := func(i int, v val) {
		if i >= len(args) {
			f.refuse("%s: more than %d arguments", m.Def.Name, len(args))
		}
		args[i], filled[i] = v, true
	}
	if recv != nil {
		put(0, *recv)
		n++
	}
	for _, a := range e.Args {
		if a.Stars > 0 {
			f.refuse("* in a call has no counterpart in Go")
		}
		if a.Name == "" {
			put(n, f.expr(a.Value))
			n++
			continue
		}
		i := index(m.Def, a.Name)
		if i < 0 {
			f.at = e.At
			f.refuse("%s has no parameter %s", m.Def.Name, a.Name)
		}
		put(i, f.expr(a.Value))
	}
	f.at = e.At
	for i, p := range m.Def.Params {
		if !filled[i] && p.Default == nil {
			f.refuse("%s: no argument for %s", m.Def.Name, p.Name)
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

func (f *fn) defaultOf(m lower.Meaning, p syntax.Param) val {
	d, ok := m.In.Meaning(p.Default)
	if !ok {
		f.refuse("the default of %s's %s is not known before a launch", m.Def.Name, p.Name)
	}
	return f.meant("", d)
}

// invoke is a call of a function that is printed for these arguments.
func (f *fn) invoke(m lower.Meaning, args []val) val {
	ts, codes := make([]typ, len(args)), []string{}
	for i, a := range args {
		ts[i] = a.t
		switch {
		case a.t.k == tupleKind || a.t.k == listKind:
			f.refuse("a tuple as an argument of %s has no counterpart in Go", m.Def.Name)
		case a.t.k == funcKind || a.t.k == noneKind:
		default:
			codes = append(codes, a.code)
		}
	}
	h := f.g.helper(m.In, m.Def, ts)
	text := h.text
	if strings.Contains(text[:strings.Index(text, "{")], "*tl.Program") {
		codes = append([]string{f.instance()}, codes...)
	}
	code := fmt.Sprintf("%s(%s)", h.name, strings.Join(codes, ", "))
	switch len(h.results) {
	case 0:
		return call(code, typ{})
	case 1:
		return call(code, h.results[0])
	}
	return val{code: code, prec: primary, t: typ{k: tupleKind, elems: h.results}}
}

// instance is the program, which a function that is called gets as an argument.
func (f *fn) instance() string {
	f.needs = true
	return f.program
}

// heading is the function's text up to its brace.
func (f *fn) heading(args []typ) string {
	var b strings.Builder
	for _, line := range f.docLines() {
		b.WriteString("// " + line + "\n")
	}
	name := placeholder
	if f.kernel {
		name = goName(f.def.Name)
	}
	fmt.Fprintf(&b, "func %s(", name)
	if f.kernel || f.needs {
		fmt.Fprintf(&b, "%s *tl.Program", f.program)
		if len(args) > 0 {
			b.WriteString(", ")
		}
	}
	b.WriteString(f.paramList(args))
	b.WriteString(")")
	var results []string
	for _, t := range f.results {
		results = append(results, t.goType())
	}
	switch {
	case f.kernel || len(results) == 0:
	case len(results) == 1:
		b.WriteString(" " + results[0])
	default:
		b.WriteString(" (" + strings.Join(results, ", ") + ")")
	}
	b.WriteString(" {\n")
	return b.String()
}

// docLines are the function's docstring, or what stands above it.
func (f *fn) docLines() (lines []string) {
	if len(f.def.Body) > 0 {
		if e, ok := f.def.Body[0].(*syntax.ExprStmt); ok {
			if s, ok := e.X.(*syntax.String); ok {
				for _, line := range strings.Split(strings.TrimSpace(s.Value), "\n") {
					lines = append(lines, strings.TrimSpace(line))
				}
				return lines
			}
		}
	}
	first := f.def.At.Line
	for _, d := range f.def.Decorators {
		first = min(first, d.Pos().Line)
	}
	notes := f.g.comments(f.file)
	for n := first - 1; notes[n].own; n-- {
		lines = append([]string{notes[n].text}, lines...)
	}
	return lines
}

// paramList is the parameters, those of a type together; with comments each has its line.
func (f *fn) paramList(args []typ) string {
	type param struct{ name, kind, note string }
	var ps []param
	noted := false
	for i, p := range f.def.Params {
		t := args[i]
		if t.k == noneKind || t.k == funcKind {
			continue
		}
		kind := t.goType()
		if t.k == intKind && lower.IsConstexpr(p.Annotation) {
			kind = "tl.Const"
		}
		if kind == "" {
			f.refuse("%s is %s: it has no counterpart in Go", p.Name, t.k)
		}
		note := ""
		last := i+1 == len(f.def.Params) || f.def.Params[i+1].At.Line > p.At.Line
		if c, ok := f.g.comments(f.file)[p.At.Line]; ok && !c.own && !c.blank && last && p.At.Line > f.def.At.Line {
			note, noted = c.text, true
		}
		ps = append(ps, param{goName(p.Name), kind, note})
	}
	var b strings.Builder
	if noted {
		b.WriteString("\n")
		for _, p := range ps {
			fmt.Fprintf(&b, "%s %s,", p.name, p.kind)
			if p.note != "" {
				b.WriteString(" // " + p.note)
			}
			b.WriteString("\n")
		}
		return b.String()
	}
	for i, p := range ps {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(p.name)
		if i+1 == len(ps) || ps[i+1].kind != p.kind {
			b.WriteString(" " + p.kind)
		}
	}
	return b.String()
}

// method is a call of a method of a value.
func (f *fn) method(a *syntax.Attribute, e *syntax.Call) val {
	if strings.HasPrefix(a.Name, "is_") {
		return f.isType(a)
	}
	x := f.expr(a.X)
	f.at = a.At
	region := x.t.k == blockKind || x.t.k == descKind
	m, ok := lower.MethodOf(a.Name, region)
	if !ok || !region && x.t.k != tileKind && !x.t.number() {
		f.refuse("%s has no method %s that has a counterpart in Go", x.t.k, a.Name)
	}
	return f.called(m, e, &x)
}

// isType asks a dtype what it is: is_fp16().
func (f *fn) isType(a *syntax.Attribute) val {
	x := f.expr(a.X)
	f.at = a.At
	if x.t.k != dtypeKind {
		f.refuse("%s has no %s", x.t.k, a.Name)
	}
	d, ok := lower.TypeNamed(strings.TrimPrefix(a.Name, "is_"))
	if !ok {
		f.refuse("%s has no counterpart in Go: compare the dtype with others", a.Name)
	}
	return infix(operators["=="], x, call(dtypeName(d), typ{k: dtypeKind}), typ{k: boolKind, weak: true, d: dtype.Bool})
}

// attribute is x.name.
func (f *fn) attribute(e *syntax.Attribute) val {
	if m, ok := f.meaning(e); ok {
		return f.meant("", m)
	}
	x := f.expr(e.X)
	f.at = e.At
	switch e.Name {
	case "element_ty", "scalar":
		if x.t.k == dtypeKind {
			return x
		}
	case "value":
		return x
	case "primitive_bitwidth":
		if x.t.k == dtypeKind && x.t.d != dtype.Invalid {
			return f.literal(int64(x.t.d.Bits()))
		}
	case "dtype", "type":
		return f.dtypeOf(x)
	case "shape":
		if x.t.k == tileKind {
			return val{code: x.at(primary) + ".Shape()", prec: primary, t: typ{k: listKind}, parts: []val{x}}
		}
	case "T":
		if x.t.k == tileKind {
			return call(x.at(primary)+".T()", x.t)
		}
	}
	f.refuse("%s of %s has no counterpart in Go", e.Name, x.t.k)
	return val{}
}

// dtypeOf is a value's dtype; of a pointer what it points to, which element_ty then leaves.
func (f *fn) dtypeOf(x val) val {
	if x.t.k == intKind && x.name != "" && x.name == x.t.param && !x.t.weak {
		f.g.become(x.name, typ{k: tileKind, ptr: true})
	}
	t := typ{k: dtypeKind, d: x.t.d, weak: true}
	switch {
	case x.t.k == blockKind && x.t.base != "":
		return call(goName(x.t.base)+".Elem()", typ{k: dtypeKind, weak: true})
	case x.t.ptr:
		t.d = dtype.Invalid
		return call(x.at(primary)+".Elem()", t)
	case x.t.k == tileKind:
		return call(x.at(primary)+".DType()", t)
	case x.t.number():
		return call(dtypeName(x.t.d), t)
	}
	f.refuse("the dtype of %s has no counterpart in Go", x.t.k)
	return val{}
}

// subscript is x[:, None], or an element of a tuple.
func (f *fn) subscript(e *syntax.Subscript) val {
	x := f.expr(e.X)
	f.at = e.At
	switch {
	case x.t.k == listKind:
		i := f.expr(e.Index)
		return call(fmt.Sprintf("%s.Dim(%s)", x.parts[0].at(primary), i.code), typ{k: intKind, weak: true, d: dtype.Int32})
	case x.t.k == tupleKind && len(x.parts) > 0:
		return f.element(x, e)
	case x.t.k != tileKind:
		f.refuse("an element of %s has no counterpart in Go", x.t.k)
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
				f.refuse("a tile is indexed with : and None only")
			}
			colons++
		default:
			if f.expr(x).t.k != noneKind {
				f.refuse("a tile is indexed with : and None only")
			}
			axes = append(axes, i)
		}
	}
	t := x.t
	t.param = x.t.param
	code := x.at(primary)
	switch {
	case len(axes) == 1 && colons == 1 && axes[0] == 1:
		return call(code+".Col()", t)
	case len(axes) == 1 && colons == 1:
		return call(code+".Row()", t)
	}
	for _, a := range axes {
		code += fmt.Sprintf(".ExpandDims(%d)", a)
	}
	return call(code, t)
}

// element is an element of a tuple of constants.
func (f *fn) element(x val, e *syntax.Subscript) val {
	i := f.expr(e.Index)
	var n int
	if _, err := fmt.Sscan(i.code, &n); err == nil && fmt.Sprint(n) == i.code {
		if n < 0 {
			n += len(x.parts)
		}
		if n >= 0 && n < len(x.parts) {
			return x.parts[n]
		}
	}
	if i.t.k != intKind {
		f.refuse("this index has no counterpart in Go")
	}
	codes := make([]string, len(x.parts))
	for n, p := range x.parts {
		if p.t.k != x.parts[0].t.k || !p.t.number() {
			f.refuse("an element of a tuple of several kinds has no counterpart in Go")
		}
		codes[n] = p.code
	}
	return call(fmt.Sprintf("[]%s{%s}[%s]", x.parts[0].t.goType(), strings.Join(codes, ", "), i.code), x.parts[0].t)
}
