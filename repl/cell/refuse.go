package cell

import (
	"go/ast"
	"go/token"
	"go/types"

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
func (s source) nesting() *diag.Diagnostic {
	list, _ := scan.Tokens(s.text)
	var deep *scan.Token // the first bracket that is too many
	depth, most := 0, 0
	for i, t := range list {
		switch t.Kind {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			if depth++; depth == maxBrackets+1 && deep == nil {
				deep = &list[i]
			}
			most = max(most, depth)
		case token.RPAREN, token.RBRACE, token.RBRACK:
			depth--
		}
	}
	if deep == nil {
		return nil
	}
	return diag.At(s.at(deep.Pos), "brackets nest %d deep here, at most %d are allowed", most, maxBrackets).
		Fix("give the inner parts names: variables, or functions of their own")
}

// chains reports the first place at which a syntax tree is too deep.
func (c *check) chains(f *ast.File) {
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
			c.errors = append(c.errors, tooLong(c.position(n.Pos())))
		}
		return !deep
	})
}

func tooLong(at diag.Pos) *diag.Diagnostic {
	return diag.At(at, "over %d operators, calls or branches one within the other", maxChain).
		Fix("do it in several statements, or in a loop")
}

// refuseNone reports indexing with None in a whole file, which Go itself is to compile.
func (c *check) refuseNone() {
	src := c.s.sources[c.cell]
	for _, x := range sugar.NoneIndices(src.text) {
		d := diag.At(src.at(x.Pos), "invalid index %s", src.text[x.Pos:x.End])
		d.Note("indexing with None is for cells; a file that begins with package main is plain Go")
		c.errors = append(c.errors, d.Fix("write %s", sugar.ExpandDims(x.Call)))
	}
}

// noKernel reports the grids that are none: what stands before them is no kernel. What
// else was found in them follows from that.
func (c *check) noKernel() {
	for _, f := range c.files() {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !c.grids[call.Lparen] {
				return true
			}
			t := c.info.TypeOf(call.Fun)
			if t == nil || t == types.Typ[types.Invalid] {
				return true // it is undefined, and the checker says so
			}
			kept := c.errs[:0]
			for _, e := range c.errs {
				if e.Pos < call.Pos() || e.Pos > call.End() {
					kept = append(kept, e)
				}
			}
			name := types.ExprString(call.Fun)
			c.errs = append(kept, types.Error{Fset: c.fset, Pos: call.Pos(), Msg: "invalid operation: cannot index " + name + " (of type " + c.s.typeText(t) + ")"})
			return false
		})
	}
}
