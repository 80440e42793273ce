package gogen

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec/triton/gogen/value"
	"github.com/tiler-go/tiler/exec/triton/lower"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

func (f *fn) list(list []syntax.Stmt) {
	for _, s := range list {
		f.above(s.Pos().Line)
		f.At = s.Pos()
		f.statement(s)
	}
}

func (f *fn) statement(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.Assign:
		f.assignment(s)
	case *syntax.AugAssign:
		f.augmented(s)
	case *syntax.AnnAssign:
		if s.Value == nil {
			return
		}
		f.declareOthers(s, s.Target)
		v := f.expr(s.Value)
		f.set(s, s.Target, v, lower.IsConstexpr(s.Annotation))
	case *syntax.ExprStmt:
		f.expression(s)
	case *syntax.For:
		f.declareOthers(s)
		f.forLoop(s)
	case *syntax.While:
		f.declareOthers(s)
		f.whileLoop(s)
	case *syntax.If:
		f.declareOthers(s)
		f.ifElse(s)
	case *syntax.Return:
		f.returned(s)
	case *syntax.Simple:
		f.simple(s)
	case *syntax.With:
		f.list(s.Body)
	default:
		f.Refuse("this statement has no counterpart in Go")
	}
}

func (f *fn) simple(s *syntax.Simple) {
	switch s.Keyword {
	case "pass":
	case "assert":
		if len(s.Exprs) > 0 {
			c := f.Condition(f.expr(s.Exprs[0]))
			f.emit("%s.Assert(%s, %q)", f.Instance(), c.Code, "assert")
		}
	default:
		f.Refuse("%s has no counterpart in a kernel", s.Keyword)
	}
}

func (f *fn) expression(s *syntax.ExprStmt) {
	if _, text := s.X.(*syntax.String); text {
		return
	}
	if v := f.expr(s.X); v.Code != "" && (v.Kind == value.None || strings.HasSuffix(v.Code, ")")) {
		f.emit("%s%s", v.Code, f.beside(s.At.Line))
	}
}

// declareOthers declares the variables that are declared at a statement and not assigned by it.
func (f *fn) declareOthers(s syntax.Stmt, targets ...syntax.Expr) {
	for _, n := range f.plan.declare[s] {
		own := false
		for _, t := range targets {
			binds(t, func(x *syntax.Name) { own = own || x.Name == n })
		}
		if own || f.open[n] {
			continue
		}
		f.variable(n)
	}
}

func (f *fn) variable(n string) {
	t := f.vars[n]
	if t.GoType() != "" {
		f.emit("var %s %s", value.GoName(n), t.GoType())
		f.unread(n)
	}
	f.open[n] = true
}

// unread keeps Go from refusing a variable that nothing reads.
func (f *fn) unread(n string) {
	if !f.known[n] {
		f.emit("_ = %s", f.varName(n))
	}
}

func (f *fn) assignment(s *syntax.Assign) {
	if len(s.Targets) > 1 {
		f.declareOthers(s)
		v := f.expr(s.Value)
		for i, t := range s.Targets {
			f.set(s, t, v, false)
			if n, ok := t.(*syntax.Name); ok && i == 0 {
				v = f.name(n)
			}
		}
		return
	}
	t := s.Targets[0]
	if c, ok := s.Value.(*syntax.IfExp); ok {
		if n, ok := t.(*syntax.Name); ok {
			f.chosen(s, n, c)
			return
		}
	}
	f.declareOthers(s, t)
	f.At = s.At
	f.set(s, t, f.expr(s.Value), false)
}

// chosen prints y = a if c else b as an if.
func (f *fn) chosen(s syntax.Stmt, n *syntax.Name, e *syntax.IfExp) {
	c := f.Condition(f.expr(e.Cond))
	if c.Static != nil {
		x := e.Else
		if *c.Static {
			x = e.Then
		}
		f.declareOthers(s, n)
		f.set(s, n, f.expr(x), false)
		return
	}
	f.declareOthers(s)
	f.arms(c, func() { f.set(nil, n, f.expr(e.Then), false) }, func() { f.set(nil, n, f.expr(e.Else), false) })
}

// arms prints an if of two blocks, and joins what variables are behind it.
func (f *fn) arms(c value.Value, then, els func()) {
	before := maps.Clone(f.cur)
	f.emit("if %s {", c.Code)
	then()
	a := f.cur
	f.cur = maps.Clone(before)
	if els != nil {
		f.elseBlock(els)
	} else {
		f.emit("}")
	}
	for n, t := range a {
		if u, ok := f.cur[n]; ok {
			f.cur[n], _ = t.Join(u)
		} else {
			f.cur[n] = t
		}
	}
}

