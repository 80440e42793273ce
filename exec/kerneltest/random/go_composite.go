package random

import (
	"fmt"
	"strings"

	tl "github.com/tiler-go/tiler/tilelang"
)

// A part of an array, slice or struct is a variable like others, whose name is how it is written: v3[1], v4.b.

// composite declares an array, a slice or a struct of tiles and a number, or copies one.
func (g *goGen) composite() []stmt {
	isArray := func(name string, _ any) bool { return strings.HasSuffix(name, "[1]") && !g.slices[stem(name)] }
	if from := g.pick(isArray); from != "" && g.r.IntN(2) == 0 {
		return g.swapOrCopy(stem(from))
	}
	a, b := g.tile(1), g.tile(1)
	v, ok := g.attempt(a)
	w, fine := g.attempt(b)
	if !ok || !fine {
		return nil
	}
	name := g.name()
	switch g.r.IntN(3) {
	case 0:
		k := g.int(1)
		n, ok := g.attempt(k)
		if !ok {
			return nil
		}
		at := g.line("%s := struct{ a tl.Tile; b int; c [1]tl.Tile }{%s, %s, [1]tl.Tile{%s}}", name, a.text, k.text, b.text)
		return g.parts(at, name, []string{".a", ".b", ".c[0]"}, []any{v, n, w}, []expr{a, k, b})
	case 1:
		g.slices[name] = true
		if g.r.IntN(2) == 0 {
			return g.appended(name, v, w, a, b)
		}
		at := g.line("%s := []tl.Tile{%s, %s}", name, a.text, b.text)
		return g.parts(at, name, []string{"[0]", "[1]"}, []any{v, w}, []expr{a, b})
	}
	at := g.line("%s := [...]tl.Tile{1: %s, 0: %s}", name, b.text, a.text)
	return g.parts(at, name, []string{"[1]", "[0]"}, []any{w, v}, []expr{b, a})
}

// appended is a slice whose elements are appended to it.
func (g *goGen) appended(name string, v, w any, a, b expr) []stmt {
	at := g.line("%s := []tl.Tile{%s}", name, a.text)
	first := g.parts(at, name, []string{"[0]"}, []any{v}, []expr{a})
	at = g.line("%s = append(%[1]s, %s)", name, b.text)
	return append(first, g.parts(at, name, []string{"[1]"}, []any{w}, []expr{b})...)
}

// stem is the variable that a part is of.
func stem(part string) string { return part[:strings.IndexAny(part, "[.")] }

// parts declares the parts of a variable, in the order in which they are evaluated.
func (g *goGen) parts(line int, name string, suffixes []string, now []any, xs []expr) []stmt {
	g.line("_ = %s%s", name, suffixes[0])
	for i, s := range suffixes {
		g.env.vars[name+s] = now[i]
	}
	return []stmt{at(line, func(e *env) leave {
		vals := make([]any, len(xs))
		for i, x := range xs {
			vals[i] = x.eval(e)
		}
		for i, s := range suffixes {
			e.vars[name+s] = vals[i]
		}
		return onward
	})}
}

// swapOrCopy exchanges the elements of an array, if they are of one type, or copies it.
func (g *goGen) swapOrCopy(from string) []stmt {
	one, two := from+"[0]", from+"[1]"
	x, isTile := g.env.vars[one].(tl.Tile)
	y := g.env.vars[two].(tl.Tile)
	alike := isTile && !x.DType().IsPointer() && x.DType() == y.DType() && fmt.Sprint(x.Shape()) == fmt.Sprint(y.Shape())
	if alike && g.r.IntN(2) == 0 {
		text := "%s, %s = %[2]s, %[1]s"
		if g.r.IntN(2) == 0 {
			text = "func(p, q *tl.Tile) { *p, *q = *q, *p }(&%s, &%s)"
		}
		n := g.line(text, one, two)
		swap := func(e *env) leave {
			e.vars[one], e.vars[two] = e.vars[two], e.vars[one]
			return onward
		}
		swap(g.env)
		return []stmt{at(n, swap)}
	}
	to := g.name()
	n := g.line("%s := %s", to, from)
	return g.parts(n, to, []string{"[0]", "[1]"}, []any{x, y}, []expr{variable(one), variable(two)})
}
