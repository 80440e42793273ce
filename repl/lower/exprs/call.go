package exprs

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/source"
)

// Call lowers a call, conversion or use of a builtin.
func (c *Compiler) Call(e *ast.CallExpr) string {
	tv := c.Info.Types[e.Fun]
	switch {
	case c.Info.Types[e].Value != nil:
		return c.Expr(e)
	case tv.IsType():
		return conversionCall(c, e, c.Subst(tv.Type))
	}
	if len(e.Args) == 1 {
		if tuple, ok := c.TypeOf(e.Args[0]).(*types.Tuple); ok {
			return c.spread(e, tuple)
		}
	}
	if tv.IsBuiltin() {
		return builtin(c, e)
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
	return c.Operand(e.Fun) + "(" + strings.Join(c.variadicArgs(e, sig), ", ") + ")"
}

// callNamed calls a declared function or method.
func (c *Compiler) callNamed(e *ast.CallExpr, fun ast.Expr, id *ast.Ident, f *types.Func, sig *types.Signature) string {
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
		return callImported(c, e, f, sig)
	}
	if inst, ok := c.Info.Instances[id]; ok {
		return c.CallFunc(f.Origin(), c.InstanceOf(f, inst), c.args(e, sig))
	}
	return c.CallFunc(f, c.NameOf(f, nil), c.args(e, sig))
}

// args is the arguments of a call of a lowered function, one for each parameter: a
// variadic parameter is a slice.
func (c *Compiler) args(e *ast.CallExpr, sig *types.Signature) []string {
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
		rest = append(rest, c.Convert(a, slice.Underlying().(*types.Slice).Elem()))
	}
	return append(list, c.Spell(slice)+"{"+strings.Join(rest, ", ")+"}")
}

func (c *Compiler) listArgs(es []ast.Expr, sig *types.Signature, n int) []string {
	var list []string
	for i, a := range es[:n] {
		list = append(list, c.Convert(a, sig.Params().At(i).Type()))
	}
	return list
}

// variadicArgs is the arguments of a call of a function value or an imported
// function.
func (c *Compiler) variadicArgs(e *ast.CallExpr, sig *types.Signature) []string {
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
		list = append(list, c.Convert(a, elem))
	}
	return list
}

// spread lowers f(g()) where g has several results: they are assigned first, in a
// function literal if f has a result that could be part of something larger.
func (c *Compiler) spread(e *ast.CallExpr, tuple *types.Tuple) string {
	call := *e
	call.Args = nil
	do := func() string {
		for i, name := range c.Tuple(e.Args[0], tuple) {
			call.Args = append(call.Args, c.Stand(e.Args[0], name, tuple.At(i).Type()))
		}
		c.Info.Types[&call] = c.Info.Types[e]
		return c.Call(&call)
	}
	t := c.TypeOf(e)
	if _, several := t.(*types.Tuple); several {
		return do()
	}
	return c.InPlace(t, do)
}

// callMethod calls a method.
func (c *Compiler) callMethod(e *ast.CallExpr, sel *ast.SelectorExpr, s *types.Selection, f *types.Func, sig *types.Signature) string {
	t := c.TypeOf(sel.X) // or what stands for it
	if _, isParam := types.Unalias(s.Recv()).(*types.TypeParam); isParam {
		return c.callOnParam(e, sel, t, f, sig)
	}
	return c.callOn(e, sel.X, t, s.Index(), f, sig)
}

// callOn calls method f, found along index in t, on x.
func (c *Compiler) callOn(e *ast.CallExpr, x ast.Expr, t types.Type, index []int, f *types.Func, sig *types.Signature) string {
	recvType := c.Subst(f.Signature().Recv().Type())
	if holder := c.Holder(t, index); types.IsInterface(holder) && !source.BinaryInterface(holder) {
		list := c.args(e, sig)
		recv := c.Path(c.Operand(x), t, index[:len(index)-1], "")
		return c.Dispatch(f) + "(" + strings.Join(append([]string{recv}, list...), ", ") + ")"
	}
	if !source.Session(f) {
		if special := hooked(c, e, x, f, sig); special != "" {
			return special
		}
		recv := c.Operand(x)
		if _, ok := recvType.(*types.Pointer); ok {
			recv = c.placeOperand(x)
		}
		recv = c.Path(recv, t, index[:len(index)-1], "")
		return strings.TrimSuffix(recv, ".") + "." + f.Name() + "(" + strings.Join(importedArgs(c, e, f, sig), ", ") + ")"
	}
	recv, recvType := c.receiverOf(x, t, index, f)
	return c.CallFunc(f.Origin(), c.NameOf(f, recvType), append([]string{recv}, c.args(e, sig)...))
}

// receiverOf is the receiver of a method of the session, as the method takes it.
func (c *Compiler) receiverOf(x ast.Expr, t types.Type, index []int, f *types.Func) (string, types.Type) {
	recvType := c.Subst(f.Signature().Recv().Type())
	_, wantPointer := types.Unalias(recvType).(*types.Pointer)
	_, havePointer := types.Unalias(c.Holder(t, index)).(*types.Pointer)
	base := c.Operand
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
func (c *Compiler) callOnParam(e *ast.CallExpr, sel *ast.SelectorExpr, t types.Type, f *types.Func, sig *types.Signature) string {
	o, index, _ := types.LookupFieldOrMethod(t, true, f.Pkg(), f.Name())
	m, ok := o.(*types.Func)
	if !ok {
		source.Refuse("%s has no method %s", t, f.Name())
	}
	return c.callOn(e, sel.X, t, index, m, sig)
}
