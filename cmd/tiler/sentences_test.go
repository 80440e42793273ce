package main

import (
	"go/ast"
	"go/token"
	"strconv"
	"testing"
	"unicode/utf8"
)

// saidTwice is the sentences that the interpreter and the compiler still say each for
// itself. New ones belong into the rules of tilelang/op, which both ask.
var saidTwice = map[string]bool{
	"%d coordinates for a tensor of %d dimensions":                                                    true,
	"%d sizes, %d strides and a block of %d dimensions":                                               true,
	"%s and %s: pointers can only move by integers":                                                   true,
	"%s and %s: pointers into different tensors, %s and %s":                                           true,
	"Arange(%d, %d) is empty: the end must be above the start":                                        true,
	"a float32 as an operand, want Tile, int, float64 or bool":                                        true,
	"choose lane by lane with tl.Where, or reduce first: tl.Max(x).Ne(0).Bool()":                      true,
	"keep zeros out of the divisor, even in lanes that are masked off later: tl.Where(y.Eq(0), 1, y)": true,
	"reduce it first, for example with tl.Sum or tl.Max":                                              true,
	"shape, strides, offsets, block and order have %d, %d, %d, %d and %d numbers":                     true,
	"the function returned %s, want an element of %s":                                                 true,
	"use a smaller range and add an int64 tile":                                                       true,
}

// TestSentences: what is wrong with a kernel stands in one place, for the interpreter and
// the compiler alike. A sentence is a string of 40 characters or more.
func TestSentences(t *testing.T) {
	said := map[string]map[string]string{"tilelang": {}, "exec/frontend": {}}
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
				if text, _ := strconv.Unquote(l.Value); utf8.RuneCountInString(text) >= 40 {
					in[text] = s.fset.Position(l.Pos()).String()
				}
			}
			return true
		})
	}
	twice := map[string]bool{}
	for text, at := range said["exec/frontend"] {
		if other, ok := said["tilelang"][text]; ok {
			if twice[text] = true; !saidTwice[text] {
				t.Errorf("%s and %s both say %q: make it a rule of tilelang/op", other, at, text)
			}
		}
	}
	for text := range saidTwice {
		if !twice[text] {
			t.Errorf("saidTwice has %q, which is not said twice any more: remove it", text)
		}
	}
}
