package sugar

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Operators on tiles become method calls once the type checker has said which
// operands are tiles.

// An Operator is what x op y means if either operand is a tile.
type Operator struct {
	Method  string
	Flipped string // the method of y that is x op y; "" if there is none
	Fn      string // the function of package tilelang for a scalar on the left
}

// Operators is what operators mean.
var Operators = map[token.Token]Operator{
	token.ADD: {"Add", "Add", ""}, token.SUB: {"Sub", "", "Sub"}, token.MUL: {"Mul", "Mul", ""},
	token.QUO: {"Div", "", "Div"}, token.REM: {"Mod", "", "Mod"},
	token.AND: {"And", "And", ""}, token.OR: {"Or", "Or", ""}, token.XOR: {"Xor", "Xor", ""},
	token.SHL: {"Shl", "", "Shl"}, token.SHR: {"Shr", "", "Shr"},
	token.LSS: {"Lt", "Gt", ""}, token.LEQ: {"Le", "Ge", ""}, token.GTR: {"Gt", "Lt", ""}, token.GEQ: {"Ge", "Le", ""},
	token.EQL: {"Eq", "Eq", ""}, token.NEQ: {"Ne", "Ne", ""},
}

// opAssign is the operator of an assignment such as +=.
func opAssign(t token.Token) token.Token {
	if t >= token.ADD_ASSIGN && t <= token.AND_NOT_ASSIGN {
		return t - token.ADD_ASSIGN + token.ADD
	}
	return token.ILLEGAL
}

// A Desugarer rewrites the syntax trees of one cell.
type Desugarer struct {
	info     *types.Info
	tl, exec string                    // what the cell calls packages tilelang and exec
	grids    map[token.Pos]bool        // the calls that stand for grids, by their opening brackets
	last     bool                      // what has no type by now will have none
	defs     map[types.Object]ast.Expr // what variables are defined by
	made     map[ast.Expr]place        // the calls that stand for operators
	tile     map[ast.Expr]bool         // made expressions: all are tiles
	asking   map[types.Object]bool     // guards against definitions in a circle
	changed  int
	Mark     func(*ast.Ident) string // what plain text calls a variable; "" for its name
}

// New is one for a text that calls packages tilelang and exec by names. grids is the
// calls that stand for grids, by their opening brackets.
func New(tl, exec string, grids map[token.Pos]bool) *Desugarer {
	return &Desugarer{made: map[ast.Expr]place{}, tile: map[ast.Expr]bool{}, tl: tl, exec: exec, grids: grids}
}

// A place is the place of what a made expression stands for.
type place struct {
	pos, end token.Pos
	stmt     bool // it stands for a whole op= statement, from the operator on
}

// Done rewrites files by what the checker found in them. It reports whether that was for the last
// time: when nothing changes any more, what has no type is taken to have none, once.
func (d *Desugarer) Done(info *types.Info, files []*ast.File) bool {
	d.info = info
	if d.run(files) > 0 {
		return false
	}
	done := d.last
	d.last = true
	return done
}

// Span is where the text of a node is, which may begin with what an operator was rewritten from.
func (d *Desugarer) Span(n ast.Node) (first, last token.Pos) {
	first, last = n.Pos(), n.End()
	ast.Inspect(n, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			if s, ok := d.made[e]; ok {
				first, last = min(first, s.pos), max(last, s.end)
			}
		}
		return true
	})
	return first, last
}

func (d *Desugarer) run(files []*ast.File) int {
	d.changed = 0
	d.defs, d.asking = map[types.Object]ast.Expr{}, map[types.Object]bool{}
	for _, f := range files {
		ast.Inspect(f, d.define)
	}
	for _, f := range files {
		rewrite(f, d.expr, d.stmt)
	}
	return d.changed
}

// define notes what variables are defined by, because the checker gives a variable
// no type where it does not understand its value.
func (d *Desugarer) define(n ast.Node) bool {
	note := func(names []ast.Expr, values []ast.Expr) {
		if len(names) != len(values) {
			return
		}
		for i, e := range names {
			if id, ok := e.(*ast.Ident); ok {
				if o := d.info.Defs[id]; o != nil {
					d.defs[o] = values[i]
				}
			}
		}
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			note(n.Lhs, n.Rhs)
		}
	case *ast.ValueSpec:
		var names []ast.Expr
		for _, id := range n.Names {
			names = append(names, id)
		}
		note(names, n.Values)
	}
	return true
}

// IsTile reports whether an expression is certainly a tile.
func (d *Desugarer) IsTile(e ast.Expr) bool {
	e = ast.Unparen(e)
	if d.tile[e] || IsTile(d.info.TypeOf(e)) {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		o := d.info.Uses[e]
		if v, ok := o.(*types.Var); ok && v.Type() == types.Typ[types.Invalid] && d.defs[o] != nil && !d.asking[o] {
			d.asking[o] = true
			defer delete(d.asking, o)
			return d.IsTile(d.defs[o])
		}
	case *ast.CallExpr:
		if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && d.IsTile(sel.X) {
			return tileMethod(sel.Sel.Name)
		}
	}
	return false
}

