package lower

import (
	"go/ast"
	"go/types"

	"github.com/tiler-go/tiler/repl/lower/source"
)

// Go leaves open whether x[0] in x[0] + f() is read before the call or behind it. Compiled
// code makes all calls of an expression first, and the interpreter does one or the other.
// So where a call could change what stands in front of it, the calls come first.

// callsBefore makes the calls of an expression's operands that must come first, and then
// what is left of it; ok is false if there are none. They are statements in front of that
// of the expression, if it is what that evaluates first, and else in a function literal.
func (c *compiler) callsBefore(e ast.Expr, first bool) (text string, ok bool) {
	calls := c.early(e)
	if len(calls) == 0 || !first && source.Nameless(c.TypeOf(e)) {
		return "", false
	}
	do := func() string {
		settled := c.settled
		c.settled = map[ast.Expr]bool{} // what follows holds while the calls have been made
		defer func() { c.settled = settled }()
		for _, call := range calls {
			c.first = true
			c.made[call] = c.temp(c.expr(call), c.TypeOf(call))
			defer delete(c.made, call)
		}
		return c.expr(e)
	}
	if first {
		return do(), true
	}
	return c.inPlace(c.TypeOf(e), do), true
}

// early is the calls of an expression's operands, from left to right, up to the last one
// that could change what is read in front of it.
func (c *compiler) early(e ast.Expr) (calls []ast.Expr) {
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

// reads reports whether part of e reads what a call could change. A variable of a basic type
// or a function that is itself an operand the interpreter reads late.
func (c *compiler) reads(x, e ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		v, ok := c.Info.Uses[x].(*types.Var)
		return ok && !v.IsField() && !source.ReadLate(x, v.Type(), e) && (c.Name(v) != "" || v.Parent() == v.Pkg().Scope() || c.escapes(v) && c.assigned(v))
	case *ast.StarExpr:
		return true
	case *ast.IndexExpr:
		switch c.TypeOf(x.X).Underlying().(type) {
		case *types.Slice, *types.Map, *types.Pointer:
			return true
		}
	case *ast.SelectorExpr:
		s := c.Info.Selections[x]
		if s == nil || s.Kind() == types.FieldVal {
			return s != nil && s.Indirect()
		}
		_, from := c.TypeOf(x.X).Underlying().(*types.Pointer)
		recv := s.Obj().(*types.Func).Signature().Recv()
		_, to := recv.Type().Underlying().(*types.Pointer)
		return from && !to
	}
	return false
}
