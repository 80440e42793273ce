package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/naming"
	"github.com/tiler-go/tiler/repl/lower/source"
)

// assign lowers an assignment or a short variable declaration.
func (c *compiler) assign(s *ast.AssignStmt) {
	switch s.Tok {
	case token.ASSIGN, token.DEFINE:
	default:
		c.opAssign(s)
		return
	}
	var names []string
	var ts []types.Type
	var fresh []*types.Var
	for _, e := range s.Lhs {
		id, _ := ast.Unparen(e).(*ast.Ident)
		switch {
		case id != nil && id.Name == "_":
			names, ts, fresh = append(names, "_"), append(ts, nil), append(fresh, nil)
		case id != nil && c.Info.Defs[id] != nil:
			v := c.Info.Defs[id].(*types.Var)
			names, ts, fresh = append(names, ""), append(ts, v.Type()), append(fresh, v)
		default:
			names, ts, fresh = append(names, ""), append(ts, c.TypeOf(e)), append(fresh, nil)
		}
	}
	var done []string
	if _, name := ast.Unparen(s.Lhs[0]).(*ast.Ident); len(s.Lhs) == len(s.Rhs) && (len(s.Lhs) > 1 || !name) && !slices.ContainsFunc(s.Lhs, c.Calls) {
		done = c.callsFirst(s.Rhs, ts)
	}
	for i, e := range s.Lhs {
		if names[i] == "" && fresh[i] == nil {
			names[i] = c.target(e, len(s.Lhs) > 1)
		}
	}
	if len(s.Rhs) == 1 && len(s.Lhs) > 1 {
		c.multiAssign(names, ts, fresh, s.Rhs[0])
		return
	}
	c.define(names, ts, fresh, s.Rhs, done)
}

// callsFirst evaluates those of some values that call something, and is the variables
// that hold them, "" for the others. Go leaves open whether i in x[i] = f() and x in
// a, b = x, f() are looked at before the call; compiled code does so behind it. Calls on
// both sides are made from left to right.
func (c *compiler) callsFirst(values []ast.Expr, ts []types.Type) []string {
	done := make([]string, len(values))
	for i, e := range values {
		if c.Calls(e) {
			c.first = true
			t := ts[i]
			if t == nil {
				t = types.Default(c.TypeOf(e))
			}
			done[i] = c.temp(c.convert(e, t), t)
		}
	}
	return done
}

// define assigns values to places and new variables, one each; temps is those that have
// been evaluated, nil for none.
func (c *compiler) define(names []string, ts []types.Type, fresh []*types.Var, values []ast.Expr, temps []string) {
	switch {
	case len(values) > 1 && temps == nil:
		temps = c.callsFirst(values, ts)
	case len(values) > 1:
	case temps != nil && temps[0] != "":
		c.put(names[0], temps[0], ts[0])
		return
	default:
		c.defineOne(names[0], ts[0], fresh[0], values[0])
		return
	}
	for i, e := range values {
		if temps[i] != "" {
			continue
		}
		t := ts[i]
		if t == nil {
			t = types.Default(c.TypeOf(e))
		}
		temps[i] = c.Fresh("t")
		c.emit("var %s %s = %s\n", temps[i], c.Spell(t), c.convert(e, t))
	}
	for i, temp := range temps {
		if fresh[i] != nil {
			names[i] = c.newVar(fresh[i], temp)
			continue
		}
		c.emit("%s = %s\n", names[i], temp)
	}
}

// newVar declares a variable with a first value.
func (c *compiler) newVar(v *types.Var, value string) string {
	if name := c.Name(v); name != "" {
		c.put(name, value, v.Type())
		return name
	}
	name := c.Fresh(v.Name())
	c.local[v] = name
	if n := source.NamedOf(v.Type()); n != nil && !source.Session(n.Obj()) && n.Obj().Pkg() != nil && !n.Obj().Exported() {
		c.emit("%s := %s\n", name, value) // a type without a name here
		return name
	}
	c.emit("var %s %s = %s\n", name, c.Spell(v.Type()), value)
	return name
}

func (c *compiler) defineOne(name string, t types.Type, v *types.Var, e ast.Expr) {
	c.first = true
	switch {
	case v != nil:
		c.newVar(v, c.convert(e, t))
	case t == nil && source.IsNil(c.Info, e):
	case t == nil:
		c.emit("%s.Ignore(%s)\n", naming.Host, c.convert(e, types.Default(c.TypeOf(e))))
	default:
		c.put(name, c.convert(e, t), t)
	}
}

// put assigns a value to a place. A struct that is written out goes through a variable:
// the interpreter would give the place another memory for it, of which function literals
// that have captured the variable do not learn.
func (c *compiler) put(place, value string, t types.Type) {
	if _, ok := c.Subst(t).Underlying().(*types.Struct); ok && strings.HasSuffix(value, "}") {
		temp := c.Fresh("t")
		c.emit("var %s %s = %s\n", temp, c.Spell(t), value)
		value = temp
	}
	c.emit("%s = %s\n", place, value)
}

