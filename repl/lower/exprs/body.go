package exprs

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/naming"
	"github.com/tiler-go/tiler/repl/lower/source"
)

// A Body is the body of a function that is being written, or that of the unit.
type Body struct {
	*naming.File
	Frame *Frame                  // nil while no body is being written
	Local map[types.Object]string // the names of variables and labels
	out   *strings.Builder
}

// Enter begins the body of a function within this one; the result ends it and is its text.
func (b *Body) Enter(f *Frame) (leave func() string) {
	out, frame := b.out, b.Frame
	b.out, b.Frame = &strings.Builder{}, f
	return func() string {
		text := b.out.String()
		b.out, b.Frame = out, frame
		return text
	}
}

// Aside is what write emits, which is put aside.
func (b *Body) Aside(write func()) string {
	out := b.out
	b.out = &strings.Builder{}
	write()
	text := b.out.String()
	b.out = out
	return text
}

// Emit writes a piece of code.
func (b *Body) Emit(format string, args ...any) { fmt.Fprintf(b.out, format, args...) }

// Mark writes the line of a statement or expression that can fail.
func (b *Body) Mark(n ast.Node) {
	if b.Fallible(n) {
		b.Emit("*%s = %d\n", b.Frame.Line, b.Line(n.Pos()))
	}
}

// Temp is a value in a variable of its own.
func (b *Body) Temp(text string, t types.Type) string {
	name := b.Fresh("t")
	b.Emit("var %s %s = %s\n", name, b.Spell(t), text)
	return name
}

// Stand is an expression that is lowered to the given text.
func (b *Body) Stand(e ast.Expr, text string, t types.Type) ast.Expr {
	id := &ast.Ident{NamePos: e.Pos(), Name: text}
	v := types.NewVar(e.Pos(), nil, text, t)
	b.Local[v] = text
	b.Info.Uses[id] = v
	b.Info.Types[id] = types.TypeAndValue{Type: t}
	return id
}

// Variable is the name of a variable in scope.
func (b *Body) Variable(v *types.Var) string {
	if name := b.Local[v]; name != "" {
		return name
	}
	if name := b.Name(v); name != "" {
		return name
	}
	if v.Name() == "_" {
		return "_"
	}
	if v.Pkg() != nil && !source.Session(v) {
		return b.Pkg(v.Pkg()) + "." + v.Name()
	}
	source.Refuse("the variable %s has no place: define it again", v.Name())
	return ""
}

// InPlace is an expression that needs statements of its own, as the call of a function
// literal if there are any.
func (b *Body) InPlace(t types.Type, expr func() string) string {
	var value string
	before := b.Aside(func() { value = expr() })
	if before == "" {
		return value
	}
	return fmt.Sprintf("func() %s {\n%sreturn %s\n}()", b.Spell(types.Default(t)), before, value)
}

// CallFunc calls a lowered function: the line comes first, then in a recursive
// function the depth.
func (b *Body) CallFunc(f *types.Func, name string, args []string) string {
	hidden := []string{b.Frame.Line}
	if b.Deep(f) {
		depth := "0"
		if b.Frame.Depth != "" {
			depth = b.Frame.Depth + "+1"
		}
		hidden = append(hidden, depth)
	}
	return name + "(" + strings.Join(append(hidden, args...), ", ") + ")"
}

// reads reports whether part of e reads what a call could change. A variable of a basic type
// or a function that is itself an operand the interpreter reads late.
func (b *Body) reads(x, e ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		v, ok := b.Info.Uses[x].(*types.Var)
		return ok && !v.IsField() && !source.ReadLate(x, v.Type(), e) && (b.Name(v) != "" || v.Parent() == v.Pkg().Scope() || b.Frame.Escapes(v) && b.Frame.Assigned(v))
	case *ast.StarExpr:
		return true
	case *ast.IndexExpr:
		switch b.TypeOf(x.X).Underlying().(type) {
		case *types.Slice, *types.Map, *types.Pointer:
			return true
		}
	case *ast.SelectorExpr:
		s := b.Info.Selections[x]
		if s == nil || s.Kind() == types.FieldVal {
			return s != nil && s.Indirect()
		}
		_, from := b.TypeOf(x.X).Underlying().(*types.Pointer)
		recv := s.Obj().(*types.Func).Signature().Recv()
		_, to := recv.Type().Underlying().(*types.Pointer)
		return from && !to
	}
	return false
}
