package source

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Fallible reports whether running n itself, without the statements inside it, may
// fail.
func (c *Checked) Fallible(n ast.Node) bool {
	switch n.(type) {
	case *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt, *ast.SelectStmt:
		return true
	}
	return Contains(n, c.Fails)
}

// Fails reports whether a node is an operation that may fail.
func (c *Checked) Fails(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		if c.Info.Types[n.Fun].IsType() {
			_, slice := c.TypeOf(n.Args[0]).Underlying().(*types.Slice) // to an array, or a pointer to one
			return slice
		}
		return c.Info.Types[n].Value == nil
	case *ast.CompositeLit:
		m, ok := c.TypeOf(n).Underlying().(*types.Map)
		return ok && types.IsInterface(m.Key())
	case *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.TypeAssertExpr, *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt, *ast.SelectStmt:
		return true
	case *ast.UnaryExpr:
		return n.Op == token.ARROW
	case *ast.BinaryExpr:
		return (n.Op == token.QUO || n.Op == token.REM || n.Op == token.SHL || n.Op == token.SHR || n.Op == token.EQL || n.Op == token.NEQ) && c.Info.Types[n].Value == nil
	case *ast.AssignStmt:
		return n.Tok == token.QUO_ASSIGN || n.Tok == token.REM_ASSIGN
	case *ast.SelectorExpr:
		s := c.Info.Selections[n]
		return s != nil && s.Indirect()
	case *ast.ForStmt, *ast.RangeStmt: // a loop fails if it does not end
		return true
	}
	return false
}

// Dynamic reports whether a body calls what only running it can tell.
func (c *Checked) Dynamic(body ast.Node) bool {
	return Contains(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || c.Info.Types[call.Fun].IsType() || c.Info.Types[call.Fun].IsBuiltin() {
			return false
		}
		_, isFunc := c.callee(call).(*types.Func)
		return !isFunc
	})
}
