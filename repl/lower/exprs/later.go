package exprs

import (
	"go/ast"
	"go/types"

	"github.com/tiler-go/tiler/repl/lower/naming"
	"github.com/tiler-go/tiler/repl/lower/source"
)

// Frozen evaluates what a call needs, and is the call with what stands for that: it can be
// made later.
func Frozen(c *Compiler, call *ast.CallExpr) *ast.CallExpr {
	later := *call
	later.Args = nil
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.SelectorExpr:
		switch s := c.Info.Selections[fun]; {
		case s != nil && s.Kind() == types.MethodVal:
			later.Fun = freezeReceiver(c, fun, s)
		case s != nil && s.Kind() == types.FieldVal:
			later.Fun = freeze(c, fun, c.TypeOf(fun))
		}
	case *ast.Ident:
		if _, ok := c.Info.Uses[fun].(*types.Var); ok {
			later.Fun = freeze(c, fun, c.TypeOf(fun))
		}
	case *ast.IndexExpr, *ast.IndexListExpr:
	default:
		later.Fun = freeze(c, call.Fun, c.TypeOf(call.Fun))
	}
	for _, a := range call.Args {
		if _, ok := c.TypeOf(a).(*types.Tuple); ok {
			source.Refuse("f(g()) with a g of several results cannot be deferred or started here: assign the results first")
		}
		later.Args = append(later.Args, freeze(c, a, c.TypeOf(a)))
	}
	c.Info.Types[&later] = c.Info.Types[call]
	return &later
}

// freeze evaluates an expression of type t, and is what stands for it.
func freeze(c *Compiler, e ast.Expr, t types.Type) ast.Expr {
	if tv := c.Info.Types[e]; tv.Value != nil || tv.IsNil() || tv.IsType() || tv.IsBuiltin() {
		return e
	}
	name := c.Fresh("d")
	c.Emit("%s := %s\n", name, c.Expr(e))
	return c.Stand(e, name, t)
}

// freezeReceiver evaluates the receiver of a method that is called later.
func freezeReceiver(c *Compiler, fun *ast.SelectorExpr, s *types.Selection) ast.Expr {
	m := *fun
	c.Info.Selections[&m] = s
	c.Info.Types[&m] = c.Info.Types[fun]
	t := c.TypeOf(fun.X)
	_, pointer := t.Underlying().(*types.Pointer)
	_, wants := types.Unalias(s.Obj().(*types.Func).Signature().Recv().Type()).(*types.Pointer)
	switch {
	case types.IsInterface(t):
		name := c.Temp(c.Expr(fun.X), t)
		c.Emit("%s.NonNil(%s)\n", naming.Host, name)
		m.X = c.Stand(fun.X, name, t)
		return &m
	case pointer && !wants && len(s.Index()) == 1:
		elem := t.Underlying().(*types.Pointer).Elem()
		m.X = c.Stand(fun.X, c.Temp("*("+c.Expr(fun.X)+")", elem), elem)
		c.Info.Selections[&m] = s
		return &m
	case wants && !pointer:
		name := c.Fresh("d")
		c.Emit("%s := &%s\n", name, c.Place(fun.X))
		m.X = c.Stand(fun.X, "(*"+name+")", t)
		return &m
	}
	m.X = freeze(c, fun.X, t)
	return &m
}
