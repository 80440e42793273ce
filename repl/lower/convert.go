package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/source"
)

// convert is an expression as a value of type to, to which it can be assigned.
func (c *compiler) convert(e ast.Expr, to types.Type) string {
	to = c.Subst(to)
	tv := c.Info.Types[e]
	switch {
	case tv.IsNil():
		return "nil"
	case tv.Value != nil && !types.IsInterface(to):
		return c.constant(tv.Value, to)
	}
	text := c.expr(e)
	from := types.Default(c.TypeOf(e))
	_, isCall := ast.Unparen(e).(*ast.CallExpr)
	return c.convertText(text, from, to, isCall || simple(text) || tv.Value != nil)
}

// convertText is a value of one type as one of another. plain says that the text is
// a name, a literal or a call.
func (c *compiler) convertText(text string, from, to types.Type, plain bool) string {
	from, to = c.Subst(from), c.Subst(to)
	if !types.IsInterface(to) {
		return text
	}
	if types.IsInterface(from) {
		switch {
		case source.BinaryInterface(to) && !types.Identical(from, to):
			return c.asserted(text, from, to)
		case source.BinaryInterface(from) && !source.BinaryInterface(to):
			return Host + ".Any(" + text + ")"
		}
		return text
	}
	if source.BinaryInterface(to) {
		if !source.Erased(from) {
			return c.asserted(Host+".Any("+text+")", anyType, to)
		}
		return c.asserted(c.box(text, from), anyType, to)
	}
	switch {
	case source.Erased(from):
		return c.box(text, from)
	case plain && !source.IsFunc(from):
		return text
	}
	return Host + ".Any(" + text + ")" // the interpreter loses some expressions, and keeps functions to itself
}

// box keeps the type of a value that becomes an interface value.
func (c *compiler) box(text string, t types.Type) string {
	c.needMethods(t)
	return fmt.Sprintf("%s.Box(%d, %s)", Host, c.ID(t), text)
}

// needMethods instantiates the methods of a generic type whose values become
// interface values, and those of what it embeds.
func (c *compiler) needMethods(t types.Type) {
	n := source.NamedOf(t)
	if n != nil && !source.Session(n.Obj()) {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if st, ok := t.Underlying().(*types.Struct); ok {
		for f := range st.Fields() {
			if f.Embedded() {
				c.needMethods(c.Subst(f.Type()))
			}
		}
	}
	if n == nil || n.TypeArgs().Len() == 0 {
		return
	}
	key := fmt.Sprintf("methods %d", c.ID(n))
	if c.World.helpers[key] != "" {
		return
	}
	set(c.World, c.World.helpers, key, "done")
	for m := range n.Methods() {
		recv := m.Signature().Recv().Type()
		c.registerMethod(m, recv)
	}
}

// asserted is x.(t), or the conversion to an interface that x is known to be; from
// is the type of x, for messages.
func (c *compiler) asserted(x string, from, t types.Type) string {
	rep := c.rep(t)
	id, fromID := c.ID(t), c.ID(from)
	name := c.helper(fmt.Sprintf("assert %d %d", fromID, id), "as", func(name string) string {
		return fmt.Sprintf("func %s(x interface{}) %s {\nvar t %s\n%s.Assert(&t, x, %d, %d)\nreturn t\n}\n", name, rep, rep, Host, id, fromID)
	})
	return name + "(" + x + ")"
}

// assertOK is x.(T) with the second value.
func (c *compiler) assertOK(e *ast.TypeAssertExpr) string {
	t := c.TupleOf(e).At(0).Type()
	rep, id := c.rep(t), c.ID(t)
	name := c.helper(fmt.Sprintf("is %d", id), "is", func(name string) string {
		return fmt.Sprintf("func %s(x interface{}) (%s, bool) {\nvar t %s\nok := %s.Is(&t, x, %d)\nreturn t, ok\n}\n", name, rep, rep, Host, id)
	})
	return name + "(" + c.convert(e.X, anyType) + ")"
}

// helper is a function of lowered code, declared when it is first needed.
func (c *compiler) helper(key, base string, text func(name string) string) string {
	if name := c.World.helpers[key]; name != "" {
		return name
	}
	name := c.fresh(base)
	set(c.World, c.World.helpers, key, name)
	c.declare(text(name))
	return name
}

// recvHelper is a function that receives from a channel.
func (c *compiler) recvHelper(elem, ch types.Type, ok bool) string {
	rep, chRep := c.rep(elem), c.rep(ch.Underlying())
	return c.helper(fmt.Sprintf("recv %v %s", ok, chRep), "recv", func(name string) string {
		if ok {
			return fmt.Sprintf("func %s(c %s) (%s, bool) {\nvar t %s\nok := %s.Recv(&t, c)\nreturn t, ok\n}\n", name, chRep, rep, rep, Host)
		}
		return fmt.Sprintf("func %s(c %s) %s {\nvar t %s\n%s.Recv(&t, c)\nreturn t\n}\n", name, chRep, rep, rep, Host)
	})
}

func (c *compiler) recvOK(e *ast.UnaryExpr) string {
	t := c.TypeOf(e.X)
	return c.recvHelper(t.Underlying().(*types.Chan).Elem(), t, true) + "(" + c.expr(e.X) + ")"
}

func (c *compiler) receiver(elem, ch types.Type) string { return c.recvHelper(elem, ch, true) }

// dispatch is a function that calls a method of an interface value.
func (c *compiler) dispatch(m *types.Func) string {
	sig := c.Subst(m.Signature()).(*types.Signature)
	var params, args []string
	for i := range sig.Params().Len() {
		arg := fmt.Sprintf("a%d", i)
		params = append(params, arg+" "+c.rep(sig.Params().At(i).Type()))
		if sig.Variadic() && i == sig.Params().Len()-1 {
			arg += "..."
		}
		args = append(args, arg)
	}
	rep := c.repSignature(sig)
	return c.helper("dispatch "+m.Name()+rep, m.Name(), func(name string) string {
		ret := ""
		if sig.Results().Len() > 0 {
			ret = "return "
		}
		return fmt.Sprintf("func %s(%s) %s {\nvar f func%s\n%s.Find(&f, x, %q)\n%sf(%s)\n}\n",
			name, strings.Join(append([]string{"x interface{}"}, params...), ", "), c.resultTypes(sig), rep, Host, m.Name(), ret, strings.Join(args, ", "))
	})
}
