package gofile

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/tiler-go/tiler/tilelang/diag"
)

// methodFor is the method that stands for an operator on tiles.
var methodFor = map[token.Token]string{
	token.ADD: "Add", token.SUB: "Sub", token.MUL: "Mul", token.QUO: "Div", token.REM: "Mod",
	token.AND: "And", token.OR: "Or", token.XOR: "Xor", token.SHL: "Shl", token.SHR: "Shr",
	token.LSS: "Lt", token.LEQ: "Le", token.GTR: "Gt", token.GEQ: "Ge", token.EQL: "Eq", token.NEQ: "Ne",
	token.LAND: "And", token.LOR: "Or", token.NOT: "Not",
}

// explain is a type error with what to write instead, found from the syntax around
// it.
func (f *File) explain(e typeError) *diag.Diagnostic {
	d := diag.At(f.Position(e.pos), "%s", e.msg)
	for _, file := range f.files {
		if e.pos < file.Pos() || e.pos > file.End() {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil || e.pos < n.Pos() || e.pos > n.End() {
				return false
			}
			f.advise(d, e.pos, n)
			s, ok := n.(*ast.SelectorExpr)
			return !ok || e.pos != s.Sel.Pos()
		})
	}
	if len(d.Fixes) > 1 {
		d.Fixes = d.Fixes[len(d.Fixes)-1:] // of the innermost node
	}
	return d
}

func (f *File) isTile(e ast.Expr) bool {
	t := f.Info.TypeOf(e)
	return t != nil && IsLanguage(t, "Tile")
}

// advise adds to a message what node n, in which the error lies, tells.
func (f *File) advise(d *diag.Diagnostic, p token.Pos, n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if m := methodFor[n.Op]; m != "" && (p == n.X.Pos() || p == n.OpPos) {
			f.adviseOperator(d, n, m)
		}
	case *ast.AssignStmt:
		if n.Tok >= token.ADD_ASSIGN && n.Tok <= token.AND_NOT_ASSIGN && f.isTile(n.Lhs[0]) {
			x := types.ExprString(n.Lhs[0])
			if m := methodFor[n.Tok-token.ADD_ASSIGN+token.ADD]; m != "" {
				d.Fix("write %s = %s.%s(%s)", x, x, m, types.ExprString(n.Rhs[0]))
			}
		}
	case *ast.UnaryExpr:
		if f.isTile(n.X) && p <= n.X.Pos() {
			d.Fix("write x.Neg() or x.Not()")
		}
	case *ast.IfStmt:
		if f.isTile(n.Cond) && p == n.Cond.Pos() {
			d.Fix("choose lane by lane with tl.Where, or reduce first: tl.Max(x).Ne(0).Bool()")
		}
	case *ast.ForStmt:
		if n.Cond != nil && f.isTile(n.Cond) && p == n.Cond.Pos() {
			d.Fix("loop on a scalar: tl.Max(x).Ne(0).Bool()")
		}
	case *ast.IndexExpr:
		if f.isTile(n.X) {
			d.Fix("pick elements with tl.Gather; x.Col() is x[:, None] and x.Row() is x[None, :]")
		}
	case *ast.Ident:
		if p == n.Pos() && f.Info.Uses[n] == nil && f.Info.Defs[n] == nil && len(d.Fixes) == 0 {
			d.Note("the compiler sees this package, imports whose source is at hand, tilelang and math")
		}
	case *ast.SelectorExpr:
		if p == n.Sel.Pos() {
			f.adviseName(d, n)
		}
	}
}

func (f *File) adviseOperator(d *diag.Diagnostic, n *ast.BinaryExpr, m string) {
	x, y := types.ExprString(ast.Unparen(n.X)), types.ExprString(ast.Unparen(n.Y))
	switch {
	case f.isTile(n.X):
		d.Fix("write %s.%s(%s)", receiverText(n.X), m, y)
	case f.isTile(n.Y):
		switch m {
		case "Add", "Mul", "And", "Or", "Xor", "Eq", "Ne":
			d.Fix("write %s.%s(%s)", receiverText(n.Y), m, x)
		case "Sub", "Div", "Mod", "Shl", "Shr":
			d.Fix("write tl.%s(%s, %s)", m, x, y)
		default:
			d.Fix("turn the comparison around: %s.Lt(%s) and so on", receiverText(n.Y), x)
		}
	}
}

// receiverText is an expression as it stands before a method's name.
func receiverText(e ast.Expr) string {
	e = ast.Unparen(e)
	switch e.(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr:
		return "(" + types.ExprString(e) + ")"
	}
	return types.ExprString(e)
}

// adviseName suggests the nearest name of the language.
func (f *File) adviseName(d *diag.Diagnostic, n *ast.SelectorExpr) {
	var names []string
	prefix := ""
	id, ok := n.X.(*ast.Ident)
	pkg, isPkg := f.Info.Uses[id].(*types.PkgName)
	switch {
	case ok && isPkg:
		prefix = id.Name + "."
		for _, name := range pkg.Imported().Scope().Names() {
			if ast.IsExported(name) {
				names = append(names, name)
			}
		}
	case f.Info.TypeOf(n.X) != nil:
		t, ok := types.Unalias(Deref(f.Info.TypeOf(n.X))).(*types.Named)
		if !ok {
			return
		}
		for i := range t.NumMethods() {
			if m := t.Method(i); m.Exported() {
				names = append(names, m.Name())
			}
		}
	}
	for _, name := range names {
		if name == n.Sel.Name {
			return // it exists: something else is wrong
		}
	}
	tile := Package(LanguagePath).Scope().Lookup("Tile").Type()
	if method, _, _ := types.LookupFieldOrMethod(tile, false, nil, n.Sel.Name); isPkg && method != nil {
		d.Fix("it is a method: x.%s", n.Sel.Name)
	} else if !isPkg && f.isTile(n.X) && Package(LanguagePath).Scope().Lookup(n.Sel.Name) != nil {
		d.Fix("it is a function: tl.%s(%s)", n.Sel.Name, types.ExprString(n.X))
	} else if near := diag.Nearest(n.Sel.Name, names); near != "" {
		d.Fix("did you mean %s%s?", prefix, near)
	} else if isPkg && pkg.Imported().Path() == LanguagePath {
		if _, ok := types.Universe.Lookup(n.Sel.Name).(*types.Builtin); ok {
			d.Fix("it is Go's own %s", n.Sel.Name)
		}
	}
}
