package naming

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/source"
)

// generic is a generic function with what is needed to instantiate it later.
type generic struct {
	decl *ast.FuncDecl
	code source.Checked
}

// An Instance is a generic function that must be lowered with type arguments.
type Instance struct {
	Decl *ast.FuncDecl
	Func *types.Func
	Name string
	Code source.Checked
}

// NameFunc gives a function its name before any body is lowered. It may be method m of a
// type of an earlier cell.
func (f *File) NameFunc(d *ast.FuncDecl, m *types.Func, recursive bool) {
	o, ok := f.Info.Defs[d.Name].(*types.Func)
	if !ok {
		return // init
	}
	f.recursive[o] = recursive
	if source.Generic(o) {
		f.generics[o] = generic{d, f.Checked}
		return
	}
	set(f.Table, f.names, types.Object(o), f.Fresh(d.Name.Name))
	if m != nil {
		f.Alias(m, o)
		f.recursive[m] = recursive
	}
}

// KeepVar gives a variable that outlives the unit its name.
func (f *File) KeepVar(v *types.Var) {
	set(f.Table, f.names, types.Object(v), f.Fresh(v.Name()))
	f.Declare("var " + f.names[v] + " " + f.Spell(v.Type()) + "\n")
}

// NextInstance is a generic function that has been used and not been lowered.
func (f *File) NextInstance() (i Instance, ok bool) {
	if len(f.queue) == 0 {
		return i, false
	}
	i, f.queue = f.queue[0], f.queue[1:]
	return i, true
}

// NameOf is what lowered code calls a function; recv is the receiver's type in a
// call of a method, which tells the type arguments.
func (f *File) NameOf(o *types.Func, recv types.Type) string {
	if !source.Generic(o.Origin()) {
		if name := f.names[o.Origin()]; name != "" {
			return name
		}
		source.Refuse("%s has no code: define it again", o.Name())
	}
	var args *types.TypeList
	if n := source.NamedOf(recv); n != nil {
		args = f.Subst(n).(*types.Named).TypeArgs()
	}
	var ts []types.Type
	for t := range args.Types() {
		ts = append(ts, t)
	}
	return f.instance(o.Origin(), o.Origin().Signature().RecvTypeParams(), ts)
}

// instance is the name of a generic function with type arguments, lowered when it is
// first needed.
func (f *File) instance(o *types.Func, params *types.TypeParamList, args []types.Type) string {
	key := fmt.Sprintf("instance %p", o)
	for _, t := range args {
		key += fmt.Sprintf(" %d", f.ID(t))
	}
	if name := f.helpers[key]; name != "" {
		return name
	}
	g, ok := f.generics[o]
	if !ok {
		source.Refuse("%s has no code: define it again", o.Name())
	}
	if strings.Count(key, " ") > 20 || len(f.queue) > 500 {
		source.Refuse("%s is instantiated without end", o.Name())
	}
	name := f.Fresh(o.Name())
	set(f.Table, f.helpers, key, name)
	targs := map[*types.TypeParam]types.Type{}
	for i, t := range args {
		targs[params.At(i)] = t
	}
	code := g.code
	code.Args = targs
	f.queue = append(f.queue, Instance{g.decl, o, name, code})
	return name
}

// InstanceOf is the name of a generic function with the type arguments of an instance.
func (f *File) InstanceOf(o *types.Func, inst types.Instance) string {
	return f.instance(o.Origin(), o.Origin().Signature().TypeParams(), f.TypeArgs(inst))
}

// NamedValue is the declared function that an identifier names, as a value.
func (f *File) NamedValue(id *ast.Ident, o *types.Func, recv types.Type) string {
	if !source.Session(o) {
		if o.Signature().TypeParams().Len() > 0 {
			source.Refuse("%s.%s is generic and can only be called here: write a function literal that calls it", o.Pkg().Name(), o.Name())
		}
		return f.Pkg(o.Pkg()) + "." + o.Name()
	}
	if inst, ok := f.Info.Instances[id]; ok {
		f.TypeArgs(inst)
		outer := f.Args
		name := f.InstanceOf(o, inst)
		targs := map[*types.TypeParam]types.Type{}
		for k, v := range outer {
			targs[k] = v
		}
		for i, t := range f.TypeArgs(inst) {
			targs[o.Origin().Signature().TypeParams().At(i)] = t
		}
		f.Args = targs
		v := f.AsValue(o.Origin(), name, nil)
		f.Args = outer
		return v
	}
	return f.AsValue(o, f.NameOf(o, recv), recv)
}

// Qualified lowers pkg.Name.
func (f *File) Qualified(e *ast.SelectorExpr) string {
	switch o := f.Info.Uses[e.Sel].(type) {
	case *types.Func:
		return f.NamedValue(e.Sel, o, nil)
	case *types.Var:
		return f.Pkg(o.Pkg()) + "." + o.Name()
	}
	source.Refuse("%s cannot be used here", e.Sel.Name)
	return ""
}

// AsValue is a declared function as a value: a function of its plain signature,
// with the receiver, if any, as the first parameter.
func (f *File) AsValue(o *types.Func, name string, recv types.Type) string {
	key := "value " + name
	if v := f.helpers[key]; v != "" {
		return v
	}
	v := f.Fresh(o.Name())
	set(f.Table, f.helpers, key, v)
	sig := f.Subst(o.Signature()).(*types.Signature)
	var params, args []string
	add := func(text string) {
		arg := fmt.Sprintf("a%d", len(params))
		params, args = append(params, arg+" "+text), append(args, arg)
	}
	if recv != nil {
		add(f.Spell(recv))
	}
	line := Host + ".Enter()"
	for i := range sig.Params().Len() {
		if i == 0 && recv == nil && source.IsProgram(sig.Params().At(i).Type()) {
			line = "&a0.Line"
		}
		add(f.SpellParam(sig, i))
	}
	if f.Deep(o) {
		args = append([]string{"0"}, args...)
	}
	ret := ""
	if sig.Results().Len() > 0 {
		ret = "return "
	}
	f.Declare(fmt.Sprintf("func %s(%s) %s {\n%s%s(%s)\n}\n", v, strings.Join(params, ", "), f.SpellResults(sig), ret, name, strings.Join(append([]string{line}, args...), ", ")))
	return v
}

// RegisterMethod tells the host of a method, for calls through interfaces.
func (f *File) RegisterMethod(o *types.Func, recv types.Type) {
	_, pointer := recv.(*types.Pointer)
	base := recv
	if pointer {
		base = recv.(*types.Pointer).Elem()
	}
	f.register = append(f.register, fmt.Sprintf("%s.Method(%d, %q, %v, %s)\n", Host, f.ID(base), o.Name(), pointer, f.AsValue(o, f.NameOf(o, recv), recv)))
}
