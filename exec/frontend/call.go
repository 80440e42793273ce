package frontend

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A call is one of a function or method of the language, with its arguments.
type call struct {
	*lowering
	name  string // as messages spell it: tl.Load, Tile.Add
	p     token.Pos
	recv  value // of a method
	args  []value
	exprs []ast.Expr // of args; one fewer, or a spread list, at the end
}

// lowerFunc lowers a call of one function. It returns as many values as the call has
// results.
type lowerFunc func(c *call) []value

// one is a function with one result; none, with no result.
func one(f func(c *call) value) lowerFunc { return func(c *call) []value { return []value{f(c)} } }

func none(f func(c *call)) lowerFunc { return func(c *call) []value { f(c); return nil } }

// fail reports what is wrong with a call, as its name: message.
func (c *call) fail(format string, args ...any) *diag.Diagnostic {
	return c.error(c.p, c.name+": "+format, args...)
}

// holds reports what a rule of package op finds wrong with a call, if anything.
func (c *call) holds(d *diag.Diagnostic) bool {
	if d == nil {
		return true
	}
	c.broken(d)
	return false
}

func (c *call) broken(d *diag.Diagnostic) *diag.Diagnostic {
	d.Pos, d.Msg = c.f.Position(c.p), c.name+": "+d.Msg
	c.diags = append(c.diags, d)
	return d
}

// argPos is where an argument is.
func (c *call) argPos(i int) token.Pos {
	if i < len(c.exprs) {
		return c.exprs[i].Pos()
	}
	return c.p
}

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

// poisoned reports whether a value or a part of it was refused.
func (v value) poisoned() bool {
	if v.kind == poison {
		return true
	}
	for _, x := range v.list {
		if x.poisoned() {
			return true
		}
	}
	return false
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
	fn := table[key]
	if fn == nil {
		why := refused[key]
		return l.failed(e, l.refuse(p, name, why.why, why.fix))
	}
	if args == nil && len(e.Args) > 0 {
		return l.failed(e, bad)
	}
	sig, ok := l.f.Info.TypeOf(e.Fun).(*types.Signature)
	if !ok || !accepts(sig, args) || recv.kind != poison && !hasReceiver(recv, key) {
		return l.failed(e, bad) // go/types has said why
	}
	c := &call{lowering: l, name: name, p: p, recv: recv, args: args, exprs: e.Args}
	if !c.checkLane(key) {
		return l.failed(e, bad)
	}
	l.at(p)
	out := fn(c)
	for len(out) < l.f.ResultCount(e) {
		out = append(out, bad)
	}
	return out
}

// hasReceiver reports whether a value has a method of the language.
func hasReceiver(v value, key string) bool {
	typ, _, _ := strings.Cut(key, ".")
	return v.kind == kindNamed[typ]
}

// accepts reports whether arguments are what a function of the language takes.
func accepts(sig *types.Signature, args []value) bool {
	n := sig.Params().Len()
	if len(args) != n && !(sig.Variadic() && len(args) >= n-1) {
		return false
	}
	for i, a := range args {
		t := sig.Params().At(min(i, n-1)).Type()
		if sig.Variadic() && i >= n-1 {
			t = t.(*types.Slice).Elem()
		}
		if !hasType(a, t) {
			return false
		}
	}
	return true
}

// hasType reports whether a value can be of a type of the language.
func hasType(v value, t types.Type) bool {
	if gofile.IsDType(t) {
		return v.kind == dtypeKind
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == gofile.LanguagePath && !types.IsInterface(t) {
		if k, ok := kindNamed[n.Obj().Name()]; ok {
			return v.kind == k
		}
		return v.kind == optionKind
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return v.kind == programKind && gofile.IsLanguage(u.Elem(), "Program")
	case *types.Basic:
		return v.kind == scalarKind && v.basic == u.Kind() || v.kind == stringKind && u.Kind() == types.String
	case *types.Slice:
		for _, x := range v.list {
			if !hasType(x, u.Elem()) {
				return false
			}
		}
		return v.kind == listKind || v.kind == nilKind
	case *types.Signature:
		return v.kind == funcKind || v.kind == nilKind
	case *types.Interface:
		return u.NumMethods() == 0 || v.kind == optionKind || v.kind == nilKind
	}
	return false
}

// kindNamed is the kinds of values of the language's named types; the others are
// options.
var kindNamed = map[string]kind{"Tile": tileKind, "Desc": descKind, "BlockPtr": blockPtrKind, "DType": dtypeKind, "Program": programKind}
