package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/naming"
	"github.com/tiler-go/tiler/repl/lower/source"
	"github.com/tiler-go/tiler/repl/symbols"
)

// call lowers a call, conversion or use of a builtin.
func (c *compiler) call(e *ast.CallExpr) string {
	tv := c.Info.Types[e.Fun]
	switch {
	case c.Info.Types[e].Value != nil:
		return c.expr(e)
	case tv.IsType():
		return c.conversionCall(e, c.Subst(tv.Type))
	}
	if len(e.Args) == 1 {
		if tuple, ok := c.TypeOf(e.Args[0]).(*types.Tuple); ok {
			return c.spread(e, tuple)
		}
	}
	if tv.IsBuiltin() {
		return c.builtin(e)
	}
	sig, ok := c.TypeOf(e.Fun).Underlying().(*types.Signature)
	if !ok {
		source.Refuse("a call of %s cannot be made here", c.TypeOf(e.Fun))
	}
	fun := ast.Unparen(e.Fun)
	if id := source.IdentOf(source.Unindexed(fun)); id != nil {
		if f, ok := c.Info.Uses[id].(*types.Func); ok {
			return c.callNamed(e, fun, id, f, sig)
		}
	}
	return c.operand(e.Fun) + "(" + strings.Join(c.variadicArgs(e, sig), ", ") + ")"
}

// callNamed calls a declared function or method.
func (c *compiler) callNamed(e *ast.CallExpr, fun ast.Expr, id *ast.Ident, f *types.Func, sig *types.Signature) string {
	sel, _ := source.Unindexed(fun).(*ast.SelectorExpr)
	var s *types.Selection
	if sel != nil {
		s = c.Info.Selections[sel]
	}
	switch {
	case s != nil && s.Kind() == types.MethodExpr:
		return c.methodExpr(sel, s) + "(" + strings.Join(c.variadicArgs(e, sig), ", ") + ")"
	case s != nil:
		return c.callMethod(e, sel, s, f, sig)
	case !source.Session(f):
		return c.callImported(e, f, sig)
	}
	if inst, ok := c.Info.Instances[id]; ok {
		return c.callFunc(f.Origin(), c.InstanceOf(f, inst), c.args(e, sig))
	}
	return c.callFunc(f, c.NameOf(f, nil), c.args(e, sig))
}

// callFunc calls a lowered function: the line comes first, then in a recursive
// function the depth.
func (c *compiler) callFunc(f *types.Func, name string, args []string) string {
	hidden := []string{c.fn.line}
	if c.Deep(f) {
		depth := "0"
		if c.fn.depth != "" {
			depth = c.fn.depth + "+1"
		}
		hidden = append(hidden, depth)
	}
	return name + "(" + strings.Join(append(hidden, args...), ", ") + ")"
}

// args is the arguments of a call of a lowered function, one for each parameter: a
// variadic parameter is a slice.
func (c *compiler) args(e *ast.CallExpr, sig *types.Signature) []string {
	n := sig.Params().Len()
	if !sig.Variadic() || e.Ellipsis.IsValid() {
		return c.listArgs(e.Args, sig, n)
	}
	list := c.listArgs(e.Args[:n-1], sig, n-1)
	slice := sig.Params().At(n - 1).Type()
	if len(e.Args) == n-1 {
		return append(list, "nil")
	}
	var rest []string
	for _, a := range e.Args[n-1:] {
		rest = append(rest, c.convert(a, slice.Underlying().(*types.Slice).Elem()))
	}
	return append(list, c.Spell(slice)+"{"+strings.Join(rest, ", ")+"}")
}

func (c *compiler) listArgs(es []ast.Expr, sig *types.Signature, n int) []string {
	var list []string
	for i, a := range es[:n] {
		list = append(list, c.convert(a, sig.Params().At(i).Type()))
	}
	return list
}

// variadicArgs is the arguments of a call of a function value or an imported
// function.
func (c *compiler) variadicArgs(e *ast.CallExpr, sig *types.Signature) []string {
	n := sig.Params().Len()
	if !sig.Variadic() {
		return c.listArgs(e.Args, sig, n)
	}
	if e.Ellipsis.IsValid() {
		list := c.listArgs(e.Args, sig, n)
		list[n-1] += "..."
		return list
	}
	list := c.listArgs(e.Args[:n-1], sig, n-1)
	elem := sig.Params().At(n - 1).Type().Underlying().(*types.Slice).Elem()
	for _, a := range e.Args[n-1:] {
		list = append(list, c.convert(a, elem))
	}
	return list
}

