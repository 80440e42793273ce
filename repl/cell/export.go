package cell

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/check"
	"github.com/tiler-go/tiler/repl/cell/host"
	"github.com/tiler-go/tiler/repl/cell/sugar"
)

// sourceOf is a kernel by the name that lowered code has for it, and the Go file that
// it needs to be compiled; nothing for a function without a name.
func (s *Session) sourceOf(code string) host.Source {
	if code == "" {
		return host.Source{}
	}
	for _, d := range s.scope.Live {
		if d.Kind != token.FUNC || s.world.Name(d.Obj) != code {
			continue
		}
		if src := s.scope.Sources[d.At.Cell]; src.Program {
			return host.Source{Name: d.Name, Of: d, Go: "//line " + src.Name + ":1:1\n" + src.Text}
		}
		return host.Source{Name: d.Name, Of: d, Go: s.goFile(s.parts(d.Name), s.line)}
	}
	return host.Source{}
}

// Program is a Go file of the named definitions and what they are made of.
func (s Definitions) Program(names ...string) string {
	return sugar.Formatted(s.goFile(s.parts(names...), func(*check.Def) string { return "" })) + "\n"
}

// line is a comment that says where a definition is from, for positions of errors.
func (s Definitions) line(d *check.Def) string {
	src := s.scope.Sources[d.At.Cell]
	pos := src.At(d.From)
	if strings.HasPrefix(src.Text[d.From:], d.Plain) { // no sugar: the columns are right, too
		return fmt.Sprintf("//line %s:%d:%d\n", pos.File, pos.Line, pos.Col)
	}
	return fmt.Sprintf("//line %s:%d\n", pos.File, pos.Line)
}

// parts is the named definitions and what they are made of, in order.
func (s Definitions) parts(names ...string) []*check.Def {
	need := map[types.Object]bool{}
	var queue []*check.Def
	add := func(d *check.Def) {
		if d != nil && !need[d.Obj] {
			need[d.Obj] = true
			queue = append(queue, d)
		}
	}
	for _, name := range names {
		add(s.scope.Def(name))
	}
	for i := 0; i < len(queue); i++ {
		d := queue[i]
		for _, u := range s.scope.Sorted() {
			if d.Uses[u.Obj] {
				add(u)
			}
			if d.Kind == token.TYPE && u.TypeName() == d.Name {
				add(u)
			}
		}
	}
	slices.SortFunc(queue, func(a, b *check.Def) int { return a.Seq - b.Seq })
	return queue
}

// goFile is definitions as a file: imports, then the others in order, each after what
// line says of it.
func (s Definitions) goFile(defs []*check.Def, line func(*check.Def) string) string {
	var b strings.Builder
	b.WriteString("package main\n\n")
	for _, d := range defs {
		if d.Kind == token.IMPORT {
			b.WriteString(check.ImportText(d) + "\n")
		}
	}
	for _, d := range defs {
		switch d.Kind {
		case token.IMPORT:
		case token.VAR:
			b.WriteString("\nvar " + d.Name + " " + s.scope.TypeText(d.Obj.Type()) + "\n")
		default:
			b.WriteString("\n" + line(d) + d.Plain + "\n")
		}
	}
	return b.String()
}
