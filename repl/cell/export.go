package cell

import (
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// sourceOf is a kernel by the name that lowered code has for it: its name, and the Go
// file that it needs to be compiled.
func (s *Session) sourceOf(code string) (name, text string) {
	if code == "" {
		return "", ""
	}
	for _, d := range s.live {
		if d.kind == token.FUNC && s.world.Name(d.obj) == code {
			return d.name, s.Program([]string{d.name})
		}
	}
	return "", ""
}

// Program is a Go file of the named definitions and what they are made of.
func (s *Session) Program(names []string) string {
	need := map[types.Object]bool{}
	var queue []*def
	add := func(d *def) {
		if d != nil && !need[d.obj] {
			need[d.obj] = true
			queue = append(queue, d)
		}
	}
	for _, name := range names {
		add(s.Def(name))
	}
	byObj := map[types.Object]*def{}
	for _, d := range s.sorted() {
		byObj[d.obj] = d
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
	return goFile(queue)
}

// goFile is definitions as a file: imports, then the others in order.
func goFile(defs []*def) string {
	var b strings.Builder
	b.WriteString("package main\n\n")
	for _, d := range defs {
		if d.kind == token.IMPORT {
			name := d.name + " "
			if d.obj.(*types.PkgName).Imported().Name() == d.name {
				name = ""
			}
			b.WriteString("import " + name + "\"" + d.path + "\"\n")
		}
	}
	for _, d := range defs {
		switch d.kind {
		case token.IMPORT:
		case token.VAR:
			b.WriteString("\nvar " + d.name + " " + types.TypeString(d.obj.Type(), func(p *types.Package) string {
				if p.Path() == "main" {
					return ""
				}
				return p.Name()
			}) + "\n")
		default:
			b.WriteString("\n" + d.plain + "\n")
		}
	}
	return formatted(b.String()) + "\n"
}

// Def is the definition of a name, or of a method as T.M; nil if there is none.
func (s *Session) Def(name string) *def {
	if d := s.live[name]; d != nil {
		return d
	}
	return s.methods[name]
}
