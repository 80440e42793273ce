package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/sugar"
)

// A Def is a definition that is in force: a function, method, type, constant,
// variable or import.
type Def struct {
	Name   string // a method is T.M
	Kind   token.Token
	Obj    types.Object
	At     span
	From   int                   // the byte of the cell that plain begins at
	Plain  string                // Go, for everything but variables; each line where it was
	Uses   map[types.Object]bool // what of the session it is made of
	Path   string                // of an import
	Seq    int                   // later definitions have higher numbers
	Broken error                 // why it no longer compiles
}

// TypeName is the type of a method, "" for anything else.
func (d *Def) TypeName() string {
	t, _, ok := strings.Cut(d.Name, ".")
	if !ok {
		return ""
	}
	return t
}

// declarations reads the cell's declarations into the files of the check: each
// dependent definition of an earlier cell is a file of its own.
func (c *Check) declarations(spans []span) {
	if len(spans) > 0 {
		f := c.parse(c.Cell, spans, declPrefix, nil)
		c.Decls = append(c.Decls, f)
		takeImports(f, c.importSpec)
		c.dropSame(f)
	}
	read := map[span]bool{}
	for _, d := range c.plan.deps {
		if !read[d.At] {
			read[d.At] = true
			c.Decls = append(c.Decls, c.parse(d.At.Cell, []span{d.At}, declPrefix, d))
		}
	}
	c.adoptMethods()
}

// takeImports takes the imports out of a file, and hands them to a function.
func takeImports(f *ast.File, take func(*ast.ImportSpec)) {
	if f == nil {
		return
	}
	f.Imports = nil
	f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			return false
		}
		for _, spec := range g.Specs {
			take(spec.(*ast.ImportSpec))
		}
		return true
	})
}

// importSpec puts an import in force.
func (c *Check) importSpec(spec *ast.ImportSpec) {
	path := strings.Trim(spec.Path.Value, "`\"")
	pkg, err := c.s.Types.Import(path)
	if err != nil {
		c.errors = append(c.errors, c.importHint(c.position(spec.Path.Pos()), path))
		return
	}
	name := pkg.Name()
	if spec.Name != nil {
		name = spec.Name.Name
	}
	switch name {
	case "_":
		return
	case ".":
		c.errorf(spec.Name.Pos(), "a dot import cannot be undone at the prompt").Fix("import it by its name and write %s.Name", pkg.Name())
		return
	}
	c.s.Define(&Def{Name: name, Kind: token.IMPORT, Path: path, Obj: types.NewPkgName(token.NoPos, nil, name, pkg)})
}

// dropSame takes out of a file the types that are declared exactly as before, so
// that their values stay what they are.
func (c *Check) dropSame(f *ast.File) {
	if f == nil {
		return
	}
	text := c.s.Sources[c.Cell].Text
	f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE || len(g.Specs) != 1 {
			return false
		}
		spec := g.Specs[0].(*ast.TypeSpec)
		old := c.s.Live[spec.Name.Name]
		if old == nil || old.Kind != token.TYPE || old.Broken != nil || replaces(c.Decls, old.Uses) {
			return false
		}
		_, start := c.offset(g.Pos())
		_, end := c.offset(g.End())
		return sugar.Formatted("package p\n"+text[start:end]) == sugar.Formatted("package p\n"+old.Plain)
	})
}

// replaces reports whether files declare one of the given objects anew.
func replaces(files []*ast.File, objs map[types.Object]bool) bool {
	here := declared(files)
	for o := range objs {
		if here[o.Name()] {
			return true
		}
	}
	return false
}

// adoptMethods turns methods of types of earlier cells into functions whose first
// parameter is the receiver: the checker lets no package declare methods for
// another's types.
func (c *Check) adoptMethods() {
	c.methods = map[*ast.FuncDecl]*types.Named{}
	here := declared(c.Decls)
	for _, f := range c.Decls {
		if f == nil {
			continue
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || len(fn.Recv.List) != 1 {
				continue
			}
			name := receiverName(fn)
			old := c.s.Live[name]
			if here[name] || old == nil || old.Kind != token.TYPE {
				continue
			}
			named, ok := old.Obj.Type().(*types.Named)
			if !ok || named.TypeParams().Len() > 0 {
				continue
			}
			recv := fn.Recv.List[0]
			if len(recv.Names) == 0 {
				recv.Names = []*ast.Ident{{NamePos: recv.Pos(), Name: "_"}}
			}
			fn.Type.Params.List = append([]*ast.Field{recv}, fn.Type.Params.List...)
			fn.Recv = nil
			fn.Name = &ast.Ident{NamePos: fn.Name.Pos(), Name: name + MethodSep + fn.Name.Name}
			c.methods[fn] = named
		}
	}
}

// MethodSep joins the names of a type and its method into that of a function.
const MethodSep = "۰"

