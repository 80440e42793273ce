package cell

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

// A def is a definition that is in force: a function, method, type, constant,
// variable or import.
type def struct {
	name   string // a method is T.M
	kind   token.Token
	obj    types.Object
	at     span
	from   int                   // the byte of the cell that plain begins at
	plain  string                // Go, for everything but variables; each line where it was
	uses   map[types.Object]bool // what of the session it is made of
	path   string                // of an import
	seq    int                   // later definitions have higher numbers
	broken error                 // why it no longer compiles
}

// typeName is the type of a method, "" for anything else.
func (d *def) typeName() string {
	t, _, ok := strings.Cut(d.name, ".")
	if !ok {
		return ""
	}
	return t
}

// declarations reads the cell's declarations into the files of the check: each
// dependent definition of an earlier cell is a file of its own.
func (c *check) declarations(spans []span) {
	if len(spans) > 0 {
		f := c.parse(c.cell, spans, declPrefix, nil)
		c.decls = append(c.decls, f)
		c.imports(f)
		c.dropSame(f)
	}
	read := map[span]bool{}
	for _, d := range c.plan.deps {
		if !read[d.at] {
			read[d.at] = true
			c.decls = append(c.decls, c.parse(d.at.cell, []span{d.at}, declPrefix, d))
		}
	}
	c.adoptMethods()
}

// imports takes the imports out of a file and into the session.
func (c *check) imports(f *ast.File) {
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
			c.importSpec(spec.(*ast.ImportSpec))
		}
		return true
	})
}

func (c *check) importSpec(spec *ast.ImportSpec) {
	path := strings.Trim(spec.Path.Value, "`\"")
	pkg, err := c.s.types.Import(path)
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
	c.s.define(&def{name: name, kind: token.IMPORT, path: path, obj: types.NewPkgName(token.NoPos, nil, name, pkg)})
}

// dropSame takes out of a file the types that are declared exactly as before, so
// that their values stay what they are.
func (c *check) dropSame(f *ast.File) {
	if f == nil {
		return
	}
	text := c.s.sources[c.cell].text
	f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE || len(g.Specs) != 1 {
			return false
		}
		spec := g.Specs[0].(*ast.TypeSpec)
		old := c.s.live[spec.Name.Name]
		if old == nil || old.kind != token.TYPE || old.broken != nil || c.replaces(old.uses) {
			return false
		}
		_, start := c.offset(g.Pos())
		_, end := c.offset(g.End())
		return formatted("package p\n"+text[start:end]) == formatted("package p\n"+old.plain)
	})
}

