package exprs

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/naming"
	"github.com/tiler-go/tiler/repl/lower/source"
	"github.com/tiler-go/tiler/repl/symbols"
)

// callImported calls a function of an imported package.
func callImported(c *Compiler, e *ast.CallExpr, f *types.Func, sig *types.Signature) string {
	if special := hooked(c, e, nil, f, sig); special != "" {
		return special
	}
	if f.Signature().TypeParams().Len() > 0 {
		return callGeneric(c, e, f, sig)
	}
	return c.Pkg(f.Pkg()) + "." + f.Name() + "(" + strings.Join(importedArgs(c, e, f, sig), ", ") + ")"
}

// importedArgs is the arguments of a call of compiled Go. Where it looks at values
// by reflection, it gets them without boxes.
func importedArgs(c *Compiler, e *ast.CallExpr, f *types.Func, sig *types.Signature) []string {
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
func callGeneric(c *Compiler, e *ast.CallExpr, f *types.Func, sig *types.Signature) string {
	path := strings.TrimSuffix(f.Pkg().Path(), "/generic")
	if _, ok := symbols.StandIn(path, f.Name()); !ok {
		source.Refuse("the generic function %s.%s cannot be used here", f.Pkg().Name(), f.Name())
	}
	generic := f.Signature()
	list := c.variadicArgs(e, sig)
	for i, a := range e.Args {
		if i < len(list) && source.GenericResult(source.ParamAt(generic, i)) && !types.IsInterface(c.TypeOf(a)) && !Simple(list[i]) && !e.Ellipsis.IsValid() {
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

// hooked is a call of an imported function that the host makes in its own way, "" if
// it is not one. The host's function takes the receiver, if any, as its first
// argument. One that takes a function is told what lowered code calls it.
func hooked(c *Compiler, e *ast.CallExpr, x ast.Expr, f *types.Func, sig *types.Signature) string {
	if f.Pkg() == nil {
		return ""
	}
	host := c.Table.Hooks[f.FullName()]
	if host == "" {
		return ""
	}
	list := importedArgs(c, e, f, sig)
	if x != nil {
		list = append([]string{c.Operand(x)}, list...)
	} else {
		name := ""
		if id := source.IdentOf(e.Args[0]); id != nil {
			if fn, ok := c.Info.Uses[id].(*types.Func); ok {
				name = c.Name(fn)
			}
		}
		list = append([]string{fmt.Sprintf("%q", name)}, list...)
	}
	return naming.Host + "." + host + "(" + strings.Join(list, ", ") + ")"
}