// spread lowers f(g()) where g has several results: they are assigned first, in a
// function literal if f has a result that could be part of something larger.
func (c *compiler) spread(e *ast.CallExpr, tuple *types.Tuple) string {
	call := *e
	call.Args = nil
	do := func() string {
		for i, name := range c.tuple(e.Args[0], tuple) {
			call.Args = append(call.Args, c.stand(e.Args[0], name, tuple.At(i).Type()))
		}
		c.Info.Types[&call] = c.Info.Types[e]
		return c.call(&call)
	}
	t := c.TypeOf(e)
	if _, several := t.(*types.Tuple); several {
		return do()
	}
	return c.inPlace(t, do)
}

// inPlace is an expression that needs statements of its own, as the call of a function
// literal if there are any.
func (c *compiler) inPlace(t types.Type, expr func() string) string {
	out := c.out
	c.out = &strings.Builder{}
	value := expr()
	before := c.out.String()
	c.out = out
	if before == "" {
		return value
	}
	return fmt.Sprintf("func() %s {\n%sreturn %s\n}()", c.Spell(types.Default(t)), before, value)
}

// callMethod calls a method.
func (c *compiler) callMethod(e *ast.CallExpr, sel *ast.SelectorExpr, s *types.Selection, f *types.Func, sig *types.Signature) string {
	t := c.TypeOf(sel.X) // or what stands for it
	if _, isParam := types.Unalias(s.Recv()).(*types.TypeParam); isParam {
		return c.callOnParam(e, sel, t, f, sig)
	}
	return c.callOn(e, sel.X, t, s.Index(), f, sig)
}

// callOn calls method f, found along index in t, on x.
func (c *compiler) callOn(e *ast.CallExpr, x ast.Expr, t types.Type, index []int, f *types.Func, sig *types.Signature) string {
	recvType := c.Subst(f.Signature().Recv().Type())
	if holder := c.Holder(t, index); types.IsInterface(holder) && !source.BinaryInterface(holder) {
		list := c.args(e, sig)
		recv := c.Path(c.operand(x), t, index[:len(index)-1], "")
		return c.Dispatch(f) + "(" + strings.Join(append([]string{recv}, list...), ", ") + ")"
	}
	if !source.Session(f) {
		if special := c.hooked(e, x, f, sig); special != "" {
			return special
		}
		recv := c.operand(x)
		if _, ok := recvType.(*types.Pointer); ok {
			recv = c.placeOperand(x)
		}
		recv = c.Path(recv, t, index[:len(index)-1], "")
		return strings.TrimSuffix(recv, ".") + "." + f.Name() + "(" + strings.Join(c.importedArgs(e, f, sig), ", ") + ")"
	}
	recv, recvType := c.receiverOf(x, t, index, f)
	return c.callFunc(f.Origin(), c.NameOf(f, recvType), append([]string{recv}, c.args(e, sig)...))
}

// receiverOf is the receiver of a method of the session, as the method takes it.
func (c *compiler) receiverOf(x ast.Expr, t types.Type, index []int, f *types.Func) (string, types.Type) {
	recvType := c.Subst(f.Signature().Recv().Type())
	_, wantPointer := types.Unalias(recvType).(*types.Pointer)
	_, havePointer := types.Unalias(c.Holder(t, index)).(*types.Pointer)
	base := c.operand
	if wantPointer && !havePointer {
		base = c.placeOperand
	}
	recv := c.Path(base(x), c.TypeOf(x), index[:len(index)-1], "")
	switch {
	case wantPointer && !havePointer:
		recv = "&" + recv
	case havePointer && !wantPointer:
		recv = "(*" + recv + ")"
	}
	return recv, recvType
}

// callOnParam calls a method of a value whose type is a type parameter.
func (c *compiler) callOnParam(e *ast.CallExpr, sel *ast.SelectorExpr, t types.Type, f *types.Func, sig *types.Signature) string {
	o, index, _ := types.LookupFieldOrMethod(t, true, f.Pkg(), f.Name())
	m, ok := o.(*types.Func)
	if !ok {
		source.Refuse("%s has no method %s", t, f.Name())
	}
	return c.callOn(e, sel.X, t, index, m, sig)
}

