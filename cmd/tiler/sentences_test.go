package main

import (
	"go/ast"
	"go/token"
	"strconv"
	"testing"
	"unicode/utf8"
)

// TestSentences: what is wrong with a kernel stands in one place, for the interpreter and
// the compiler alike: in a rule of tilelang/op. A sentence is a string of 20 characters or more.
func TestSentences(t *testing.T) {
	said := map[string]map[string]string{
		"tilelang": {}, "exec/frontend": {}, "exec/frontend/builtin": {}, "exec/frontend/value": {},
	}
	for _, s := range sources(t) {
		in := said[s.pkg()]
		if in == nil || s.test() {
			continue
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			if _, ok := n.(*ast.ImportSpec); ok {
				return false
			}
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				if text, _ := strconv.Unquote(l.Value); utf8.RuneCountInString(text) >= 20 {
					in[text] = s.fset.Position(l.Pos()).String()
				}
			}
			return true
		})
	}
	for text, other := range said["tilelang"] {
		for room, in := range said {
			if at, ok := in[text]; ok && room != "tilelang" {
				t.Errorf("%s and %s both say %q: make it a rule of tilelang/op", other, at, text)
			}
		}
	}
}
