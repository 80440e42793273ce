package random

import (
	"fmt"
	"math"
	"strings"

	tl "github.com/tiler-go/tiler/tilelang"
)

func literal(n int) expr { return expr{fmt.Sprint(n), func(*env) any { return n }} }

// op2 is an operation of two ints in both forms.
type op2 struct {
	text string
	fn   func(a, b int) int
}

var intOps = []op2{
	{"%s + %s", func(a, b int) int { return a + b }}, {"%s - %s", func(a, b int) int { return a - b }},
	{"%s * %s", func(a, b int) int { return a * b }}, {"%s & %s", func(a, b int) int { return a & b }},
	{"%s | %s", func(a, b int) int { return a | b }}, {"%s ^ %s", func(a, b int) int { return a ^ b }},
	{"min(%s, %s)", func(a, b int) int { return min(a, b) }}, {"max(%s, %s)", func(a, b int) int { return max(a, b) }},
	{"%s &^ %s", func(a, b int) int { return a &^ b }},
}

// int is an expression of type int.
func (g *goGen) int(depth int) expr {
	k := g.r.IntN(10)
	switch {
	case depth == 0 || k < 4:
		name := g.pick(func(_ string, v any) bool { _, ok := v.(int); return ok })
		if g.r.IntN(3) == 0 || name == "" {
			return literal(g.r.IntN(20))
		}
		return variable(name)
	case k == 4:
		return expr{"p.ID(0)", func(e *env) any { return e.p.ID(0) }}
	case k == 5:
		x, by := g.int(depth-1), 1+g.r.IntN(7)
		if g.r.IntN(2) == 0 {
			return expr{fmt.Sprintf("(%s / %d)", x.text, by), func(e *env) any { return x.eval(e).(int) / by }}
		}
		return expr{fmt.Sprintf("(%s %% %d)", x.text, by), func(e *env) any { return x.eval(e).(int) % by }}
	case k == 6:
		name := g.pick(func(name string, v any) bool {
			t, ok := v.(tl.Tile)
			return ok && name[0] == 'v' && t.DType() == tl.Int32
		})
		if name != "" {
			return expr{fmt.Sprintf("tl.Max(%s.And(7)).Int()", name), func(e *env) any { return tl.Max(e.vars[name].(tl.Tile).And(7)).Int() }}
		}
	}
	o := intOps[g.r.IntN(len(intOps))]
	a, b := g.int(depth-1), g.int(depth-1)
	text := fmt.Sprintf(o.text, a.text, b.text)
	if !strings.HasPrefix(o.text, "m") {
		text = "(" + text + ")"
	}
	return expr{text, func(e *env) any { return o.fn(a.eval(e).(int), b.eval(e).(int)) }}
}

// float is an expression of type float64; it begins with what is not a constant, which
// Go would compute exactly.
func (g *goGen) float(depth int) expr {
	if depth == 0 || g.r.IntN(3) == 0 {
		return variable(g.pick(func(_ string, v any) bool { _, ok := v.(float64); return ok }))
	}
	a, k := g.float(depth-1), float64(g.r.IntN(40)-20)/8
	switch g.r.IntN(7) {
	case 6:
		return g.mathCall(a, depth)
	case 5:
		b := g.float(depth - 1)
		product := fmt.Sprintf("%s*%g", a.text, k)
		if fuses(1+0x1p-30, 1+0x1p-30, -1) {
			product = "float64(" + product + ")" // the sum alone is refused
		}
		return expr{fmt.Sprintf("(%s + %s)", product, b.text), func(e *env) any {
			return float64(a.eval(e).(float64)*k) + b.eval(e).(float64)
		}}
	case 0:
		return expr{fmt.Sprintf("(%s + %g)", a.text, k), func(e *env) any { return a.eval(e).(float64) + k }}
	case 1:
		return expr{fmt.Sprintf("float64(%s * %g)", a.text, k), func(e *env) any { return float64(a.eval(e).(float64) * k) }}
	case 2:
		b := g.float(depth - 1)
		return expr{fmt.Sprintf("(%s - %s)", a.text, b.text), func(e *env) any { return a.eval(e).(float64) - b.eval(e).(float64) }}
	case 3:
		return expr{"float64(n)", func(e *env) any { return float64(e.vars["n"].(int)) }}
	}
	return expr{fmt.Sprintf("(%s / 3)", a.text), func(e *env) any { return a.eval(e).(float64) / 3 }}
}

// mathFuncs are functions of package math: some are operations of the language, others Go's own.
var mathFuncs = []struct {
	text string
	fn   func(a, b float64) float64
}{
	{"math.Exp(%s - %s)", func(a, b float64) float64 { return math.Exp(a - b) }}, {"math.Max(%s, %s)", math.Max},
	{"math.Min(%s, %s)", math.Min}, {"math.Pow(%s, %s)", math.Pow}, {"math.Hypot(%s, %s)", math.Hypot},
	{"math.Log1p(math.Abs(%s / %s))", func(a, b float64) float64 { return math.Log1p(math.Abs(a / b)) }},
	{"math.Ldexp(%s, math.Ilogb(%s))", func(a, b float64) float64 { return math.Ldexp(a, math.Ilogb(b)) }},
	{"math.Mod(%s, %s)", math.Mod}, {"math.Atan2(%s, %s)", math.Atan2},
}

