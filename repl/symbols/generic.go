package symbols

import (
	_ "embed"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"strings"
)

// Generic functions have no reflect value, and so no place in a table. Those that
// people use at a prompt are declared in generic.go.txt, for the type checker, and
// have a stand-in here that works by reflection. What takes a generic parameter's
// place is any, in arguments and results alike; the interpreter converts results to
// the type that the checker found.

//go:embed generic.go.txt
var genericText string

// genericFiles is the declarations of each package, by path.
func genericFiles() map[string]string {
	files := map[string]string{}
	for _, part := range strings.Split(genericText, "\n-- ")[1:] {
		path, text, _ := strings.Cut(part, " --\n")
		files[path] = text
	}
	return files
}

// generic is a package that has generic functions only, or nil.
func (ts *Types) generic(path string) *types.Package {
	text, ok := genericFiles()[path]
	if !ok {
		return nil
	}
	q := ts.checkGeneric(path, text)
	ts.pkg(path) // makes the maps
	ts.pkgs[path], ts.done[path] = q, true
	return q
}

// insertGeneric adds to a package what generic.go.txt declares for it.
func (ts *Types) insertGeneric(q *types.Package) {
	text, ok := genericFiles()[q.Path()]
	if !ok {
		return
	}
	scope := ts.checkGeneric(q.Path()+"/generic", text).Scope()
	for _, name := range scope.Names() {
		if o := scope.Lookup(name); o.Exported() {
			q.Scope().Insert(o)
		}
	}
}

func (ts *Types) checkGeneric(path, text string) *types.Package {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
	if err != nil {
		panic(err) // the text is part of this package, and tested
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			fn.Body = &ast.BlockStmt{} // go/types wants one; it looks at none
		}
	}
	conf := types.Config{Importer: ts, IgnoreFuncBodies: true}
	q, err := conf.Check(path, fset, []*ast.File{f}, nil)
	if err != nil {
		panic(err)
	}
	return q
}

// StandIn is the function that takes the place of a generic one, and whether there
// is one.
func StandIn(path, name string) (reflect.Value, bool) {
	fn, ok := standIns[strings.TrimSuffix(path, "/generic")+"."+name]
	return reflect.ValueOf(fn), ok
}

// StandIns is all stand-ins, by package name and function: slices_Sort.
func StandIns() map[string]reflect.Value {
	m := map[string]reflect.Value{}
	for key, fn := range standIns {
		path, name, _ := strings.Cut(key[strings.LastIndexByte(key, '/')+1:], ".")
		m[path+"_"+name] = reflect.ValueOf(fn)
	}
	return m
}
