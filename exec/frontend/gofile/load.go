package gofile

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"sort"
	"strings"

	"github.com/tiler-go/tiler/tilelang/diag"
)

// A File is parsed and type-checked Go source that holds kernels. Its methods may be
// called from many goroutines.
type File struct {
	fset    *token.FileSet
	files   []*ast.File // of all parts, in their order
	texts   []string    // of files
	parts   parts
	Info    types.Info // of all that a kernel may depend on; it is read only
	errors  []typeError
	decls   map[types.Object]*ast.FuncDecl
	kernels map[string]*Kernel
	names   []string // of kernels, in order of place

	// Fuses says that Go may compute x*y + z with one rounding where the file is compiled.
	Fuses bool
}

// fuses reports whether Go, as this program is compiled, rounds x*y + z once: it does for arm64, and for amd64 from
// GOAMD64=v3 on.
//
//go:noinline
func fuses(x, y, z float64) bool { return x*y+z != float64(x*y)+z }

// A Kernel is a declared function or a function literal.
type Kernel struct {
	Name   string
	Node   ast.Node // *ast.FuncDecl or *ast.FuncLit
	Params *ast.FieldList
	Body   *ast.BlockStmt
}

type typeError struct {
	pos  token.Pos
	msg  string
	soft bool // go/types could go on as if nothing were wrong
}

// A Source is a Go file's name, which positions have, and its text.
type Source struct{ Name, Text string }

// Load parses and type-checks a file, and others of its package that its kernels
// call. Functions that no kernel can depend on are only parsed. The error is a diag.List
// of syntax errors. Type errors are those of the functions they are in: see Errors and
// ErrorsIn.
func Load(name, text string, rest ...Source) (*File, error) {
	return LoadAll(append([]Source{{name, text}}, rest...))
}

// LoadAll is Load for the files of a package, of which the first holds the kernels, and imports that these call
// functions of.
func LoadAll(files []Source, imports ...Import) (*File, error) {
	f := &File{
		Fuses:   fuses(1+0x1p-30, 1+0x1p-30, -1),
		fset:    token.NewFileSet(),
		decls:   map[types.Object]*ast.FuncDecl{},
		kernels: map[string]*Kernel{},
	}
	var errs diag.List
	for _, from := range append([]Import{{Files: files}}, imports...) {
		p := &part{path: from.Path}
		for _, s := range from.Files {
			file, err := parser.ParseFile(f.fset, s.Name, s.Text, parser.SkipObjectResolution|parser.AllErrors)
			errs = append(errs, syntaxErrors(s.Name, err)...)
			p.files, p.texts = append(p.files, file), append(p.texts, s.Text)
		}
		f.files, f.texts, f.parts = append(f.files, p.files...), append(f.texts, p.texts...), append(f.parts, p)
	}
	if len(errs) > 0 {
		return nil, errs
	}
	f.parts.own().path = f.files[0].Name.Name
	f.check(f.prune())
	for _, file := range f.files {
		f.collect(file)
	}
	f.literals(f.files[0])
	return f, nil
}

func syntaxErrors(name string, err error) (l diag.List) {
	if err == nil {
		return nil
	}
	list, ok := err.(scanner.ErrorList)
	if !ok {
		return diag.List{diag.At(diag.Pos{File: name}, "%v", err)}
	}
	list.RemoveMultiples() // one a line
	for _, e := range list {
		l = append(l, diag.At(diag.Pos{File: e.Pos.Filename, Line: e.Pos.Line, Col: e.Pos.Column}, "%s", e.Msg))
	}
	return l
}

// check finds the types of all that prune has left, about so many expressions.
func (f *File) check(size int) {
	f.Info = types.Info{
		Types:      make(map[ast.Expr]types.TypeAndValue, size*2/3),
		Defs:       make(map[*ast.Ident]types.Object, size/8),
		Uses:       make(map[*ast.Ident]types.Object, size/2),
		Selections: make(map[*ast.SelectorExpr]*types.Selection, size/8),
		Instances:  map[*ast.Ident]types.Instance{},
	}
	conf := &types.Config{
		Sizes:                    sizes,
		DisableUnusedImportCheck: true,
		Error: func(err error) {
			if e, ok := err.(types.Error); ok {
				f.errors = append(f.errors, typeError{e.Pos, e.Msg, e.Soft})
			}
		},
	}
	im := importer{f, conf}
	conf.Importer = im
	im.check(f.parts.own())
	dropImports(f)
	dropUnused(f)
}

// dropUnused drops the errors about variables and labels that are not used: soft
// errors at a definition. They do not matter to what a kernel means.
func dropUnused(f *File) {
	if !slices.ContainsFunc(f.errors, func(e typeError) bool { return e.soft }) {
		return
	}
	defined := map[token.Pos]bool{}
	for id := range f.Info.Defs {
		defined[id.Pos()] = true
	}
	f.errors = slices.DeleteFunc(f.errors, func(e typeError) bool { return e.soft && defined[e.pos] })
}

