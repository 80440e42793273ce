package frontend

import (
	"go/ast"
	"go/token"

	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A call is one of a function or method of the language, with its arguments.
type call struct {
	*value.Run
	inline func(fn *value.Closure, args []value.Value) []value.Value // what a function of the kernel's file returns
	name   string                                                    // as messages spell it: tl.Load, Tile.Add
	p      token.Pos
	recv   value.Value // of a method
	args   []value.Value
	exprs  []ast.Expr // of args; one fewer, or a spread list, at the end
}

// lowerFunc lowers a call of one function. It returns as many values as the call has
// results.
type lowerFunc func(c *call) []value.Value

// one is a function with one result; none, with no result.
func one(f func(c *call) value.Value) lowerFunc {
	return func(c *call) []value.Value { return []value.Value{f(c)} }
}

func none(f func(c *call)) lowerFunc { return func(c *call) []value.Value { f(c); return nil } }

// fail reports what is wrong with a call, as its name: message.
func (c *call) fail(format string, args ...any) *diag.Diagnostic {
	return c.Error(c.p, c.name+": "+format, args...)
}

// holds reports what a rule of package op finds wrong with a call, if anything.
func (c *call) holds(d *diag.Diagnostic) bool {
	if d == nil {
		return true
	}
	c.broken(d)
	return false
}

func (c *call) broken(d *diag.Diagnostic) *diag.Diagnostic {
	d.Pos, d.Msg = c.File.Position(c.p), c.name+": "+d.Msg
	c.Diags = append(c.Diags, d)
	return d
}

// argPos is where an argument is.
func (c *call) argPos(i int) token.Pos {
	if i < len(c.exprs) {
		return c.exprs[i].Pos()
	}
	return c.p
}

// lower is the results of the call, as far as it has any: key is its row in the table.
func (c *call) lower(key string) []value.Value {
	if !c.checkLane(key) {
		return nil
	}
	c.At(c.p)
	return table[key](c)
}
