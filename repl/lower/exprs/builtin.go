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

// freeSize is how many bytes make may allocate without being asked.
const freeSize = 1 << 20

// narrowInts are the host's conversions of floats to integers below 64 bits. Of floats
// that these do not hold the interpreter makes other numbers than compiled Go.
var narrowInts = map[types.BasicKind]string{
	types.Int8: "Int8", types.Int16: "Int16", types.Int32: "Int32", types.Uint8: "Uint8", types.Uint16: "Uint16", types.Uint32: "Uint32",
}

// conversionCall lowers T(x).
func conversionCall(c *Compiler, e *ast.CallExpr, to types.Type) string {
	arg := e.Args[0]
	if source.IsNil(c.Info, arg) {
		if types.IsInterface(to) {
			return "nil"
		}
		return "(" + c.Spell(to) + ")(nil)"
	}
	from := types.Default(c.TypeOf(arg))
	if types.IsInterface(to) {
		return c.Convert(arg, to)
	}
	text := c.Expr(arg)
	rep := c.Spell(to)
	if rep == c.Spell(from) {
		return text
	}
	b, isBasic := from.Underlying().(*types.Basic)
	t, toBasic := to.Underlying().(*types.Basic)
	if isBasic && toBasic && b.Info()&types.IsInteger != 0 && t.Info()&types.IsString != 0 {
		return naming.Converted(rep, "string", fmt.Sprintf("%s.IntString(int64(%s))", naming.Host, text))
	}
	if isBasic && toBasic && b.Info()&types.IsFloat != 0 && narrowInts[t.Kind()] != "" {
		text = fmt.Sprintf("%s.%s(float64(%s))", naming.Host, narrowInts[t.Kind()], text)
	}
	return "(" + rep + ")(" + text + ")"
}

// builtin lowers a use of a predeclared function.
func builtin(c *Compiler, e *ast.CallExpr) string {
	id := source.IdentOf(e.Fun)
	switch id.Name {
	case "len", "cap":
		x := c.Operand(e.Args[0])
		if p, ok := c.TypeOf(e.Args[0]).Underlying().(*types.Pointer); ok { // which may be nil
			return fmt.Sprintf("func(%s) int { return %d }(%s)", c.Spell(p), p.Elem().Underlying().(*types.Array).Len(), x)
		}
		return fmt.Sprintf("%s(%s)", id.Name, x)
	case "append":
		return appendCall(c, e)
	case "copy":
		return fmt.Sprintf("copy(%s, %s)", c.Expr(e.Args[0]), c.Expr(e.Args[1]))
	case "delete":
		m := c.TypeOf(e.Args[0]).Underlying().(*types.Map)
		return fmt.Sprintf("delete(%s, %s)", c.Expr(e.Args[0]), c.Convert(e.Args[1], m.Key()))
	case "close":
		return fmt.Sprintf("%s.Close(%s)", naming.Host, c.Expr(e.Args[0]))
	case "clear":
		return fmt.Sprintf("%s.Clear(%s)", naming.Host, c.Expr(e.Args[0]))
	case "make":
		return makeCall(c, e)
	case "new":
		return newCall(c, e)
	case "min", "max":
		return extremum(c, e, id.Name)
	case "panic":
		return fmt.Sprintf("%s.Panic(%s)", naming.Host, c.Convert(e.Args[0], naming.Any))
	case "recover":
		return fmt.Sprintf("%s.Recover(%s)", naming.Host, c.Frame.Line)
	case "print", "println":
		var args []string
		for _, a := range e.Args {
			args = append(args, c.Convert(a, naming.Any))
		}
		return fmt.Sprintf("%s.P%s(%s)", naming.Host, id.Name[1:], strings.Join(args, ", "))
	case "complex", "real", "imag":
		var args []string
		for _, a := range e.Args {
			args = append(args, c.Expr(a))
		}
		return fmt.Sprintf("%s(%s)", id.Name, strings.Join(args, ", "))
	}
	source.Refuse("the builtin %s cannot be used here", id.Name)
	return ""
}

func appendCall(c *Compiler, e *ast.CallExpr) string {
	t := c.TypeOf(e)
	slice := t.Underlying().(*types.Slice)
	first := c.Expr(e.Args[0])
	if source.IsNil(c.Info, e.Args[0]) {
		first = c.Spell(t) + "(nil)"
	}
	args := []string{first}
	for _, a := range e.Args[1:] {
		if e.Ellipsis.IsValid() {
			if source.IsNil(c.Info, a) {
				return first
			}
			args = append(args, c.Expr(a)+"...")
			continue
		}
		args = append(args, c.Convert(a, slice.Elem()))
	}
	return "append(" + strings.Join(args, ", ") + ")"
}

func makeCall(c *Compiler, e *ast.CallExpr) string {
	t := c.TypeOf(e)
	elem := int64(16)
	switch u := t.Underlying().(type) {
	case *types.Slice:
		elem = source.Sizes.Sizeof(u.Elem())
	case *types.Chan:
		elem = source.Sizes.Sizeof(u.Elem())
	case *types.Map:
		elem = source.Sizes.Sizeof(u.Key()) + source.Sizes.Sizeof(u.Elem())
	}
	args := []string{c.Spell(t)}
	for _, a := range e.Args[1:] {
		if v := c.Info.Types[a].Value; v != nil {
			if n, ok := constant.Int64Val(constant.ToInt(v)); ok && n*elem <= freeSize {
				args = append(args, fmt.Sprint(n))
				continue
			}
		}
		args = append(args, fmt.Sprintf("%s.Size(int64(%s), %d)", naming.Host, c.Expr(a), elem))
	}
	return "make(" + strings.Join(args, ", ") + ")"
}

func newCall(c *Compiler, e *ast.CallExpr) string {
	t := c.TypeOf(e).Underlying().(*types.Pointer).Elem()
	rep := c.Spell(t)
	if c.Info.Types[e.Args[0]].IsType() {
		return fmt.Sprintf("new(%s)", rep)
	}
	return fmt.Sprintf("func(p %s) *%s { return &p }(%s)", rep, rep, c.Convert(e.Args[0], t))
}

// extremum lowers min and max.
func extremum(c *Compiler, e *ast.CallExpr, name string) string {
	t := c.TypeOf(e)
	b := types.Default(t).Underlying().(*types.Basic)
	kind, wide := "String", "string"
	switch {
	case b.Info()&types.IsUnsigned != 0:
		kind, wide = "Uint", "uint64"
	case b.Info()&types.IsInteger != 0:
		kind, wide = "Int", "int64"
	case b.Info()&types.IsFloat != 0:
		kind, wide = "Float", "float64"
	}
	var args []string
	for _, a := range e.Args {
		args = append(args, naming.Converted(wide, "string", c.OperandAs(a, t)))
	}
	host := map[string]string{"min": "Min", "max": "Max"}[name] + kind
	return fmt.Sprintf("%s(%s.%s(%s))", c.Spell(t), naming.Host, host, strings.Join(args, ", "))
}
