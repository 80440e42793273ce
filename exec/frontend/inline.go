package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/tiler-go/tiler/exec/frontend/flow"
	"github.com/tiler-go/tiler/exec/frontend/value"
)

// inline lowers a call of a function of the kernel's file in place. e is nil for the
// calls of a combining function that a reduction or scan makes.
func (l *lowering) inline(fn *value.Closure, args []value.Value, e *ast.CallExpr) []value.Value {
	var node ast.Node = fn.Lit
	if fn.Decl != nil {
		node = fn.Decl
	}
	typ, body := fn.Parts()
	for _, n := range l.Calls {
		if n == node {
			p := node.Pos()
			if e != nil {
				p = e.Pos()
			}
			l.Refuse(p, "recursion", "functions are inlined where they are called", "write a loop")
			return make([]value.Value, max(1, typ.Results.NumFields()))
		}
	}
	if fn.Decl != nil {
		l.TypeErrorsIn(fn.Decl)
	}
	before := l.Frame
	l.Frame = &value.Frame{Vars: map[types.Object]*value.Variable{}, Types: fn.Types, Caller: before}
	if fn.Vars != nil {
		l.Frame.Outer = &value.Frame{Vars: fn.Vars}
	}
	l.Calls = append(l.Calls, node)
	l.Bind(fn, args)
	l.DeclareResults(typ)
	results := l.Frame.Results
	l.Breakable(&flow.Region{Kind: flow.Function}, body.Pos(), func() { l.list(body.List, true) })
	l.Calls = l.Calls[:len(l.Calls)-1]
	l.Frame = before
	vs := make([]value.Value, len(results))
	for i, x := range results {
		if vs[i] = x.Val; vs[i].Kind == value.Absent {
			vs[i] = l.noResult(typ, x, e)
		}
		if x.Type != nil {
			vs[i] = l.Typed(vs[i], x.Type)
		}
	}
	return vs
}

// noResult reports a result without a value, or with several.
func (l *lowering) noResult(t *ast.FuncType, x *value.Variable, e *ast.CallExpr) value.Value {
	p := t.Pos()
	if e != nil {
		p = e.Pos()
	}
	return l.VariableError(&ast.Ident{Name: x.Name, NamePos: token.Pos(p)}, x)
}
