package gogen

import (
	"fmt"
	"go/format"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec/triton/lower"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Print prints a function of a file, and those that it calls, as a file of Go of package pkg.
// values are what parameters would get, by name, as far as they are known: an int, a float64, a
// bool, a string, a dtype or nil tell what the parameter is in Go. The error is a *diag.Diagnostic.
func Print(f *lower.File, def *syntax.FuncDef, pkg string, values map[string]any) (text string, err error) {
	g := &gen{kinds: map[string]typ{}, fixed: map[string]bool{}, notes: map[*lower.File]map[int32]comment{}}
	for _, p := range def.Params {
		v, ok := values[p.Name]
		if t := typeOf(v); ok && t.k != noneKind {
			if t.k == boolKind && lower.IsConstexpr(p.Annotation) {
				t.k = intKind
			}
			g.kinds[p.Name], g.fixed[p.Name] = t, true
		}
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case refusal:
			text, err = "", r.d
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

// typeOf is what a value tells of its parameter.
func typeOf(v any) typ {
	switch v := v.(type) {
	case int, int64:
		return typ{k: intKind}
	case float64:
		return typ{k: floatKind}
	case bool:
		return typ{k: boolKind}
	case string:
		return typ{k: textKind}
	case dtype.DType:
		if v.IsPointer() {
			return typ{k: tileKind, ptr: true}
		}
		return typ{k: dtypeKind}
	}
	return typ{k: noneKind}
}

// gen prints a kernel and what it calls.
type gen struct {
	kinds   map[string]typ  // what parameters of the kernel turned out to be
	fixed   map[string]bool // those that were said
	uses    map[string]use  // how those that are not certain are used
	helpers []*helper
	consts  map[string]string
	taken   map[string]bool // names of functions
	math    bool
	depth   int
	notes   map[*lower.File]map[int32]comment
	inner   *fn // that is being printed
}

// A use is how a parameter of unknown kind is used.
type use struct{ asInt, asFloat bool }

// A helper is a function that is called, for arguments of some types.
type helper struct {
	def     *syntax.FuncDef
	name    string
	args    []typ
	text    string
	results []typ
}

type refusal struct{ d *diag.Diagnostic }

// again is panicked with when a parameter turned out to be of another kind.
type again struct{}

func (g *gen) round(f *lower.File, def *syntax.FuncDef, pkg string) (text string, done bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(again); !ok {
				panic(r)
			}
			done = false
		}
	}()
	g.uses, g.consts = map[string]use{}, map[string]string{}
	g.taken = map[string]bool{def.Name: true, "tl": true, "math": true}
	g.helpers, g.math, g.depth, g.inner = nil, false, 0, nil
	k := g.function(f, def, g.parameters(def), true)
	if g.decide() {
		return "", false
	}
	var b strings.Builder
	fmt.Fprintf(&b, "// Package %s is kernels of %s as tiler prints them in Go.\n", pkg, filepath.Base(f.Name()))
	fmt.Fprintf(&b, "package %s\n\nimport (\n", pkg)
	if g.math {
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

// become makes a parameter of the kernel of another kind, and starts over.
func (g *gen) become(param string, t typ) bool {
	old, ok := g.kinds[param]
	if param == "" || g.fixed[param] || ok && old.k == t.k && old.ptr == t.ptr {
		return false
	}
	g.kinds[param] = t
	g.fixed[param] = true
	panic(again{})
}

// decide finds what the parameters are that are used as several things.
func (g *gen) decide() bool {
	changed := false
	for name, u := range g.uses {
		old := g.kinds[name]
		if g.fixed[name] || old.k != intKind {
			continue
		}
		if u.asFloat && !u.asInt {
			g.kinds[name] = typ{k: floatKind}
			changed = true
		}
	}
	return changed
}

// parameters are the types of a kernel's.
func (g *gen) parameters(def *syntax.FuncDef) (ts []typ) {
	for _, p := range def.Params {
		t, ok := g.kinds[p.Name]
		if !ok {
			t = defaultKind(p)
			g.kinds[p.Name] = t
		}
		t.param, t.weak = p.Name, lower.IsConstexpr(p.Annotation)
		switch t.k {
		case intKind:
			t.d = dtype.Int32
		case floatKind:
			t.d = dtype.Float32
		case boolKind:
			t.d = dtype.Bool
		}
		ts = append(ts, t)
	}
	return ts
}

// defaultKind is what a parameter is as far as its default tells.
func defaultKind(p syntax.Param) typ {
	switch d := p.Default.(type) {
	case *syntax.Number:
		if d.Float {
			return typ{k: floatKind}
		}
	case *syntax.String:
		return typ{k: textKind}
	case *syntax.Constant:
		switch {
		case d.Text == "None":
			return typ{k: tileKind, ptr: true}
		case !lower.IsConstexpr(p.Annotation):
			return typ{k: boolKind}
		}
	}
	return typ{k: intKind}
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
	z := goName(name)
	for n := 2; g.taken[z]; n++ {
		z = fmt.Sprint(goName(name), n)
	}
	g.taken[z] = true
	return z
}

// reserved are names that mean something else in what is printed.
var reserved = func() map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(`break case chan const continue default defer else fallthrough for func go goto
		if import interface map package range return select struct switch type var tl math min max len int bool string
		float64 true false nil append panic any`) {
		m[n] = true
	}
	return m
}()

// goName is a name of Python's in Go.
func goName(name string) string {
	if reserved[name] {
		return name + "_"
	}
	return name
}

// helper prints a function for arguments of some types, once.
func (g *gen) helper(f *lower.File, def *syntax.FuncDef, args []typ) *helper {
	for _, h := range g.helpers {
		if h.def == def && slices.EqualFunc(h.args, args, typ.same) {
			return h
		}
	}
	if g.depth++; g.depth > 32 {
		panic(refusal{diag.At(f.Syntax().At(def.At), "%s calls itself", def.Name)})
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
