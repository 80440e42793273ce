package frontend

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// source is a kernel in its file: what is read from there as it stands, and what is wrong with it.
type source struct {
	f          *gofile.File
	k          *gofile.Kernel
	diags      diag.List
	assignedIn map[ast.Node][]types.Object
	checked    map[ast.Node]bool // functions whose type errors are reported
	typeErrors bool              // some were reported
	lost       token.Pos         // the first expression that was given up
}

// errorAt begins a message.
func (l *source) errorAt(pos diag.Pos, format string, args ...any) *diag.Diagnostic {
	d := diag.At(pos, format, args...)
	l.diags = append(l.diags, d)
	return d
}

func (l *source) error(p token.Pos, format string, args ...any) *diag.Diagnostic {
	return l.errorAt(l.f.Position(p), format, args...)
}

// refuse says that something is outside the language.
func (l *source) refuse(p token.Pos, what, why, fix string) value {
	d := l.error(p, "%s: not possible in a compiled kernel", what)
	if why != "" {
		d.Note("%s", why)
	}
	if fix != "" {
		d.Fix("%s", fix)
	}
	return bad
}

// typeErrorsIn reports the type errors in a function.
func (l *source) typeErrorsIn(n ast.Node) {
	if l.checked[n] {
		return
	}
	l.checked[n] = true
	errors := l.f.ErrorsIn(n)
	l.diags = append(l.diags, errors...)
	l.typeErrors = l.typeErrors || len(errors) > 0
}

// invalid is an expression that go/types gave no type. If it said why, that is
// reported already.
func (l *source) invalid(e ast.Expr) value {
	if o := l.f.Info.Uses[gofile.Instantiated(e)]; !l.typeErrors || o != nil && l.f.IsGlobal(o) {
		l.error(e.Pos(), "the compiler does not know what %s is", types.ExprString(e)).
			Note("it sees only this file and the packages tilelang and math").
			Fix("pass it to the kernel as a parameter, or declare it as a constant in this file")
	}
	return bad
}

// suspect remembers that an expression was poison: there must be a message.
func (l *source) suspect(p token.Pos) {
	if !l.lost.IsValid() {
		l.lost = p
	}
}

// unexplained is the messages without those at the places of type errors, which say
// the same otherwise.
func (l *source) unexplained() (list diag.List) {
	types := map[diag.Pos]string{}
	for _, e := range l.f.Errors() {
		types[e.Pos] = e.Msg
	}
	for _, d := range l.diags {
		if msg, ok := types[d.Pos]; !ok || d.Msg == msg {
			list = append(list, d)
		}
	}
	return list
}

// failed is as many poisoned results as a call has; a call that go/types found wrong
// has one.
func (l *source) failed(e *ast.CallExpr, _ value) []value {
	return make([]value, l.f.ResultCount(e))
}

// assigned is the variables that a piece of syntax assigns.
func (l *source) assigned(n ast.Node) []types.Object {
	objs, ok := l.assignedIn[n]
	if !ok {
		objs = l.f.Assigned(n)
		l.assignedIn[n] = objs
	}
	return objs
}
