package exprs

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/naming"
	"github.com/tiler-go/tiler/repl/lower/source"
)

// Simple reports whether a lowered expression is a name or a literal.
func Simple(text string) bool {
	return text != "" && !strings.ContainsAny(text, "()[]{}.*&<-+/% !\"'") && text != "nil"
}

// A Compiler lowers expressions.
type Compiler struct {
	*Body
	Literal func(*ast.FuncLit) string // a function literal; its statements are not expressions
	First   bool                      // the next expression is what its statement evaluates first

	made    map[ast.Expr]string // calls that have been made: the variables of their results
	settled map[ast.Expr]bool   // those without calls that must come first
}

// NewCompiler is a compiler of what a file has; literal is its way to statements.
func NewCompiler(f *naming.File, literal func(*ast.FuncLit) string) *Compiler {
	return &Compiler{
		Body:    &Body{File: f, Local: map[types.Object]string{}},
		Literal: literal, made: map[ast.Expr]string{}, settled: map[ast.Expr]bool{},
	}
}

// Separate begins a function that shares no variables with what is around it; the result
// ends it.
func (c *Compiler) Separate() (end func()) {
	local := c.Local
	c.Local, c.settled = map[types.Object]string{}, map[ast.Expr]bool{}
	return func() { c.Local = local }
}

// Expr is an expression as lowered code computes it, in its own type.
func (c *Compiler) Expr(e ast.Expr) string {
	first := c.First
	c.First = false
	if tv := c.Info.Types[e]; tv.Value != nil {
		return c.Constant(tv.Value, c.Subst(tv.Type))
	}
	if name := c.made[e]; name != "" {
		return name
	}
	if text, ok := c.CallsBefore(e, first); ok {
		return text
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.Expr(e.X)
	case *ast.Ident:
		return c.ident(e)
	case *ast.SelectorExpr:
		return c.selector(e)
	case *ast.CallExpr:
		return c.Call(e)
	case *ast.BinaryExpr:
		return c.binary(e)
	case *ast.UnaryExpr:
		return c.unary(e)
	case *ast.StarExpr:
		return "(*" + c.Operand(e.X) + ")"
	case *ast.IndexExpr, *ast.IndexListExpr:
		return c.index(e)
	case *ast.SliceExpr:
		return c.slice(e)
	case *ast.CompositeLit:
		return composite(c, e)
	case *ast.FuncLit:
		return c.Literal(e)
	case *ast.TypeAssertExpr:
		t := c.TypeOf(e)
		return c.Asserted(c.Convert(e.X, naming.Any), c.TypeOf(e.X), t)
	}
	source.Refuse("this expression cannot be used here")
	return ""
}

// Operand is an expression that a selector, index or call can follow.
func (c *Compiler) Operand(e ast.Expr) string {
	text := c.Expr(e)
	if strings.HasPrefix(text, "func") || strings.HasPrefix(text, "&") {
		return "(" + text + ")"
	}
	return text
}

// OperandAs is an operand of an operator whose result is of type t.
func (c *Compiler) OperandAs(e ast.Expr, t types.Type) string {
	if tv := c.Info.Types[e]; tv.Value != nil {
		return c.Constant(tv.Value, t)
	}
	return c.Expr(e)
}

func (c *Compiler) ident(e *ast.Ident) string {
	switch o := c.Object(e).(type) {
	case *types.Nil:
		return "nil"
	case *types.Var:
		return c.Variable(o)
	case *types.Func:
		return c.NamedValue(e, o, nil)
	}
	source.Refuse("%s cannot be used here", e.Name)
	return ""
}

func (c *Compiler) binary(e *ast.BinaryExpr) string {
	switch e.Op {
	case token.EQL:
		return c.Equal(e.X, e.Y)
	case token.NEQ:
		return "!(" + c.Equal(e.X, e.Y) + ")"
	case token.SHL, token.SHR:
		return fmt.Sprintf("(%s %s %s)", c.OperandAs(e.X, c.TypeOf(e)), e.Op, c.ShiftCount(e.Y))
	case token.LAND, token.LOR:
		x := c.Expr(e.X)
		y := c.InPlace(types.Typ[types.Bool], func() string { return c.Expr(e.Y) })
		return fmt.Sprintf("(%s %s %s)", x, e.Op, y)
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		t := c.CommonType(e.X, e.Y)
		return fmt.Sprintf("(%s %s %s)", c.OperandAs(e.X, t), e.Op, c.OperandAs(e.Y, t))
	}
	t := types.Default(c.TypeOf(e))
	return fmt.Sprintf("(%s %s %s)", c.OperandAs(e.X, t), e.Op, c.OperandAs(e.Y, t))
}