// multiAssign assigns the results of one expression.
func (c *compiler) multiAssign(names []string, ts []types.Type, fresh []*types.Var, e ast.Expr) {
	tuple := c.TupleOf(e)
	temps := c.tuple(e, tuple)
	for i, temp := range temps {
		from := tuple.At(i).Type()
		switch {
		case fresh[i] != nil:
			c.newVar(fresh[i], c.ConvertText(temp, from, fresh[i].Type(), true))
		case ts[i] != nil:
			c.emit("%s = %s\n", names[i], c.ConvertText(temp, from, ts[i], true))
		default:
			c.emit("_ = %s\n", temp)
		}
	}
}

// tupleExpr is an expression that gives several values.
func (c *compiler) tupleExpr(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		m := c.TypeOf(e.X).Underlying().(*types.Map)
		return fmt.Sprintf("%s[%s]", c.operand(e.X), c.convert(e.Index, m.Key()))
	case *ast.TypeAssertExpr:
		return c.assertOK(e)
	case *ast.UnaryExpr:
		return c.recvOK(e)
	}
	return c.expr(e)
}

// assignAll assigns expressions to declared variables.
func (c *compiler) assignAll(names []string, ts []types.Type, es []ast.Expr) {
	values := c.values(es, ts)
	if len(values) > 1 {
		for i, v := range values {
			if !simple(v) || slices.Contains(names, v) && names[i] != v {
				values[i] = c.Fresh("t")
				c.emit("var %s %s = %s\n", values[i], c.Spell(ts[i]), v)
			}
		}
	}
	for i, v := range values {
		if names[i] != v {
			c.put(names[i], v, ts[i])
		}
	}
}

// target is a place to assign to. In an assignment of several values its operands
// are evaluated before, if evaluating them later could make a difference.
func (c *compiler) target(e ast.Expr, several bool) string {
	if !several {
		return c.place(e)
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		var index string
		if m, ok := c.TypeOf(e.X).Underlying().(*types.Map); ok {
			index = c.temp(c.convert(e.Index, m.Key()), m.Key())
		} else {
			index = c.temp(c.expr(e.Index), types.Default(c.TypeOf(e.Index)))
		}
		if _, array := c.TypeOf(e.X).Underlying().(*types.Array); array {
			return fmt.Sprintf("%s[%s]", c.place(e.X), index)
		}
		return fmt.Sprintf("%s[%s]", c.temp(c.expr(e.X), c.TypeOf(e.X)), index)
	case *ast.StarExpr:
		return "(*" + c.temp(c.expr(e.X), c.TypeOf(e.X)) + ")"
	case *ast.SelectorExpr:
		if _, pointer := c.TypeOf(e.X).Underlying().(*types.Pointer); pointer && c.Info.Selections[e] != nil {
			return c.FieldOf(c.temp(c.expr(e.X), c.TypeOf(e.X)), c.Info.Selections[e])
		}
	}
	return c.place(e)
}

// temp is a value in a variable of its own.
func (c *compiler) temp(text string, t types.Type) string {
	name := c.Fresh("t")
	c.emit("var %s %s = %s\n", name, c.Spell(t), text)
	return name
}

// place is an expression that can be assigned to.
func (c *compiler) place(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := c.Object(e).(*types.Var); ok {
			return c.variable(v)
		}
	case *ast.IndexExpr:
		if m, ok := c.TypeOf(e.X).Underlying().(*types.Map); ok {
			return fmt.Sprintf("%s[%s]", c.operand(e.X), c.key(e.Index, m))
		}
		return fmt.Sprintf("%s[%s]", c.placeOperand(e.X), c.bounded(e, c.operand(e.X)))
	case *ast.StarExpr:
		return "(*" + c.operand(e.X) + ")"
	case *ast.SelectorExpr:
		if s := c.Info.Selections[e]; s != nil {
			return c.FieldOf(c.placeOperand(e.X), s)
		}
	}
	return c.expr(e)
}

// placeOperand is the operand of an index or selector that is assigned to.
func (c *compiler) placeOperand(e ast.Expr) string {
	switch c.TypeOf(e).Underlying().(type) {
	case *types.Array, *types.Struct:
		return c.place(e)
	}
	return c.operand(e)
}

// opAssign lowers x op= y.
func (c *compiler) opAssign(s *ast.AssignStmt) {
	op := strings.TrimSuffix(s.Tok.String(), "=")
	place := c.target(s.Lhs[0], source.Contains(s.Lhs[0], func(n ast.Node) bool { _, ok := n.(*ast.CallExpr); return ok }))
	t := c.TypeOf(s.Lhs[0])
	if op == "<<" || op == ">>" {
		c.emit("%s = %s(%s %s %s)\n", place, c.Spell(t), place, op, c.shiftCount(s.Rhs[0]))
		return
	}
	c.first = !c.Calls(s.Lhs[0])
	y := c.operandAs(s.Rhs[0], t)
	if c.Calls(s.Rhs[0]) && !c.Calls(s.Lhs[0]) { // as in callsFirst
		y = c.temp(y, t)
	}
	c.emit("%s %s= %s\n", place, op, y)
}
