package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/tiler-go/tiler/exec/frontend/value"
)

// expr is an expression's value, which must be a single one.
func (l *lowering) expr(e ast.Expr) value.Value {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		if tv := l.File.Info.Types[e]; tv.Value == nil {
			vs := l.call(call)
			if len(vs) == 1 {
				return vs[0]
			}
			return value.Bad // go/types has said why
		}
	}
	tv, ok := l.File.Info.Types[e]
	if ok && tv.Value != nil {
		tv.Type = l.Real(tv.Type)
		return l.GoConstant(e, tv)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.expr(e.X)
	case *ast.Ident:
		return l.ident(e)
	case *ast.SelectorExpr:
		if s, ok := isField(l.File, e); ok {
			return field(l, e, s)
		}
		return l.Selector(e)
	case *ast.FuncLit:
		return l.Literal(e)
	}
	if !ok || tv.Type == types.Typ[types.Invalid] {
		return l.Invalid(e)
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return l.binary(e)
	case *ast.UnaryExpr:
		return l.unary(e)
	case *ast.CompositeLit:
		return l.composite(e)
	case *ast.IndexExpr:
		return index(l, e)
	case *ast.IndexListExpr:
		return l.expr(e.X)
	case *ast.SliceExpr:
		return l.Refuse(e.Pos(), "a slice expression", "", "write the elements out: []int{...}")
	case *ast.StarExpr:
		return follow(&l.Run, e, l.expr(e.X))
	case *ast.TypeAssertExpr:
		return l.Refuse(e.Pos(), "a type assertion", "there are no interface values in a kernel", "give the variable its type")
	}
	return l.Refuse(e.Pos(), "this expression", "", "")
}

func (l *lowering) ident(id *ast.Ident) value.Value {
	switch o := l.File.Info.Uses[id].(type) {
	case *types.Var:
		if x := l.Frame.Lookup(o); x != nil {
			if x.Val.Kind == value.Absent {
				return l.VariableError(id, x)
			}
			l.Frame.Read(value.Ref{Var: x}, id.Pos())
			return l.Typed(x.Val, l.Real(o.Type()))
		}
		if l.File.IsGlobal(o) {
			return global(l, id, o)
		}
		return l.Refuse(id.Pos(), "the variable "+id.Name+" of an enclosing function", "the kernel is compiled on its own", "pass its value as a parameter")
	case *types.Func:
		return l.Declared(id, o)
	case *types.Nil:
		return value.Value{Kind: value.NilKind}
	case *types.Builtin:
		return l.Refuse(id.Pos(), "the builtin "+id.Name+" as a value", "", "call it")
	}
	return l.Invalid(id)
}

func (l *lowering) unary(e *ast.UnaryExpr) value.Value {
	switch e.Op {
	case token.AND:
		return address(l, e.X)
	case token.ARROW:
		return l.Refuse(e.Pos(), "a channel", "instances communicate only through tensors", "use atomics, such as tl.AtomicAdd")
	}
	x := l.expr(e.X)
	if x.Kind != value.ScalarKind {
		return value.Bad
	}
	l.At(e.OpPos)
	return l.ScalarUnary(e.Op, x)
}

func (l *lowering) binary(e *ast.BinaryExpr) value.Value {
	if e.Op == token.LAND || e.Op == token.LOR {
		return l.shortCircuit(e)
	}
	x, y := l.expr(e.X), l.expr(e.Y)
	if (x.Unrounded || y.Unrounded) && (e.Op == token.ADD || e.Op == token.SUB) {
		return l.UnroundedSum(e.OpPos, rounded(e.X, x)+" "+e.Op.String()+" "+rounded(e.Y, y))
	}
	return l.Operator(e.Op, e.OpPos, x, y)
}

// rounded is an operand of a sum as it should be written.
func rounded(e ast.Expr, v value.Value) string {
	if v.Unrounded {
		return types.Typ[v.Basic].Name() + "(" + types.ExprString(ast.Unparen(e)) + ")"
	}
	return types.ExprString(e)
}
