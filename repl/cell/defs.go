package cell

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/cell/check"
	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/repl/cell/sugar"
	"github.com/tiler-go/tiler/repl/symbols"
)

// A Def is a definition that is in force, or one that no longer compiles.
type Def struct {
	Name   string      // a method is T.M
	Kind   token.Token // FUNC, TYPE, CONST, VAR or IMPORT
	Type   string      // as Go writes it; of an import, the path
	Source string      // as it was typed; "" for a variable
	Go     string      // the same in plain Go
	Kernel bool        // a function that exec.New takes
	Broken error       // why it no longer compiles
	Serial int         // higher for every definition, also for one that was compiled anew
}

// Definitions is what is in force, as the owner of a session asks about it.
type Definitions struct{ scope *check.Scope }

// ImportUsual imports fmt, math, tl, tensor and exec.
func (s Definitions) ImportUsual() { s.scope.ImportUsual() }

// Names is the names that are defined, sorted.
func (s Definitions) Names() []string { return slices.Sorted(maps.Keys(s.scope.Live)) }

// Defs is the definitions, in the order in which they were made.
func (s Definitions) Defs() []Def {
	var defs []Def
	for _, d := range s.scope.Sorted() {
		defs = append(defs, s.export(d))
	}
	return defs
}

// Def is the definition of a name, or of a method as T.M.
func (s Definitions) Def(name string) (Def, bool) {
	d := s.scope.Def(name)
	if d == nil {
		return Def{}, false
	}
	return s.export(d), true
}

// Kernels is the names of the functions that are kernels, in the order in which they
// were made.
func (s Definitions) Kernels() []string {
	var names []string
	for _, d := range s.scope.Sorted() {
		if isKernel(d) && d.Broken == nil {
			names = append(names, d.Name)
		}
	}
	return names
}

func (s Definitions) export(d *check.Def) Def {
	x := Def{Name: d.Name, Kind: d.Kind, Type: d.Path, Kernel: isKernel(d), Broken: d.Broken, Serial: d.Seq}
	switch d.Kind {
	case token.IMPORT:
		x.Go = check.ImportText(d)
		x.Source = x.Go
		return x
	case token.VAR:
		x.Type = s.scope.TypeText(d.Obj.Type())
		x.Go = "var " + d.Name + " " + x.Type
		return x
	case token.TYPE:
		x.Type = s.scope.TypeText(d.Obj.Type().Underlying())
	default:
		x.Type = s.scope.TypeText(d.Obj.Type())
	}
	x.Go = strings.TrimPrefix(sugar.Formatted("package p\n\n"+d.Plain), "package p\n\n")
	x.Source = s.scope.Sources[d.At.Cell].Text[d.At.Start:d.At.End]
	return x
}

// isKernel reports whether a definition is a function whose first parameter is a
// program, and that has no result.
func isKernel(d *check.Def) bool {
	f, ok := d.Obj.(*types.Func)
	return ok && d.TypeName() == "" && sugar.IsKernelFunc(f)
}

// Kernel is the kernel that was last made of a function, or a new one.
func (s *Session) Kernel(name string) (*exec.Kernel, error) {
	if k := s.host.Kernels.Made(name, s.scope.Def(name)); k != nil {
		return k, nil
	}
	return s.newKernel(name)
}