// receiverName is the name of the type that a method is declared for.
func receiverName(fn *ast.FuncDecl) string {
	t := ast.Unparen(fn.Recv.List[0].Type)
	if p, ok := t.(*ast.StarExpr); ok {
		t = ast.Unparen(p.X)
	}
	switch x := t.(type) {
	case *ast.IndexExpr:
		t = x.X
	case *ast.IndexListExpr:
		t = x.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// addMethods gives types of earlier cells the methods that the cell declares for
// them. It reports a type that must be declared anew because a method it already
// has gets another signature.
func (c *Check) addMethods() (again string) {
	if len(c.methods) == 0 {
		return ""
	}
	c.once() // for the signatures
	for _, fn := range slices.SortedFunc(maps.Keys(c.methods), func(a, b *ast.FuncDecl) int { return int(a.Pos() - b.Pos()) }) {
		named := c.methods[fn]
		o, ok := c.Info.Defs[fn.Name].(*types.Func)
		if !ok {
			continue
		}
		_, name, _ := strings.Cut(fn.Name.Name, MethodSep)
		sig := o.Signature()
		if sig.Params().Len() == 0 {
			continue
		}
		var rest []*types.Var
		for i := 1; i < sig.Params().Len(); i++ {
			rest = append(rest, sig.Params().At(i))
		}
		recv := sig.Params().At(0)
		msig := types.NewSignatureType(types.NewVar(recv.Pos(), named.Obj().Pkg(), recv.Name(), recv.Type()), nil, nil, types.NewTuple(rest...), sig.Results(), sig.Variadic())
		if old := methodOf(named, name); old != nil {
			if !types.Identical(old.Signature(), msig) || !types.Identical(old.Signature().Recv().Type(), recv.Type()) {
				return named.Obj().Name()
			}
			continue
		}
		if field, _, _ := types.LookupFieldOrMethod(named, true, named.Obj().Pkg(), name); field != nil {
			if v, ok := field.(*types.Var); ok && v.IsField() {
				c.errorf(fn.Name.Pos(), "field and method with the same name %s", name)
				continue
			}
		}
		named.AddMethod(types.NewFunc(fn.Name.Pos(), named.Obj().Pkg(), name, msig))
	}
	return ""
}

func methodOf(t *types.Named, name string) *types.Func {
	for m := range t.Methods() {
		if m.Name() == name {
			return m
		}
	}
	return nil
}

// Dependents is the definitions of earlier cells that are made of what is replaced,
// directly or through others.
func (s *Scope) Dependents(replaced map[types.Object]bool, here func(d *Def) bool) []*Def {
	var deps []*Def
	in := map[*Def]bool{}
	for changed := true; changed; {
		changed = false
		for _, d := range s.Sorted() {
			if in[d] || here(d) || d.Kind == token.VAR || d.Kind == token.IMPORT {
				continue
			}
			for o := range d.Uses {
				if replaced[o] {
					in[d], changed = true, true
					replaced[d.Obj] = true
					deps = append(deps, d)
					break
				}
			}
		}
	}
	slices.SortFunc(deps, func(a, b *Def) int { return a.Seq - b.Seq })
	return deps
}

// Sorted is all definitions and methods in the order in which they were made.
func (s *Scope) Sorted() []*Def {
	all := slices.Collect(maps.Values(s.Live))
	all = slices.AppendSeq(all, maps.Values(s.methods))
	slices.SortFunc(all, func(a, b *Def) int { return a.Seq - b.Seq })
	return all
}

// Define puts a definition in force.
func (s *Scope) Define(d *Def) {
	s.seq++
	d.Seq = s.seq
	if d.TypeName() != "" {
		s.methods[d.Name] = d
		return
	}
	if old := s.Live[d.Name]; old != nil && old.Kind == token.TYPE && d.Obj != old.Obj {
		for name, m := range s.methods {
			if m.TypeName() == d.Name && receiverType(m.Obj) != d.Obj {
				delete(s.methods, name)
			}
		}
	}
	s.Live[d.Name] = d
}

// receiverType is the type that a method is of.
func receiverType(o types.Object) types.Object {
	f, ok := o.(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return nil
	}
	n := sugar.NamedType(f.Signature().Recv().Type())
	if n == nil {
		return nil
	}
	return n.Origin().Obj()
}

// importName is what code calls a package.
func (s *Scope) importName(path string) string {
	for _, d := range s.Sorted() {
		if d.Kind == token.IMPORT && d.Path == path {
			return d.Name
		}
	}
	return path[strings.LastIndexByte(path, '/')+1:]
}

// record makes definitions of what was checked and lowered.
func (c *Check) record() {
	for _, f := range c.Decls {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				c.recordFunc(d)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					c.recordSpec(d, spec)
				}
			}
		}
	}
}

// spanOf is the text of a node, which may begin with what an operator was rewritten
// from.
func (c *Check) spanOf(n ast.Node) span {
	first, last := c.Sugar.Span(n)
	cell, start := c.offset(first)
	_, end := c.offset(last)
	return span{cell, start, end}
}

// PlainText is a declaration in plain Go.
func (c *Check) PlainText(n ast.Node) string {
	at := c.spanOf(n)
	src := sugar.PlainIndex(c.s.Sources[at.Cell].Text)
	base := func(p token.Pos) int { _, off := c.offset(p); return off }
	return c.Sugar.Plain(n, src, base, at.Start, at.End)
}

