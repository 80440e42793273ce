package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/exprs"
	"github.com/tiler-go/tiler/repl/lower/naming"
	"github.com/tiler-go/tiler/repl/lower/source"
)

// switchStmt lowers an expression switch to one without a tag.
func (c *compiler) switchStmt(s *ast.SwitchStmt, label string) {
	c.Emit("{\n")
	defer c.Emit("}\n")
	if s.Init != nil {
		c.stmt(s.Init)
	}
	var tag ast.Expr
	if s.Tag != nil {
		c.Mark(s.Tag)
		t := types.Default(c.TypeOf(s.Tag))
		tag = c.Stand(s.Tag, c.Temp(c.Convert(s.Tag, t), t), t)
	}
	conds := make([]string, len(s.Body.List)) // "" is default
	for i, stmt := range s.Body.List {
		conds[i] = caseConds(c.Compiler, tag, stmt.(*ast.CaseClause).List)
	}
	if source.FallsFromDefault(s) {
		conds = numbered(c.Compiler, conds)
	}
	if label != "" {
		c.Emit("%s:\n", label)
	}
	c.Emit("switch {\n")
	defer c.push(jump{name: label})()
	for i, stmt := range s.Body.List {
		if conds[i] == "" {
			c.Emit("default:\n")
		} else {
			c.Emit("case %s:\n", conds[i])
		}
		c.stmts(stmt.(*ast.CaseClause).Body)
	}
	c.Emit("}\n")
}

// caseConds is the condition of a clause of a switch.
func caseConds(c *exprs.Compiler, tag ast.Expr, list []ast.Expr) string {
	var conds []string
	for _, e := range list {
		conds = append(conds, c.InPlace(types.Typ[types.Bool], func() string {
			switch {
			case tag != nil:
				return c.Equal(tag, e)
			case types.IsInterface(c.TypeOf(e)):
				return fmt.Sprintf("%s.Equal(%s, true)", naming.Host, c.Convert(e, naming.Any))
			}
			return c.Expr(e)
		}))
	}
	return strings.Join(conds, " || ")
}

// numbered decides first which clause it is, and gives conditions that ask for that.
func numbered(c *exprs.Compiler, conds []string) []string {
	which := c.Fresh("t")
	c.Emit("%s := %d\nswitch {\n", which, slices.Index(conds, ""))
	numbers := make([]string, len(conds))
	for i, cond := range conds {
		numbers[i] = fmt.Sprintf("%s == %d", which, i)
		if cond != "" {
			c.Emit("case %s:\n%s = %d\n", cond, which, i)
		}
	}
	c.Emit("}\n")
	return numbers
}

// typeSwitch asks the host which case it is.
func (c *compiler) typeSwitch(s *ast.TypeSwitchStmt, label string) {
	c.Emit("{\n")
	defer c.Emit("}\n")
	if s.Init != nil {
		c.stmt(s.Init)
	}
	var assert *ast.TypeAssertExpr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		assert = ast.Unparen(a.X).(*ast.TypeAssertExpr)
	case *ast.AssignStmt:
		assert = ast.Unparen(a.Rhs[0]).(*ast.TypeAssertExpr)
	}
	c.Mark(assert.X)
	from := c.TypeOf(assert.X)
	x := c.Temp(c.Convert(assert.X, naming.Any), naming.Any)
	var ids []string
	var cases []int // how many cases each clause has
	for _, stmt := range s.Body.List {
		list := stmt.(*ast.CaseClause).List
		cases = append(cases, len(list))
		for _, e := range list {
			ids = append(ids, caseID(c.Compiler, e))
		}
	}
	which := c.Fresh("t")
	c.Emit("%s := %s.Case(%s)\n", which, naming.Host, strings.Join(append([]string{x}, ids...), ", "))
	if label != "" {
		c.Emit("%s:\n", label)
	}
	c.Emit("switch {\n")
	defer c.push(jump{name: label})()
	next := 0
	for i, stmt := range s.Body.List {
		clause := stmt.(*ast.CaseClause)
		var conds []string
		for range cases[i] {
			conds = append(conds, fmt.Sprintf("%s == %d", which, next))
			next++
		}
		if clause.List == nil {
			c.Emit("default:\n")
		} else {
			c.Emit("case %s:\n", strings.Join(conds, " || "))
		}
		if v, ok := c.Info.Implicits[clause].(*types.Var); ok {
			caseVar(c.Compiler, v, x, clause, from)
		}
		c.stmts(clause.Body)
	}
	c.Emit("}\n")
}

