package frontend

import (
	"go/ast"
	"go/types"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// conversion is T(x).
func (l *lowering) conversion(e *ast.CallExpr, t types.Type) value.Value {
	if len(e.Args) != 1 {
		return value.Bad
	}
	x := l.expr(e.Args[0])
	if x.Kind == value.Poison {
		return value.Bad
	}
	if gofile.IsDType(t) && x.Kind == value.ScalarKind {
		n, ok := l.Static(x, e.Args[0].Pos(), "a dtype")
		if !ok {
			return value.Bad
		}
		return value.DType(dtype.DType(n))
	}
	b, basic := gofile.BasicOf(t)
	switch {
	case x.Kind == value.ScalarKind && basic && value.GoTypes[b] != 0:
		l.At(e.Pos())
		return l.Convert(x, b, e.Pos())
	case x.Kind == value.StringKind && basic && b == types.String, x.Kind == value.FuncKind, x.Kind == value.ListKind, x.Kind == value.ArrayKind, x.Kind == value.StructKind, x.Kind == value.OptionKind:
		return x
	case x.Kind == value.DTypeKind && gofile.IsDType(t):
		return x
	}
	return l.Refuse(e.Pos(), "a conversion of "+x.Describe()+" to "+gofile.TypeName(t), "", "convert between numbers; for a tile, use To")
}

// builtin is a call of one of Go's builtins.
func (l *lowering) builtin(e *ast.CallExpr, fun ast.Expr) []value.Value {
	name := types.ExprString(fun)
	if name == "new" && l.File.Info.Types[e.Args[0]].IsType() {
		v := l.Zero(l.TypeOf(e.Args[0]), e.Pos())
		return []value.Value{pointer(l, newPlace(l, e, v))}
	}
	if name != "len" && name != "min" && name != "max" && name != "append" {
		for _, a := range e.Args {
			if !l.File.Info.Types[a].IsType() {
				l.expr(a)
			}
		}
		fix := map[string]string{
			"make": "use tl.Zeros or tl.Full", "new": "use the address of a variable",
			"panic": "stop the launch with p.Assert(false, \"why\")", "print": "use p.Print", "println": "use p.Print", "recover": "a panic in a kernel ends the launch: there is nothing to recover",
		}[name]
		return l.Failed(e, l.Refuse(e.Pos(), "the builtin "+name, "", fix))
	}
	args := l.arguments(e)
	if args == nil {
		return []value.Value{value.Bad}
	}
	if name == "append" {
		return []value.Value{l.Append(e, args)}
	}
	if name == "len" {
		switch args[0].Kind {
		case value.ListKind, value.ArrayKind:
			return []value.Value{value.Int(len(args[0].List))}
		case value.StringKind:
			return []value.Value{value.Int(len(args[0].Str))}
		}
		return []value.Value{l.Refuse(e.Pos(), "the length of "+args[0].Describe(), "", "use x.Dim or x.Shape")}
	}
	l.At(e.Pos())
	return []value.Value{value.Extremum(&l.Run, e, name == "max", args)}
}

// mathCall is a function of package math.
func (l *lowering) mathCall(e *ast.CallExpr, name string) []value.Value {
	args := l.arguments(e)
	sig, ok := l.File.Info.TypeOf(e.Fun).(*types.Signature)
	if !ok || args == nil && len(e.Args) > 0 || !value.Accepts(sig, args) {
		return l.Failed(e, value.Bad) // go/types has said why
	}
	l.At(e.Pos())
	return l.Math(name, e.Pos(), sig.Results(), args)
}