// tileMethod reports whether a method of a tile has a tile for its result.
func tileMethod(name string) bool {
	switch name {
	case "Shape", "Dim", "DType", "Elem", "Int", "Float", "Bool", "At", "Values", "Bits", "String", "Base", "IsNil":
		return false
	}
	return true
}

func (d *Desugarer) expr(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return d.binary(e)
	case *ast.UnaryExpr:
		return d.unary(e)
	case *ast.CallExpr:
		d.newAxis(e)
		return d.launch(e)
	}
	return e
}

// newAxis puts right the calls that PlainIndex left.
func (d *Desugarer) newAxis(e *ast.CallExpr) {
	sel, ok := e.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	if axis := slices.Index(newAxis[:], sel.Sel.Name); axis >= 0 {
		sel.Sel.Name = "ExpandDims"
		e.Args = []ast.Expr{&ast.BasicLit{ValuePos: sel.Sel.Pos(), Kind: token.INT, Value: fmt.Sprint(axis)}}
		d.changed++
	}
}

func (d *Desugarer) binary(e *ast.BinaryExpr) ast.Expr {
	op, ok := Operators[e.Op]
	x, y := d.IsTile(e.X), d.IsTile(e.Y)
	switch {
	case e.Op == token.AND_NOT && x:
		if !y {
			return e
		}
		not := d.call(e.Y, e.Y, "Not")
		return d.call(e, e.X, "And", not)
	case !ok || !x && !y || !x && d.unknown(e.X):
		return e
	case x:
		return d.call(e, e.X, op.Method, e.Y)
	case IsTensor(d.info.TypeOf(e.X)) && e.Op == token.ADD:
		return d.call(e, d.pointer(e.X), "Add", e.Y)
	case op.Flipped != "":
		return d.call(e, e.Y, op.Flipped, e.X)
	}
	fn := &ast.SelectorExpr{X: &ast.Ident{NamePos: e.Pos(), Name: d.tl}, Sel: &ast.Ident{NamePos: e.Pos(), Name: op.Fn}}
	return d.make(e, &ast.CallExpr{Fun: fn, Lparen: e.OpPos, Args: []ast.Expr{ast.Unparen(e.X), ast.Unparen(e.Y)}, Rparen: e.End() - 1})
}

// unknown reports whether the type of an expression waits for what is in it to be put right.
func (d *Desugarer) unknown(e ast.Expr) bool {
	t := d.info.TypeOf(e)
	return t == nil || t == types.Typ[types.Invalid]
}

// pointer is a tensor as a pointer, for cells that try out a kernel's lines.
func (d *Desugarer) pointer(e ast.Expr) ast.Expr {
	name := ""
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		name = id.Name
	}
	fn := &ast.SelectorExpr{X: &ast.Ident{NamePos: e.Pos(), Name: d.tl}, Sel: &ast.Ident{NamePos: e.Pos(), Name: "PointerTo"}}
	lit := &ast.BasicLit{ValuePos: e.Pos(), Kind: token.STRING, Value: fmt.Sprintf("%q", name)}
	return d.make(e, &ast.CallExpr{Fun: fn, Lparen: e.Pos(), Args: []ast.Expr{e, lit, &ast.Ident{NamePos: e.Pos(), Name: "nil"}}, Rparen: e.End() - 1})
}

func (d *Desugarer) unary(e *ast.UnaryExpr) ast.Expr {
	if !d.IsTile(e.X) {
		return e
	}
	switch e.Op {
	case token.SUB:
		return d.call(e, e.X, "Neg")
	case token.NOT, token.XOR:
		return d.call(e, e.X, "Not")
	case token.ADD:
		return ast.Unparen(e.X)
	}
	return e
}

// call stands x.method(args) for an expression.
func (d *Desugarer) call(old, x ast.Expr, method string, args ...ast.Expr) ast.Expr {
	if inner := ast.Unparen(x); d.tile[inner] {
		x = inner
	}
	for i := range args {
		args[i] = ast.Unparen(args[i])
	}
	opPos := x.End()
	if b, ok := old.(*ast.BinaryExpr); ok {
		opPos = b.OpPos
	}
	sel := &ast.SelectorExpr{X: x, Sel: &ast.Ident{NamePos: opPos, Name: method}}
	return d.make(old, &ast.CallExpr{Fun: sel, Lparen: opPos, Args: args, Rparen: old.End() - 1})
}

func (d *Desugarer) make(old ast.Expr, e *ast.CallExpr) ast.Expr {
	d.changed++
	d.made[e] = place{pos: d.start(old), end: old.End()}
	d.tile[e] = true
	return e
}

