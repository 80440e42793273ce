package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/repl/cell/sugar"
	"github.com/tiler-go/tiler/repl/python"
	"github.com/tiler-go/tiler/repl/symbols"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// What people write who come from Python: package python knows the forms, this file the
// meaning of the names, and what is valid Go and not what was meant.

// language is what the names of the session are.
func (s *Scope) language() *python.Language {
	return &python.Language{
		Spell:  s.tlSpelling,
		Kernel: func(name string) bool { d := s.Live[name]; return d != nil && sugar.KernelType(d.Obj.Type()) },
		Import: func(name string) string {
			if paths := symbols.Named(name); len(paths) > 0 {
				return paths[0]
			}
			return ""
		},
	}
}

// tlSpelling is how package tilelang spells a name.
func (s *Scope) tlSpelling(name string) string {
	pkg, err := s.Types.Import(sugar.PathTilelang)
	if err != nil {
		return ""
	}
	if name == "constexpr" {
		return "Const"
	}
	plain := strings.ReplaceAll(name, "_", "")
	for _, n := range pkg.Scope().Names() {
		if token.IsExported(n) && strings.EqualFold(n, plain) {
			return n
		}
	}
	return ""
}

// syntaxHint is a message of the parser, or what the line that it is about has of Python.
func (r *reader) syntaxHint(pos diag.Pos, msg string) *diag.Diagnostic {
	src := r.s.Sources[r.Cell]
	if m, ok := r.s.language().Line(src.Text, pos.Line-src.Line); ok {
		return diag.At(src.At(m.At), "%s", m.Msg).Fix("%s", m.Fix)
	}
	return diag.At(pos, "%s", strings.TrimSuffix(msg, " (possibly missing semicolon or newline or })"))
}

// FloorDiv is about x // y in a text that was typed.
func (s *Scope) FloorDiv(src Source) error {
	known := map[string]bool{}
	for name, d := range s.Live {
		known[name] = d.Kind == token.VAR || d.Kind == token.CONST
	}
	list, _ := scan.Tokens(src.Text)
	for i := 1; i < len(list); i++ {
		if list[i-1].Kind == token.IDENT && (list[i].Kind == token.DEFINE || list[i].Kind == token.COMMA || list[i].Kind == token.IDENT) {
			known[list[i-1].Lit] = true // a variable or parameter, or a function: which is no number
		}
	}
	m, ok := python.FloorDiv(src.Text, func(name string) bool { return known[name] })
	if !ok {
		return nil
	}
	s.Add(src)
	return diag.List{diag.At(src.At(m.At), "%s", m.Msg).Fix("%s", m.Fix)}
}

// unmeant finds what Go, with the operators of cells, reads in another way than it looks.
func (c *Check) unmeant() {
	if c.Program() {
		return
	}
	for _, f := range c.Files() {
		if c.dependent(f.FileStart) == nil {
			ast.Inspect(f, c.chained)
		}
	}
}

// chained is about a < b < c: of tiles that would compare lanes that are true with c.
func (c *Check) chained(n ast.Node) bool {
	e, ok := n.(*ast.BinaryExpr)
	if !ok || !ordering(e.Op) {
		return true
	}
	x, ok := e.X.(*ast.BinaryExpr)
	if !ok || !ordering(x.Op) && x.Op != token.EQL && x.Op != token.NEQ {
		return true
	}
	d := c.errorf(e.OpPos, "comparisons cannot be chained")
	if mid, ok := x.Y.(*ast.BinaryExpr); ok && (mid.Op == token.AND || mid.Op == token.OR) {
		d.Note("%s binds tighter than %s", mid.Op, x.Op)
		d.Fix("write (%s %s %s) %s (%s %s %s)", c.textOf(x.X), x.Op, c.textOf(mid.X), mid.Op, c.textOf(mid.Y), e.Op, c.textOf(e.Y))
		return false
	}
	left := fmt.Sprintf("%s %s %s", c.textOf(x.X), x.Op, c.textOf(x.Y))
	right := fmt.Sprintf("%s %s %s", c.textOf(x.Y), e.Op, c.textOf(e.Y))
	d.Fix("write %s && %s, for tiles (%s) & (%s)", left, right, left, right)
	return false
}

func ordering(op token.Token) bool {
	return op == token.LSS || op == token.LEQ || op == token.GTR || op == token.GEQ
}

// textOf is a node as it was typed.
func (c *Check) textOf(n ast.Node) string {
	at := c.spanOf(n)
	return strings.TrimSpace(c.s.Sources[at.Cell].Text[at.Start:at.End])
}

// unlikely finds calls that the type checker accepts and that cannot be meant.
func (c *Check) unlikely() {
	if c.Program() {
		return
	}
	for _, f := range c.Files() {
		if c.dependent(f.FileStart) != nil {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				c.sizeAsType(call)
			}
			return true
		})
	}
	for _, s := range c.TopStmts() {
		if e, ok := s.(*ast.ExprStmt); ok {
			c.printed(e)
		}
	}
}

// sizeAsType is about tl.Zeros(16, 16): a number is taken for a dtype.
func (c *Check) sizeAsType(call *ast.CallExpr) {
	sig, ok := c.Info.TypeOf(call.Fun).(*types.Signature)
	if !ok {
		return
	}
	for i := range min(sig.Params().Len(), len(call.Args)) {
		lit, ok := call.Args[i].(*ast.BasicLit)
		if !ok || !sugar.IsNamed(sig.Params().At(i).Type(), sugar.PathDType, "DType") {
			continue
		}
		var args []string
		for _, a := range call.Args {
			args = append(args, c.textOf(a))
		}
		args = slices.Insert(args, i, "tl.Float32")
		c.errorf(lit.Pos(), "got %s, want a dtype", lit.Value).Fix("write %s(%s)", c.textOf(call.Fun), strings.Join(args, ", "))
	}
}

