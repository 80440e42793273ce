package exprs

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/naming"
	"github.com/tiler-go/tiler/repl/lower/source"
)

// The interpreter says of an index only that it is out of range. Where a program could
// find out, because it recovers, or where the user reads it, in the statements of a
// cell, the host looks at indices first and says what Go says.

// telling reports whether indices are looked at where the code is being lowered.
func (b *Body) telling() bool { return b.Recovers || b.Frame != nil && b.Frame.Cell }

// bounded is the index of an index expression; x is its operand.
func (c *Compiler) bounded(e *ast.IndexExpr, x string) string {
	index := c.Expr(e.Index)
	if !c.telling() || c.Info.Types[e.Index].Value != nil && !source.NeedsLen(c.TypeOf(e.X)) {
		return index
	}
	n := c.length(e.X, x)
	if n == "" {
		return index
	}
	return fmt.Sprintf("%s.Index(int64(%s), %s)", naming.Host, index, n)
}

func (c *Compiler) slice(e *ast.SliceExpr) string {
	x := c.Operand(e.X)
	_, array := c.TypeOf(e.X).Underlying().(*types.Array)
	if array {
		x = c.Place(e.X)
	}
	var bounds []string
	pure := true
	for _, b := range []ast.Expr{e.Low, e.High, e.Max} {
		if b == nil {
			bounds = append(bounds, "")
			continue
		}
		bounds = append(bounds, c.Expr(b))
		pure = pure && !source.Contains(b, c.Evaluates)
	}
	if n := c.length(e.X, x); c.telling() && pure && n != "" {
		bounds[0] = c.sliceLow(e, x, n, bounds)
	}
	text := x + "[" + bounds[0] + ":" + bounds[1]
	if e.Slice3 {
		text += ":" + bounds[2]
	}
	return text + "]"
}

// length is the length of an operand, "" if that is not to be evaluated twice.
func (b *Body) length(e ast.Expr, x string) string {
	t := b.TypeOf(e).Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	if a, ok := t.(*types.Array); ok {
		return fmt.Sprint(a.Len())
	}
	if v := b.Info.Types[e].Value; v != nil {
		return fmt.Sprint(len(constant.StringVal(v)))
	}
	if source.Contains(e, b.Evaluates) {
		return ""
	}
	return "len(" + x + ")"
}

// sliceLow is the low bound, after the host has looked at all of them.
func (b *Body) sliceLow(e *ast.SliceExpr, x, n string, bounds []string) string {
	args := make([]string, 3)
	for i, bound := range bounds {
		if args[i] = "int64(" + bound + ")"; bound == "" {
			args[i] = []string{"0", "-2", "-2"}[i]
		}
	}
	most, slice := n, false
	if _, slice = b.TypeOf(e.X).Underlying().(*types.Slice); slice {
		most = "cap(" + x + ")"
	}
	given := 0
	for i, bound := range []ast.Expr{e.Low, e.High, e.Max} {
		if bound != nil {
			given |= 1 << i
		}
	}
	return fmt.Sprintf("%s.Slice(%s, %s, %s, %v, %d)", naming.Host, strings.Join(args, ", "), n, most, slice, given)
}
