package exprs

import (
	"go/ast"

	"github.com/tiler-go/tiler/repl/lower/source"
)

// Go leaves open whether x[0] in x[0] + f() is read before the call or behind it. Compiled
// code makes all calls of an expression first, and the interpreter does one or the other.
// So where a call could change what stands in front of it, the calls come first.

// CallsBefore makes the calls of an expression's operands that must come first, and then
// what is left of it; ok is false if there are none. They are statements in front of that
// of the expression, if it is what that evaluates first, and else in a function literal.
func (c *Compiler) CallsBefore(e ast.Expr, first bool) (text string, ok bool) {
	calls := c.early(e)
	if len(calls) == 0 || !first && source.Nameless(c.TypeOf(e)) {
		return "", false
	}
	do := func() string {
		settled := c.settled
		c.settled = map[ast.Expr]bool{} // what follows holds while the calls have been made
		defer func() { c.settled = settled }()
		for _, call := range calls {
			c.First = true
			c.made[call] = c.Temp(c.Expr(call), c.TypeOf(call))
			defer delete(c.made, call)
		}
		return c.Expr(e)
	}
	if first {
		return do(), true
	}
	return c.InPlace(c.TypeOf(e), do), true
}

// early is the calls of an expression's operands, from left to right, up to the last one
// that could change what is read in front of it.
func (c *Compiler) early(e ast.Expr) (calls []ast.Expr) {
	if !c.Ordered(e) || c.settled[e] {
		return nil
	}
	var seen []ast.Expr
	n, read, spread := 0, false, false
	ast.Inspect(e, func(m ast.Node) bool {
		x, ok := m.(ast.Expr)
		if m == e || !ok {
			return true
		}
		_, lit := x.(*ast.FuncLit)
		if tv := c.Info.Types[x]; lit || tv.Value != nil || tv.IsType() || c.made[x] != "" {
			return false
		}
		if c.EvaluatedEarly(x) {
			calls = append(calls, x)
			spread = spread || source.Nameless(c.TypeOf(x))
			if read && source.Contains(x, c.Changes) {
				n = len(calls)
			}
			return false
		}
		read = read || c.reads(x, e)
		seen = append(seen, x)
		return true
	})
	if n == 0 { // so what is within it has none: it reads no more, and calls no more
		for _, x := range seen {
			c.settled[x] = true
		}
	}
	if spread {
		return nil
	}
	return calls[:n]
}