// Doc is the documentation of pkg.Name, pkg.Type.Method, Type.Method or x.Method,
// where x is an expression; of the session's own functions, the declaration.
func (s *Session) Doc(name string) (symbols.Doc, bool) {
	if d := s.scope.Def(name); d != nil && d.Kind != token.IMPORT && d.Kind != token.VAR {
		return s.ownDoc(d), true
	}
	base, member, ok := cutLast(name)
	if !ok {
		for _, path := range []string{sugar.PathTilelang, sugar.PathTensor, sugar.PathExec} {
			if doc, ok := symbols.DocOf(path, name); ok {
				return doc, true
			}
		}
		return symbols.Doc{}, false
	}
	if path := s.scope.PackagePath(base); path != "" {
		if doc, ok := symbols.DocOf(path, member); ok {
			return doc, true
		}
		return s.declOf(path, member)
	}
	if pkg, typ, ok := cutLast(base); ok && s.scope.Live[pkg] != nil && s.scope.Live[pkg].Kind == token.IMPORT {
		if doc, ok := symbols.DocOf(s.scope.Live[pkg].Path, typ+"."+member); ok {
			return doc, true
		}
	}
	if n := sugar.NamedType(s.TypeOf(base)); n != nil && n.Obj().Pkg() != nil {
		return symbols.DocOf(n.Obj().Pkg().Path(), n.Obj().Name()+"."+member)
	}
	for _, path := range []string{sugar.PathTilelang, sugar.PathTensor, sugar.PathExec} {
		if doc, ok := symbols.DocOf(path, name); ok {
			return doc, true
		}
	}
	return symbols.Doc{}, false
}

// declOf is what is known of a name of the standard library: its type.
func (s Definitions) declOf(path, name string) (symbols.Doc, bool) {
	pkg, err := s.scope.Types.Import(path)
	if err != nil || !token.IsExported(name) {
		return symbols.Doc{}, false
	}
	o := pkg.Scope().Lookup(name)
	if o == nil {
		return symbols.Doc{}, false
	}
	text := types.ObjectString(o, func(p *types.Package) string { return p.Name() })
	return symbols.Doc{Decl: text, Text: "of the standard library: https://pkg.go.dev/" + path + "#" + name}, true
}

// PackageNames is what a package has, by subject, and its path; of the standard library
// all names are one subject. ok is false if a name stands for no package.
func (s Definitions) PackageNames(name string) (path string, list []symbols.Subject, ok bool) {
	path = s.scope.PackagePath(name)
	if path == "" {
		return "", nil, false
	}
	if list = symbols.Subjects(path); list != nil {
		return path, list, true
	}
	pkg, err := s.scope.Types.Import(path)
	if err != nil {
		return "", nil, false
	}
	var all symbols.Subject
	for _, n := range pkg.Scope().Names() {
		if token.IsExported(n) {
			all.Names = append(all.Names, n)
		}
	}
	return path, []symbols.Subject{all}, true
}

func cutLast(name string) (before, after string, ok bool) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return "", name, false
	}
	return name[:i], name[i+1:], true
}

// ownDoc is the declaration of one of the session's functions, types and constants,
// and the comment above it.
func (s Definitions) ownDoc(d *check.Def) symbols.Doc {
	x := s.export(d)
	decl := x.Go
	if f, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+x.Go, parser.SkipObjectResolution); err == nil && len(f.Decls) == 1 {
		if fn, ok := f.Decls[0].(*ast.FuncDecl); ok && fn.Body != nil {
			decl = strings.TrimRight(x.Go[:int(fn.Body.Lbrace)-1-len("package p\n")], " ")
		}
	}
	return symbols.Doc{Decl: decl, Text: scan.CommentAbove(s.scope.Sources[d.At.Cell].Text[:d.At.Start])}
}

// ensure imports a package if it is not there, and is what code calls it.
func (s Definitions) ensure(path string) string {
	for _, d := range s.scope.Sorted() {
		if d.Kind == token.IMPORT && d.Path == path {
			return d.Name
		}
	}
	pkg, err := s.scope.Types.Import(path)
	if err != nil {
		panic(err) // path is one of tiler's own
	}
	name := pkg.Name()
	if name == "tilelang" {
		name = "tl"
	}
	for s.scope.Live[name] != nil {
		name += "_"
	}
	obj := types.NewPkgName(token.NoPos, nil, name, pkg)
	s.scope.Define(&check.Def{Name: name, Kind: token.IMPORT, Path: path, Obj: obj})
	return name
}

// used reports whether functions are made of something.
func (s Definitions) used(o types.Object) bool {
	return len(s.scope.Dependents(map[types.Object]bool{o: true}, func(*check.Def) bool { return false })) > 0
}
