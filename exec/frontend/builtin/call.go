package builtin

import (
	"go/ast"
	"go/token"

	"github.com/tiler-go/tiler/exec/frontend/value"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A Call is one of a function or method of the language, with its arguments.
type Call struct {
	*value.Run
	Inline func(fn *value.Closure, args []value.Value) []value.Value // what a function of the kernel's file returns
	Name   string                                                    // as messages spell it: tl.Load, Tile.Add
	Where  token.Pos
	Recv   value.Value // of a method
	Args   []value.Value
	Exprs  []ast.Expr // of args; one fewer, or a spread list, at the end
}

// lowerFunc lowers a call of one function. It returns as many values as the call has
// results.
type lowerFunc func(c *Call) []value.Value

// one is a function with one result; none, with no result. Inlined, each row would have code of its own.
//
//go:noinline
func one(f func(c *Call) value.Value) lowerFunc {
	return func(c *Call) []value.Value { return []value.Value{f(c)} }
}

//go:noinline
func none(f func(c *Call)) lowerFunc { return func(c *Call) []value.Value { f(c); return nil } }

// fail reports what is wrong with a call, as its name: message.
func (c *Call) fail(format string, args ...any) *diag.Diagnostic {
	return c.Error(c.Where, c.Name+": "+format, args...)
}

// holds reports what a rule of package op finds wrong with a call, if anything.
func (c *Call) holds(d *diag.Diagnostic) bool {
	if d == nil {
		return true
	}
	c.broken(d)
	return false
}

func (c *Call) broken(d *diag.Diagnostic) *diag.Diagnostic {
	d.Pos, d.Msg = c.File.Position(c.Where), c.Name+": "+d.Msg
	c.Diags = append(c.Diags, d)
	return d
}

// argPos is where an argument is.
func (c *Call) argPos(i int) token.Pos {
	if i < len(c.Exprs) {
		return c.Exprs[i].Pos()
	}
	return c.Where
}

// Lower is the results of the call, as far as it has any: key is its row in the table.
func (c *Call) Lower(key string) []value.Value {
	if !c.checkLane(key) {
		return nil
	}
	c.At(c.Where)
	return table[key](c)
}
