package value

import (
	"go/ast"
	"go/types"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
)

// RefuseStatement refuses a statement outside the language.
func (l *Run) RefuseStatement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.DeferStmt:
		l.Refuse(s.Pos(), "defer", "there is nothing to clean up when an instance ends", "write the call where it should happen")
	case *ast.GoStmt:
		l.Refuse(s.Pos(), "a goroutine", "the instances of the grid already run concurrently", "launch a larger grid")
	case *ast.SendStmt:
		l.Refuse(s.Pos(), "a channel", "instances communicate only through tensors", "use atomics, such as tl.AtomicAdd")
	case *ast.SelectStmt:
		l.Refuse(s.Pos(), "select", "there are no channels in a kernel", "use if or switch")
	case *ast.TypeSwitchStmt:
		l.Refuse(s.Pos(), "a type switch", "there are no interface values in a kernel", "switch on x.DType()")
	default:
		l.Refuse(s.Pos(), "this statement", "", "")
	}
}

// AssignOutside refuses an assignment to what is no variable of the kernel.
func (l *Run) AssignOutside(e *ast.Ident, o types.Object) {
	if _, ok := o.(*types.Var); ok {
		l.Refuse(e.Pos(), "an assignment to "+e.Name+", which is outside the kernel", "many instances run at once", "store results through a tl.Ptr parameter")
	}
}

// Selector is a name behind a dot that is no field of the kernel's own.
func (l *Run) Selector(e *ast.SelectorExpr) Value {
	if p := l.File.PackageOf(e); p != nil {
		return l.packageMember(e, p)
	}
	s := l.File.Info.Selections[e]
	if s == nil {
		return l.Invalid(e)
	}
	if s.Kind() != types.FieldVal {
		return l.Refuse(e.Sel.Pos(), "the method value "+types.ExprString(e), "", "call it, or wrap the call in a function literal")
	}
	if gofile.IsLanguage(gofile.Deref(s.Recv()), "Program") {
		return l.Refuse(e.Sel.Pos(), "p."+e.Sel.Name, "it is for interpreters", "use p.ID and p.Num")
	}
	return l.Refuse(e.Sel.Pos(), "the field "+e.Sel.Name+" of "+gofile.TypeName(s.Recv()), "", "use its methods")
}

// packageMember is an option without a value, such as tl.KeepDims.
func (l *Run) packageMember(e *ast.SelectorExpr, p *types.PkgName) Value {
	switch o := l.File.Info.Uses[e.Sel].(type) {
	case *types.Var:
		if o.Pkg().Path() == gofile.LanguagePath {
			return Value{Kind: OptionKind, Str: o.Name()}
		}
	case *types.Func:
		if l.File.Loaded(p) {
			return l.Declared(e.Sel, o)
		}
		return l.Refuse(e.Pos(), "the function "+types.ExprString(e)+" as a value", "", "call it, or wrap the call in a function literal")
	}
	if l.File.Loaded(p) {
		return l.Refuse(e.Pos(), "the variable "+types.ExprString(e), "others may assign it", "pass its value, or declare it const")
	}
	if !gofile.IsKnown(p.Imported().Path()) {
		return l.Refuse(e.Pos(), types.ExprString(e), gofile.Outside(p.Imported().Path()), "compute it outside and pass it as a parameter")
	}
	return l.Invalid(e)
}
