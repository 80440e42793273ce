package exprs

import (
	"fmt"
	"go/ast"
	"go/types"
)

// Place is an expression that can be assigned to.
func (c *Compiler) Place(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := c.Object(e).(*types.Var); ok {
			return c.Variable(v)
		}
	case *ast.IndexExpr:
		if m, ok := c.TypeOf(e.X).Underlying().(*types.Map); ok {
			return fmt.Sprintf("%s[%s]", c.Operand(e.X), c.key(e.Index, m))
		}
		return fmt.Sprintf("%s[%s]", c.placeOperand(e.X), c.bounded(e, c.Operand(e.X)))
	case *ast.StarExpr:
		return "(*" + c.Operand(e.X) + ")"
	case *ast.SelectorExpr:
		if s := c.Info.Selections[e]; s != nil {
			return c.FieldOf(c.placeOperand(e.X), s)
		}
	}
	return c.Expr(e)
}

// placeOperand is the operand of an index or selector that is assigned to.
func (c *Compiler) placeOperand(e ast.Expr) string {
	switch c.TypeOf(e).Underlying().(type) {
	case *types.Array, *types.Struct:
		return c.Place(e)
	}
	return c.Operand(e)
}

// Target is a place to assign to. In an assignment of several values its operands
// are evaluated before, if evaluating them later could make a difference.
func (c *Compiler) Target(e ast.Expr, several bool) string {
	if !several {
		return c.Place(e)
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		var index string
		if m, ok := c.TypeOf(e.X).Underlying().(*types.Map); ok {
			index = c.Temp(c.Convert(e.Index, m.Key()), m.Key())
		} else {
			index = c.Temp(c.Expr(e.Index), types.Default(c.TypeOf(e.Index)))
		}
		if _, array := c.TypeOf(e.X).Underlying().(*types.Array); array {
			return fmt.Sprintf("%s[%s]", c.Place(e.X), index)
		}
		return fmt.Sprintf("%s[%s]", c.Temp(c.Expr(e.X), c.TypeOf(e.X)), index)
	case *ast.StarExpr:
		return "(*" + c.Temp(c.Expr(e.X), c.TypeOf(e.X)) + ")"
	case *ast.SelectorExpr:
		if _, pointer := c.TypeOf(e.X).Underlying().(*types.Pointer); pointer && c.Info.Selections[e] != nil {
			return c.FieldOf(c.Temp(c.Expr(e.X), c.TypeOf(e.X)), c.Info.Selections[e])
		}
	}
	return c.Place(e)
}
