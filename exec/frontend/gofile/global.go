package gofile

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"github.com/tiler-go/tiler/tilelang/diag"
)

// A Global is a variable of a package, as a kernel may read it.
type Global struct {
	Value   ast.Expr // nil: the zero value
	Spec    ast.Node
	Changes diag.Pos // where it may be assigned, if it may be
	Why     string   // why its value is not certain, "" if it is
}

// Global finds out whether a variable of the package always has the value that it is declared with: nothing in the
// package assigns it, takes its address, or hands on a slice that it is.
func (f *File) Global(o types.Object) (g Global) {
	spec, _ := f.declaration(o).(*ast.ValueSpec)
	if spec == nil || len(spec.Values) > 0 && len(spec.Values) != len(spec.Names) {
		return Global{Why: "only a value of its own would be known"}
	}
	g.Spec = spec
	for i, id := range spec.Names {
		if f.Info.Defs[id] == o && len(spec.Values) > 0 {
			g.Value = spec.Values[i]
		}
	}
	if setOutside(f, o, g.Value == nil) {
		return Global{Why: "a directive may give it another value"}
	}
	slice, isSlice := o.Type().Underlying().(*types.Slice)
	switch {
	case o.Exported() && o.Pkg().Name() != "main":
		g.Why = "other packages may assign it"
	case !plain(o.Type()) && !(isSlice && plain(slice.Elem())):
		g.Why = "others may share what is in it"
	default:
		w := writes{of: o.Name(), slice: isSlice, methods: pointerMethods(f)}
		home := f.parts.home(o)
		for i, file := range home.files {
			if at := w.in(f.Position(file.Pos()).File, home.texts[i]); at.Line > 0 {
				return Global{Why: "it may be assigned here", Changes: at}
			}
		}
	}
	return g
}

// setOutside reports whether what is no Go may give a variable its value: a file that is embedded, or another package.
func setOutside(f *File, o types.Object, zero bool) bool {
	for _, text := range f.parts.home(o).texts {
		if zero && strings.Contains(text, "//go:embed ") || strings.Contains(text, "//go:linkname "+o.Name()+" ") {
			return true
		}
	}
	return false
}

// plain reports whether copies of a value share nothing.
func plain(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Array:
		return plain(u.Elem())
	case *types.Struct:
		for v := range u.Fields() {
			if !plain(v.Type()) {
				return false
			}
		}
		return !IsForeign(t)
	}
	return false
}

// pointerMethods is the names of methods that may assign what they are called of.
func pointerMethods(f *File) map[string]bool {
	names := map[string]bool{}
	for _, file := range f.files {
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
				if _, pointer := ast.Unparen(fn.Recv.List[0].Type).(*ast.StarExpr); pointer {
					names[fn.Name.Name] = true
				}
			}
		}
	}
	return names
}

// writes looks for what may change a variable of the package, by names: functions that no kernel depends on have no types.
type writes struct {
	of      string
	slice   bool
	methods map[string]bool
}

// in is the first such place in a file, which is parsed once more, with what its names are.
func (w writes) in(name, text string) (at diag.Pos) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, 0)
	if err != nil {
		return at
	}
	global := map[*ast.Ident]bool{}
	for _, id := range file.Unresolved {
		global[id] = id.Name == w.of
	}
	is := func(e ast.Expr) bool {
		id := variableIn(e)
		return id != nil && id.Name == w.of && (global[id] || id.Obj != nil && id.Obj == file.Scope.Lookup(w.of))
	}
	kept := map[ast.Node]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || at.Line > 0 {
			return false
		}
		for _, e := range keepsElements(n) {
			kept[ast.Unparen(e)] = true
		}
		for _, e := range w.changes(n) {
			if is(e) {
				at = positionIn(fset, e.Pos())
			}
		}
		if id, ok := n.(*ast.Ident); ok && w.slice && is(id) && !kept[id] {
			at = positionIn(fset, id.Pos())
		}
		return true
	})
	return at
}

// changes is the expressions that a piece of syntax may change, or make changeable.
func (w writes) changes(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			return n.Lhs
		}
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			return []ast.Expr{n.Key, n.Value}
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			return []ast.Expr{n.X}
		}
	case *ast.SliceExpr:
		return []ast.Expr{n.X}
	case *ast.SelectorExpr:
		if w.methods[n.Sel.Name] {
			return []ast.Expr{n.X}
		}
	}
	return nil
}