// caseID is the number of a case's type, -1 for nil.
func caseID(c *exprs.Compiler, e ast.Expr) string {
	if source.IsNil(c.Info, e) {
		return "-1"
	}
	return fmt.Sprint(c.ID(c.TypeOf(e)))
}

// caseVar declares the variable of a clause of a type switch.
func caseVar(c *exprs.Compiler, v *types.Var, x string, clause *ast.CaseClause, from types.Type) {
	name := c.Fresh(v.Name())
	c.Local[v] = name
	t := c.Subst(v.Type())
	switch {
	case len(clause.List) == 1 && !source.IsNil(c.Info, clause.List[0]):
		c.Emit("var %s %s = %s\n", name, c.Spell(t), c.Asserted(x, from, t))
	default:
		c.Emit("var %s %s = %s\n", name, c.Spell(from), c.ConvertText(x, naming.Any, from, true))
	}
	c.Emit("_ = %s\n", name)
}

// selectStmt lets the host choose.
func (c *compiler) selectStmt(s *ast.SelectStmt, label string) {
	c.Emit("{\n")
	defer c.Emit("}\n")
	c.Mark(s)
	sel := c.Fresh("ſselect")
	c.Emit("%s := %s.NewSelect()\n", sel, naming.Host)
	wait := true
	for _, stmt := range s.Body.List {
		switch comm := stmt.(*ast.CommClause).Comm.(type) {
		case nil:
			wait = false
		case *ast.SendStmt:
			elem := c.TypeOf(comm.Chan).Underlying().(*types.Chan).Elem()
			c.Emit("%s.Send(%s, %s)\n", sel, c.Expr(comm.Chan), c.Convert(comm.Value, elem))
		default:
			c.Emit("%s.Recv(%s)\n", sel, c.Expr(source.Received(comm).X))
		}
	}
	which := c.Fresh("t")
	c.Emit("%s := %s.Choose(%v)\n", which, sel, wait)
	if label != "" {
		c.Emit("%s:\n", label)
	}
	c.Emit("switch {\n")
	defer c.push(jump{name: label})()
	next := 0
	for _, stmt := range s.Body.List {
		clause := stmt.(*ast.CommClause)
		if clause.Comm == nil {
			c.Emit("default:\n")
			c.stmts(clause.Body)
			continue
		}
		c.Emit("case %s == %d:\n", which, next)
		next++
		if a, ok := clause.Comm.(*ast.AssignStmt); ok {
			c.assignReceived(a, sel)
		}
		c.stmts(clause.Body)
	}
	c.Emit("}\n")
}

// assignReceived assigns what the chosen case of a select received.
func (c *compiler) assignReceived(a *ast.AssignStmt, sel string) {
	elem := c.TypeOf(source.Received(a).X).Underlying().(*types.Chan).Elem()
	value, ok := c.Fresh("t"), c.Fresh("ok")
	c.Emit("var %s %s\n%s := %s.Received(&%s)\n_ = %s\n", value, c.Spell(elem), ok, sel, value, ok)
	stand := *a
	stand.Rhs = []ast.Expr{c.Stand(a.Rhs[0], value, elem)}
	if len(a.Lhs) == 2 {
		stand.Rhs = append(stand.Rhs, c.Stand(a.Rhs[0], ok, types.Typ[types.Bool]))
	}
	c.assign(&stand)
}
