package lower

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

// expr is an expression as lowered code computes it, in its own type.
func (c *compiler) expr(e ast.Expr) string {
	first := c.first
	c.first = false
	if tv := c.Info.Types[e]; tv.Value != nil {
		return c.Constant(tv.Value, c.Subst(tv.Type))
	}
	if name := c.made[e]; name != "" {
		return name
	}
	if text, ok := c.callsBefore(e, first); ok {
		return text
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.expr(e.X)
	case *ast.Ident:
		return c.ident(e)
	case *ast.SelectorExpr:
		return c.selector(e)
	case *ast.CallExpr:
		return c.call(e)
	case *ast.BinaryExpr:
		return c.binary(e)
	case *ast.UnaryExpr:
		return c.unary(e)
	case *ast.StarExpr:
		return "(*" + c.operand(e.X) + ")"
	case *ast.IndexExpr, *ast.IndexListExpr:
		return c.index(e)
	case *ast.SliceExpr:
		return c.slice(e)
	case *ast.CompositeLit:
		return c.composite(e)
	case *ast.FuncLit:
		return c.closure(e)
	case *ast.TypeAssertExpr:
		t := c.TypeOf(e)
		return c.Asserted(c.convert(e.X, naming.Any), c.TypeOf(e.X), t)
	}
	source.Refuse("this expression cannot be used here")
	return ""
}

// operand is an expression that a selector, index or call can follow.
func (c *compiler) operand(e ast.Expr) string {
	text := c.expr(e)
	if strings.HasPrefix(text, "func") || strings.HasPrefix(text, "&") {
		return "(" + text + ")"
	}
	return text
}

// operandAs is an operand of an operator whose result is of type t.
func (c *compiler) operandAs(e ast.Expr, t types.Type) string {
	if tv := c.Info.Types[e]; tv.Value != nil {
		return c.Constant(tv.Value, t)
	}
	return c.expr(e)
}

func (c *compiler) ident(e *ast.Ident) string {
	switch o := c.Object(e).(type) {
	case *types.Nil:
		return "nil"
	case *types.Var:
		return c.variable(o)
	case *types.Func:
		return c.NamedValue(e, o, nil)
	}
	source.Refuse("%s cannot be used here", e.Name)
	return ""
}

func (c *compiler) binary(e *ast.BinaryExpr) string {
	switch e.Op {
	case token.EQL:
		return c.equal(e.X, e.Y)
	case token.NEQ:
		return "!(" + c.equal(e.X, e.Y) + ")"
	case token.SHL, token.SHR:
		return fmt.Sprintf("(%s %s %s)", c.operandAs(e.X, c.TypeOf(e)), e.Op, c.shiftCount(e.Y))
	case token.LAND, token.LOR:
		x := c.expr(e.X)
		y := c.inPlace(types.Typ[types.Bool], func() string { return c.expr(e.Y) })
		return fmt.Sprintf("(%s %s %s)", x, e.Op, y)
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		t := c.CommonType(e.X, e.Y)
		return fmt.Sprintf("(%s %s %s)", c.operandAs(e.X, t), e.Op, c.operandAs(e.Y, t))
	}
	t := types.Default(c.TypeOf(e))
	return fmt.Sprintf("(%s %s %s)", c.operandAs(e.X, t), e.Op, c.operandAs(e.Y, t))
}

// shiftCount is the right operand of a shift, which must not be negative.
func (c *compiler) shiftCount(e ast.Expr) string {
	if v := c.Info.Types[e].Value; v != nil {
		return "uint(" + constant.ToInt(v).ExactString() + ")"
	}
	b, _ := c.TypeOf(e).Underlying().(*types.Basic)
	if b.Info()&types.IsUnsigned != 0 {
		return c.expr(e)
	}
	return fmt.Sprintf("%s.Shift(int64(%s))", naming.Host, c.expr(e))
}

// equal is x == y.
func (c *compiler) equal(x, y ast.Expr) string {
	tx, ty := c.TypeOf(x), c.TypeOf(y)
	switch {
	case source.IsNil(c.Info, x):
		return "(" + c.operand(y) + " == nil)"
	case source.IsNil(c.Info, y):
		return "(" + c.operand(x) + " == nil)"
	case types.IsInterface(tx) || types.IsInterface(ty):
		return fmt.Sprintf("%s.Equal(%s, %s)", naming.Host, c.convert(x, naming.Any), c.convert(y, naming.Any))
	}
	switch tx.Underlying().(type) {
	case *types.Struct, *types.Array:
		return fmt.Sprintf("%s.Equal(%s, %s)", naming.Host, c.expr(x), c.expr(y))
	}
	t := c.CommonType(x, y)
	return fmt.Sprintf("(%s == %s)", c.operandAs(x, t), c.operandAs(y, t))
}

func (c *compiler) unary(e *ast.UnaryExpr) string {
	switch e.Op {
	case token.AND:
		return c.address(e.X)
	case token.ARROW:
		elem := c.TypeOf(e.X).Underlying().(*types.Chan).Elem()
		v := c.Receiver(elem, c.TypeOf(e.X), false)
		return fmt.Sprintf("%s(%s)", v, c.expr(e.X))
	case token.ADD:
		return c.expr(e.X)
	case token.XOR:
		return "(^" + c.operand(e.X) + ")"
	}
	return "(" + e.Op.String() + c.operand(e.X) + ")"
}

// address is &x.
func (c *compiler) address(e ast.Expr) string {
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok {
		return "&" + c.place(e)
	}
	t := c.TypeOf(lit)
	if _, ok := t.Underlying().(*types.Struct); ok {
		return "&" + c.composite(lit)
	}
	return fmt.Sprintf("func() *%s { p := %s; return &p }()", c.Spell(t), c.composite(lit))
}

func (c *compiler) index(e ast.Expr) string {
	ix, ok := e.(*ast.IndexExpr)
	if list, isList := e.(*ast.IndexListExpr); isList {
		return c.expr(list.X)
	}
	if id := source.IdentOf(ix.X); ok && id != nil {
		if f, ok := c.Info.Uses[id].(*types.Func); ok {
			return c.NamedValue(id, f, nil)
		}
	}
	if m, ok := c.TypeOf(ix.X).Underlying().(*types.Map); ok {
		return fmt.Sprintf("%s[%s]", c.operand(ix.X), c.key(ix.Index, m))
	}
	return fmt.Sprintf("%s[%s]", c.operand(ix.X), c.bounded(ix, c.operand(ix.X)))
}

// key is the key of a map's element. One that cannot be hashed is found out before the
// interpreter says so in its own words.
func (c *compiler) key(e ast.Expr, m *types.Map) string {
	text := c.convert(e, m.Key())
	if types.IsInterface(c.Subst(m.Key())) && !source.BinaryInterface(m.Key()) && (types.IsInterface(c.TypeOf(e)) || source.Erased(c.TypeOf(e))) {
		return fmt.Sprintf("%s.Key(%s)", naming.Host, text)
	}
	return text
}

// selector lowers x.f.
func (c *compiler) selector(e *ast.SelectorExpr) string {
	s := c.Info.Selections[e]
	if s == nil {
		return c.Qualified(e)
	}
	switch s.Kind() {
	case types.FieldVal:
		return c.FieldOf(c.operand(e.X), s)
	case types.MethodVal:
		return c.methodValue(e, s)
	}
	return c.methodExpr(e, s)
}
