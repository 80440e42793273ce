package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/tiler-go/tiler/exec/frontend/builtin"
	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/frontend/value"
)

// call is the results of a call expression.
func (l *lowering) call(e *ast.CallExpr) []value.Value {
	fun := ast.Unparen(e.Fun)
	switch t := l.File.Info.Types[fun]; {
	case t.IsType():
		return []value.Value{l.conversion(e, l.Real(t.Type))}
	case t.IsBuiltin():
		return l.builtin(e, fun)
	}
	n := len(l.Frame.Reads)
	if s, ok := fun.(*ast.SelectorExpr); ok {
		if p := l.File.PackageOf(s); p != nil && !l.File.Loaded(p) {
			return l.packageCall(e, s, p)
		}
		if sel := l.File.Info.Selections[s]; sel != nil && sel.Kind() != types.FieldVal {
			vs := l.methodCall(e, s, sel)
			l.Frame.Reads = l.Frame.Reads[:n]
			return vs
		}
	}
	fn := l.expr(fun)
	args := l.arguments(e)
	if fn.Kind != value.FuncKind || args == nil && len(e.Args) > 0 {
		if fn.Kind == value.NilKind {
			l.Error(e.Pos(), "a call of a nil function")
		}
		return l.Failed(e, value.Bad)
	}
	l.Frame.Reads = l.Frame.Reads[:n]
	return l.inline(fn.Func, args, e)
}

// arguments evaluates a call's arguments in order; nil if there are any and one of
// them is poison.
func (l *lowering) arguments(e *ast.CallExpr) []value.Value {
	var args []value.Value
	if len(e.Args) == 1 {
		if inner, ok := ast.Unparen(e.Args[0]).(*ast.CallExpr); ok && l.File.Info.Types[inner].Value == nil {
			args = l.call(inner) // perhaps several
		}
	}
	if args == nil && len(e.Args) > 0 {
		args = make([]value.Value, 0, len(e.Args))
		for _, a := range e.Args {
			args = append(args, l.expr(a))
		}
	}
	if e.Ellipsis.IsValid() && len(args) > 0 {
		last := args[len(args)-1]
		switch last.Kind {
		case value.ListKind:
			args = append(args[:len(args)-1], last.List...)
		case value.NilKind:
			args = args[:len(args)-1]
		case value.Poison:
		default:
			l.Refuse(e.Ellipsis, "spreading "+last.Describe(), "", "write the arguments out")
			return nil
		}
	}
	for _, a := range args {
		if a.Poisoned() {
			l.Suspect(e.Pos())
			return nil
		}
	}
	return args
}

// packageCall is tl.Sum(x) or math.Sqrt(x).
func (l *lowering) packageCall(e *ast.CallExpr, s *ast.SelectorExpr, p *types.PkgName) []value.Value {
	path := p.Imported().Path()
	switch path {
	case gofile.MathPath:
		return l.mathCall(e, s.Sel.Name)
	case gofile.LanguagePath:
	case gofile.DTypePath:
		return l.Failed(e, l.Refuse(e.Pos(), types.ExprString(s), "dtypes are fixed when a kernel is compiled; they are not run-time values", "use the tl functions"))
	default:
		l.arguments(e)
		return l.Failed(e, l.Refuse(e.Pos(), "a call of "+types.ExprString(s), gofile.Outside(path), otherPackage(path)))
	}
	if _, ok := l.File.Info.Uses[s.Sel].(*types.Func); !ok {
		l.arguments(e)
		return l.Failed(e, l.Invalid(s))
	}
	n := len(l.Frame.Reads)
	vs := l.languageCall(e, s.Sel.Name, "tl."+s.Sel.Name, e.Pos(), value.Value{})
	l.Frame.Reads = l.Frame.Reads[:n]
	return vs
}

// otherPackage is what to write instead of using a package.
func otherPackage(path string) string {
	if path == "fmt" || path == "log" {
		return "print with p.Print(label, values...)"
	}
	return "compute it outside and pass it as a parameter"
}

// methodCall is x.Add(y).
func (l *lowering) methodCall(e *ast.CallExpr, s *ast.SelectorExpr, sel *types.Selection) []value.Value {
	if sel.Kind() == types.MethodExpr {
		l.arguments(e)
		return l.Failed(e, l.Refuse(s.Pos(), "the method expression "+types.ExprString(s), "", "call the method of a value"))
	}
	o, index := sel.Obj(), sel.Index()
	if t := l.Real(sel.Recv()); t != sel.Recv() {
		o, index, _ = types.LookupFieldOrMethod(t, true, o.Pkg(), o.Name())
	}
	fn, _ := o.(*types.Func)
	if fn == nil {
		return l.Failed(e, l.Invalid(s))
	}
	path := index[:len(index)-1]
	n, _ := types.Unalias(gofile.Deref(fn.Signature().Recv().Type())).(*types.Named)
	if n == nil || n.Obj().Pkg() == nil || !gofile.IsKnown(n.Obj().Pkg().Path()) {
		return ownMethod(l, e, s, fn, path)
	}
	recv := follow(&l.Run, s.X, fieldOf(l, s, path))
	if recv.Poisoned() {
		l.arguments(e)
		return l.Failed(e, value.Bad)
	}
	key := n.Obj().Name() + "." + s.Sel.Name
	name := key
	if n.Obj().Name() == "Program" {
		name = "p." + s.Sel.Name
	}
	return l.languageCall(e, key, name, s.Sel.Pos(), recv)
}

// languageCall is a call of a function of the table.
func (l *lowering) languageCall(e *ast.CallExpr, key, name string, p token.Pos, recv value.Value) []value.Value {
	args := l.arguments(e)
	if !builtin.Known(key) {
		why, fix := builtin.Refusal(key)
		return l.Failed(e, l.Refuse(p, name, why, fix))
	}
	if args == nil && len(e.Args) > 0 {
		return l.Failed(e, value.Bad)
	}
	sig, ok := l.File.Info.TypeOf(e.Fun).(*types.Signature)
	if !ok || !value.Accepts(sig, args) || recv.Kind != value.Poison && !value.HasReceiver(recv, key) {
		return l.Failed(e, value.Bad) // go/types has said why
	}
	inline := func(fn *value.Closure, args []value.Value) []value.Value { return l.inline(fn, args, nil) }
	c := &builtin.Call{Run: &l.Run, Inline: inline, Name: name, Where: p, Recv: recv, Args: args, Exprs: e.Args}
	out := c.Lower(key)
	for len(out) < l.File.ResultCount(e) {
		out = append(out, value.Bad)
	}
	return out
}
