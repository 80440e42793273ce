package value

import (
	"fmt"
	"go/ast"
	"go/token"

	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// ReasonToUnroll is why a loop must be unrolled, for messages.
type ReasonToUnroll struct {
	Pos  token.Pos
	What string
}

// Again is panicked with when lowering must start over with more known.
type Again struct{}

// Static is a scalar's value, which must be known to compile. If it depends on
// parameters or loops, lowering starts over with those known.
func (l *Run) Static(v Value, p token.Pos, what string) (bits uint64, ok bool) {
	if v.Kind != ScalarKind {
		return 0, false
	}
	if v.Known {
		return v.Bits, true
	}
	return 0, l.demand(v.IR, p, what)
}

// StaticInt is Static of an integer.
func (l *Run) StaticInt(v Value, p token.Pos, what string) (n int, ok bool) {
	bits, ok := l.Static(v, p, what)
	return int(bits), ok
}

// demand makes what v depends on known by starting over, or reports that it cannot
// be.
func (l *Run) demand(v *ir.Value, p token.Pos, what string) bool {
	w := dependencies{l: l, seen: map[*ir.Value]bool{}}
	w.visit(v)
	if w.data != nil {
		d := l.Error(p, "%s must be known when the kernel is compiled, but depends on %s", what, w.source())
		if w.data.Pos.IsValid() {
			d.NoteAt(w.data.Pos, "it comes from here")
		}
		d.Fix("make it a tl.Const parameter, or compute it from parameters")
		return false
	}
	l.know(&w, p, what)
	l.Error(p, "%s must be known when the kernel is compiled", what).Fix("make it a tl.Const parameter, or compute it from parameters")
	return false
}

// dependencies finds what a value depends on.
type dependencies struct {
	l      *Run
	seen   map[*ir.Value]bool
	params []int
	loops  []ast.Stmt
	data   *ir.Value // something that is never known
}

func (w *dependencies) visit(v *ir.Value) {
	if v == nil || w.seen[v] || w.data != nil {
		return
	}
	w.seen[v] = true
	if s := w.l.Headers[v]; s != nil {
		w.loops = append(w.loops, s)
		return
	}
	switch {
	case v.Op == ir.Param && !v.Type.D.IsPointer():
		w.params = append(w.params, v.Index)
		return
	case v.Op == ir.If:
		for _, b := range v.Blocks {
			if t := b.Term(); t != nil {
				for _, a := range t.Args {
					w.visit(a)
				}
			}
		}
	case v.Op == ir.For || v.Op == ir.Loop || v.Op == ir.Param || v.Op == op.None || !v.Pure() && !v.CanFail():
		w.data = v
		return
	case v.IsMemory() || v.Op == op.ProgramID || v.Op == op.NumPrograms || v.Op == op.Gather:
		w.data = v
		return
	}
	for _, a := range v.Args {
		w.visit(a)
	}
}

// source names what is never known.
func (w *dependencies) source() string {
	switch v := w.data; {
	case v.Op == op.ProgramID:
		return "the program's id"
	case v.Op == op.NumPrograms:
		return "the size of the grid"
	case v.IsMemory():
		return "the contents of memory"
	}
	return "run-time values"
}

// Decide starts over with more known, where that would give a variable a value.
func (l *Run) Decide(why *Reason, p token.Pos, name string) {
	if s := why.Loop; s != nil {
		if _, ok := l.Unroll[s]; !ok && l.Lane == nil {
			l.Unroll[s] = ReasonToUnroll{p, fmt.Sprintf("the value of %s", name)}
			panic(Again{})
		}
	}
	if why.Cond == nil {
		return
	}
	w := dependencies{l: l, seen: map[*ir.Value]bool{}}
	if w.visit(why.Cond); w.data == nil && len(w.params)+len(w.loops) > 0 {
		l.know(&w, p, "which path is taken before "+name)
	}
}

// know starts over with what was found known; it returns if that is so already.
func (l *Run) know(w *dependencies, p token.Pos, what string) {
	fresh := false
	for _, i := range w.params {
		fresh = fresh || !l.Spec.Fixed[i]
		l.Spec.Fixed[i] = true
	}
	for _, s := range w.loops {
		if _, ok := l.Unroll[s]; !ok {
			fresh = true
			l.Unroll[s] = ReasonToUnroll{p, what}
		}
	}
	if fresh {
		panic(Again{})
	}
}

// VariableError reports the use of a variable without a value.
func (l *Run) VariableError(id *ast.Ident, x *Variable) Value {
	why := x.Val.Why
	if why == nil {
		return Bad
	}
	l.Decide(why, id.Pos(), id.Name)
	d := l.Error(id.Pos(), why.Format, id.Name)
	d.Notes = append(d.Notes, why.Notes...)
	if why.Fix != "" {
		d.Fix("%s", why.Fix)
	}
	return Bad
}

// An Arg is what the compiler must know of an argument: of a tensor the dtype of its
// elements, of a tl.DType the dtype, of others the value, which is used only if the
// code is specialised on it.
type Arg struct {
	DType dtype.DType
	None  bool // there is no tensor: the argument is nil
	Int   int64
	Float float64
	Bool  bool
	Str   string
}

// A Spec says which parameters' values are compiled into a Func.
type Spec struct {
	Params []gofile.Param
	// Fixed has one entry per parameter. tl.Const, tl.DType and string parameters are
	// always fixed; an int, float64 or bool is where its value decides a shape, an
	// axis or something else that must be known.
	Fixed []bool
}