// replaces reports whether the cell declares one of the given objects anew.
func (c *check) replaces(objs map[types.Object]bool) bool {
	here := declared(c.decls)
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
func (c *check) adoptMethods() {
	c.methods = map[*ast.FuncDecl]*types.Named{}
	here := declared(c.decls)
	for _, f := range c.decls {
		if f == nil {
			continue
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || len(fn.Recv.List) != 1 {
				continue
			}
			name := receiverName(fn)
			old := c.s.live[name]
			if here[name] || old == nil || old.kind != token.TYPE {
				continue
			}
			named, ok := old.obj.Type().(*types.Named)
			if !ok || named.TypeParams().Len() > 0 {
				continue
			}
			recv := fn.Recv.List[0]
			if len(recv.Names) == 0 {
				recv.Names = []*ast.Ident{{NamePos: recv.Pos(), Name: "_"}}
			}
			fn.Type.Params.List = append([]*ast.Field{recv}, fn.Type.Params.List...)
			fn.Recv = nil
			fn.Name = &ast.Ident{NamePos: fn.Name.Pos(), Name: name + methodSep + fn.Name.Name}
			c.methods[fn] = named
		}
	}
}

// methodSep joins the names of a type and its method into that of a function.
const methodSep = "۰"

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
func (c *check) addMethods() (again string) {
	if len(c.methods) == 0 {
		return ""
	}
	c.once() // for the signatures
	for _, fn := range slices.SortedFunc(maps.Keys(c.methods), func(a, b *ast.FuncDecl) int { return int(a.Pos() - b.Pos()) }) {
		named := c.methods[fn]
		o, ok := c.info.Defs[fn.Name].(*types.Func)
		if !ok {
			continue
		}
		_, name, _ := strings.Cut(fn.Name.Name, methodSep)
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

// dependents is the definitions of earlier cells that are made of what is replaced,
// directly or through others.
func (s *Session) dependents(replaced map[types.Object]bool, here func(d *def) bool) []*def {
	var deps []*def
	in := map[*def]bool{}
	for changed := true; changed; {
		changed = false
		for _, d := range s.sorted() {
			if in[d] || here(d) || d.kind == token.VAR || d.kind == token.IMPORT {
				continue
			}
			for o := range d.uses {
				if replaced[o] {
					in[d], changed = true, true
					replaced[d.obj] = true
					deps = append(deps, d)
					break
				}
			}
		}
	}
	slices.SortFunc(deps, func(a, b *def) int { return a.seq - b.seq })
	return deps
}

// sorted is all definitions and methods in the order in which they were made.
func (s *Session) sorted() []*def {
	all := slices.Collect(maps.Values(s.live))
	all = slices.AppendSeq(all, maps.Values(s.methods))
	slices.SortFunc(all, func(a, b *def) int { return a.seq - b.seq })
	return all
}

// define puts a definition in force.
func (s *Session) define(d *def) {
	s.seq++
	d.seq = s.seq
	if d.typeName() != "" {
		s.methods[d.name] = d
		return
	}
	if old := s.live[d.name]; old != nil && old.kind == token.TYPE && d.obj != old.obj {
		for name, m := range s.methods {
			if m.typeName() == d.name && receiverType(m.obj) != d.obj {
				delete(s.methods, name)
			}
		}
	}
	s.live[d.name] = d
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
func (s *Session) importName(path string) string {
	for _, d := range s.sorted() {
		if d.kind == token.IMPORT && d.path == path {
			return d.name
		}
	}
	return path[strings.LastIndexByte(path, '/')+1:]
}

// record makes definitions of what was checked and lowered.
func (c *check) record() {
	for _, f := range c.decls {
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
func (c *check) spanOf(n ast.Node) span {
	first, last := c.sugar.Span(n)
	cell, start := c.offset(first)
	_, end := c.offset(last)
	return span{cell, start, end}
}

// plainText is a declaration in plain Go.
func (c *check) plainText(n ast.Node) string {
	at := c.spanOf(n)
	src := sugar.PlainIndex(c.s.sources[at.cell].text)
	base := func(p token.Pos) int { _, off := c.offset(p); return off }
	return c.sugar.Plain(n, src, base, at.start, at.end)
}

func (c *check) recordFunc(d *ast.FuncDecl) {
	o, ok := c.info.Defs[d.Name].(*types.Func)
	if !ok || d.Name.Name == "_" {
		return
	}
	name, obj := d.Name.Name, types.Object(o)
	if recv := o.Signature().Recv(); recv != nil {
		name = receiverName(d) + "." + name
	}
	if named := c.methods[d]; named != nil {
		typ, method, _ := strings.Cut(name, methodSep)
		name, obj = typ+"."+method, methodOf(named, method)
	}
	c.s.define(&def{name: name, kind: token.FUNC, obj: obj, at: c.spanOf(d), from: c.spanOf(d).start, plain: c.plainText(d), uses: c.usesOf(d)})
}

func (c *check) recordSpec(g *ast.GenDecl, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		plain := c.plainText(spec)
		c.s.define(&def{name: spec.Name.Name, kind: token.TYPE, obj: c.info.Defs[spec.Name], at: c.spanOf(g), from: c.spanOf(spec).start, plain: "type " + plain, uses: c.usesOf(spec)})
	case *ast.ValueSpec:
		if g.Tok == token.VAR {
			for _, id := range spec.Names {
				if o := c.info.Defs[id]; o != nil && id.Name != "_" {
					c.s.define(&def{name: id.Name, kind: token.VAR, obj: o})
				}
			}
			return
		}
		for _, id := range spec.Names {
			o, ok := c.info.Defs[id].(*types.Const)
			if !ok || id.Name == "_" {
				continue
			}
			c.s.define(&def{name: id.Name, kind: token.CONST, obj: o, at: c.spanOf(g), from: c.spanOf(id).start, plain: constText(o), uses: c.usesOf(g)})
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
func (c *check) usesOf(n ast.Node) map[types.Object]bool {
	uses := map[types.Object]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch o := c.info.Uses[id].(type) {
		case *types.PkgName:
			if d := c.s.live[o.Name()]; d != nil {
				uses[d.obj] = true
			}
		case *types.Func:
			if o.Pkg() != nil && o.Pkg().Path() == "main" {
				uses[o.Origin()] = true
			}
		case *types.Var:
			if o.Pkg() != nil && o.Pkg().Path() == "main" && !o.IsField() && (c.pkg.Scope().Lookup(o.Name()) == o) {
				uses[o] = true
			}
		case *types.Const, *types.TypeName:
			if o.Pkg() != nil && o.Pkg().Path() == "main" && c.pkg.Scope().Lookup(o.Name()) == o {
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
func (s *Session) ImportUsual() {
	for _, p := range usual {
		pkg, err := s.types.Import(p[1])
		if err != nil {
			panic(err)
		}
		s.define(&def{name: p[0], kind: token.IMPORT, path: p[1], obj: types.NewPkgName(token.NoPos, nil, p[0], pkg)})
	}
}
