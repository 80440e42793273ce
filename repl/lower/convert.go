package lower

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/tiler-go/tiler/repl/lower/naming"
)

// convert is an expression as a value of type to, to which it can be assigned.
func (c *compiler) convert(e ast.Expr, to types.Type) string {
	to = c.Subst(to)
	tv := c.Info.Types[e]
	switch {
	case tv.IsNil():
		return "nil"
	case tv.Value != nil && !types.IsInterface(to):
		return c.Constant(tv.Value, to)
	}
	text := c.expr(e)
	from := types.Default(c.TypeOf(e))
	_, isCall := ast.Unparen(e).(*ast.CallExpr)
	return c.ConvertText(text, from, to, isCall || simple(text) || tv.Value != nil)
}

// assertOK is x.(T) with the second value.
func (c *compiler) assertOK(e *ast.TypeAssertExpr) string {
	t := c.TupleOf(e).At(0).Type()
	rep, id := c.Spell(t), c.ID(t)
	name := c.Helper(fmt.Sprintf("is %d", id), "is", func(name string) string {
		return fmt.Sprintf("func %s(x interface{}) (%s, bool) {\nvar t %s\nok := %s.Is(&t, x, %d)\nreturn t, ok\n}\n", name, rep, rep, naming.Host, id)
	})
	return name + "(" + c.convert(e.X, naming.Any) + ")"
}

func (c *compiler) recvOK(e *ast.UnaryExpr) string {
	t := c.TypeOf(e.X)
	return c.Receiver(t.Underlying().(*types.Chan).Elem(), t, true) + "(" + c.expr(e.X) + ")"
}
