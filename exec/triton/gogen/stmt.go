package gogen

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec/triton/lower"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// fn is a function that is being printed.
type fn struct {
	g       *gen
	caller  *fn
	file    *lower.File
	def     *syntax.FuncDef
	kernel  bool
	program string // the name of *tl.Program
	needs   bool   // it, in a function that is called
	plan    *plan
	results []typ
	changed bool
	names
	printed
	temps int
	cond  bool // in a condition that is evaluated again and again
	last  syntax.Stmt
}

// names are of variables.
type names struct {
	vars   map[string]typ // what they are, wherever they are bound
	cur    map[string]typ // and here
	passed map[string]typ
	read   map[string]bool
	known  map[string]bool // what was read in the round before
	open   map[string]bool // declared so far
	masks  map[string]bool // what is used as a mask
}

// printed is the text so far, and how far it is.
type printed struct {
	out   strings.Builder
	at    syntax.Pos
	notes map[int32]comment
	noted map[int32]bool
	line  int32
}

// function prints a function in rounds, until the types of its variables stand.
func (g *gen) function(file *lower.File, def *syntax.FuncDef, args []typ, kernel bool) *helper {
	f := &fn{g: g, file: file, def: def, kernel: kernel, plan: planned(def.Body), printed: printed{at: def.At}}
	f.vars, f.passed, f.read, f.masks = map[string]typ{}, map[string]typ{}, map[string]bool{}, map[string]bool{}
	f.caller, g.inner = g.inner, f
	defer func() { g.inner = f.caller }()
	f.program = f.free("p", "prog", "program", "instance")
	if len(args) < len(def.Params) {
		f.refuse("%s: %d arguments for %d parameters", def.Name, len(args), len(def.Params))
	}
	for i, p := range def.Params {
		if p.Stars > 0 {
			f.refuse("%s: a function has a fixed list of parameters", p.Name)
		}
		f.vars[p.Name], f.passed[p.Name] = args[i], args[i]
	}
	helpers, taken := len(g.helpers), maps.Clone(g.taken)
	for range maxRounds {
		g.helpers, g.taken = g.helpers[:helpers], maps.Clone(taken)
		f.changed = false
		f.known = f.read
		f.body(args)
		if !f.changed && maps.Equal(f.known, f.read) {
			break
		}
	}
	return &helper{def: def, args: args, text: f.heading(args) + f.out.String() + "}\n", results: f.results}
}

func (f *fn) body(args []typ) {
	f.out.Reset()
	f.cur, f.read, f.open, f.noted, f.temps = map[string]typ{}, map[string]bool{}, map[string]bool{}, map[int32]bool{}, 0
	f.notes = f.g.comments(f.file)
	for i, p := range f.def.Params {
		f.cur[p.Name], f.open[p.Name] = args[i], true
		if f.renamed(p.Name) {
			f.cur[p.Name] = tile(args[i].d)
			f.emit("%s := %s", f.varName(p.Name), f.lifted(val{code: goName(p.Name), prec: primary, t: args[i]}).code)
			f.unread(p.Name)
		}
	}
	list := f.def.Body
	if len(list) > 0 {
		f.line = list[0].Pos().Line
		for n := f.def.At.Line + 1; n < f.line; n++ {
			if f.notes[n].own {
				f.line = n
				break
			}
		}
		if e, ok := list[0].(*syntax.ExprStmt); ok {
			if _, text := e.X.(*syntax.String); text {
				list = list[1:]
			}
		}
	}
	f.last = nil
	if len(list) > 0 {
		f.last = list[len(list)-1]
	}
	f.list(list)
	if !f.kernel && len(f.results) > 0 && !terminates(list) {
		f.at = f.def.End
		f.refuse("%s returns something on one path, and nothing on another", f.def.Name)
	}
}

// varName is the name of a parameter that is another kind of variable in the function.
func (f *fn) varName(name string) string {
	if f.renamed(name) {
		return goName(name) + "Tile"
	}
	return goName(name)
}

func (f *fn) renamed(name string) bool {
	t, ok := f.passed[name]
	return ok && f.vars[name].k == tileKind && t.k != tileKind
}

// terminates reports whether no path leads behind statements.
func terminates(list []syntax.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *syntax.Return:
		return true
	case *syntax.If:
		return terminates(s.Then) && terminates(s.Else)
	}
	return false
}

