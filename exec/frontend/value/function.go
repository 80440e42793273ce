package value

import (
	"go/ast"
	"go/types"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
)

// Closure is a function: declared, or a literal with the variables it uses.
type Closure struct {
	Decl  *ast.FuncDecl
	Lit   *ast.FuncLit
	Vars  map[types.Object]*Variable
	Types Types // of an instance of a generic function, and of literals in it
}

// Parts is a function's type and body.
func (c *Closure) Parts() (*ast.FuncType, *ast.BlockStmt) {
	if c.Decl != nil {
		return c.Decl.Type, c.Decl.Body
	}
	return c.Lit.Type, c.Lit.Body
}

// sameFunction reports whether two functions, which may be nil, are certainly one.
func sameFunction(a, b *Closure) bool {
	return a == b || a != nil && b != nil && a.Decl != nil && a.Decl == b.Decl && a.Types == nil && b.Types == nil
}

// Types is what type parameters stand for in an instance of a generic function.
type Types map[*types.TypeParam]types.Type

// Real is a type, or what a type parameter stands for.
func (l *Emitter) Real(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.TypeParam); ok && l.Frame.Types[p] != nil {
		return l.Frame.Types[p]
	}
	return t
}

// TypeOf is the type of an expression.
func (l *Emitter) TypeOf(e ast.Expr) types.Type { return l.Real(l.File.Info.TypeOf(e)) }

// instance is the types of the current function and those of an instance.
func (l *Emitter) instance(params *types.TypeParamList, args *types.TypeList) Types {
	if params.Len() == 0 {
		return nil
	}
	ts := Types{}
	for p, t := range l.Frame.Types {
		ts[p] = t
	}
	for i := range min(params.Len(), args.Len()) {
		ts[params.At(i)] = l.Real(args.At(i))
	}
	return ts
}

// Declared is a function of the kernel's package, or of another one, as a value.
func (l *Run) Declared(id *ast.Ident, o *types.Func) Value {
	d := l.File.Decl(o)
	if d == nil {
		return l.Refuse(id.Pos(), "the function "+id.Name+", which has no body here", "", "write its body in Go")
	}
	ts := l.instance(o.Signature().TypeParams(), l.File.Info.Instances[id].TypeArgs)
	return Value{Kind: FuncKind, Named: Named{Func: &Closure{Decl: d, Types: ts}}}
}

// Method is a method of a type of the kernel's package, nil if it has no body here.
func (l *Run) Method(o *types.Func) *Closure {
	d := l.File.Decl(o)
	n, _ := types.Unalias(gofile.Deref(o.Signature().Recv().Type())).(*types.Named)
	if d == nil || n == nil {
		return nil
	}
	return &Closure{Decl: d, Types: l.instance(o.Origin().Signature().RecvTypeParams(), n.TypeArgs())}
}

// Literal is a function literal with the variables it uses.
func (l *Run) Literal(e *ast.FuncLit) Value {
	c := &Closure{Lit: e, Vars: map[types.Object]*Variable{}, Types: l.Frame.Types}
	ast.Inspect(e.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if o := l.File.Info.Uses[id]; o != nil {
				if x := l.Frame.Lookup(o); x != nil {
					c.Vars[o] = x
				}
			}
		}
		return true
	})
	return Value{Kind: FuncKind, Named: Named{Func: c}}
}

// Bind declares a function's receiver and parameters.
func (l *Run) Bind(fn *Closure, args []Value) {
	typ, _ := fn.Parts()
	if fn.Decl != nil && fn.Decl.Recv != nil && len(args) > 0 {
		l.bind(fn.Decl.Recv, args[:1])
		args = args[1:]
	}
	l.bind(typ.Params, args)
}

func (l *Run) bind(fields *ast.FieldList, args []Value) {
	i := 0
	for _, field := range fields.List {
		n := max(1, len(field.Names))
		for k := range n {
			v := Bad
			if _, variadic := field.Type.(*ast.Ellipsis); variadic {
				v = Value{Kind: ListKind, List: args[min(i, len(args)):]}
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

// DeclareResults declares a function's results, named or not.
func (l *Run) DeclareResults(t *ast.FuncType) {
	if t.Results == nil {
		return
	}
	for _, field := range t.Results.List {
		typ := l.TypeOf(field.Type)
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
