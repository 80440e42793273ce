package gofile

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// An Import is a package whose functions kernels call: its path, and its files.
type Import struct {
	Path  string
	Files []Source
}

// A part is the files of one package.
type part struct {
	path  string
	files []*ast.File
	texts []string
	pkg   *types.Package // nil until it is checked
	open  bool           // it is being checked
}

// parts are the kernels' own package, and then imports.
type parts []*part

func (ps parts) own() *part { return ps[0] }

// at is the import of a path, nil if it was not loaded.
func (ps parts) at(path string) *part {
	for _, p := range ps[1:] {
		if p.path == path {
			return p
		}
	}
	return nil
}

// home is the package that declares an object, nil if it is none of these.
func (ps parts) home(o types.Object) *part {
	for _, p := range ps {
		if o != nil && o.Pkg() != nil && p.pkg == o.Pkg() {
			return p
		}
	}
	return nil
}

// importer finds packages as a file's check needs them.
type importer struct {
	f    *File
	conf *types.Config
}

// check finds the types of a package, and first of those that it imports.
func (im importer) check(p *part) {
	p.open = true
	p.pkg, _ = im.conf.Check(p.path, im.f.fset, p.files, &im.f.Info)
	p.open = false
}

// Import implements types.Importer.
func (im importer) Import(path string) (*types.Package, error) {
	at := im.f.parts.at(path)
	switch {
	case at == nil:
		return packages(known()).Import(path)
	case at.open:
		return nil, fmt.Errorf("package %q imports itself", path)
	case at.pkg == nil:
		im.check(at)
	}
	return at.pkg, nil
}

// Loaded reports whether a package that a file imports is at hand as source, so that kernels may call its functions.
func (f *File) Loaded(p *types.PkgName) bool { return f.parts.at(p.Imported().Path()) != nil }

// Outside says why nothing of a package can be used. Paths of Go's own packages begin without a dot.
func Outside(path string) string {
	if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
		return "the source of package " + path + " is not at hand"
	}
	return "package " + path + " is not part of the language"
}

// Missing is the paths of imports that kernels name something of, directly or not, and that are neither the language's
// nor loaded.
func (f *File) Missing() (paths []string) {
	add := func(path string) {
		if !IsKnown(path) && f.parts.at(path) == nil && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	v := visitor{f: f, seen: map[types.Object]bool{}, ident: func(id *ast.Ident) {
		switch o := f.Info.Uses[id].(type) {
		case *types.PkgName:
			add(o.Imported().Path())
		case nil:
			for _, path := range unlikeTheirNames(f, id) {
				add(path)
			}
		}
	}}
	for _, name := range f.names {
		v.visit(f.kernels[name].Node)
	}
	return paths
}

// versioned is the last part of an import path that is no package's name, or need not be: v2, go-tiles, yaml.v3.
var versioned = regexp.MustCompile(`^v[0-9]+$|[-.]`)

// unlikeTheirNames is the imports, in the file of a name that nothing is known of, whose packages may be called that.
func unlikeTheirNames(f *File, id *ast.Ident) (paths []string) {
	if f.Info.Defs[id] != nil {
		return nil
	}
	for _, file := range f.files {
		if id.Pos() < file.FileStart || id.Pos() > file.FileEnd {
			continue
		}
		for _, s := range file.Imports {
			if p, err := strconv.Unquote(s.Path.Value); err == nil && s.Name == nil && versioned.MatchString(path.Base(p)) {
				paths = append(paths, p)
			}
		}
	}
	return paths
}

// A visitor goes through a kernel, and what that names of packages at hand, directly or not.
type visitor struct {
	f      *File
	seen   map[types.Object]bool
	ident  func(id *ast.Ident)                   // called for each name; may be nil
	object func(o types.Object, d *ast.FuncDecl) // called for each object, with its declaration if it is a function
}

func (v *visitor) visit(n ast.Node) {
	if n == nil {
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v.ident != nil {
				v.ident(id)
			}
			v.use(v.f.Info.Uses[id])
			for _, d := range implementing(v.f, v.f.Info.Uses[id]) {
				v.use(v.f.Info.Defs[d.Name])
			}
		}
		return true
	})
}

func (v *visitor) use(o types.Object) {
	d := v.f.Decl(o)
	if o == nil || v.seen[o] || d == nil && !v.f.IsGlobal(o) {
		return
	}
	v.seen[o] = true
	if v.object != nil {
		v.object(o, d)
	}
	if d != nil {
		v.visit(d)
		return
	}
	v.visit(v.f.declaration(o))
}

// dropImports drops the errors about packages that the compiler does not know: only
// a kernel that uses one is refused.
func dropImports(f *File) {
	imports := map[token.Pos]bool{}
	for _, file := range f.files {
		for _, s := range file.Imports {
			imports[s.Path.Pos()] = true
		}
	}
	f.errors = slices.DeleteFunc(f.errors, func(e typeError) bool { return imports[e.pos] })
}
