package sugar

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/tiler-go/tiler/repl/cell/scan"
)

// A launch as lessons write it, kernel[grid](arguments), means
// exec.New(kernel).Launch(exec.Grid{grid}, arguments). Go reads one index as it should,
// and several as types: those become a call before the parser sees them, of the same
// length, so that columns stay what they are.

// A bracketPair is a grid of several numbers in a text: where its brackets stand, and what
// stands before them.
type bracketPair struct {
	open, shut int
	name       string // "" if it is more than a name
}

// bracketPairs finds name[…, …](…) and its like in a text.
func bracketPairs(src string) (found []bracketPair) {
	list, _ := scan.Tokens(src)
	for i, t := range list {
		if t.Kind != token.LBRACK || i == 0 {
			continue
		}
		p := bracketPair{open: t.Pos}
		switch before := list[i-1]; before.Kind {
		case token.IDENT:
			if i > 1 && (list[i-2].Kind == token.FUNC || list[i-2].Kind == token.TYPE) {
				continue
			}
			if i < 2 || list[i-2].Kind != token.PERIOD {
				p.name = before.Lit
			}
		case token.RPAREN, token.RBRACK:
		default:
			continue
		}
		if end, parts := closing(list, i); parts > 1 && end+1 < len(list) && list[end+1].Kind == token.LPAREN && list[end+1].Pos == list[end].End {
			p.shut = list[end].Pos
			found = append(found, p)
		}
	}
	return found
}

// closing is the bracket that closes the one at i, and how many parts the commas between
// them make; the end of the list if there is none.
func closing(list []scan.Token, i int) (end, parts int) {
	depth, parts := 0, 1
	for end = i; end < len(list); end++ {
		switch list[end].Kind {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			depth++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			if depth--; depth == 0 {
				return end, parts
			}
		case token.COMMA:
			if depth == 1 {
				parts++
			}
		}
	}
	return end, parts
}

// PlainBrackets makes calls of the grids of several numbers in a text, and says where they
// are.
func PlainBrackets(src string, generic func(name string) bool) (plain string, at []int) {
	out := []byte(src)
	for _, p := range bracketPairs(src) {
		if p.name == "" || !generic(p.name) {
			out[p.open], out[p.shut] = '(', ')'
			at = append(at, p.open)
		}
	}
	return string(out), at
}

// PlainSyntax is a text as Go's parser reads it, with each byte in its place.
func PlainSyntax(src string) string {
	plain, _ := PlainBrackets(PlainIndex(src), func(string) bool { return false })
	return plain
}

// launch makes of kernel[grid](arguments) what it means.
func (d *Desugarer) launch(e *ast.CallExpr) ast.Expr {
	kernel, index := d.Bracket(e.Fun)
	if kernel == nil {
		return e
	}
	t := d.info.TypeOf(kernel)
	if !KernelType(t) {
		return e
	}
	space := d.space(index)
	if space == nil {
		return e
	}
	if _, isFunc := types.Unalias(t).(*types.Signature); isFunc {
		kernel = d.note(d.execCall("New", kernel, []ast.Expr{kernel}), kernel)
	}
	sel := &ast.SelectorExpr{X: kernel, Sel: &ast.Ident{NamePos: index[0].Pos(), Name: "Launch"}}
	call := &ast.CallExpr{Fun: sel, Lparen: e.Lparen, Args: append([]ast.Expr{space}, e.Args...), Ellipsis: e.Ellipsis, Rparen: e.Rparen}
	d.made[call] = place{pos: d.start(e), end: e.End()}
	d.changed++
	return call
}

// Bracket is what stands before and in the brackets of an expression that has some, as
// plainBrackets leaves them.
func (d *Desugarer) Bracket(e ast.Expr) (x ast.Expr, index []ast.Expr) {
	switch e := e.(type) {
	case *ast.IndexExpr:
		return e.X, []ast.Expr{e.Index}
	case *ast.CallExpr:
		if d.grids[e.Lparen] {
			return e.Fun, e.Args
		}
	}
	return nil, nil
}

// space is a launch's grid: what is one, or what makes one; nil if that is not known yet.
func (d *Desugarer) space(index []ast.Expr) ast.Expr {
	first := index[0]
	t := d.info.TypeOf(first)
	if len(index) == 1 {
		switch {
		case t == nil || t == types.Typ[types.Invalid]:
			if !d.last {
				return nil
			}
		case IsNamed(t, PathExec, "Grid"), IsNamed(t, PathExec, "GridFn"), IsNamed(t, PathExec, "Space"):
			return first
		}
		if t != nil {
			switch t.Underlying().(type) {
			case *types.Slice:
				return d.note(d.execCall("Grid", first, index), first)
			case *types.Signature:
				return d.note(d.execCall("GridFn", first, index), first)
			}
		}
	}
	grid := &ast.CompositeLit{Type: d.execName("Grid", first), Lbrace: first.Pos(), Elts: index, Rbrace: index[len(index)-1].End() - 1}
	return d.note(grid, first)
}

// execName is a name of package exec, where an expression stands.
func (d *Desugarer) execName(name string, at ast.Expr) ast.Expr {
	return &ast.SelectorExpr{X: &ast.Ident{NamePos: at.Pos(), Name: d.exec}, Sel: &ast.Ident{NamePos: at.Pos(), Name: name}}
}

func (d *Desugarer) execCall(name string, at ast.Expr, args []ast.Expr) ast.Expr {
	return &ast.CallExpr{Fun: d.execName(name, at), Lparen: at.Pos(), Args: args, Rparen: args[len(args)-1].End() - 1}
}

// note says that a made expression stands in the place of another.
func (d *Desugarer) note(e, old ast.Expr) ast.Expr {
	d.made[e] = place{pos: d.start(old), end: old.End()}
	return e
}
