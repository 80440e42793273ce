package exprs

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/naming"
)

// CallsFirst evaluates those of some values that call something, and is the variables
// that hold them, "" for the others. Go leaves open whether i in x[i] = f() and x in
// a, b = x, f() are looked at before the call; compiled code does so behind it. Calls on
// both sides are made from left to right.
func (c *Compiler) CallsFirst(values []ast.Expr, ts []types.Type) []string {
	done := make([]string, len(values))
	for i, e := range values {
		if c.Calls(e) {
			c.First = true
			t := ts[i]
			if t == nil {
				t = types.Default(c.TypeOf(e))
			}
			done[i] = c.Temp(c.Convert(e, t), t)
		}
	}
	return done
}

// tupleExpr is an expression that gives several values.
func (c *Compiler) tupleExpr(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		m := c.TypeOf(e.X).Underlying().(*types.Map)
		return fmt.Sprintf("%s[%s]", c.Operand(e.X), c.Convert(e.Index, m.Key()))
	case *ast.TypeAssertExpr:
		return c.AssertOK(c.TupleOf(e).At(0).Type()) + "(" + c.Convert(e.X, naming.Any) + ")"
	case *ast.UnaryExpr:
		t := c.TypeOf(e.X)
		return c.Receiver(t.Underlying().(*types.Chan).Elem(), t, true) + "(" + c.Expr(e.X) + ")"
	}
	return c.Expr(e)
}

// Values is expressions as values of types ts; a single call may give several.
func (c *Compiler) Values(es []ast.Expr, ts []types.Type) []string {
	if len(es) == 1 && len(ts) > 1 {
		tuple := c.TupleOf(es[0])
		names := c.Tuple(es[0], tuple)
		for i := range names {
			names[i] = c.ConvertText(names[i], tuple.At(i).Type(), ts[i], true)
		}
		return names
	}
	vs := make([]string, len(es))
	if len(es) > 1 {
		vs = c.CallsFirst(es, ts)
	}
	c.First = len(es) == 1
	for i, e := range es {
		if vs[i] == "" {
			vs[i] = c.Convert(e, ts[i])
		}
	}
	return vs
}

// Tuple assigns the results of a call to variables.
func (c *Compiler) Tuple(e ast.Expr, t *types.Tuple) []string {
	var names []string
	for v := range t.Variables() {
		name := c.Fresh("t")
		names = append(names, name)
		c.Emit("var %s %s\n", name, c.Spell(v.Type()))
	}
	c.First = true
	c.Emit("%s = %s\n", strings.Join(names, ", "), c.tupleExpr(e))
	return names
}
