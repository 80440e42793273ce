package learn

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// operators is the methods of tiles that are operators at the prompt.
var operators = map[string]token.Token{
	"Add": token.ADD, "Sub": token.SUB, "Mul": token.MUL, "Div": token.QUO, "Mod": token.REM,
	"Lt": token.LSS, "Le": token.LEQ, "Gt": token.GTR, "Ge": token.GEQ, "Eq": token.EQL, "Ne": token.NEQ,
	"And": token.AND, "Or": token.OR, "Xor": token.XOR, "Shl": token.SHL, "Shr": token.SHR,
}

// dimensions is those that are indices.
var dimensions = map[string]string{"Col": "[:, None]", "Row": "[None, :]"}

// Sugar is a kernel in plain Go as one writes it at the prompt: x.Add(y) as x + y, x.Col() as
// x[:, None]. Comments are not kept.
func Sugar(kernel string) string {
	const head = "package p\n\n"
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", head+kernel, parser.SkipObjectResolution)
	if err != nil {
		return kernel
	}
	s := sugaring{text: head + kernel, at: func(p token.Pos) int { return fset.Position(p).Offset }}
	return strings.TrimPrefix(s.node(f), head)
}

type sugaring struct {
	text string
	at   func(p token.Pos) int
}

// node is a node's text, with what is sugared in it.
func (s sugaring) node(n ast.Node) string {
	var b strings.Builder
	from := s.at(n.Pos())
	ast.Inspect(n, func(x ast.Node) bool {
		text := ""
		switch x := x.(type) {
		case *ast.CallExpr:
			text, _ = s.call(x)
		case *ast.SelectorExpr:
			text = s.operand(x.X, token.HighestPrec) + "." + x.Sel.Name
		case *ast.AssignStmt:
			text = s.assignment(x)
		}
		if text == "" {
			return true
		}
		b.WriteString(s.text[from:s.at(x.Pos())] + text)
		from = s.at(x.End())
		return false
	})
	return b.String() + s.text[from:s.at(n.End())]
}

// call is a call as an operator, and how tightly that binds; "" if it is none.
func (s sugaring) call(e ast.Expr) (text string, precedence int) {
	c, ok := e.(*ast.CallExpr)
	if !ok {
		return "", 0
	}
	sel, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return "", 0
	}
	if id, ok := sel.X.(*ast.Ident); ok && (id.Name == "tl" || id.Name == "p") {
		if op, ok := operators[sel.Sel.Name]; ok && len(c.Args) == 2 && id.Name == "tl" { // tl.Sub(1, x)
			precedence = op.Precedence()
			return s.operand(c.Args[0], precedence) + " " + op.String() + " " + s.operand(c.Args[1], precedence+1), precedence
		}
		return "", 0
	}
	if index := dimensions[sel.Sel.Name]; index != "" && len(c.Args) == 0 {
		return s.operand(sel.X, token.HighestPrec) + index, token.HighestPrec
	}
	op, ok := operators[sel.Sel.Name]
	if !ok || len(c.Args) != 1 {
		return "", 0
	}
	precedence = op.Precedence()
	return s.operand(sel.X, precedence) + " " + op.String() + " " + s.operand(c.Args[0], precedence+1), precedence
}

// operand is an expression that binds at least as tightly as its operator; others get parentheses.
func (s sugaring) operand(e ast.Expr, least int) string {
	text, precedence := s.call(e)
	if text == "" {
		text, precedence = s.node(e), token.HighestPrec
		if b, ok := e.(*ast.BinaryExpr); ok {
			precedence = b.Op.Precedence()
		}
	}
	if precedence < least {
		return "(" + text + ")"
	}
	return text
}

// assignment is x = x.Add(y) as x += y; "" for any other.
func (s sugaring) assignment(a *ast.AssignStmt) string {
	if a.Tok != token.ASSIGN || len(a.Lhs) != 1 {
		return ""
	}
	c, ok := a.Rhs[0].(*ast.CallExpr)
	if !ok || len(c.Args) != 1 {
		return ""
	}
	sel, ok := c.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Add" || s.node(sel.X) != s.node(a.Lhs[0]) {
		return ""
	}
	return s.node(a.Lhs[0]) + " += " + s.node(c.Args[0])
}
