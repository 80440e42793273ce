package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Calls reports whether an expression calls a function, or receives.
func (c *Checked) Calls(e ast.Expr) bool {
	return Contains(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return c.Evaluates(n) && !(ok && c.Info.Types[call.Fun].IsBuiltin())
	})
}

// Evaluates reports whether a node is a call or a receive, because of which len of what
// it is part of is not constant.
func (c *Checked) Evaluates(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		return !c.Info.Types[n.Fun].IsType() && c.Info.Types[n].Value == nil
	case *ast.UnaryExpr:
		return n.Op == token.ARROW
	}
	return false
}

// EvaluatedEarly reports whether compiled code gives an operand a variable of its own, in
// the order of the text.
func (c *Checked) EvaluatedEarly(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		return !c.Info.Types[e.Fun].IsType() || copies(c.TypeOf(e), c.TypeOf(e.Args[0]))
	case *ast.SliceExpr:
		return true
	case *ast.BinaryExpr:
		return (e.Op == token.LAND || e.Op == token.LOR) && c.Calls(e)
	case *ast.UnaryExpr:
		return e.Op == token.ARROW
	case *ast.TypeAssertExpr:
		return true
	}
	return false
}

// Ordered reports whether an expression has operands of which some may be calls.
func (c *Checked) Ordered(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return e.Op != token.LAND && e.Op != token.LOR
	case *ast.CallExpr:
		return !c.Info.Types[e.Fun].IsType()
	case *ast.IndexExpr:
		return c.Info.Types[e.X].IsValue()
	case *ast.SliceExpr:
		return true
	case *ast.CompositeLit:
		_, isMap := c.TypeOf(e).Underlying().(*types.Map) // whose entries are made one by one
		return !isMap
	}
	return false
}

// Changes reports whether a node is a call that could change variables of the session: of a
// function of its own, or one that is given a way to them.
func (c *Checked) Changes(n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	switch {
	case !ok:
		return c.Evaluates(n)
	case c.Info.Types[call.Fun].IsType():
		return false
	case c.Info.Types[call.Fun].IsBuiltin():
		return IdentOf(call.Fun).Name == "copy"
	}
	if f, ok := c.callee(call).(*types.Func); !ok || Session(f) {
		return true
	}
	args := call.Args
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && c.Info.Selections[sel] != nil {
		args = append([]ast.Expr{sel.X}, args...)
	}
	for _, a := range args {
		switch t := types.Unalias(c.TypeOf(a)).(type) {
		case *types.Basic:
		case *types.Named:
			if Session(t.Obj()) || types.IsInterface(t) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// copies reports whether a conversion copies memory: between a string and a slice.
func copies(to, from types.Type) bool {
	_, toSlice := to.Underlying().(*types.Slice)
	_, fromSlice := from.Underlying().(*types.Slice)
	return toSlice != fromSlice
}

// ReadLate reports whether the interpreter reads a variable when it does the operation e.
func ReadLate(id *ast.Ident, t types.Type, e ast.Expr) bool {
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

// Recursive finds the functions that can reach themselves by calls of each other's names;
// methods says which of them are methods of types of earlier cells.
func Recursive(info *types.Info, funcs []*ast.FuncDecl, methods map[*types.Func]*types.Func) map[*types.Func]bool {
	declared := map[*types.Func]*types.Func{}
	for o, m := range methods {
		declared[m] = o
	}
	calls := map[*types.Func][]*types.Func{}
	for _, d := range funcs {
		o, _ := info.Defs[d.Name].(*types.Func)
		if o == nil || d.Body == nil {
			continue
		}
		ast.Inspect(d.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if f, ok := info.Uses[id].(*types.Func); ok && Session(f) {
					f = f.Origin()
					if declared[f] != nil {
						f = declared[f]
					}
					calls[o] = append(calls[o], f)
				}
			}
			return true
		})
	}
	found := map[*types.Func]bool{}
	for o := range calls {
		seen := map[*types.Func]bool{}
		var visit func(f *types.Func) bool
		visit = func(f *types.Func) bool {
			for _, g := range calls[f] {
				if g == o {
					return true
				}
				if !seen[g] {
					seen[g] = true
					if visit(g) {
						return true
					}
				}
			}
			return false
		}
		found[o] = visit(o)
	}
	return found
}

// Recovers reports whether code calls recover.
func Recovers(info *types.Info) bool {
	for id, o := range info.Uses {
		if _, ok := o.(*types.Builtin); ok && id.Name == "recover" {
			return true
		}
	}
	return false
}
