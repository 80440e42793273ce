package source

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Checked is code with what the type checker says of it.
type Checked struct {
	Info *types.Info
	Line func(token.Pos) int // a position as the number that lowered code marks it with
	Args                     // where it is the code of a generic function
}

// TypeOf is the type of an expression, without type parameters.
func (c *Checked) TypeOf(e ast.Expr) types.Type {
	if tv, ok := c.Info.Types[e]; ok {
		return c.Subst(tv.Type)
	}
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if o := c.Object(id); o != nil {
			return c.Subst(o.Type())
		}
	}
	return c.Subst(c.Info.Types[ast.Unparen(e)].Type)
}

// Object is what an identifier uses or defines.
func (c *Checked) Object(id *ast.Ident) types.Object {
	if o := c.Info.Uses[id]; o != nil {
		return o
	}
	return c.Info.Defs[id]
}

// TupleOf is the types of an expression that gives several values: a call, or one
// with ", ok".
func (c *Checked) TupleOf(e ast.Expr) *types.Tuple {
	t := c.Subst(c.Info.Types[e].Type)
	if t, ok := t.(*types.Tuple); ok {
		return t
	}
	boolean := types.Typ[types.Bool]
	return types.NewTuple(types.NewVar(0, nil, "", t), types.NewVar(0, nil, "", boolean))
}

// TypeArgs is the type arguments of an instance.
func (c *Checked) TypeArgs(inst types.Instance) (ts []types.Type) {
	for t := range inst.TypeArgs.Types() {
		ts = append(ts, c.Subst(t))
	}
	return ts
}

// IdentOf is the name that an expression is, or that a selector selects.
func IdentOf(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	}
	return nil
}

// Unindexed is f of f[T].
func Unindexed(e ast.Expr) ast.Expr {
	switch x := e.(type) {
	case *ast.IndexExpr:
		return ast.Unparen(x.X)
	case *ast.IndexListExpr:
		return ast.Unparen(x.X)
	}
	return e
}

// IsCall reports whether an expression is a call or a conversion.
func IsCall(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok
}

// IsNil reports whether an expression is nil.
func IsNil(info *types.Info, e ast.Expr) bool { return info.Types[e].IsNil() }

// IsBlank reports whether an expression is the blank identifier.
func IsBlank(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name == "_"
}

// Received is the receive expression of a communication.
func Received(s ast.Stmt) *ast.UnaryExpr {
	if a, ok := s.(*ast.AssignStmt); ok {
		return ast.Unparen(a.Rhs[0]).(*ast.UnaryExpr)
	}
	return ast.Unparen(s.(*ast.ExprStmt).X).(*ast.UnaryExpr)
}

// Contains reports whether a node outside nested function literals satisfies ok.
func Contains(n ast.Node, ok func(ast.Node) bool) bool {
	found := false
	ast.Inspect(n, func(m ast.Node) bool {
		if _, lit := m.(*ast.FuncLit); lit && m != n || found || m == nil {
			return false
		}
		found = ok(m)
		return !found
	})
	return found
}

// callee is the function or variable that a call names, nil if it names none.
func (c *Checked) callee(call *ast.CallExpr) types.Object {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	switch x := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return c.Info.Uses[x]
	case *ast.SelectorExpr:
		return c.Info.Uses[x.Sel]
	}
	return nil
}

// CommonType is the type in which two operands are compared.
func (c *Checked) CommonType(x, y ast.Expr) types.Type {
	if c.Info.Types[x].Value != nil {
		x, y = y, x
	}
	return types.Default(c.TypeOf(x))
}

// Defined is the variable that a range statement declares, nil if it declares none.
func (c *Checked) Defined(e ast.Expr) *types.Var {
	id, ok := e.(*ast.Ident)
	if !ok || id.Name == "_" {
		return nil
	}
	v, _ := c.Info.Defs[id].(*types.Var)
	return v
}

// FallsFromDefault reports whether a switch has fallthrough and a default clause
// that is not the last: the interpreter moves that to the end.
func FallsFromDefault(s *ast.SwitchStmt) bool {
	last := len(s.Body.List) - 1
	for i, stmt := range s.Body.List {
		if stmt.(*ast.CaseClause).List == nil && i < last {
			return Contains(s.Body, func(n ast.Node) bool {
				b, ok := n.(*ast.BranchStmt)
				return ok && b.Tok == token.FALLTHROUGH
			})
		}
	}
	return false
}