// ShiftCount is the right operand of a shift, which must not be negative.
func (c *Compiler) ShiftCount(e ast.Expr) string {
	if v := c.Info.Types[e].Value; v != nil {
		return "uint(" + constant.ToInt(v).ExactString() + ")"
	}
	b, _ := c.TypeOf(e).Underlying().(*types.Basic)
	if b.Info()&types.IsUnsigned != 0 {
		return c.Expr(e)
	}
	return fmt.Sprintf("%s.Shift(int64(%s))", naming.Host, c.Expr(e))
}

// Equal is x == y.
func (c *Compiler) Equal(x, y ast.Expr) string {
	tx, ty := c.TypeOf(x), c.TypeOf(y)
	switch {
	case source.IsNil(c.Info, x):
		return "(" + c.Operand(y) + " == nil)"
	case source.IsNil(c.Info, y):
		return "(" + c.Operand(x) + " == nil)"
	case types.IsInterface(tx) || types.IsInterface(ty):
		return fmt.Sprintf("%s.Equal(%s, %s)", naming.Host, c.Convert(x, naming.Any), c.Convert(y, naming.Any))
	}
	switch tx.Underlying().(type) {
	case *types.Struct, *types.Array:
		return fmt.Sprintf("%s.Equal(%s, %s)", naming.Host, c.Expr(x), c.Expr(y))
	}
	t := c.CommonType(x, y)
	return fmt.Sprintf("(%s == %s)", c.OperandAs(x, t), c.OperandAs(y, t))
}

func (c *Compiler) unary(e *ast.UnaryExpr) string {
	switch e.Op {
	case token.AND:
		return c.address(e.X)
	case token.ARROW:
		elem := c.TypeOf(e.X).Underlying().(*types.Chan).Elem()
		v := c.Receiver(elem, c.TypeOf(e.X), false)
		return fmt.Sprintf("%s(%s)", v, c.Expr(e.X))
	case token.ADD:
		return c.Expr(e.X)
	case token.XOR:
		return "(^" + c.Operand(e.X) + ")"
	}
	return "(" + e.Op.String() + c.Operand(e.X) + ")"
}

// address is &x.
func (c *Compiler) address(e ast.Expr) string {
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok {
		return "&" + c.Place(e)
	}
	t := c.TypeOf(lit)
	if _, ok := t.Underlying().(*types.Struct); ok {
		return "&" + composite(c, lit)
	}
	return fmt.Sprintf("func() *%s { p := %s; return &p }()", c.Spell(t), composite(c, lit))
}

func (c *Compiler) index(e ast.Expr) string {
	ix, ok := e.(*ast.IndexExpr)
	if list, isList := e.(*ast.IndexListExpr); isList {
		return c.Expr(list.X)
	}
	if id := source.IdentOf(ix.X); ok && id != nil {
		if f, ok := c.Info.Uses[id].(*types.Func); ok {
			return c.NamedValue(id, f, nil)
		}
	}
	if m, ok := c.TypeOf(ix.X).Underlying().(*types.Map); ok {
		return fmt.Sprintf("%s[%s]", c.Operand(ix.X), c.key(ix.Index, m))
	}
	return fmt.Sprintf("%s[%s]", c.Operand(ix.X), c.bounded(ix, c.Operand(ix.X)))
}

// key is the key of a map's element. One that cannot be hashed is found out before the
// interpreter says so in its own words.
func (c *Compiler) key(e ast.Expr, m *types.Map) string {
	text := c.Convert(e, m.Key())
	if types.IsInterface(c.Subst(m.Key())) && !source.BinaryInterface(m.Key()) && (types.IsInterface(c.TypeOf(e)) || source.Erased(c.TypeOf(e))) {
		return fmt.Sprintf("%s.Key(%s)", naming.Host, text)
	}
	return text
}

// selector lowers x.f.
func (c *Compiler) selector(e *ast.SelectorExpr) string {
	s := c.Info.Selections[e]
	if s == nil {
		return c.Qualified(e)
	}
	switch s.Kind() {
	case types.FieldVal:
		return c.FieldOf(c.Operand(e.X), s)
	case types.MethodVal:
		return c.methodValue(e, s)
	}
	return c.methodExpr(e, s)
}

// Convert is an expression as a value of type to, to which it can be assigned.
func (c *Compiler) Convert(e ast.Expr, to types.Type) string {
	to = c.Subst(to)
	tv := c.Info.Types[e]
	switch {
	case tv.IsNil():
		return "nil"
	case tv.Value != nil && !types.IsInterface(to):
		return c.Constant(tv.Value, to)
	}
	text := c.Expr(e)
	from := types.Default(c.TypeOf(e))
	_, isCall := ast.Unparen(e).(*ast.CallExpr)
	return c.ConvertText(text, from, to, isCall || Simple(text) || tv.Value != nil)
}
