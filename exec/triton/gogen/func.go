package gogen

import (
	"fmt"
	"maps"
	"strings"

	"github.com/tiler-go/tiler/exec/triton/gogen/value"
	"github.com/tiler-go/tiler/exec/triton/lower"
	"github.com/tiler-go/tiler/exec/triton/syntax"
)

// fn is a function that is being printed, statement by statement.
type fn struct {
	expressions
	def     *syntax.FuncDef
	kernel  bool
	results []value.Type
}

// function prints a function in rounds, until the types of its variables stand.
func (g *gen) function(file *lower.File, def *syntax.FuncDef, args []value.Type, kernel bool) *helper {
	f := &fn{def: def, kernel: kernel}
	f.g, f.plan = g, planned(def.Body)
	f.Place, f.Facts = value.Place{File: file, At: def.At, Caller: g.inner}, g.facts
	f.vars, f.passed = map[string]value.Type{}, map[string]value.Type{}
	f.read, f.masks = map[string]bool{}, map[string]bool{}
	g.inner = &f.Place
	defer func() { g.inner = f.Caller }()
	f.program = f.free("p", "prog", "program", "instance")
	if len(args) < len(def.Params) {
		f.Refuse("%s: %d arguments for %d parameters", def.Name, len(args), len(def.Params))
	}
	for i, p := range def.Params {
		if p.Stars > 0 {
			f.Refuse("%s: a function has a fixed list of parameters", p.Name)
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

func (f *fn) body(args []value.Type) {
	f.out.Reset()
	f.cur, f.read, f.open = map[string]value.Type{}, map[string]bool{}, map[string]bool{}
	f.notes, f.noted, f.temps = f.g.comments(f.File), map[int32]bool{}, 0
	for i, p := range f.def.Params {
		f.cur[p.Name], f.open[p.Name] = args[i], true
		if f.renamed(p.Name) {
			f.cur[p.Name] = value.TileOf(args[i].DType)
			f.emit("%s := %s", f.varName(p.Name), f.Lifted(value.Of(value.GoName(p.Name), args[i])).Code)
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
	f.list(list)
	if !f.kernel && len(f.results) > 0 && !terminates(list) {
		f.At = f.def.End
		f.Refuse("%s returns something on one path, and nothing on another", f.def.Name)
	}
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

// heading is the function's text up to its brace.
func (f *fn) heading(args []value.Type) string {
	var b strings.Builder
	for _, line := range f.docLines() {
		b.WriteString("// " + line + "\n")
	}
	name := placeholder
	if f.kernel {
		name = value.GoName(f.def.Name)
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
		results = append(results, t.GoType())
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
	notes := f.g.comments(f.File)
	for n := first - 1; notes[n].own; n-- {
		lines = append([]string{notes[n].text}, lines...)
	}
	return lines
}

// paramList is the parameters, those of a type together; with comments each has its line.
func (f *fn) paramList(args []value.Type) string {
	type param struct{ name, kind, note string }
	var ps []param
	noted := false
	for i, p := range f.def.Params {
		t := args[i]
		if t.Kind == value.None || t.Kind == value.Func {
			continue
		}
		kind := t.GoType()
		if t.Kind == value.Int && lower.IsConstexpr(p.Annotation) {
			kind = "tl.Const"
		}
		if kind == "" {
			f.Refuse("%s is %s: it has no counterpart in Go", p.Name, t.Kind)
		}
		note := ""
		last := i+1 == len(f.def.Params) || f.def.Params[i+1].At.Line > p.At.Line
		if c, ok := f.g.comments(f.File)[p.At.Line]; ok && !c.own && !c.blank && last && p.At.Line > f.def.At.Line {
			note, noted = c.text, true
		}
		ps = append(ps, param{value.GoName(p.Name), kind, note})
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