// free is the first of some names that the function does not use.
func (f *fn) free(names ...string) string {
	used := map[string]bool{}
	var visit func(list []syntax.Stmt)
	visit = func(list []syntax.Stmt) {
		for _, s := range list {
			for _, e := range exprs(s) {
				walk(e, func(n *syntax.Name) { used[n.Name] = true })
			}
			if l, ok := s.(*syntax.For); ok {
				binds(l.Target, func(n *syntax.Name) { used[n.Name] = true })
			}
			for _, b := range blocks(s) {
				visit(b)
			}
		}
	}
	visit(f.def.Body)
	for _, p := range f.def.Params {
		used[p.Name] = true
	}
	for _, n := range names {
		if !used[n] {
			return n
		}
	}
	return "tlProgram"
}

// refuse ends the printing; of what the prelude says it names the place that calls it.
func (f *fn) refuse(format string, args ...any) {
	at := f
	for at.caller != nil && (lower.Meaning{In: at.file}).Prelude() {
		at = at.caller
	}
	panic(refusal{diag.At(at.file.Syntax().At(at.at), format, args...)})
}

func (f *fn) emit(format string, args ...any) { fmt.Fprintf(&f.out, format+"\n", args...) }

func (f *fn) list(list []syntax.Stmt) {
	for _, s := range list {
		f.above(s.Pos().Line)
		f.at = s.Pos()
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
		f.refuse("this statement has no counterpart in Go")
	}
}

func (f *fn) simple(s *syntax.Simple) {
	switch s.Keyword {
	case "pass":
	case "assert":
		if len(s.Exprs) > 0 {
			c := f.condition(f.expr(s.Exprs[0]))
			f.emit("%s.Assert(%s, %q)", f.instance(), c.code, "assert")
		}
	default:
		f.refuse("%s has no counterpart in a kernel", s.Keyword)
	}
}

