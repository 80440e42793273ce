package exprs

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/tiler-go/tiler/repl/lower/source"
)

// A Frame is what expressions need to know of the function that they are in.
type Frame struct {
	Line  string // the variable that points to the line
	Depth string // the parameter that counts nested calls; "" if it is not needed
	Cell  bool   // this is the statements of a cell

	parent      *Frame
	escapes     map[*types.Var]bool // captured by function literals, or with their address taken
	writes      map[*types.Var]bool // assigned to
	first, last token.Pos           // the statements that escapes and writes are about
}

// Inner is a function within this one.
func (f *Frame) Inner() *Frame { return &Frame{parent: f, Line: f.Line, Depth: f.Depth} }

// Prepare finds out what a body does with its variables. What is within a body that a
// function around it knows is known.
func (f *Frame) Prepare(code *source.Checked, body []ast.Stmt) {
	if len(body) == 0 {
		return
	}
	f.first, f.last = body[0].Pos(), body[len(body)-1].End()
	for o := f.parent; o != nil; o = o.parent {
		if o.escapes != nil && o.first <= f.first && f.last <= o.last {
			return
		}
	}
	f.escapes, f.writes = map[*types.Var]bool{}, map[*types.Var]bool{}
	for _, s := range body {
		code.FindEscapes(s, f.escapes)
		code.FindWrites(s, f.writes)
	}
}

// Escapes reports whether a variable is captured or has its address taken.
func (f *Frame) Escapes(v *types.Var) bool {
	for ; f != nil; f = f.parent {
		if f.escapes[v] {
			return true
		}
	}
	return false
}

// Assigned reports whether a variable is assigned to after its declaration.
func (f *Frame) Assigned(v *types.Var) bool {
	for ; f != nil; f = f.parent {
		if f.writes[v] {
			return true
		}
	}
	return false
}
