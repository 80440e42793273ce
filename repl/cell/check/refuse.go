package check

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/repl/cell/sugar"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// What nests too deep to have been meant is refused before anything recurses into it: the
// interpreter reads a function literal once for every one around it.
const (
	maxBrackets = 256   // how deep brackets may nest
	maxChain    = 2_000 // how deep a syntax tree may be: a + a + a … is as deep as it is long
)

// nesting is the error of a text whose brackets nest too deep, nil if they do not.
func (s Source) nesting() *diag.Diagnostic {
	at, most := scan.Nesting(s.Text, maxBrackets)
	if most <= maxBrackets {
		return nil
	}
	return diag.At(s.At(at), "brackets nest %d deep here, at most %d are allowed", most, maxBrackets).
		Fix("give the inner parts names: variables, or functions of their own")
}

// chains reports the first place at which a syntax tree is too deep.
func (r *reader) chains(f *ast.File) {
	depth, deep := 0, false
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			depth--
			return false
		}
		if deep {
			return false
		}
		depth++
		if deep = depth > maxChain; deep {
			r.errors = append(r.errors, tooLong(r.position(n.Pos())))
		}
		return !deep
	})
}

func tooLong(at diag.Pos) *diag.Diagnostic {
	return diag.At(at, "over %d operators, calls or branches one within the other", maxChain).
		Fix("do it in several statements, or in a loop")
}

// refuseNone reports indexing with None in a whole file, which Go itself is to compile.
func (r *reader) refuseNone() {
	src := r.s.Sources[r.Cell]
	for _, x := range sugar.NoneIndices(src.Text) {
		d := diag.At(src.At(x.Pos), "invalid index %s", src.Text[x.Pos:x.End])
		d.Note("indexing with None is for cells; a file that begins with package main is plain Go")
		r.errors = append(r.errors, d.Fix("write %s", sugar.ExpandDims(x.Call)))
	}
}

// noKernel reports the grids that are none: what stands before them is no kernel. What
// else was found in them follows from that.
func (c *Check) noKernel() {
	for _, f := range c.Files() {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !c.grids[call.Lparen] {
				return true
			}
			t := c.Info.TypeOf(call.Fun)
			if t == nil || t == types.Typ[types.Invalid] {
				return true // it is undefined, and the checker says so
			}
			kept := c.Errs[:0]
			for _, e := range c.Errs {
				if e.Pos < call.Pos() || e.Pos > call.End() {
					kept = append(kept, e)
				}
			}
			name := types.ExprString(call.Fun)
			c.Errs = append(kept, types.Error{Fset: c.fset, Pos: call.Pos(), Msg: "invalid operation: cannot index " + name + " (of type " + c.s.TypeText(t) + ")"})
			return false
		})
	}
}

// programFile reads a whole file into the check.
func (c *Check) programFile() {
	f := c.parse(c.Cell, []span{{c.Cell, 0, len(c.s.Sources[c.Cell].Text)}}, "", nil)
	c.Decls = append(c.Decls, f)
	c.refuseNone()
	if len(c.errors) > 0 {
		return
	}
	if f.Name.Name != "main" {
		c.errorf(f.Name.Pos(), "package %s is not a program", f.Name.Name).Fix("write package main, and a func main()")
	}
	for _, spec := range f.Imports {
		path := strings.Trim(spec.Path.Value, "`\"")
		if _, err := c.s.Types.Import(path); err != nil {
			c.errors = append(c.errors, c.importHint(c.position(spec.Path.Pos()), path))
		}
	}
	if mainFunc(f) == nil {
		c.errorf(f.Name.Pos(), "function main is undeclared in the main package")
	}
}

func mainFunc(f *ast.File) *ast.FuncDecl {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "main" {
			return fn
		}
	}
	return nil
}

// main is the function that ends a program; nil for a cell.
func (c *Check) main() *types.Func {
	if !c.Program() {
		return nil
	}
	f, _ := c.Info.Defs[mainFunc(c.Decls[0]).Name].(*types.Func)
	return f
}