func (f *fn) expression(s *syntax.ExprStmt) {
	if _, text := s.X.(*syntax.String); text {
		return
	}
	v := f.expr(s.X)
	switch {
	case v.code == "":
	case v.t.k == noneKind:
		f.emit("%s%s", v.code, f.beside(s.At.Line))
	case strings.HasPrefix(v.code, "tl.Atomic") || strings.HasSuffix(v.code, ")"):
		f.emit("%s%s", v.code, f.beside(s.At.Line))
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
	if t.goType() != "" {
		f.emit("var %s %s", goName(n), t.goType())
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
	f.at = s.At
	f.set(s, t, f.expr(s.Value), false)
}

// chosen prints y = a if c else b as an if.
func (f *fn) chosen(s syntax.Stmt, n *syntax.Name, e *syntax.IfExp) {
	c := f.condition(f.expr(e.Cond))
	if c.static != nil {
		x := e.Else
		if *c.static {
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
func (f *fn) arms(c val, then, els func()) {
	before := maps.Clone(f.cur)
	f.emit("if %s {", c.code)
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
			f.cur[n], _ = t.join(u)
		} else {
			f.cur[n] = t
		}
	}
}

// set assigns to a target; s is the statement that may declare it.
func (f *fn) set(s syntax.Stmt, target syntax.Expr, v val, constant bool) {
	switch t := target.(type) {
	case *syntax.Name:
		f.setName(s, t, v, constant)
	case *syntax.Tuple:
		f.unpack(s, t.Elems, v)
	case *syntax.List:
		f.unpack(s, t.Elems, v)
	default:
		f.refuse("only variables can be assigned to in a kernel")
	}
}

// strong is a value as a variable holds it: a float is a tile of its own dtype.
func (f *fn) strong(v val, constant bool) val {
	switch {
	case constant || v.t.k == textKind || v.t.k == dtypeKind:
	case v.t.k == floatKind:
		return f.lifted(v)
	case v.t.number():
		v.t.weak = false
	}
	return v
}

func (f *fn) setName(s syntax.Stmt, n *syntax.Name, v val, constant bool) {
	f.at = n.At
	if v.t.k == tupleKind || v.t.k == funcKind || v.t.k == listKind {
		f.refuse("%s is %s: Go's variables hold one value each", n.Name, v.t.k)
	}
	v = f.strong(v, constant)
	want := f.bind(n.Name, v.t)
	if v.t.k == noneKind && f.masks[n.Name] && want.k == tileKind { // no mask lets everything through
		v = call("tl.Full(tl.Bool, true)", tile(dtype.Bool))
	}
	if v.t.k == noneKind {
		f.cur[n.Name] = v.t
		return
	}
	if want.k == tileKind && v.t.k != tileKind {
		v = f.lifted(v)
	}
	f.cur[n.Name] = v.t
	note := f.beside(n.At.Line)
	if s != nil && slices.Contains(f.plan.declare[s], n.Name) && !f.open[n.Name] {
		f.open[n.Name] = true
		f.emit("%s := %s%s", goName(n.Name), v.code, note)
		f.unread(n.Name)
		return
	}
	f.emit("%s = %s%s", f.varName(n.Name), v.code, note)
}

// bind makes a variable what it is and what else it turns out to be.
func (f *fn) bind(name string, t typ) typ {
	if t.k == tileKind {
		t.d = dtype.Invalid // where it matters, the place tells
	}
	old, ok := f.vars[name]
	if !ok {
		f.vars[name], f.changed = t, true
		return t
	}
	z, ok := old.join(t)
	if !ok {
		f.refuse("%s is %s here and %s elsewhere: give one of them another name", name, t.k, old.k)
	}
	if !z.same(old) {
		f.vars[name], f.changed = z, true
	}
	return z
}

// unpack prints a, b = x, y.
func (f *fn) unpack(s syntax.Stmt, targets []syntax.Expr, v val) {
	if v.t.k == listKind {
		for i, t := range targets {
			f.set(s, t, v.parts[0].method(weakInt, "Dim", fmt.Sprint(i)), true)
		}
		return
	}
	if v.t.k != tupleKind || len(v.t.elems) != len(targets) {
		f.refuse("%d variables for %s", len(targets), v.t.k)
	}
	if len(v.parts) == len(targets) && !f.disturbs(targets, v.parts) {
		for i, t := range targets {
			f.set(s, t, v.parts[i], false)
		}
		return
	}
	f.parallel(s, targets, v)
}

// parallel prints an assignment of several values at once.
func (f *fn) parallel(s syntax.Stmt, targets []syntax.Expr, v val) {
	names, codes := make([]string, len(targets)), make([]string, len(v.parts))
	var after []func()
	fresh := f.allFresh(s, targets, v)
	for i, t := range targets {
		n, ok := t.(*syntax.Name)
		if !ok {
			f.refuse("a tuple within a tuple has no counterpart in Go")
		}
		if n.Name == "_" {
			names[i] = "_"
			continue
		}
		x := val{t: v.t.elems[i]}
		if len(v.parts) > 0 {
			x = f.strong(v.parts[i], false)
		}
		want := f.bind(n.Name, x.t)
		if !f.open[n.Name] && !fresh {
			f.variable(n.Name)
		}
		names[i] = f.varName(n.Name)
		switch {
		case want.k == tileKind && x.t.k != tileKind && len(v.parts) > 0:
			x = f.lifted(x)
		case want.k == tileKind && x.t.k != tileKind:
			temp := f.temp()
			names[i] = temp
			from := x.t
			f.emit("var %s %s", temp, from.goType())
			after = append(after, func() {
				f.emit("%s = %s", f.varName(n.Name), f.lifted(val{code: temp, prec: primary, t: from}).code)
			})
			x.t = tile(from.d)
		}
		f.cur[n.Name] = x.t
		if len(v.parts) > 0 {
			codes[i] = x.code
		}
	}
	right := v.code
	if len(v.parts) > 0 {
		right = strings.Join(codes, ", ")
	}
	assign := "="
	if fresh {
		assign = ":="
	}
	f.emit("%s %s %s%s", strings.Join(names, ", "), assign, right, f.beside(f.at.Line))
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
func (f *fn) allFresh(s syntax.Stmt, targets []syntax.Expr, v val) bool {
	if len(v.parts) > 0 || s == nil {
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
		if old, ok := f.vars[n.Name]; ok && old.k != v.t.elems[i].k {
			return false
		}
		some = true
	}
	return some
}

// disturbs reports whether assigning in order would change what is still to be assigned.
func (f *fn) disturbs(targets []syntax.Expr, parts []val) bool {
	set := map[string]bool{}
	for i, t := range targets {
		for n := range set {
			if mentions(parts[i].code, n) {
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

func (f *fn) temp() string {
	f.temps++
	return fmt.Sprint("t_", f.temps)
}

func (f *fn) augmented(s *syntax.AugAssign) {
	n, ok := s.Target.(*syntax.Name)
	if !ok {
		f.refuse("only variables can be assigned to in a kernel")
	}
	f.declareOthers(s)
	x := f.name(n)
	y := f.expr(s.Value)
	f.at = s.At
	z := f.binary(s.Op, x, y)
	w, short := strings.CutPrefix(z.code, x.code+" "+operators[s.Op].infix+" ")
	if short && x.t.k == intKind && z.t.k == intKind && f.vars[n.Name].k == intKind {
		f.bind(n.Name, f.strong(z, false).t)
		f.cur[n.Name] = f.strong(z, false).t
		f.emit("%s %s= %s%s", x.code, operators[s.Op].infix, w, f.beside(n.At.Line))
		return
	}
	f.set(nil, n, z, false)
}

func (f *fn) returned(s *syntax.Return) {
	if f.kernel && s.X != nil {
		f.refuse("%s returns a value: it is a function that kernels call, and none itself", f.def.Name)
	}
	if s.X == nil {
		f.emit("return%s", f.beside(s.At.Line))
		return
	}
	v := f.expr(s.X)
	parts := v.parts
	if v.t.k != tupleKind {
		parts = []val{v}
	}
	if v.t.k == tupleKind && len(parts) == 0 { // what another function returns
		f.result(v.t.elems)
		f.emit("return %s%s", v.code, f.beside(s.At.Line))
		return
	}
	ts := make([]typ, len(parts))
	for i, p := range parts {
		if p.t.k == floatKind {
			p = f.lifted(p)
			parts[i] = p
		}
		ts[i] = p.t
	}
	f.result(ts)
	codes := make([]string, len(parts))
	for i, p := range parts {
		if f.results[i].k == tileKind && p.t.k != tileKind {
			p = f.lifted(p)
		}
		codes[i] = p.code
	}
	f.emit("return %s%s", strings.Join(codes, ", "), f.beside(s.At.Line))
}

// result makes the function's results what a return returns, too.
func (f *fn) result(ts []typ) {
	if f.results == nil {
		f.results, f.changed = ts, true
		return
	}
	if len(f.results) != len(ts) {
		f.refuse("%s returns %d values here and %d elsewhere", f.def.Name, len(ts), len(f.results))
	}
	for i, t := range ts {
		z, ok := f.results[i].join(t)
		if !ok || z.goType() == "" {
			f.refuse("%s returns %s here and %s elsewhere", f.def.Name, t.k, f.results[i].k)
		}
		if !z.same(f.results[i]) {
			f.results[i], f.changed = z, true
		}
	}
}

func (f *fn) ifElse(s *syntax.If) {
	c := f.condition(f.expr(s.Cond))
	if c.static != nil {
		if *c.static {
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

// tail is what is printed from a place on, which is taken back.
func (f *fn) tail(mark int) string {
	text := f.out.String()
	f.out.Reset()
	f.out.WriteString(text[:mark])
	return text[mark:]
}

// elseBlock prints the other block of an if; an if that is alone in it stands behind else.
func (f *fn) elseBlock(els func()) {
	mark := f.out.Len()
	els()
	text := f.tail(mark)
	if onlyIf(text) {
		f.out.WriteString("} else " + text)
		return
	}
	f.emit("} else {\n%s}", text)
}

// onlyIf reports whether lines are an if and what belongs to it.
func onlyIf(text string) bool {
	if !strings.HasPrefix(text, "if ") {
		return false
	}
	depth := 0
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if depth == 0 && !strings.HasPrefix(line, "if ") || depth < 0 {
			return false
		}
		if strings.HasPrefix(line, "}") {
			depth--
			if depth == 0 && !strings.HasPrefix(line, "} else") {
				depth = -1
			}
		}
		if code, _, _ := strings.Cut(line, " // "); strings.HasSuffix(code, "{") {
			depth++
		}
	}
	return depth == -1
}

// joined makes the variables that statements bind what they are anywhere.
func (f *fn) joined(list []syntax.Stmt) {
	for _, s := range list {
		var targets []syntax.Expr
		switch s := s.(type) {
		case *syntax.Assign:
			targets = s.Targets
		case *syntax.AugAssign:
			targets = []syntax.Expr{s.Target}
		case *syntax.AnnAssign:
			targets = []syntax.Expr{s.Target}
		}
		for _, t := range targets {
			binds(t, func(n *syntax.Name) {
				if z, ok := f.vars[n.Name]; ok {
					if old, ok := f.cur[n.Name]; ok && old.ptr && z.ptr {
						z = old
					}
					f.cur[n.Name] = z
				}
			})
		}
		for _, b := range blocks(s) {
			f.joined(b)
		}
	}
}

func (f *fn) whileLoop(s *syntax.While) {
	f.joined(s.Body)
	f.cond = true
	c := f.condition(f.expr(s.Cond))
	f.cond = false
	f.emit("for %s {", c.code)
	f.list(s.Body)
	f.emit("}")
	f.joined(s.Body)
}

// assigns reports whether statements bind a name.
func assigns(list []syntax.Stmt, code string, name func(string) string) bool {
	p := &plan{locals: map[string]bool{}}
	p.findLocals(list)
	for n := range p.locals {
		if mentions(code, name(n)) {
			return true
		}
	}
	return false
}

func (f *fn) forLoop(s *syntax.For) {
	n, ok := s.Target.(*syntax.Name)
	if !ok || len(s.Else) > 0 {
		f.refuse("this loop has no counterpart in Go")
	}
	lo, hi, step, weak := f.rangeOf(s)
	f.joined(s.Body)
	d := dtype.Int32
	for _, v := range []val{lo, hi, step} {
		if v.t.d == dtype.Int64 && !v.t.weak {
			d = dtype.Int64
		}
	}
	saved, had := f.cur[n.Name]
	outer, bound := f.vars[n.Name]
	f.vars[n.Name] = typ{k: intKind, d: d, weak: weak}
	f.cur[n.Name] = f.vars[n.Name]
	read := f.read[n.Name]
	f.read[n.Name] = false
	mark := f.out.Len()
	f.list(s.Body)
	body := f.tail(mark)
	used := f.read[n.Name] && mentions(body, goName(n.Name))
	f.read[n.Name] = f.read[n.Name] || read
	name := goName(n.Name)
	if name == "_" && (lo.code != "0" || step.code != "1") {
		name = f.temp()
	}
	f.emit("%s%s", f.forHead(s, name, lo, hi, step, used), f.beside(s.At.Line))
	f.out.WriteString(body)
	f.emit("}")
	delete(f.cur, n.Name)
	delete(f.vars, n.Name)
	if had {
		f.cur[n.Name] = saved
	}
	if bound {
		f.vars[n.Name] = outer
	}
	f.joined(s.Body)
}

// forHead is the first line of a loop.
func (f *fn) forHead(s *syntax.For, name string, lo, hi, step val, used bool) string {
	if lo.code == "0" && step.code == "1" {
		if !used {
			return fmt.Sprintf("for range %s {", hi.code)
		}
		return fmt.Sprintf("for %s := range %s {", name, hi.code)
	}
	for _, v := range []*val{&hi, &step} {
		if strings.Contains(v.code, "(") || assigns(s.Body, v.code, f.varName) {
			t := f.temp()
			f.emit("%s := %s", t, v.code)
			v.code, v.prec = t, primary
		}
	}
	compare, move := "<", fmt.Sprintf("%s += %s", name, step.at(addPrec))
	if down, ok := strings.CutPrefix(step.code, "-"); ok {
		compare, move = ">", fmt.Sprintf("%s -= %s", name, down)
	}
	if step.code == "1" {
		move = name + "++"
	}
	return fmt.Sprintf("for %s := %s; %s %s %s; %s {", name, lo.code, name, compare, hi.at(addPrec), move)
}

// rangeOf is the bounds of range, tl.range or tl.static_range.
func (f *fn) rangeOf(s *syntax.For) (lo, hi, step val, weak bool) {
	e, ok := s.Iter.(*syntax.Call)
	if !ok {
		f.refuse("a loop over a tuple has no counterpart in Go")
	}
	m, ok := f.meaning(e.Func)
	if !ok || m.Row != "range" && m.Row != "static_range" {
		f.refuse("only range, tl.range and tl.static_range have a counterpart in Go")
	}
	c := f.bindCall(m, e, nil)
	f.at = e.At
	one := val{code: "1", prec: primary, t: typ{k: intKind, weak: true}}
	lo, hi, step = val{code: "0", prec: primary, t: one.t}, f.count(c.arg("arg1")), one
	if c.given("arg2") {
		lo, hi = hi, f.count(c.arg("arg2"))
	}
	if c.given("step") {
		step = f.count(c.arg("step"))
	}
	return lo, hi, step, m.Row == "static_range"
}

// count is a value as Go's int.
func (f *fn) count(v val) val {
	f.usedAsInt(v)
	switch {
	case v.t.k == tileKind && !v.t.ptr:
		d := v.t.d
		if d != dtype.Int64 {
			d = dtype.Int32
		}
		return call(v.at(primary)+".Int()", typ{k: intKind, d: d})
	case v.t.k != intKind:
		f.refuse("%s where an integer is wanted", v.t.k)
	}
	return v
}
