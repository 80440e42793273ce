package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/naming"
)

// step tells the host of a statement that has been done, with the variables that it
// gave values to. Statements that hold others, and those that leave, are not told of.
func (a *assigner) step(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		a.told(s.Pos(), s.Lhs)
	case *ast.IncDecStmt:
		a.told(s.Pos(), []ast.Expr{s.X})
	case *ast.ExprStmt, *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt:
		a.told(s.Pos(), nil)
	case *ast.DeclStmt:
		g := s.Decl.(*ast.GenDecl)
		if g.Tok != token.VAR {
			return
		}
		var names []ast.Expr
		for _, spec := range g.Specs {
			for _, id := range spec.(*ast.ValueSpec).Names {
				names = append(names, id)
			}
		}
		a.told(s.Pos(), names)
	}
}

// told tells the host that the line of a place has been done, and what variables are
// now.
func (a *assigner) told(pos token.Pos, places []ast.Expr) {
	var names, values []string
	for _, e := range places {
		id, ok := e.(*ast.Ident)
		if !ok || id.Name == "_" {
			continue
		}
		v, ok := a.Object(id).(*types.Var)
		if !ok {
			continue
		}
		names = append(names, id.Name)
		values = append(values, fmt.Sprintf(", %d, %s", a.ID(a.Subst(v.Type())), a.ConvertText(a.Variable(v), v.Type(), naming.Any, true)))
	}
	a.Emit("%s.Step(%d, %q%s)\n", naming.Host, a.Line(pos), strings.Join(names, " "), strings.Join(values, ""))
}
