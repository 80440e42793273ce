package cell

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/host"
)

// sourceOf is a kernel by the name that lowered code has for it, and the Go file that
// it needs to be compiled; nothing for a function without a name.
func (s *Session) sourceOf(code string) host.Source {
	if code == "" {
		return host.Source{}
	}
	for _, d := range s.live {
		if d.kind != token.FUNC || s.world.Name(d.obj) != code {
			continue
		}
		if src := s.sources[d.at.cell]; src.program {
			return host.Source{Name: d.name, Of: d, Go: "//line " + src.name + ":1:1\n" + src.text}
		}
		return host.Source{Name: d.name, Of: d, Go: s.goFile(s.parts(d.name), s.line)}
	}
	return host.Source{}
}

// Program is a Go file of the named definitions and what they are made of.
func (s *Session) Program(names ...string) string {
	return formatted(s.goFile(s.parts(names...), func(*def) string { return "" })) + "\n"
}

// line is a comment that says where a definition is from, for positions of errors.
func (s *Session) line(d *def) string {
	src := s.sources[d.at.cell]
	pos := src.at(d.from)
	if strings.HasPrefix(src.text[d.from:], d.plain) { // no sugar: the columns are right, too
		return fmt.Sprintf("//line %s:%d:%d\n", pos.File, pos.Line, pos.Col)
	}
	return fmt.Sprintf("//line %s:%d\n", pos.File, pos.Line)
}

// parts is the named definitions and what they are made of, in order.
func (s *Session) parts(names ...string) []*def {
	need := map[types.Object]bool{}
	var queue []*def
	add := func(d *def) {
		if d != nil && !need[d.obj] {
			need[d.obj] = true
			queue = append(queue, d)
		}
	}
	for _, name := range names {
		add(s.def(name))
	}
	for i := 0; i < len(queue); i++ {
		d := queue[i]
		for _, u := range s.sorted() {
			if d.uses[u.obj] {
				add(u)
			}
			if d.kind == token.TYPE && u.typeName() == d.name {
				add(u)
			}
		}
	}
	slices.SortFunc(queue, func(a, b *def) int { return a.seq - b.seq })
	return queue
}

// goFile is definitions as a file: imports, then the others in order, each after what
// line says of it.
func (s *Session) goFile(defs []*def, line func(*def) string) string {
	var b strings.Builder
	b.WriteString("package main\n\n")
	for _, d := range defs {
		if d.kind == token.IMPORT {
			b.WriteString(importText(d) + "\n")
		}
	}
	for _, d := range defs {
		switch d.kind {
		case token.IMPORT:
		case token.VAR:
			b.WriteString("\nvar " + d.name + " " + s.typeText(d.obj.Type()) + "\n")
		default:
			b.WriteString("\n" + line(d) + d.plain + "\n")
		}
	}
	return b.String()
}

// def is the definition of a name, or of a method as T.M; nil if there is none.
func (s *Session) def(name string) *def {
	if d := s.live[name]; d != nil {
		return d
	}
	return s.methods[name]
}