// printed is about print(x) as a cell.
func (c *Check) printed(s *ast.ExprStmt) {
	call, ok := s.X.(*ast.CallExpr)
	if !ok {
		return
	}
	if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "print" && len(call.Args) > 0 {
		if _, builtin := c.Info.Uses[id].(*types.Builtin); builtin {
			x := c.textOf(call.Args[0])
			c.errorf(id.Pos(), "print is a debugging aid of Go: it writes to standard error, without a newline").Fix("write %s alone to see it, or fmt.Println(%s)", x, x)
		}
	}
}

// importHint is about an import path that is not there.
func (r *reader) importHint(pos diag.Pos, path string) *diag.Diagnostic {
	d := diag.At(pos, "package %q cannot be imported here", path)
	var paths []string
	for _, p := range symbols.Packages() {
		paths = append(paths, p.Path)
		if p.Name == path {
			d.Msg += fmt.Sprintf(" (did you mean %q?)", p.Path)
			return d
		}
	}
	if near := diag.Nearest(path, paths); near != "" {
		d.Msg += fmt.Sprintf(" (did you mean %q?)", near)
		return d
	}
	d.Note("only these packages can be imported:")
	for _, s := range symbols.Topics() {
		d.Note("%s: %s", s.Name, strings.Join(s.Paths, " "))
	}
	if r.Program() {
		return d.Fix("this program is interpreted; go run compiles it, and then it can import anything")
	}
	return d.Fix("other packages need compiled code: :save FILE.go writes this session as a Go program, :notebook FILE.ipynb gonb as a notebook of compiled cells; both can import anything")
}

// pythonName is what Go writes for a name that nothing declares, or for a member of it.
func (f finding) pythonName(name string) string {
	if sel, ok := Inner[*ast.SelectorExpr](f.path); ok {
		if x, ok := sel.X.(*ast.Ident); ok && x.Name == name {
			if advice := python.Maker(name, sel.Sel.Name); advice != "" {
				return advice
			}
			if len(symbols.Named(name)) > 0 {
				return "" // a package that is not imported, such as list
			}
		}
	}
	if advice := python.Name(name); advice != "" {
		return advice
	}
	for _, n := range f.path {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.ASSIGN && slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool {
			id, ok := e.(*ast.Ident)
			return ok && id.Name == name
		}) {
			return "define a variable with := as in " + f.textOf(a.Lhs[0]) + " := " + f.textOf(a.Rhs[0])
		}
	}
	return ""
}

// tensorAsTile is about a tensor where a tile or a pointer is wanted.
func (f finding) tensorAsTile() bool {
	load := fmt.Sprintf("tl.Load(%s + tl.Arange(0, %s.Len()))", f.match[1], f.match[1])
	if f.Program() {
		load = fmt.Sprintf("tl.Load(tl.PointerTo(%s, %q, nil).Add(tl.Arange(0, %s.Len())))", f.match[1], f.match[1], f.match[1])
	}
	if call, ok := Inner[*ast.CallExpr](f.path); ok {
		switch name := MemberName(call); {
		case name == "Load":
			f.d.Fix("add the offsets of the elements: %s", load)
			return true
		case name == "Store" || strings.HasPrefix(name, "Atomic"):
			f.d.Fix("add the offsets of the elements: %s + tl.Arange(0, %s.Len())", f.match[1], f.match[1])
			return true
		}
	}
	f.d.Fix("load a tile of it: %s", load)
	return true
}

// indexedTensor is about x[0] and x[0] = 1.
func (f finding) indexedTensor() bool {
	x, ok := Inner[*ast.IndexExpr](f.path)
	if !ok {
		return false
	}
	index := f.textOf(x.Index)
	if a, ok := Inner[*ast.AssignStmt](f.path); ok && len(a.Lhs) == 1 && a.Lhs[0] == ast.Expr(x) {
		f.d.Fix("write %s.Set(%s, %s)", f.match[1], f.textOf(a.Rhs[0]), index)
		return true
	}
	f.d.Fix("write %s.At(%s) to see an element, %s.Select(0, %s) for a row", f.match[1], index, f.match[1], index)
	return true
}

var operandBefore = regexp.MustCompile(`[\w.]*[\w)\]]\s*$`)

// power is about x ** y, which is x times what y points to.
func (f finding) power() bool {
	star, ok := Inner[*ast.StarExpr](f.path)
	if !ok {
		return false
	}
	cell, at := f.offset(star.Star)
	before, ok := strings.CutSuffix(f.s.Sources[cell].Text[:at], "*")
	if !ok {
		return false
	}
	x, y := strings.TrimSpace(operandBefore.FindString(before)), f.textOf(star.X)
	*f.d = *diag.At(f.s.Sources[cell].At(at-1), "Go has no operator **")
	f.d.Fix("write math.Pow(%s, %s), for tiles tl.Pow(%s, %s)", x, y, x, y)
	return true
}

// otherType is about an assignment of another type, at the top of a cell: there := may give a
// variable another one.
func (f finding) otherType() bool {
	a, ok := Inner[*ast.AssignStmt](f.path)
	if !ok || f.Program() || !slices.Contains(f.TopStmts(), ast.Stmt(a)) {
		return false
	}
	var left, right []string
	for _, e := range a.Lhs {
		left = append(left, f.textOf(e))
	}
	for _, e := range a.Rhs {
		right = append(right, f.textOf(e))
	}
	f.d.Fix("write := to define it with another type: %s := %s", strings.Join(left, ", "), strings.Join(right, ", "))
	return true
}