// set assigns to a target; s is the statement that may declare it.
func (f *fn) set(s syntax.Stmt, target syntax.Expr, v value.Value, constant bool) {
	switch t := target.(type) {
	case *syntax.Name:
		f.setName(s, t, v, constant)
	case *syntax.Tuple:
		f.unpack(s, t.Elems, v)
	case *syntax.List:
		f.unpack(s, t.Elems, v)
	default:
		f.Refuse("only variables can be assigned to in a kernel")
	}
}

func (f *fn) setName(s syntax.Stmt, n *syntax.Name, v value.Value, constant bool) {
	f.At = n.At
	if v.Kind == value.Tuple || v.Kind == value.Func || v.Kind == value.List {
		f.Refuse("%s is %s: Go's variables hold one value each", n.Name, v.Kind)
	}
	v = f.Strong(v, constant)
	want := f.bind(n.Name, v.Type)
	if v.Kind == value.None && f.masks[n.Name] && want.Kind == value.Tile { // no mask lets everything through
		v = value.Of("tl.Full(tl.Bool, true)", value.TileOf(dtype.Bool))
	}
	if v.Kind == value.None {
		f.cur[n.Name] = v.Type
		return
	}
	if want.Kind == value.Tile && v.Kind != value.Tile {
		v = f.Lifted(v)
	}
	f.cur[n.Name] = v.Type
	note := f.beside(n.At.Line)
	if s != nil && slices.Contains(f.plan.declare[s], n.Name) && !f.open[n.Name] {
		f.open[n.Name] = true
		f.emit("%s := %s%s", value.GoName(n.Name), v.Code, note)
		f.unread(n.Name)
		return
	}
	f.emit("%s = %s%s", f.varName(n.Name), v.Code, note)
}

// bind makes a variable what it is and what else it turns out to be.
func (f *fn) bind(name string, t value.Type) value.Type {
	if t.Kind == value.Tile {
		t.DType = dtype.Invalid // where it matters, the place tells
	}
	old, ok := f.vars[name]
	if !ok {
		f.vars[name], f.changed = t, true
		return t
	}
	z, ok := old.Join(t)
	if !ok {
		f.Refuse("%s is %s here and %s elsewhere: give one of them another name", name, t.Kind, old.Kind)
	}
	if !z.Same(old) {
		f.vars[name], f.changed = z, true
	}
	return z
}

// unpack prints a, b = x, y.
func (f *fn) unpack(s syntax.Stmt, targets []syntax.Expr, v value.Value) {
	if v.Kind == value.List {
		for i, t := range targets {
			f.set(s, t, v.Parts[0].Method(value.WeakInt, "Dim", fmt.Sprint(i)), true)
		}
		return
	}
	if v.Kind != value.Tuple || len(v.Elems) != len(targets) {
		f.Refuse("%d variables for %s", len(targets), v.Kind)
	}
	if len(v.Parts) == len(targets) && !f.disturbs(targets, v.Parts) {
		for i, t := range targets {
			f.set(s, t, v.Parts[i], false)
		}
		return
	}
	f.parallel(s, targets, v)
}

// parallel prints an assignment of several values at once.
func (f *fn) parallel(s syntax.Stmt, targets []syntax.Expr, v value.Value) {
	names, codes := make([]string, len(targets)), make([]string, len(v.Parts))
	var after []func()
	fresh := f.allFresh(s, targets, v)
	for i, t := range targets {
		n, ok := t.(*syntax.Name)
		if !ok {
			f.Refuse("a tuple within a tuple has no counterpart in Go")
		}
		if n.Name == "_" {
			names[i] = "_"
			continue
		}
		x := value.Value{Type: v.Elems[i]}
		if len(v.Parts) > 0 {
			x = f.Strong(v.Parts[i], false)
		}
		want := f.bind(n.Name, x.Type)
		if !f.open[n.Name] && !fresh {
			f.variable(n.Name)
		}
		names[i] = f.varName(n.Name)
		switch {
		case want.Kind == value.Tile && x.Kind != value.Tile && len(v.Parts) > 0:
			x = f.Lifted(x)
		case want.Kind == value.Tile && x.Kind != value.Tile:
			temp := f.temp()
			names[i] = temp
			from := x.Type
			f.emit("var %s %s", temp, from.GoType())
			after = append(after, func() {
				f.emit("%s = %s", f.varName(n.Name), f.Lifted(value.Of(temp, from)).Code)
			})
			x.Type = value.TileOf(from.DType)
		}
		f.cur[n.Name] = x.Type
		if len(v.Parts) > 0 {
			codes[i] = x.Code
		}
	}
	right := v.Code
	if len(v.Parts) > 0 {
		right = strings.Join(codes, ", ")
	}
	assign := "="
	if fresh {
		assign = ":="
	}
	f.emit("%s %s %s%s", strings.Join(names, ", "), assign, right, f.beside(f.At.Line))
	for i, t := range targets {
		if n := t.(*syntax.Name).Name; fresh && names[i] != "_" {
			f.open[n] = true
			f.unread(n)
		}
	}
	for _, do := range after {
		do()
	}
}

