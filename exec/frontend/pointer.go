package frontend

import (
	"go/ast"
	"go/types"

	"github.com/tiler-go/tiler/exec/frontend/value"
)

// A pointer is another name for a variable or a part of it, which is known while compiling.

// follow is what a pointer points to, and other values as they are.
func follow(l *value.Run, e ast.Expr, v value.Value) value.Value {
	switch v.Kind {
	case value.PointerKind:
		l.Frame.Read(*v.Ref, e.Pos())
		return present(l, e, v.Ref.Var.Val.Part(v.Ref.Path))
	case value.NilKind:
		l.Error(e.Pos(), "%s is nil", types.ExprString(e)).Fix("give it a value before")
		return value.Bad
	}
	return v
}

// behind is the place that a pointer points to, and other places as they are.
func (p place) behind(l *lowering) place {
	switch v := p.value(l); v.Kind {
	case value.PointerKind:
		l.Frame.Read(p.Ref, p.e.Pos())
		return place{e: p.e, Ref: *v.Ref}
	case value.NilKind:
		follow(&l.Run, p.e, v)
		return place{e: p.e}
	}
	return p
}

// address is a pointer to a variable, a part of one, or what a literal makes.
func address(l *lowering, e ast.Expr) value.Value { return pointer(l, placeOf(l, e)) }

func pointer(l *lowering, p place) value.Value {
	if p.Var == nil {
		return p.value(l)
	}
	v := p.Var.Val
	for _, i := range p.Path {
		if v.Kind == value.ListKind {
			return l.Refuse(p.e.Pos(), "a pointer to an element of a slice", "others may share it", "use an array")
		}
		v = v.Part([]int{i})
	}
	return value.Value{Kind: value.PointerKind, Named: value.Named{Ref: &p.Ref}}
}

// ownMethod is a call of a method of a type of the kernel's package, which path leads to in embedded fields: of a
// function whose first parameter is the receiver.
func ownMethod(l *lowering, e *ast.CallExpr, s *ast.SelectorExpr, o *types.Func, path []int) []value.Value {
	fn, n := l.Method(o), len(l.Frame.Reads)
	if fn == nil {
		l.arguments(e)
		what := "the method " + s.Sel.Name + ", which has no body here"
		return l.Failed(e, l.Refuse(s.Sel.Pos(), what, "", "call it of a type of this package, not of an interface"))
	}
	recv := receiver(l, s, o, path)
	args := l.arguments(e)
	if recv.Poisoned() || args == nil && len(e.Args) > 0 {
		return l.Failed(e, value.Bad)
	}
	l.Frame.Reads = l.Frame.Reads[:n]
	return l.inline(fn, append([]value.Value{recv}, args...), e)
}

// receiver is what a method is called of, as a pointer if it takes one.
func receiver(l *lowering, s *ast.SelectorExpr, o *types.Func, path []int) value.Value {
	if _, ok := o.Signature().Recv().Type().(*types.Pointer); !ok {
		v := fieldOf(l, s, path)
		return follow(&l.Run, s.X, v)
	}
	p := placeOf(l, s.X).field(l, s, path)
	if p.Var != nil {
		if v := p.Var.Val.Part(p.Path); v.Kind == value.PointerKind || v.Kind == value.NilKind {
			l.Frame.Read(p.Ref, s.X.Pos())
			return v
		}
	}
	return pointer(l, p)
}
