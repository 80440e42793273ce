package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Go leaves open whether x[0] in x[0] + f() is read before the call or behind it. Compiled
// code makes all calls of an expression first, and the interpreter does one or the other.
// So where a call could change what stands in front of it, the calls come first.

// callsBefore makes the calls of an expression's operands that must come first, and then
// what is left of it; ok is false if there are none. They are statements in front of that
// of the expression, if it is what that evaluates first, and else in a function literal.
func (c *compiler) callsBefore(e ast.Expr, first bool) (text string, ok bool) {
	calls := c.early(e)
	if len(calls) == 0 || !first && nameless(c.typeOf(e)) {
		return "", false
	}
	do := func() string {
		settled := c.settled
		c.settled = map[ast.Expr]bool{} // what follows holds while the calls have been made
		defer func() { c.settled = settled }()
		for _, call := range calls {
			c.first = true
			c.made[call] = c.temp(c.expr(call), c.typeOf(call))
			defer delete(c.made, call)
		}
		return c.expr(e)
	}
	if first {
		return do(), true
	}
	return c.inPlace(c.typeOf(e), do), true
}

// early is the calls of an expression's operands, from left to right, up to the last one
// that could change what is read in front of it.
func (c *compiler) early(e ast.Expr) (calls []ast.Expr) {
	if !c.ordered(e) || c.settled[e] {
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
		if tv := c.info.Types[x]; lit || tv.Value != nil || tv.IsType() || c.made[x] != "" {
			return false
		}
		if c.evaluatedEarly(x) {
			calls = append(calls, x)
			spread = spread || nameless(c.typeOf(x))
			if read && contains(x, c.changes) {
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

// ordered reports whether an expression has operands of which some may be calls.
func (c *compiler) ordered(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return e.Op != token.LAND && e.Op != token.LOR
	case *ast.CallExpr:
		return !c.info.Types[e.Fun].IsType()
	case *ast.IndexExpr:
		return c.info.Types[e.X].IsValue()
	case *ast.SliceExpr:
		return true
	case *ast.CompositeLit:
		_, isMap := c.typeOf(e).Underlying().(*types.Map) // whose entries are made one by one
		return !isMap
	}
	return false
}

// nameless reports whether a variable here cannot have a type: it is several, or has no name
// outside its package.
func nameless(t types.Type) bool {
	if _, several := t.(*types.Tuple); several {
		return true
	}
	n := namedOf(t)
	return n != nil && !session(n.Obj()) && n.Obj().Pkg() != nil && !n.Obj().Exported()
}

// evaluatedEarly reports whether compiled code gives an operand a variable of its own, in
// the order of the text.
func (c *compiler) evaluatedEarly(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		return !c.info.Types[e.Fun].IsType() || copies(c.typeOf(e), c.typeOf(e.Args[0]))
	case *ast.SliceExpr:
		return true
	case *ast.BinaryExpr:
		return (e.Op == token.LAND || e.Op == token.LOR) && c.calls(e)
	case *ast.UnaryExpr:
		return e.Op == token.ARROW
	case *ast.TypeAssertExpr:
		return true
	}
	return false
}

// copies reports whether a conversion copies memory: between a string and a slice.
func copies(to, from types.Type) bool {
	_, toSlice := to.Underlying().(*types.Slice)
	_, fromSlice := from.Underlying().(*types.Slice)
	return toSlice != fromSlice
}

// reads reports whether part of e reads what a call could change. A variable of a basic type
// or a function that is itself an operand the interpreter reads late.
func (c *compiler) reads(x, e ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		v, ok := c.info.Uses[x].(*types.Var)
		return ok && !v.IsField() && !late(x, v.Type(), e) && (c.World.names[v] != "" || v.Parent() == v.Pkg().Scope() || c.escapes(v) && c.assigned(v))
	case *ast.StarExpr:
		return true
	case *ast.IndexExpr:
		switch c.typeOf(x.X).Underlying().(type) {
		case *types.Slice, *types.Map, *types.Pointer:
			return true
		}
	case *ast.SelectorExpr:
		s := c.info.Selections[x]
		if s == nil || s.Kind() == types.FieldVal {
			return s != nil && s.Indirect()
		}
		_, from := c.typeOf(x.X).Underlying().(*types.Pointer)
		recv := s.Obj().(*types.Func).Signature().Recv()
		_, to := recv.Type().Underlying().(*types.Pointer)
		return from && !to
	}
	return false
}

// late reports whether the interpreter reads a variable when it does the operation e.
func late(id *ast.Ident, t types.Type, e ast.Expr) bool {
	switch t.(type) {
	case *types.Basic, *types.Signature:
	default:
		return false
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return e.X == id || e.Y == id
	case *ast.CallExpr:
		return e.Fun == id || slices.Contains(e.Args, ast.Expr(id))
	}
	return false
}

// changes reports whether a node is a call that could change variables of the session: of a
// function of its own, or one that is given a way to them.
func (c *compiler) changes(n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	switch {
	case !ok:
		return c.evaluates(n)
	case c.info.Types[call.Fun].IsType():
		return false
	case c.info.Types[call.Fun].IsBuiltin():
		return identOf(call.Fun).Name == "copy"
	}
	if f, ok := c.callee(call).(*types.Func); !ok || session(f) {
		return true
	}
	args := call.Args
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && c.info.Selections[sel] != nil {
		args = append([]ast.Expr{sel.X}, args...)
	}
	for _, a := range args {
		switch t := types.Unalias(c.typeOf(a)).(type) {
		case *types.Basic:
		case *types.Named:
			if session(t.Obj()) || types.IsInterface(t) {
				return true
			}
		default:
			return true
		}
	}
	return false
}
