package frontend

import (
	"go/ast"
	"go/types"

	"github.com/tiler-go/tiler/exec/frontend/value"
)

// global is a variable of the package that nothing assigns: its initialiser's value.
func global(l *lowering, id *ast.Ident, o *types.Var) value.Value {
	v, ok := l.Globals[o]
	if !ok {
		l.Globals[o] = value.Bad // while its initialiser is evaluated
		if v = initial(l, id, o); v.Poisoned() || !value.Static(v) {
			delete(l.Globals, o) // a loop computes it, which stands where it is read
		} else {
			l.Globals[o] = v
		}
	}
	return v
}

func initial(l *lowering, id *ast.Ident, o *types.Var) value.Value {
	g := l.File.Global(o)
	if g.Why != "" {
		d := l.Error(id.Pos(), "the global variable %s: not possible in a compiled kernel", id.Name)
		if g.Changes.IsValid() {
			d.NoteAt(g.Changes, "%s", g.Why)
		} else {
			d.Note("%s", g.Why)
		}
		d.Fix("pass its value as a parameter, declare it const, or declare it in the kernel")
		return value.Bad
	}
	l.TypeErrorsIn(g.Spec)
	if g.Value == nil {
		return l.Zero(o.Type(), id.Pos())
	}
	before := l.Frame
	l.Frame = &value.Frame{Vars: map[types.Object]*value.Variable{}}
	defer func() { l.Frame = before }()
	return l.expr(g.Value)
}
