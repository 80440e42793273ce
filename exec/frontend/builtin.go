package frontend

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// conversion is T(x).
func (l *lowering) conversion(e *ast.CallExpr, t types.Type) value {
	if len(e.Args) != 1 {
		return bad
	}
	x := l.expr(e.Args[0])
	if x.kind == poison {
		return bad
	}
	if gofile.IsDType(t) && x.kind == scalarKind {
		n, ok := l.static(x, e.Args[0].Pos(), "a dtype")
		if !ok {
			return bad
		}
		return dtypeValue(dtype.DType(n))
	}
	b, basic := gofile.BasicOf(t)
	switch {
	case x.kind == scalarKind && basic && goTypes[b] != 0:
		l.at(e.Pos())
		return l.convert(x, b, e.Pos())
	case x.kind == stringKind && basic && b == types.String, x.kind == funcKind, x.kind == listKind, x.kind == optionKind:
		return x
	case x.kind == dtypeKind && gofile.IsDType(t):
		return x
	}
	return l.refuse(e.Pos(), "a conversion of "+x.describe()+" to "+gofile.TypeName(t), "", "convert between numbers; for a tile, use To")
}

// builtin is a call of one of Go's builtins.
func (l *lowering) builtin(e *ast.CallExpr, fun ast.Expr) []value {
	name := types.ExprString(fun)
	if name != "len" && name != "min" && name != "max" {
		for _, a := range e.Args {
			if !l.f.Info.Types[a].IsType() {
				l.expr(a)
			}
		}
		fix := map[string]string{
			"append": "write the elements out: []int{...}", "make": "use tl.Zeros or tl.Full", "new": "use a variable",
			"panic": "stop the launch with p.Assert(false, \"why\")", "print": "use p.Print", "println": "use p.Print", "recover": "a panic in a kernel ends the launch: there is nothing to recover",
		}[name]
		return l.failed(e, l.refuse(e.Pos(), "the builtin "+name, "", fix))
	}
	args := l.arguments(e)
	if args == nil {
		return []value{bad}
	}
	if name == "len" {
		switch args[0].kind {
		case listKind:
			return []value{intValue(len(args[0].list))}
		case stringKind:
			return []value{intValue(len(args[0].s))}
		}
		return []value{l.refuse(e.Pos(), "the length of "+args[0].describe(), "", "use x.Dim or x.Shape")}
	}
	l.at(e.Pos())
	return []value{l.extremum(e, name == "max", args)}
}

// extremum is min or max of Go numbers; of floats, NaN if one is.
func (l *control) extremum(e *ast.CallExpr, greatest bool, args []value) value {
	z := args[0]
	for i, x := range args {
		if x.kind != scalarKind {
			return l.refuse(e.Args[i].Pos(), "min or max of "+x.describe(), "", "for tiles, use tl.Minimum and tl.Maximum")
		}
		if i == 0 {
			continue
		}
		o := op.Minimum
		switch float := x.dtype().IsFloat(); {
		case greatest && float:
			o = op.MaximumNaN
		case float:
			o = op.MinimumNaN
		case greatest:
			o = op.Maximum
		}
		z = l.apply(o, z.basic, z, x)
	}
	return z
}

// mathCall is a function of package math.
func (l *lowering) mathCall(e *ast.CallExpr, name string) []value {
	args := l.arguments(e)
	if args == nil && len(e.Args) > 0 {
		return l.failed(e, bad)
	}
	for _, a := range args {
		if a.kind != scalarKind {
			return l.failed(e, bad)
		}
	}
	f, ok := mathFunc(name)
	if !ok {
		fix := "compute it on a tile: tl." + name + "(tl.Full(tl.Float64, x)).Float()"
		if !known(name) {
			fix = "compute it outside and pass it as a parameter"
		}
		if name == "Max" || name == "Min" {
			fix = "use Go's own " + strings.ToLower(name) + "(x, y)"
		}
		return l.failed(e, l.refuse(e.Pos(), "math."+name, "its results differ between processors, or it has another name here", fix))
	}
	l.at(e.Pos())
	return []value{f(&l.emitter, args)}
}
