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
	l.Frame = &value.Frame{Vars: map[types.Object]*value.Variable{}}
	if fn.Vars != nil {
		l.Frame.Outer = &value.Frame{Vars: fn.Vars}
	}
	l.Calls = append(l.Calls, node)
	bind(&l.Run, typ, args)
	declareResults(&l.Run, typ)
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

// bind declares a function's parameters.
func bind(l *value.Run, t *ast.FuncType, args []value.Value) {
	i := 0
	for _, field := range t.Params.List {
		n := max(1, len(field.Names))
		for k := range n {
			v := value.Bad
			if _, variadic := field.Type.(*ast.Ellipsis); variadic {
				v = value.Value{Kind: value.ListKind, List: args[min(i, len(args)):]}
			} else if i < len(args) {
				v = args[i]
			}
			i++
			if k < len(field.Names) {
				if id := field.Names[k]; id.Name != "_" {
					l.Declare(l.File.Info.Defs[id], id.Name, v, id.Pos())
				}
			}
		}
	}
}

// declareResults declares a function's results, named or not.
func declareResults(l *value.Run, t *ast.FuncType) {
	if t.Results == nil {
		return
	}
	for _, field := range t.Results.List {
		typ := l.File.Info.TypeOf(field.Type)
		if typ == nil {
			typ = types.Typ[types.Invalid]
		}
		for k := range max(1, len(field.Names)) {
			var o types.Object
			name, pos := "the result", field.Pos()
			if k < len(field.Names) {
				id := field.Names[k]
				o, name, pos = l.File.Info.Defs[id], id.Name, id.Pos()
			}
			x := l.Declare(o, name, l.Zero(typ, pos), pos)
			x.Type = typ
			l.Frame.Results = append(l.Frame.Results, x)
		}
	}
}

// noResult reports a result without a value, or with several.
func (l *lowering) noResult(t *ast.FuncType, x *value.Variable, e *ast.CallExpr) value.Value {
	p := t.Pos()
	if e != nil {
		p = e.Pos()
	}
	return l.VariableError(&ast.Ident{Name: x.Name, NamePos: token.Pos(p)}, x)
}