// start is where the text of an expression begins: what is leftmost in it may have been
// rewritten.
func (d *Desugarer) start(e ast.Expr) token.Pos {
	if s, ok := d.made[e]; ok {
		return s.pos
	}
	switch x := e.(type) {
	case *ast.BinaryExpr:
		return d.start(x.X)
	case *ast.CallExpr:
		return d.start(x.Fun)
	case *ast.SelectorExpr:
		return d.start(x.X)
	case *ast.IndexExpr:
		return d.start(x.X)
	case *ast.SliceExpr:
		return d.start(x.X)
	case *ast.TypeAssertExpr:
		return d.start(x.X)
	}
	return e.Pos()
}

// stmt rewrites x op= y and x++ where x is a tile.
func (d *Desugarer) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		op, ok := Operators[opAssign(s.Tok)]
		if !ok || !d.IsTile(s.Lhs[0]) {
			return
		}
		y := ast.Unparen(s.Rhs[0])
		sel := &ast.SelectorExpr{X: s.Lhs[0], Sel: &ast.Ident{NamePos: s.TokPos, Name: op.Method}}
		call := &ast.CallExpr{Fun: sel, Lparen: s.TokPos, Args: []ast.Expr{y}, Rparen: s.Rhs[0].End() - 1}
		d.changed++
		d.made[call] = place{pos: s.TokPos, end: s.Rhs[0].End(), stmt: true}
		d.tile[call] = true
		s.Tok, s.Rhs[0] = token.ASSIGN, call
	}
}

// Plain is the Go text that a piece of sugared source means: source with the
// operators that were rewritten below n as calls, and each line where it was.
func (d *Desugarer) Plain(n ast.Node, src string, base func(token.Pos) int, from, to int) string {
	var b strings.Builder
	at := from
	walk := func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && d.Mark != nil && base(id.Pos()) >= at {
			if name := d.Mark(id); name != "" {
				b.WriteString(src[at:base(id.Pos())] + name)
				at = base(id.End())
			}
			return true
		}
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		s, ok := d.made[e]
		if !ok {
			return true
		}
		b.WriteString(src[at:base(s.pos)])
		if s.stmt {
			b.WriteString("= ")
		}
		text := d.callText(e.(*ast.CallExpr), src, base, "")
		if lost := strings.Count(src[base(s.pos):base(s.end)], "\n") - strings.Count(text, "\n"); lost > 0 {
			text = d.callText(e.(*ast.CallExpr), src, base, strings.Repeat("\n", lost))
		}
		b.WriteString(text)
		at = base(s.end)
		return false
	}
	ast.Inspect(n, walk)
	b.WriteString(src[at:to])
	return ExpandDims(b.String())
}

// callText is a made call as text, with what is to follow its opening parenthesis.
func (d *Desugarer) callText(e *ast.CallExpr, src string, base func(token.Pos) int, open string) string {
	sel := e.Fun.(*ast.SelectorExpr)
	x := ""
	if id, ok := sel.X.(*ast.Ident); ok && id.Name == d.tl && (sel.Sel.Name == "PointerTo" || operatorFunc(sel.Sel.Name) && len(e.Args) == 2) {
		x = d.tl
	} else if x = d.text(sel.X, src, base); !primary(sel.X) {
		x = "(" + x + ")"
	}
	args := d.listText(e.Args, src, base)
	if e.Ellipsis.IsValid() {
		args += "..."
	}
	return x + "." + sel.Sel.Name + "(" + open + args + ")"
}

func (d *Desugarer) listText(list []ast.Expr, src string, base func(token.Pos) int) string {
	var texts []string
	for _, e := range list {
		texts = append(texts, d.text(e, src, base))
	}
	return strings.Join(texts, ", ")
}

// text is an expression in or below a made one as text.
func (d *Desugarer) text(e ast.Expr, src string, base func(token.Pos) int) string {
	s, made := d.made[e]
	switch x := e.(type) {
	case *ast.CallExpr:
		if made && !s.stmt {
			return d.callText(x, src, base, "")
		}
	case *ast.CompositeLit:
		if made {
			return types.ExprString(x.Type) + "{" + d.listText(x.Elts, src, base) + "}"
		}
	case *ast.BasicLit:
		return x.Value
	case *ast.Ident:
		if d.Mark != nil && d.Mark(x) != "" {
			return d.Mark(x)
		}
		return x.Name
	}
	return d.Plain(e, src, base, base(e.Pos()), base(e.End()))
}

func operatorFunc(name string) bool {
	for _, op := range Operators {
		if op.Fn == name && name != "" {
			return true
		}
	}
	return false
}

// primary reports whether a selector can follow an expression without parentheses.
func primary(e ast.Expr) bool {
	switch e.(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr, *ast.StarExpr, *ast.FuncLit:
		return false
	}
	return true
}

// Formatted is Go text as gofmt prints it, or as it is if it cannot be parsed.
func Formatted(text string) string {
	if out, err := format.Source([]byte(text)); err == nil {
		return strings.TrimRight(string(out), "\n")
	}
	return text
}