func (c *Check) recordFunc(d *ast.FuncDecl) {
	o, ok := c.Info.Defs[d.Name].(*types.Func)
	if !ok || d.Name.Name == "_" {
		return
	}
	name, obj := d.Name.Name, types.Object(o)
	if recv := o.Signature().Recv(); recv != nil {
		name = receiverName(d) + "." + name
	}
	if named := c.methods[d]; named != nil {
		typ, method, _ := strings.Cut(name, MethodSep)
		name, obj = typ+"."+method, methodOf(named, method)
	}
	c.s.Define(&Def{Name: name, Kind: token.FUNC, Obj: obj, At: c.spanOf(d), From: c.spanOf(d).Start, Plain: c.PlainText(d), Uses: c.usesOf(d)})
}

func (c *Check) recordSpec(g *ast.GenDecl, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		plain := c.PlainText(spec)
		c.s.Define(&Def{Name: spec.Name.Name, Kind: token.TYPE, Obj: c.Info.Defs[spec.Name], At: c.spanOf(g), From: c.spanOf(spec).Start, Plain: "type " + plain, Uses: c.usesOf(spec)})
	case *ast.ValueSpec:
		if g.Tok == token.VAR {
			for _, id := range spec.Names {
				if o := c.Info.Defs[id]; o != nil && id.Name != "_" {
					c.s.Define(&Def{Name: id.Name, Kind: token.VAR, Obj: o})
				}
			}
			return
		}
		for _, id := range spec.Names {
			o, ok := c.Info.Defs[id].(*types.Const)
			if !ok || id.Name == "_" {
				continue
			}
			c.s.Define(&Def{Name: id.Name, Kind: token.CONST, Obj: o, At: c.spanOf(g), From: c.spanOf(id).Start, Plain: constText(o), Uses: c.usesOf(g)})
		}
	}
}

// constText is a constant as a declaration of its own.
func constText(o *types.Const) string {
	t := ""
	if b, ok := o.Type().(*types.Basic); !ok || b.Info()&types.IsUntyped == 0 {
		t = " " + types.TypeString(o.Type(), types.RelativeTo(o.Pkg()))
	}
	return fmt.Sprintf("const %s%s = %s", o.Name(), t, o.Val().ExactString())
}

// usesOf is the objects of the session that a declaration is made of.
func (c *Check) usesOf(n ast.Node) map[types.Object]bool {
	uses := map[types.Object]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch o := c.Info.Uses[id].(type) {
		case *types.PkgName:
			if d := c.s.Live[o.Name()]; d != nil {
				uses[d.Obj] = true
			}
		case *types.Func:
			if o.Pkg() != nil && o.Pkg().Path() == "main" {
				uses[o.Origin()] = true
			}
		case *types.Var:
			if o.Pkg() != nil && o.Pkg().Path() == "main" && !o.IsField() && (c.Pkg.Scope().Lookup(o.Name()) == o) {
				uses[o] = true
			}
		case *types.Const, *types.TypeName:
			if o.Pkg() != nil && o.Pkg().Path() == "main" && c.Pkg.Scope().Lookup(o.Name()) == o {
				uses[o] = true
			}
		}
		return true
	})
	return uses
}

// usual is the packages that a prompt has from the start, by name.
var usual = [][2]string{{"fmt", "fmt"}, {"math", "math"}, {"tl", sugar.PathTilelang}, {"tensor", sugar.PathTensor}, {"exec", sugar.PathExec}}

// ImportUsual imports fmt, math, tl, tensor and exec.
func (s *Scope) ImportUsual() {
	for _, p := range usual {
		pkg, err := s.Types.Import(p[1])
		if err != nil {
			panic(err)
		}
		s.Define(&Def{Name: p[0], Kind: token.IMPORT, Path: p[1], Obj: types.NewPkgName(token.NoPos, nil, p[0], pkg)})
	}
}

// TypeText is a type as the session's code writes it.
func (s *Scope) TypeText(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == "main" {
			return ""
		}
		if name := s.importName(p.Path()); name != "" {
			return name
		}
		return p.Name()
	})
}

// methodName is how definitions name a function or method.
func methodName(fn *ast.FuncDecl) string {
	if fn.Recv != nil && len(fn.Recv.List) == 1 {
		return receiverName(fn) + "." + fn.Name.Name
	}
	return strings.Replace(fn.Name.Name, MethodSep, ".", 1)
}

// ImportText is the declaration of an import.
func ImportText(d *Def) string {
	name := d.Name + " "
	if d.Obj.(*types.PkgName).Imported().Name() == d.Name {
		name = ""
	}
	return "import " + name + "\"" + d.Path + "\""
}

// Def is the definition of a name, or of a method as T.M; nil if there is none.
func (s *Scope) Def(name string) *Def {
	if d := s.Live[name]; d != nil {
		return d
	}
	return s.methods[name]
}