// allFresh reports whether all targets of a call's results are declared here, as what the
// results are.
func (f *fn) allFresh(s syntax.Stmt, targets []syntax.Expr, v value.Value) bool {
	if len(v.Parts) > 0 || s == nil {
		return false
	}
	some := false
	for i, t := range targets {
		n, ok := t.(*syntax.Name)
		switch {
		case !ok:
			return false
		case n.Name == "_":
			continue
		case f.open[n.Name] || !slices.Contains(f.plan.declare[s], n.Name):
			return false
		}
		if old, ok := f.vars[n.Name]; ok && old.Kind != v.Elems[i].Kind {
			return false
		}
		some = true
	}
	return some
}

// disturbs reports whether assigning in order would change what is still to be assigned.
func (f *fn) disturbs(targets []syntax.Expr, parts []value.Value) bool {
	set := map[string]bool{}
	for i, t := range targets {
		for n := range set {
			if mentions(parts[i].Code, n) {
				return true
			}
		}
		if n, ok := t.(*syntax.Name); ok {
			set[f.varName(n.Name)] = true
		}
	}
	return false
}

// mentions reports whether a text has a name in it.
func mentions(code, name string) bool {
	word := func(c byte) bool {
		return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	for i := 0; i+len(name) <= len(code); i++ {
		end := i + len(name)
		if code[i:end] == name && (i == 0 || !word(code[i-1])) && (end == len(code) || !word(code[end])) {
			return true
		}
	}
	return false
}

func (f *fn) augmented(s *syntax.AugAssign) {
	n, ok := s.Target.(*syntax.Name)
	if !ok {
		f.Refuse("only variables can be assigned to in a kernel")
	}
	f.declareOthers(s)
	x := f.name(n)
	y := f.expr(s.Value)
	f.At = s.At
	z := f.Binary(s.Op, x, y)
	w, short := strings.CutPrefix(z.Code, x.Code+" "+value.Operators[s.Op].Infix+" ")
	if short && x.Kind == value.Int && z.Kind == value.Int && f.vars[n.Name].Kind == value.Int {
		f.bind(n.Name, f.Strong(z, false).Type)
		f.cur[n.Name] = f.Strong(z, false).Type
		f.emit("%s %s= %s%s", x.Code, value.Operators[s.Op].Infix, w, f.beside(n.At.Line))
		return
	}
	f.set(nil, n, z, false)
}

func (f *fn) returned(s *syntax.Return) {
	if f.kernel && s.X != nil {
		f.Refuse("%s returns a value: it is a function that kernels call, and none itself", f.def.Name)
	}
	if s.X == nil {
		f.emit("return%s", f.beside(s.At.Line))
		return
	}
	v := f.expr(s.X)
	parts := v.Parts
	if v.Kind != value.Tuple {
		parts = []value.Value{v}
	}
	if v.Kind == value.Tuple && len(parts) == 0 { // what another function returns
		f.result(v.Elems)
		f.emit("return %s%s", v.Code, f.beside(s.At.Line))
		return
	}
	ts := make([]value.Type, len(parts))
	for i, p := range parts {
		if p.Kind == value.Float {
			p = f.Lifted(p)
			parts[i] = p
		}
		ts[i] = p.Type
	}
	f.result(ts)
	codes := make([]string, len(parts))
	for i, p := range parts {
		if f.results[i].Kind == value.Tile && p.Kind != value.Tile {
			p = f.Lifted(p)
		}
		codes[i] = p.Code
	}
	f.emit("return %s%s", strings.Join(codes, ", "), f.beside(s.At.Line))
}

// result makes the function's results what a return returns, too.
func (f *fn) result(ts []value.Type) {
	if f.results == nil {
		f.results, f.changed = ts, true
		return
	}
	if len(f.results) != len(ts) {
		f.Refuse("%s returns %d values here and %d elsewhere", f.def.Name, len(ts), len(f.results))
	}
	for i, t := range ts {
		z, ok := f.results[i].Join(t)
		if !ok || z.GoType() == "" {
			f.Refuse("%s returns %s here and %s elsewhere", f.def.Name, t.Kind, f.results[i].Kind)
		}
		if !z.Same(f.results[i]) {
			f.results[i], f.changed = z, true
		}
	}
}

func (f *fn) ifElse(s *syntax.If) {
	c := f.Condition(f.expr(s.Cond))
	if c.Static != nil {
		if *c.Static {
			f.list(s.Then)
		} else {
			f.list(s.Else)
		}
		return
	}
	var els func()
	if len(s.Else) > 0 {
		els = func() { f.list(s.Else) }
	}
	f.arms(c, func() { f.list(s.Then) }, els)
}
