package exprs

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/naming"
	"github.com/tiler-go/tiler/repl/lower/source"
)

// methodValue is x.M as a function, with x as it is now.
func (c *Compiler) methodValue(e *ast.SelectorExpr, s *types.Selection) string {
	f := s.Obj().(*types.Func)
	if !source.Session(f) && !types.IsInterface(s.Recv()) {
		recv := c.Operand(e.X)
		return strings.TrimSuffix(c.Path(recv, c.Subst(s.Recv()), s.Index()[:len(s.Index())-1], ""), ".") + "." + f.Name()
	}
	sig := c.TypeOf(e).(*types.Signature)
	recvName := c.Fresh("m")
	_, wantPointer := types.Unalias(f.Signature().Recv().Type()).(*types.Pointer)
	t := c.TypeOf(e.X)
	recv, arg := c.Expr(e.X), "("+recvName+")"
	if _, pointer := t.Underlying().(*types.Pointer); wantPointer && !pointer && !types.IsInterface(t) {
		recv = "&" + c.Place(e.X)
		t, arg = types.NewPointer(t), "(*"+recvName+")"
	}
	if types.IsInterface(t) {
		recv = fmt.Sprintf("%s.NonNil(%s)", naming.Host, recv)
		if source.BinaryInterface(t) {
			recv = c.Asserted(recv, naming.Any, t)
		}
	}
	stand := c.TypeOf(e.X)
	if p, pointer := t.Underlying().(*types.Pointer); pointer && !wantPointer && len(s.Index()) == 1 {
		recv, t, stand = "*("+recv+")", p.Elem(), p.Elem() // the value is copied now
	}
	m := *e
	m.X = c.Stand(e.X, arg, stand)
	c.Info.Selections[&m] = s
	c.Info.Uses[m.Sel] = f
	body := c.wrapMethod(&m, sig, c.Subst(stand), s.Index(), f)
	return fmt.Sprintf("func(%s %s) func%s {\nreturn %s\n}(%s)", recvName, c.Spell(t), c.SpellSignature(sig), body, recv)
}

// methodExpr is T.M as a function.
func (c *Compiler) methodExpr(e *ast.SelectorExpr, s *types.Selection) string {
	sig := c.TypeOf(e).(*types.Signature)
	var vars []*types.Var
	for i := 1; i < sig.Params().Len(); i++ {
		vars = append(vars, sig.Params().At(i))
	}
	rest := types.NewSignatureType(nil, nil, nil, types.NewTuple(vars...), sig.Results(), sig.Variadic())
	name := c.Fresh("m")
	m := *e
	m.X = c.Stand(e.X, name, sig.Params().At(0).Type())
	f := s.Obj().(*types.Func)
	text := c.wrapMethod(&m, rest, c.Subst(s.Recv()), s.Index(), f)
	params := strings.TrimPrefix(text, "func(")
	sep := ", "
	if strings.HasPrefix(params, ")") {
		sep = ""
	}
	return fmt.Sprintf("(func(%s %s%s%s)", name, c.Spell(sig.Params().At(0).Type()), sep, params)
}

// wrapMethod is a function literal that calls fun, a method of a value.
func (c *Compiler) wrapMethod(fun *ast.SelectorExpr, sig *types.Signature, t types.Type, index []int, f *types.Func) string {
	call := &ast.CallExpr{Fun: fun}
	var params []string
	for i := range sig.Params().Len() {
		name, text := c.Fresh("a"), c.SpellParam(sig, i)
		if strings.HasPrefix(text, "...") {
			call.Ellipsis = fun.Pos()
		}
		params = append(params, name+" "+text)
		call.Args = append(call.Args, c.Stand(fun.X, name, sig.Params().At(i).Type()))
	}
	ret := ""
	if sig.Results().Len() > 0 {
		ret = "return "
	}
	body := c.callOn(call, fun.X, t, index, f, sig)
	return fmt.Sprintf("func(%s) %s {\n%s%s\n}", strings.Join(params, ", "), c.SpellResults(sig), ret, body)
}