// collect finds the file's functions and kernels.
func (f *File) collect(file *ast.File) {
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if obj := f.Info.Defs[fn.Name]; obj != nil && fn.Body != nil {
			f.decls[obj] = fn
		}
		own := f.parts.home(f.Info.Defs[fn.Name]) == f.parts.own()
		if own && fn.Recv == nil && fn.Body != nil && f.isKernel(fn.Type) && f.kernels[fn.Name.Name] == nil {
			f.add(&Kernel{fn.Name.Name, fn, fn.Type.Params, fn.Body})
		}
	}
}

// literals finds the kernels of the first file that are function literals; they are
// called @LINE, and those after the first on a line @LINE.2 and so on.
func (f *File) literals(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && f.isKernel(lit.Type) {
			f.add(&Kernel{f.literalName(lit), lit, lit.Type.Params, lit.Body})
		}
		return true
	})
}

func (f *File) add(k *Kernel) {
	f.names = append(f.names, k.Name)
	f.kernels[k.Name] = k
}

// isKernel reports whether a function has no result and begins with a *tl.Program.
func (f *File) isKernel(t *ast.FuncType) bool {
	if t.Results != nil && len(t.Results.List) > 0 || t.TypeParams != nil || len(t.Params.List) == 0 {
		return false
	}
	p, ok := types.Unalias(f.Info.TypeOf(t.Params.List[0].Type)).(*types.Pointer)
	return ok && IsLanguage(p.Elem(), "Program")
}

// Kernels is the functions whose first parameter is *tl.Program and that have no
// result, in order of place, and then function literals, which are called @LINE, and
// @LINE.2 and so on if there are several on a line.
func (f *File) Kernels() []string { return append([]string(nil), f.names...) }

// Lookup is a kernel. The error is a diag.List.
func (f *File) Lookup(name string) (*Kernel, error) {
	k := f.kernels[name]
	if k == nil {
		return nil, diag.List{f.noKernel(name)}
	}
	return k, nil
}

// Decl is the declaration with a body of a function of a package at hand, nil if there is none. An instance has that of
// the generic function.
func (f *File) Decl(o types.Object) *ast.FuncDecl {
	if fn, ok := o.(*types.Func); ok {
		o = fn.Origin()
	}
	return f.decls[o]
}

// IsGlobal reports whether an object is declared for a whole package, the kernels' own or one that was loaded.
func (f *File) IsGlobal(o types.Object) bool {
	home := f.parts.home(o)
	return home != nil && o.Parent() == home.pkg.Scope()
}

// HasErrors reports whether there are type errors.
func (f *File) HasErrors() bool { return len(f.errors) > 0 }

// ErrorsIn is the type errors in a piece of syntax.
func (f *File) ErrorsIn(n ast.Node) (l diag.List) {
	for _, e := range f.errors {
		if n.Pos() <= e.pos && e.pos <= n.End() {
			l = append(l, f.explain(e))
		}
	}
	return l
}

// Errors is all type errors outside functions that no kernel can depend on.
func (f *File) Errors() diag.List {
	var l diag.List
	for _, e := range f.errors {
		l = append(l, f.explain(e))
	}
	return Sorted(l)
}

func (f *File) noKernel(name string) *diag.Diagnostic {
	d := diag.At(diag.Pos{File: f.Position(f.files[0].Pos()).File}, "no kernel %s: no function of that name takes p *tl.Program first and has no result", name)
	if near := diag.Nearest(name, f.names); near != "" {
		d.Fix("did you mean %s?", near)
	} else if len(f.names) > 0 {
		d.Note("the kernels here are %s", strings.Join(f.names, ", "))
	}
	return d
}

// Position is a place in the source.
func (f *File) Position(p token.Pos) diag.Pos {
	if !p.IsValid() {
		return diag.Pos{}
	}
	return positionIn(f.fset, p)
}

func positionIn(fset *token.FileSet, p token.Pos) diag.Pos {
	at := fset.Position(p)
	return diag.Pos{File: at.Filename, Line: at.Line, Col: at.Column}
}

// Sorted is diagnostics by place, each once.
func Sorted(l diag.List) diag.List {
	sort.SliceStable(l, func(i, k int) bool {
		a, b := l[i].Pos, l[k].Pos
		if a.File != b.File {
			return a.File < b.File
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Col < b.Col
	})
	var out diag.List
	seen := map[string]bool{}
	for _, d := range l {
		key := fmt.Sprint(d.Pos, d.Msg)
		if !seen[key] {
			seen[key] = true
			out = append(out, d)
		}
	}
	return out
}
