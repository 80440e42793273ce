package value

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/number"
	"github.com/tiler-go/tiler/exec/triton/spell"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// A Place is where a run is: in which function, which has the variables, and at what of its file.
type Place struct {
	At    syntax.Pos // of what is lowered next, in the frame's file
	Frame *Frame
}

// A Scope is a file as its functions see it.
type Scope interface {
	Syntax() *syntax.File
	Lookup(name string) (v Value, ok bool) // what it binds a name to
}

// Prelude names the file of those functions of the language that are written in it; messages are about their callers.
const Prelude = "triton/prelude.py"

// A Frame is a function being lowered.
type Frame struct {
	Scope  Scope
	Def    *syntax.FuncDef
	Vars   map[string]Value
	Outer  *Frame     // its caller
	Call   syntax.Pos // where that calls it
	Nested bool       // it is inlined: a return is a value
	Plain  bool       // it computes as Python does, before the kernel runs
	Result Value
}

// InPrelude reports whether the function is one of the language's own.
func (f *Frame) InPrelude() bool { return f.Scope.Syntax().Name == Prelude }

// Pos is a place in the function's file.
func (f *Frame) Pos(at syntax.Pos) diag.Pos { return f.Scope.Syntax().At(at) }

// Refuse is a message about the current place, which Fail ends the lowering with.
func (l *Place) Refuse(format string, args ...any) *diag.Diagnostic {
	d := diag.At(l.Here(), format, args...)
	for f := l.Frame; f.Outer != nil; f = f.Outer {
		if f.Def != nil && !f.InPrelude() {
			d.NoteAt(f.Outer.Pos(f.Call), "%s is called at %s", f.Def.Name, diag.Here)
		}
	}
	return d
}

// Here is the current place; of what the prelude says, where it is called.
func (l *Place) Here() diag.Pos {
	f, at := l.Frame, l.At
	for f.Outer != nil && f.InPrelude() {
		f, at = f.Outer, f.Call
	}
	return f.Pos(at)
}

// Fail ends the lowering with a message.
func Fail(d *diag.Diagnostic) { panic(Refusal{d}) }

// Holds ends the lowering if a rule of package op does not hold; what is what broke it.
func (l *Place) Holds(what string, d *diag.Diagnostic) {
	if d == nil {
		return
	}
	spell.Diagnostic(d)
	z := l.Refuse("%s: %s", what, d.Msg)
	z.Notes, z.Fixes = append(d.Notes, z.Notes...), d.Fixes
	Fail(z)
}

// A Refusal is panicked with: the message that ends a lowering.
type Refusal struct{ Diag *diag.Diagnostic }

// StaticInt is an integer that must be known.
func (l *Place) StaticInt(v Value, what string) int {
	c, ok := Known(v)
	n, isInt := number.Big(c)
	if !ok || !isInt || !n.IsInt64() {
		Fail(l.Refuse("%s must be known before the kernel runs, not %s", what, Describe(v)).
			Fix("pass it as a tl.constexpr parameter"))
	}
	return int(n.Int64())
}

// Sizes is a shape that must be known: a tuple or a number.
func (l *Place) Sizes(v Value, what string) ir.Shape {
	t := List(v)
	l.Holds(what, rule.Rank(len(t)))
	var s ir.Shape
	s.N = len(t)
	for i, e := range t {
		s.D[i] = l.StaticInt(e, "a size of a tile")
	}
	l.Holds(what, rule.Sizes(s.D[:s.N]))
	return s
}

// Elements are those of a tuple.
func (l *Place) Elements(v Value) Tuple {
	t, ok := v.(Tuple)
	if !ok {
		Fail(l.Refuse("%s is not a tuple", Describe(v)))
	}
	return t
}
