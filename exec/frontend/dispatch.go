package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
)

// call is the results of a call expression.
func (l *lowering) call(e *ast.CallExpr) []value {
	fun := ast.Unparen(e.Fun)
	switch t := l.f.Info.Types[fun]; {
	case t.IsType():
		return []value{l.conversion(e, t.Type)}
	case t.IsBuiltin():
		return l.builtin(e, fun)
	}
	if s, ok := fun.(*ast.SelectorExpr); ok {
		if p := l.f.PackageOf(s); p != nil {
			return l.packageCall(e, s, p)
		}
		if sel := l.f.Info.Selections[s]; sel != nil && sel.Kind() != types.FieldVal {
			return l.methodCall(e, s, sel)
		}
	}
	if _, ok := l.f.Info.Instances[gofile.Instantiated(fun)]; ok {
		return l.failed(e, l.refuse(fun.Pos(), "a generic function", "kernels know dtypes, not Go types", "write it for tl.Tile, which has any dtype"))
	}
	fn := l.expr(fun)
	args := l.arguments(e)
	if fn.kind != funcKind || args == nil && len(e.Args) > 0 {
		if fn.kind == nilKind {
			l.error(e.Pos(), "a call of a nil function")
		}
		return l.failed(e, bad)
	}
	return l.inline(fn.fn, args, e)
}

// arguments evaluates a call's arguments in order; nil if there are any and one of
// them is poison.
func (l *lowering) arguments(e *ast.CallExpr) []value {
	var args []value
	if len(e.Args) == 1 {
		if inner, ok := ast.Unparen(e.Args[0]).(*ast.CallExpr); ok && l.f.Info.Types[inner].Value == nil {
			args = l.call(inner) // perhaps several
		}
	}
	if args == nil && len(e.Args) > 0 {
		args = make([]value, 0, len(e.Args))
		for _, a := range e.Args {
			args = append(args, l.expr(a))
		}
	}
	if e.Ellipsis.IsValid() && len(args) > 0 {
		last := args[len(args)-1]
		switch last.kind {
		case listKind:
			args = append(args[:len(args)-1], last.list...)
		case nilKind:
			args = args[:len(args)-1]
		case poison:
		default:
			l.refuse(e.Ellipsis, "spreading "+last.describe(), "", "write the arguments out")
			return nil
		}
	}
	for _, a := range args {
		if a.poisoned() {
			l.suspect(e.Pos())
			return nil
		}
	}
	return args
}

// packageCall is tl.Sum(x) or math.Sqrt(x).
func (l *lowering) packageCall(e *ast.CallExpr, s *ast.SelectorExpr, p *types.PkgName) []value {
	path := p.Imported().Path()
	switch path {
	case gofile.MathPath:
		return l.mathCall(e, s.Sel.Name)
	case gofile.LanguagePath:
	case gofile.DTypePath:
		return l.failed(e, l.refuse(e.Pos(), types.ExprString(s), "dtypes are fixed when a kernel is compiled; they are not run-time values", "use the tl functions"))
	default:
		l.arguments(e)
		return l.failed(e, l.refuse(e.Pos(), "a call of "+types.ExprString(s), "package "+path+" is not part of the language", otherPackage(path)))
	}
	if _, ok := l.f.Info.Uses[s.Sel].(*types.Func); !ok {
		l.arguments(e)
		return l.failed(e, l.invalid(s))
	}
	return l.languageCall(e, s.Sel.Name, "tl."+s.Sel.Name, e.Pos(), value{})
}

// otherPackage is what to write instead of using a package.
func otherPackage(path string) string {
	if path == "fmt" || path == "log" {
		return "print with p.Print(label, values...)"
	}
	return "compute it outside and pass it as a parameter"
}

// methodCall is x.Add(y).
func (l *lowering) methodCall(e *ast.CallExpr, s *ast.SelectorExpr, sel *types.Selection) []value {
	if sel.Kind() == types.MethodExpr {
		l.arguments(e)
		return l.failed(e, l.refuse(s.Pos(), "the method expression "+types.ExprString(s), "", "call the method of a value"))
	}
	n, _ := types.Unalias(gofile.Deref(sel.Recv())).(*types.Named)
	if n == nil || n.Obj().Pkg() == nil || !gofile.IsKnown(n.Obj().Pkg().Path()) {
		l.arguments(e)
		return l.failed(e, l.refuse(s.Sel.Pos(), "the method "+s.Sel.Name+" of a type of your own", "", "write a function"))
	}
	recv := l.expr(s.X)
	if recv.poisoned() {
		l.arguments(e)
		return l.failed(e, bad)
	}
	key := n.Obj().Name() + "." + s.Sel.Name
	name := key
	if n.Obj().Name() == "Program" {
		name = "p." + s.Sel.Name
	}
	return l.languageCall(e, key, name, s.Sel.Pos(), recv)
}

// languageCall is a call of a function of the table.
func (l *lowering) languageCall(e *ast.CallExpr, key, name string, p token.Pos, recv value) []value {
	args := l.arguments(e)
	if !known(key) {
		why, fix := refusalOf(key)
		return l.failed(e, l.refuse(p, name, why, fix))
	}
	if args == nil && len(e.Args) > 0 {
		return l.failed(e, bad)
	}
	sig, ok := l.f.Info.TypeOf(e.Fun).(*types.Signature)
	if !ok || !accepts(sig, args) || recv.kind != poison && !hasReceiver(recv, key) {
		return l.failed(e, bad) // go/types has said why
	}
	inline := func(fn *closure, args []value) []value { return l.inline(fn, args, nil) }
	c := &call{run: &l.run, inline: inline, name: name, p: p, recv: recv, args: args, exprs: e.Args}
	out := c.lower(key)
	for len(out) < l.f.ResultCount(e) {
		out = append(out, bad)
	}
	return out
}
