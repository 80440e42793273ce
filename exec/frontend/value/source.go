package value

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// source is a kernel in its file: what is read from there as it stands, and what is wrong with it.
type source struct {
	File       *gofile.File
	Kernel     *gofile.Kernel
	Diags      diag.List
	assignedIn map[ast.Node][]types.Object
	owns       map[ownership]bool // slices: whether their elements are theirs alone
	Globals    map[types.Object]Value
	checked    map[ast.Node]bool // functions whose type errors are reported
	typeErrors bool              // some were reported
	Lost       token.Pos         // the first expression that was given up
}

// errorAt begins a message.
func (l *source) errorAt(pos diag.Pos, format string, args ...any) *diag.Diagnostic {
	d := diag.At(pos, format, args...)
	l.Diags = append(l.Diags, d)
	return d
}

// Error begins a message about a place in the file.
func (l *source) Error(p token.Pos, format string, args ...any) *diag.Diagnostic {
	return l.errorAt(l.File.Position(p), format, args...)
}

// Refuse says that something is outside the language.
func (l *source) Refuse(p token.Pos, what, why, fix string) Value {
	d := l.Error(p, "%s: not possible in a compiled kernel", what)
	if why != "" {
		d.Note("%s", why)
	}
	if fix != "" {
		d.Fix("%s", fix)
	}
	return Bad
}

// TypeErrorsIn reports the type errors in a function.
func (l *source) TypeErrorsIn(n ast.Node) {
	if l.checked[n] {
		return
	}
	l.checked[n] = true
	errors := l.File.ErrorsIn(n)
	l.Diags = append(l.Diags, errors...)
	l.typeErrors = l.typeErrors || len(errors) > 0
}

// Invalid is an expression that go/types gave no type. If it said why, that is
// reported already.
func (l *source) Invalid(e ast.Expr) Value {
	if o := l.File.Info.Uses[gofile.Instantiated(e)]; !l.typeErrors || o != nil && l.File.IsGlobal(o) {
		l.Error(e.Pos(), "the compiler does not know what %s is", types.ExprString(e)).
			Note("it sees this package, packages that it imports and whose source is at hand, tilelang and math").
			Fix("pass it to the kernel as a parameter, or declare it as a constant in this file")
	}
	return Bad
}

// Suspect remembers that an expression was poison: there must be a message.
func (l *source) Suspect(p token.Pos) {
	if !l.Lost.IsValid() {
		l.Lost = p
	}
}

// Unexplained is the messages without those at the places of type errors, which say
// the same otherwise.
func (l *source) Unexplained() (list diag.List) {
	types := map[diag.Pos]string{}
	for _, e := range l.File.Errors() {
		types[e.Pos] = e.Msg
	}
	for _, d := range l.Diags {
		if msg, ok := types[d.Pos]; !ok || d.Msg == msg {
			list = append(list, d)
		}
	}
	return list
}

// Failed is as many poisoned results as a call has; a call that go/types found wrong
// has one.
func (l *source) Failed(e *ast.CallExpr, _ Value) []Value {
	return make([]Value, l.File.ResultCount(e))
}

// Assigned is the variables that a piece of syntax assigns.
func (l *source) Assigned(n ast.Node) []types.Object {
	objs, ok := l.assignedIn[n]
	if !ok {
		objs = l.File.Assigned(n)
		l.assignedIn[n] = objs
	}
	return objs
}

// OwnsElements reports whether the elements of a variable's slice are its alone, or it is safe to append to it.
func (l *source) OwnsElements(id *ast.Ident, toAppend bool) bool {
	k := ownership{l.File.Info.Uses[id], toAppend}
	owns, ok := l.owns[k]
	if !ok {
		owns = k.of != nil && l.File.OwnsElements(k.of, toAppend)
		l.owns[k] = owns
	}
	return owns
}

type ownership struct {
	of       types.Object
	toAppend bool
}

// Append is append(s, x...) to a variable's slice, which nothing else may append to: what is behind its end is shared.
func (l *source) Append(e *ast.CallExpr, args []Value) Value {
	id := gofile.AppendsTo(e)
	if id == nil || args[0].Kind != ListKind && args[0].Kind != NilKind || !l.OwnsElements(id, true) {
		why := "other variables may share the slice's elements"
		return l.Refuse(e.Pos(), "append to this slice", why, "declare it without a value, and write s = append(s, x), or use an array: var s [4]tl.Tile")
	}
	return Value{Kind: ListKind, List: append(slices.Clip(args[0].List), args[1:]...)}
}
