package cell

import (
	"go/ast"
	"go/token"

	"github.com/tiler-go/tiler/repl/cell/scan"
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
