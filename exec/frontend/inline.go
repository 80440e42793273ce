package frontend

import (
	"go/ast"
	"go/token"
	"go/types"
)

// inline lowers a call of a function of the kernel's file in place. e is nil for the
// calls of a combining function that a reduction or scan makes.
func (l *lowering) inline(fn *closure, args []value, e *ast.CallExpr) []value {
	var node ast.Node = fn.lit
	if fn.decl != nil {
		node = fn.decl
	}
	typ, body := fn.parts()
	for _, n := range l.calls {
		if n == node {
			p := node.Pos()
			if e != nil {
				p = e.Pos()
			}
			l.refuse(p, "recursion", "functions are inlined where they are called", "write a loop")
			return make([]value, max(1, typ.Results.NumFields()))
		}
	}
	if fn.decl != nil {
		l.typeErrorsIn(fn.decl)
	}
	before := l.frame
	l.frame = &frame{vars: map[types.Object]*variable{}}
	if fn.vars != nil {
		l.frame.outer = &frame{vars: fn.vars}
	}
	l.calls = append(l.calls, node)
	l.bind(typ, args)
	l.declareResults(typ)
	results := l.frame.results
	l.breakable(&region{kind: funcRegion}, body.Pos(), func() { l.list(body.List, true) })
	l.calls = l.calls[:len(l.calls)-1]
	l.frame = before
	vs := make([]value, len(results))
	for i, x := range results {
		if vs[i] = x.val; vs[i].kind == absent {
			vs[i] = l.noResult(typ, x, e)
		}
		if x.typ != nil {
			vs[i] = l.typed(vs[i], x.typ)
		}
	}
	return vs
}

func (c *closure) parts() (*ast.FuncType, *ast.BlockStmt) {
	if c.decl != nil {
		return c.decl.Type, c.decl.Body
	}
	return c.lit.Type, c.lit.Body
}

// bind declares a function's parameters.
func (l *control) bind(t *ast.FuncType, args []value) {
	i := 0
	for _, field := range t.Params.List {
		n := max(1, len(field.Names))
		for k := range n {
			v := bad
			if _, variadic := field.Type.(*ast.Ellipsis); variadic {
				v = value{kind: listKind, list: args[min(i, len(args)):]}
			} else if i < len(args) {
				v = args[i]
			}
			i++
			if k < len(field.Names) {
				if id := field.Names[k]; id.Name != "_" {
					l.declare(l.f.Info.Defs[id], id.Name, v, id.Pos())
				}
			}
		}
	}
}

// declareResults declares a function's results, named or not.
func (l *control) declareResults(t *ast.FuncType) {
	if t.Results == nil {
		return
	}
	for _, field := range t.Results.List {
		typ := l.f.Info.TypeOf(field.Type)
		if typ == nil {
			typ = types.Typ[types.Invalid]
		}
		for k := range max(1, len(field.Names)) {
			var o types.Object
			name, pos := "the result", field.Pos()
			if k < len(field.Names) {
				id := field.Names[k]
				o, name, pos = l.f.Info.Defs[id], id.Name, id.Pos()
			}
			x := l.declare(o, name, l.zero(typ, pos), pos)
			x.typ = typ
			l.frame.results = append(l.frame.results, x)
		}
	}
}

// noResult reports a result without a value, or with several.
func (l *control) noResult(t *ast.FuncType, x *variable, e *ast.CallExpr) value {
	p := t.Pos()
	if e != nil {
		p = e.Pos()
	}
	return l.variableError(&ast.Ident{Name: x.name, NamePos: token.Pos(p)}, x)
}