// methodValue is x.M as a function, with x as it is now.
func (c *compiler) methodValue(e *ast.SelectorExpr, s *types.Selection) string {
	f := s.Obj().(*types.Func)
	if !source.Session(f) && !types.IsInterface(s.Recv()) {
		recv := c.operand(e.X)
		return strings.TrimSuffix(c.Path(recv, c.Subst(s.Recv()), s.Index()[:len(s.Index())-1], ""), ".") + "." + f.Name()
	}
	sig := c.TypeOf(e).(*types.Signature)
	recvName := c.Fresh("m")
	_, wantPointer := types.Unalias(f.Signature().Recv().Type()).(*types.Pointer)
	t := c.TypeOf(e.X)
	recv, arg := c.expr(e.X), "("+recvName+")"
	if _, pointer := t.Underlying().(*types.Pointer); wantPointer && !pointer && !types.IsInterface(t) {
		recv = "&" + c.place(e.X)
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
	m.X = c.stand(e.X, arg, stand)
	c.Info.Selections[&m] = s
	c.Info.Uses[m.Sel] = f
	body := c.wrapMethod(&m, sig, c.Subst(stand), s.Index(), f)
	return fmt.Sprintf("func(%s %s) func%s {\nreturn %s\n}(%s)", recvName, c.Spell(t), c.SpellSignature(sig), body, recv)
}

// methodExpr is T.M as a function.
func (c *compiler) methodExpr(e *ast.SelectorExpr, s *types.Selection) string {
	sig := c.TypeOf(e).(*types.Signature)
	var vars []*types.Var
	for i := 1; i < sig.Params().Len(); i++ {
		vars = append(vars, sig.Params().At(i))
	}
	rest := types.NewSignatureType(nil, nil, nil, types.NewTuple(vars...), sig.Results(), sig.Variadic())
	name := c.Fresh("m")
	m := *e
	m.X = c.stand(e.X, name, sig.Params().At(0).Type())
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
func (c *compiler) wrapMethod(fun *ast.SelectorExpr, sig *types.Signature, t types.Type, index []int, f *types.Func) string {
	call := &ast.CallExpr{Fun: fun}
	var params []string
	for i := range sig.Params().Len() {
		name, text := c.Fresh("a"), c.Spell(sig.Params().At(i).Type())
		if sig.Variadic() && i == sig.Params().Len()-1 {
			text = "..." + strings.TrimPrefix(text, "[]")
			call.Ellipsis = fun.Pos()
		}
		params = append(params, name+" "+text)
		call.Args = append(call.Args, c.stand(fun.X, name, sig.Params().At(i).Type()))
	}
	ret := ""
	if sig.Results().Len() > 0 {
		ret = "return "
	}
	body := c.callOn(call, fun.X, t, index, f, sig)
	return fmt.Sprintf("func(%s) %s {\n%s%s\n}", strings.Join(params, ", "), c.SpellResults(sig), ret, body)
}

// callImported calls a function of an imported package.
func (c *compiler) callImported(e *ast.CallExpr, f *types.Func, sig *types.Signature) string {
	if special := c.hooked(e, nil, f, sig); special != "" {
		return special
	}
	if f.Signature().TypeParams().Len() > 0 {
		return c.callGeneric(e, f, sig)
	}
	return c.Pkg(f.Pkg()) + "." + f.Name() + "(" + strings.Join(c.importedArgs(e, f, sig), ", ") + ")"
}

// importedArgs is the arguments of a call of compiled Go. Where it looks at values
// by reflection, it gets them without boxes.
func (c *compiler) importedArgs(e *ast.CallExpr, f *types.Func, sig *types.Signature) []string {
	list := c.variadicArgs(e, sig)
	if !source.Reflecting(f) {
		return list
	}
	for i, a := range e.Args {
		if t := c.TypeOf(a); i < len(list) && (source.Erased(t) || types.IsInterface(t)) && !e.Ellipsis.IsValid() {
			if p := source.ParamAt(sig, i); p != nil && types.IsInterface(p) && !source.BinaryInterface(p) {
				list[i] = fmt.Sprintf("%s.Raw(%s)", naming.Host, list[i])
			}
		}
	}
	return list
}

// callGeneric calls the stand-in of a generic function of compiled Go.
func (c *compiler) callGeneric(e *ast.CallExpr, f *types.Func, sig *types.Signature) string {
	path := strings.TrimSuffix(f.Pkg().Path(), "/generic")
	if _, ok := symbols.StandIn(path, f.Name()); !ok {
		source.Refuse("the generic function %s.%s cannot be used here", f.Pkg().Name(), f.Name())
	}
	generic := f.Signature()
	list := c.variadicArgs(e, sig)
	for i, a := range e.Args {
		if i < len(list) && source.GenericResult(source.ParamAt(generic, i)) && !types.IsInterface(c.TypeOf(a)) && !simple(list[i]) && !e.Ellipsis.IsValid() {
			list[i] = naming.Host + ".Any(" + list[i] + ")"
		}
	}
	results := sig.Results()
	if results.Len() > 0 && symbols.Like(path, f.Name()) {
		list = append([]string{c.Spell(results.At(0).Type()) + "(nil)"}, list...)
	}
	call := fmt.Sprintf("%s.%s_%s(%s)", naming.Host, f.Pkg().Name(), f.Name(), strings.Join(list, ", "))
	if results.Len() != 1 || !source.GenericResult(generic.Results().At(0).Type()) {
		return call
	}
	rep := c.Spell(results.At(0).Type())
	set := c.Helper("result "+rep, "as", func(name string) string {
		return fmt.Sprintf("func %s(x interface{}) %s {\nvar t %s\n%s.Set(&t, x)\nreturn t\n}\n", name, rep, rep, naming.Host)
	})
	return set + "(" + call + ")"
}
