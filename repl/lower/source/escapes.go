package source

import (
	"go/ast"
	"go/token"
	"go/types"
)

// What a function does with its variables.

// FindWrites adds the variables that n assigns to.
func (c *Checked) FindWrites(n ast.Node, writes map[*types.Var]bool) {
	add := func(e ast.Expr) {
		if e != nil {
			c.addressed(e, writes)
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				add(e)
			}
		case *ast.IncDecStmt:
			add(n.X)
		case *ast.RangeStmt:
			add(n.Key)
			add(n.Value)
		}
		return true
	})
}

// FindEscapes adds the variables that n captures in function literals, or whose
// address it takes.
func (c *Checked) FindEscapes(n ast.Node, escapes map[*types.Var]bool) {
	var lits []*ast.FuncLit
	var stack []ast.Node
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			if _, ok := stack[len(stack)-1].(*ast.FuncLit); ok {
				lits = lits[:len(lits)-1]
			}
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		switch n := n.(type) {
		case *ast.FuncLit:
			lits = append(lits, n)
		case *ast.Ident:
			if v, ok := c.Info.Uses[n].(*types.Var); ok && len(lits) > 0 {
				if l := lits[len(lits)-1]; v.Pos() < l.Pos() || v.Pos() > l.End() {
					escapes[v] = true
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				c.addressed(n.X, escapes)
			}
		case *ast.SliceExpr:
			if _, ok := c.TypeOf(n.X).Underlying().(*types.Array); ok {
				c.addressed(n.X, escapes)
			}
		case *ast.SelectorExpr:
			if s := c.Info.Selections[n]; s != nil && s.Kind() == types.MethodVal {
				c.addressed(n.X, escapes)
			}
		}
		return true
	})
}

// addressed adds the variable that an addressable expression is part of.
func (c *Checked) addressed(e ast.Expr, escapes map[*types.Var]bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := c.Info.Uses[e].(*types.Var); ok {
			escapes[v] = true
		}
	case *ast.SelectorExpr:
		c.addressed(e.X, escapes)
	case *ast.IndexExpr:
		c.addressed(e.X, escapes)
	}
}
