package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/exprs"
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
		done = c.CallsFirst(s.Rhs, ts)
	}
	for i, e := range s.Lhs {
		if names[i] == "" && fresh[i] == nil {
			names[i] = c.Target(e, len(s.Lhs) > 1)
		}
	}
	if len(s.Rhs) == 1 && len(s.Lhs) > 1 {
		c.multiAssign(names, ts, fresh, s.Rhs[0])
		return
	}
	c.define(names, ts, fresh, s.Rhs, done)
}

// define assigns values to places and new variables, one each; temps is those that have
// been evaluated, nil for none.
func (c *compiler) define(names []string, ts []types.Type, fresh []*types.Var, values []ast.Expr, temps []string) {
	switch {
	case len(values) > 1 && temps == nil:
		temps = c.CallsFirst(values, ts)
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
		c.Emit("var %s %s = %s\n", temps[i], c.Spell(t), c.Convert(e, t))
	}
	for i, temp := range temps {
		if fresh[i] != nil {
			names[i] = c.newVar(fresh[i], temp)
			continue
		}
		c.Emit("%s = %s\n", names[i], temp)
	}
}

// newVar declares a variable with a first value.
func (c *compiler) newVar(v *types.Var, value string) string {
	if name := c.Name(v); name != "" {
		c.put(name, value, v.Type())
		return name
	}
	name := c.Fresh(v.Name())
	c.Local[v] = name
	if n := source.NamedOf(v.Type()); n != nil && !source.Session(n.Obj()) && n.Obj().Pkg() != nil && !n.Obj().Exported() {
		c.Emit("%s := %s\n", name, value) // a type without a name here
		return name
	}
	c.Emit("var %s %s = %s\n", name, c.Spell(v.Type()), value)
	return name
}

func (c *compiler) defineOne(name string, t types.Type, v *types.Var, e ast.Expr) {
	c.First = true
	switch {
	case v != nil:
		c.newVar(v, c.Convert(e, t))
	case t == nil && source.IsNil(c.Info, e):
	case t == nil:
		c.Emit("%s.Ignore(%s)\n", naming.Host, c.Convert(e, types.Default(c.TypeOf(e))))
	default:
		c.put(name, c.Convert(e, t), t)
	}
}

// put assigns a value to a place. A struct that is written out goes through a variable:
// the interpreter would give the place another memory for it, of which function literals
// that have captured the variable do not learn.
func (c *compiler) put(place, value string, t types.Type) {
	if _, ok := c.Subst(t).Underlying().(*types.Struct); ok && strings.HasSuffix(value, "}") {
		temp := c.Fresh("t")
		c.Emit("var %s %s = %s\n", temp, c.Spell(t), value)
		value = temp
	}
	c.Emit("%s = %s\n", place, value)
}

// multiAssign assigns the results of one expression.
func (c *compiler) multiAssign(names []string, ts []types.Type, fresh []*types.Var, e ast.Expr) {
	tuple := c.TupleOf(e)
	temps := c.Tuple(e, tuple)
	for i, temp := range temps {
		from := tuple.At(i).Type()
		switch {
		case fresh[i] != nil:
			c.newVar(fresh[i], c.ConvertText(temp, from, fresh[i].Type(), true))
		case ts[i] != nil:
			c.Emit("%s = %s\n", names[i], c.ConvertText(temp, from, ts[i], true))
		default:
			c.Emit("_ = %s\n", temp)
		}
	}
}

// assignAll assigns expressions to declared variables.
func (c *compiler) assignAll(names []string, ts []types.Type, es []ast.Expr) {
	values := c.Values(es, ts)
	if len(values) > 1 {
		for i, v := range values {
			if !exprs.Simple(v) || slices.Contains(names, v) && names[i] != v {
				values[i] = c.Fresh("t")
				c.Emit("var %s %s = %s\n", values[i], c.Spell(ts[i]), v)
			}
		}
	}
	for i, v := range values {
		if names[i] != v {
			c.put(names[i], v, ts[i])
		}
	}
}

// opAssign lowers x op= y.
func (c *compiler) opAssign(s *ast.AssignStmt) {
	op := strings.TrimSuffix(s.Tok.String(), "=")
	place := c.Target(s.Lhs[0], source.Contains(s.Lhs[0], func(n ast.Node) bool { _, ok := n.(*ast.CallExpr); return ok }))
	t := c.TypeOf(s.Lhs[0])
	if op == "<<" || op == ">>" {
		c.Emit("%s = %s(%s %s %s)\n", place, c.Spell(t), place, op, c.ShiftCount(s.Rhs[0]))
		return
	}
	c.First = !c.Calls(s.Lhs[0])
	y := c.OperandAs(s.Rhs[0], t)
	if c.Calls(s.Rhs[0]) && !c.Calls(s.Lhs[0]) { // as in callsFirst
		y = c.Temp(y, t)
	}
	c.Emit("%s %s= %s\n", place, op, y)
}
