package gogen

import (
	"fmt"
	"go/format"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec/triton/gogen/value"
	"github.com/tiler-go/tiler/exec/triton/lower"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// Print prints a function of a file, and those that it calls, as a file of Go of package pkg.
// values are what parameters would get, by name, as far as they are known: an int, a float64, a
// bool, a string, a dtype or nil tell what the parameter is in Go. The error is a *diag.Diagnostic.
func Print(f *lower.File, def *syntax.FuncDef, pkg string, values map[string]any) (text string, err error) {
	g := &gen{facts: value.FactsOf(def, values), notes: map[*lower.File]map[int32]comment{}}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case value.Refusal:
			text, err = "", r.Diag
		default:
			panic(r)
		}
	}()
	for range maxRounds {
		if text, done := g.round(f, def, pkg); done {
			b, err := format.Source([]byte(text))
			if err != nil {
				return "", fmt.Errorf("%s: what is printed is no Go: %w", def.Name, err)
			}
			return string(b), nil
		}
	}
	return "", diag.At(f.Syntax().At(def.At), "%s: its parameters are of no certain kind", def.Name).
		Fix("say what they are: NAME=VALUE")
}

// maxRounds bounds how often a function is printed until its types stand.
const maxRounds = 40

// gen prints a kernel and what it calls.
type gen struct {
	facts   *value.Facts
	helpers []*helper
	consts  map[string]string
	taken   map[string]bool // names of functions
	depth   int
	notes   map[*lower.File]map[int32]comment
	inner   *value.Place // in the function that is being printed
}

// A helper is a function that is called, for arguments of some types.
type helper struct {
	def     *syntax.FuncDef
	name    string
	args    []value.Type
	text    string
	results []value.Type
}

func (g *gen) round(f *lower.File, def *syntax.FuncDef, pkg string) (text string, done bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(value.Again); !ok {
				panic(r)
			}
			done = false
		}
	}()
	g.facts.Restart()
	g.consts = map[string]string{}
	g.taken = map[string]bool{def.Name: true, "tl": true, "math": true}
	g.helpers, g.depth, g.inner = nil, 0, nil
	k := g.function(f, def, g.facts.Params(def), true)
	if g.facts.Decide() {
		return "", false
	}
	var b strings.Builder
	fmt.Fprintf(&b, "// Package %s is kernels of %s as tiler prints them in Go.\n", pkg, filepath.Base(f.Name()))
	fmt.Fprintf(&b, "package %s\n\nimport (\n", pkg)
	if g.facts.Math {
		b.WriteString("\t\"math\"\n\n")
	}
	b.WriteString("\ttl \"github.com/tiler-go/tiler/tilelang\"\n)\n\n")
	for _, name := range slices.Sorted(maps.Keys(g.consts)) {
		fmt.Fprintf(&b, "const %s = %s\n\n", name, g.consts[name])
	}
	b.WriteString(k.text)
	seen := map[string]bool{}
	for _, h := range g.helpers {
		if !seen[h.name] {
			seen[h.name] = true
			b.WriteString("\n" + h.text)
		}
	}
	return b.String(), true
}

// comments are those of a file.
func (g *gen) comments(f *lower.File) map[int32]comment {
	if g.notes[f] == nil {
		g.notes[f] = comments(f.Text())
	}
	return g.notes[f]
}

// unique is a name for a function that no other has.
func (g *gen) unique(name string) string {
	z := value.GoName(name)
	for n := 2; g.taken[z]; n++ {
		z = fmt.Sprint(value.GoName(name), n)
	}
	g.taken[z] = true
	return z
}

// helper prints a function for arguments of some types, once.
func (g *gen) helper(f *lower.File, def *syntax.FuncDef, args []value.Type) *helper {
	for _, h := range g.helpers {
		if h.def == def && slices.EqualFunc(h.args, args, value.Type.Same) {
			return h
		}
	}
	if g.depth++; g.depth > 32 {
		(&value.Place{File: f, At: def.At}).Refuse("%s calls itself", def.Name)
	}
	h := g.function(f, def, args, false)
	g.depth--
	for _, other := range g.helpers {
		if other.def == def && strings.ReplaceAll(h.text, placeholder, other.name) == other.text {
			h.name, h.text = other.name, other.text
			g.helpers = append(g.helpers, h)
			return h
		}
	}
	h.name = g.unique(def.Name)
	h.text = strings.ReplaceAll(h.text, placeholder, h.name)
	g.helpers = append(g.helpers, h)
	return h
}

// placeholder stands for a function's name until it has one.
const placeholder = "_NAME_"