// mathCall is a call of a function of package math.
func (g *goGen) mathCall(a expr, depth int) expr {
	b, f := g.float(depth-1), mathFuncs[g.r.IntN(len(mathFuncs))]
	return expr{fmt.Sprintf(f.text, a.text, b.text), func(e *env) any {
		return f.fn(a.eval(e).(float64), b.eval(e).(float64))
	}}
}

// fuses reports whether Go, as this program is compiled, rounds x*y + z once.
//
//go:noinline
func fuses(x, y, z float64) bool { return x*y+z != float64(x*y)+z }

// bool is an expression of type bool.
func (g *goGen) bool() expr {
	switch g.r.IntN(6) {
	case 0:
		return variable("b")
	case 1:
		a := g.float(1)
		return expr{a.text + " > 0.25", func(e *env) any { return a.eval(e).(float64) > 0.25 }}
	case 2:
		a, c := g.bool(), g.bool()
		if g.r.IntN(2) == 0 {
			return expr{fmt.Sprintf("(%s && %s)", a.text, c.text), func(e *env) any { return a.eval(e).(bool) && c.eval(e).(bool) }}
		}
		return expr{fmt.Sprintf("(%s || !%s)", a.text, paren(c.text)), func(e *env) any { return a.eval(e).(bool) || !c.eval(e).(bool) }}
	}
	a, c := g.int(1), g.int(1)
	if g.r.IntN(2) == 0 {
		return expr{fmt.Sprintf("%s < %s", a.text, c.text), func(e *env) any { return a.eval(e).(int) < c.eval(e).(int) }}
	}
	return expr{fmt.Sprintf("%s%%2 == %s", a.text, c.text), func(e *env) any { return a.eval(e).(int)%2 == c.eval(e).(int) }}
}

func paren(s string) string { return "(" + s + ")" }

// offsets is an int32 tile of places, most of them inside a tensor.
func (g *goGen) offsets() expr {
	shapes := [][]int{{16}, {7}, {32}, {1}, {100}, {4, 8}, {5, 3}, {8, 1}}
	return g.offsetsOf(shapes[g.r.IntN(len(shapes))])
}

func (g *goGen) offsetsOf(shape []int) expr {
	n := product(shape)
	x := expr{fmt.Sprintf("tl.Arange(0, %d)", n), func(*env) any { return tl.Arange(0, n) }}
	if len(shape) == 2 {
		r, c, s := shape[0], shape[1], shape[1]+g.r.IntN(3)
		x = expr{fmt.Sprintf("tl.Arange(0, %d).Mul(%d).Col().Add(tl.Arange(0, %d).Row())", r, s, c),
			func(*env) any { return tl.Arange(0, r).Mul(s).Col().Add(tl.Arange(0, c).Row()) }}
	} else if len(shape) > 2 {
		x = expr{fmt.Sprintf("%s.Reshape(%s)", x.text, join(shape)), func(*env) any { return tl.Arange(0, n).Reshape(shape...) }}
	}
	switch y := x; g.r.IntN(6) {
	case 0:
		k := g.int(1)
		return expr{fmt.Sprintf("%s.Add(%s)", y.text, k.text), func(e *env) any { return y.eval(e).(tl.Tile).Add(k.eval(e)) }}
	case 1:
		k := 1 + g.r.IntN(3)
		return expr{fmt.Sprintf("%s.Mul(%d)", y.text, k), func(e *env) any { return y.eval(e).(tl.Tile).Mul(k) }}
	case 2:
		return expr{fmt.Sprintf("%s.Mul(37).And(127)", y.text), func(e *env) any { return y.eval(e).(tl.Tile).Mul(37).And(127) }}
	case 3:
		return expr{fmt.Sprintf("%s.Add(p.ID(0) * 16)", y.text), func(e *env) any { return y.eval(e).(tl.Tile).Add(e.p.ID(0) * 16) }}
	}
	return x
}

func join(dims []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(dims), " ", ", "), "[]")
}

// maskOf is a mask for offsets: what lies inside, at least, most of the time.
func (g *goGen) maskOf(offs expr) expr {
	hi := tensorLen
	in := expr{fmt.Sprintf("%s.Lt(%d)", offs.text, hi), func(e *env) any { return offs.eval(e).(tl.Tile).Lt(hi) }}
	switch g.r.IntN(5) {
	case 0:
		k := g.int(1)
		return expr{fmt.Sprintf("%s.Lt(%s)", offs.text, k.text), func(e *env) any { return offs.eval(e).(tl.Tile).Lt(k.eval(e)) }}
	case 1:
		return expr{fmt.Sprintf("%s.And(%s.Ge(n))", in.text, offs.text), func(e *env) any {
			return in.eval(e).(tl.Tile).And(offs.eval(e).(tl.Tile).Ge(e.vars["n"].(int)))
		}}
	case 2:
		return expr{fmt.Sprintf("%s.And(%s.Mod(3).Ne(1))", in.text, offs.text), func(e *env) any {
			return in.eval(e).(tl.Tile).And(offs.eval(e).(tl.Tile).Mod(3).Ne(1))
		}}
	}
	return in
}

func dtypeText(d tl.DType) string {
	return map[tl.DType]string{tl.Bool: "tl.Bool", tl.Int32: "tl.Int32", tl.Int64: "tl.Int64", tl.Float32: "tl.Float32", tl.Float16: "tl.Float16",
		tl.Float64: "tl.Float64", tl.Uint8: "tl.Uint8", tl.Uint32: "tl.Uint32", tl.Int8: "tl.Int8", tl.Int16: "tl.Int16", tl.BFloat16: "tl.BFloat16"}[d]
}
