package gofile

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/tilelang/diag"
)

// A Function is a function of a source file as its text says it: enough to find out
// whether it is the one that runs in a program.
type Function struct {
	Name    string // of a declared function, "" of a function literal
	Package string // the path of the package it is imported from, "" if that is the kernel's own
	File    string // and Line, where it begins
	Line    int
	Depth   int // function literals that it is in, itself included
	Params  []Named

	offset int // in the text
	body   *ast.BlockStmt
	fset   *token.FileSet
	text   string
}

// A Named is a parameter's name, "_" if it has none, and type, as they are written.
type Named struct{ Name, Type string }

// Functions is the functions with a body of a file, in order of place, those within
// others after them. The error is a diag.List of syntax errors.
func Functions(name, text string) ([]Function, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution|parser.AllErrors)
	if errs := syntaxErrors(name, err); len(errs) > 0 {
		return nil, errs
	}
	var list []Function
	var depth int
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv == nil && n.Body != nil {
				list = append(list, functionOf(fset, text, n.Name.Name, n.Pos(), n.Type, n.Body, 0))
			}
		case *ast.FuncLit:
			depth++
			list = append(list, functionOf(fset, text, "", n.Pos(), n.Type, n.Body, depth))
			ast.Inspect(n.Body, visit)
			depth--
			return false
		}
		return true
	}
	ast.Inspect(file, visit)
	return list, nil
}

func functionOf(fset *token.FileSet, text, name string, pos token.Pos, t *ast.FuncType, body *ast.BlockStmt, depth int) Function {
	at := fset.Position(pos)
	f := Function{Name: name, File: at.Filename, Line: at.Line, Depth: depth,
		offset: fset.PositionFor(pos, false).Offset, body: body, fset: fset, text: text}
	for _, field := range t.Params.List {
		typ := types.ExprString(field.Type)
		for _, id := range field.Names {
			f.Params = append(f.Params, Named{id.Name, typ})
		}
		if len(field.Names) == 0 {
			f.Params = append(f.Params, Named{"_", typ})
		}
	}
	return f
}

// Lines is the lines on which there is something of the function, as positions have
// them, and whether it may be a branch.
func (f *Function) Lines() map[int]bool {
	lines := map[int]bool{}
	file := f.fset.File(f.body.Pos())
	end := file.Offset(f.body.Rbrace) + 1
	part := token.NewFileSet().AddFile("", -1, end-f.offset)
	var s scanner.Scanner
	s.Init(part, []byte(f.text[f.offset:end]), func(token.Position, string) {}, 0)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return lines
		}
		if tok != token.SEMICOLON || lit != "\n" {
			line := f.fset.Position(file.Pos(f.offset + part.Offset(pos))).Line
			lines[line] = lines[line] || slices.Contains(branches, tok) || lit == "min" || lit == "max"
		}
	}
}

// branches are what code may branch at, also that of a division by zero or of an index, which stands behind all other.
var branches = []token.Token{
	token.IF, token.FOR, token.RANGE, token.SWITCH, token.CASE, token.LAND, token.LOR,
	token.QUO, token.REM, token.QUO_ASSIGN, token.REM_ASSIGN,
	token.SHL, token.SHR, token.SHL_ASSIGN, token.SHR_ASSIGN, token.LBRACK,
}

// Begins reports whether a function's code may begin on a line: its own, or, if it calls nothing and so needs no stack,
// one of its first statement, or of the first after variables that need no code and branches that constants may decide.
func (f *Function) Begins(line int) bool {
	if line == f.Line {
		return true
	}
	for _, s := range f.body.List {
		if f.line(s.Pos()) <= line && line <= f.line(s.End()) {
			return true
		}
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				continue
			}
		case *ast.IfStmt:
			if s.Init == nil && !calls(s.Cond) {
				continue
			}
		case *ast.DeclStmt:
			continue
		}
		return false
	}
	return false
}

// calls reports whether there is a call in a piece of syntax.
func calls(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		_, call := n.(*ast.CallExpr)
		found = found || call
		return true
	})
	return found
}

// End is the line of the closing brace, 0 if it is not certain that control reaches it.
func (f *Function) End() int {
	line := f.line(f.body.Rbrace)
	if len(f.body.List) == 0 {
		return line
	}
	switch s := f.body.List[len(f.body.List)-1].(type) {
	case *ast.AssignStmt, *ast.DeclStmt, *ast.IncDecStmt, *ast.RangeStmt:
		return line
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); !ok || types.ExprString(call.Fun) != "panic" {
			return line
		}
	case *ast.IfStmt:
		if s.Else == nil {
			return line
		}
	}
	return 0
}

func (f *Function) line(p token.Pos) int { return f.fset.Position(p).Line }

// accesses are the functions of the language that leave code where they are called.
var accesses = []string{"Load", "Store", "Dot", "AtomicAdd", "AtomicMax", "AtomicMin"}

// Accesses is the first and last line of each statement that accesses memory, or
// multiplies, whenever the function is called.
func (f *Function) Accesses() (spans [][2]int) {
	for _, s := range f.body.List {
		switch s.(type) {
		case *ast.ExprStmt, *ast.AssignStmt:
		case *ast.DeclStmt, *ast.IncDecStmt, *ast.ForStmt, *ast.RangeStmt, *ast.IfStmt, *ast.SwitchStmt, *ast.BlockStmt:
			continue
		default:
			return spans // what follows may never be reached
		}
		access := false
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.SelectorExpr:
				access = access || slices.Contains(accesses, n.Sel.Name)
			}
			return true
		})
		if access {
			spans = append(spans, [2]int{f.line(s.Pos()), f.line(s.End())})
		}
	}
	return spans
}

// Kernel is the name of the kernel that a function of the first file is, "" if it is none.
func (f *File) Kernel(fn Function) string {
	for _, name := range f.names {
		k := f.kernels[name]
		if p := k.Node.Pos(); f.first(p) && f.fset.PositionFor(p, false).Offset == fn.offset {
			return name
		}
	}
	return ""
}

// first reports whether a place is in the first file.
func (f *File) first(p token.Pos) bool { return f.files[0].FileStart <= p && p <= f.files[0].FileEnd }

// literalName names a kernel that is a function literal by its line, and on a line of
// several by its place among them.
func (f *File) literalName(lit *ast.FuncLit) string {
	name := "@" + strconv.Itoa(f.fset.Position(lit.Pos()).Line)
	for i := 2; f.kernels[name] != nil; i++ {
		name = fmt.Sprintf("@%d.%d", f.fset.Position(lit.Pos()).Line, i)
	}
	return name
}

// A Use is what a kernel is made of beyond its own text.
type Use struct {
	Functions []Function // of its package and of imports that it calls, directly or not
	Files     []string   // where these and the constants and types it names are declared
}

// Uses is what the kernel names of its package and of imports. The error is a name that is declared more
// than once, so that nobody knows which one is meant.
func (f *File) Uses(kernel string) (u Use, err error) {
	k := f.kernels[kernel]
	if k == nil {
		return u, f.noKernel(kernel)
	}
	v := visitor{f: f, seen: map[types.Object]bool{}, object: func(o types.Object, d *ast.FuncDecl) {
		at := f.Position(o.Pos())
		if err == nil && (d == nil || d.Recv == nil) {
			err = ambiguous(f, o, at)
		}
		if !slices.Contains(u.Files, at.File) {
			u.Files = append(u.Files, at.File)
		}
		if d != nil {
			fn := functionOf(f.fset, f.textOf(d.Pos()), symbol(d), d.Pos(), d.Type, d.Body, 0)
			if home := f.parts.home(o); home != f.parts.own() {
				fn.Package = home.path
			}
			u.Functions = append(u.Functions, fn)
		}
	}}
	v.visit(k.Node)
	return u, err
}

// symbol is a function's name as the program's line table has it.
func symbol(d *ast.FuncDecl) string {
	if d.Recv == nil {
		if d.Type.TypeParams != nil {
			return d.Name.Name + "[...]"
		}
		return d.Name.Name
	}
	t, pointer := d.Recv.List[0].Type, false
	if star, ok := ast.Unparen(t).(*ast.StarExpr); ok {
		t, pointer = star.X, true
	}
	name := types.ExprString(t)
	if base, _, generic := strings.Cut(name, "["); generic {
		name = base + "[...]"
	}
	if pointer {
		name = "(*" + name + ")"
	}
	return name + "." + d.Name.Name
}

// implementing is the methods that a call of an interface's method, through a type parameter, may mean.
func implementing(f *File, o types.Object) (ds []*ast.FuncDecl) {
	fn, _ := o.(*types.Func)
	if fn == nil || fn.Signature().Recv() == nil || !types.IsInterface(fn.Signature().Recv().Type()) {
		return nil
	}
	for _, file := range f.files {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv != nil && d.Name.Name == fn.Name() {
				ds = append(ds, d)
			}
		}
	}
	return ds
}

// ambiguous is about an object of whose name there are several.
func ambiguous(f *File, o types.Object, at diag.Pos) error {
	for _, file := range f.parts.home(o).files {
		for _, other := range declared(file) {
			if other.Name == o.Name() && other.Pos() != o.Pos() {
				return diag.At(at, "%s is declared here, and at %v", o.Name(), f.Position(other.Pos())).
					Fix("let one of them be, or pass the kernel's source with exec.Source")
			}
		}
	}
	return nil
}

// declared is the names that a file declares for its package.
func declared(file *ast.File) (names []*ast.Ident) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name != "init" && d.Name.Name != "_" {
				names = append(names, d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					names = append(names, s.Names...)
				case *ast.TypeSpec:
					names = append(names, s.Name)
				}
			}
		}
	}
	return slices.DeleteFunc(names, func(id *ast.Ident) bool { return id.Name == "_" })
}

// declaration is what declares an object that is no function: for a constant, whose value
// may be that of one above it, all of the group.
func (f *File) declaration(o types.Object) ast.Node {
	for _, file := range f.files {
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Pos() <= o.Pos() && o.Pos() <= g.End() {
				if g.Tok == token.CONST {
					return g
				}
				for _, s := range g.Specs {
					if s.Pos() <= o.Pos() && o.Pos() <= s.End() {
						return s
					}
				}
			}
		}
	}
	return nil
}

// Shadowed reports whether a name that the first file takes for one of Go's own is
// declared by another file of the package.
func (f *File) Shadowed(names map[string]bool) bool {
	for id, o := range f.Info.Uses {
		if o != nil && o.Parent() == types.Universe && names[id.Name] {
			return true
		}
	}
	return false
}

// ReadsVariables reports whether what a kernel may depend on names a variable of the package.
func (f *File) ReadsVariables() bool {
	for _, o := range f.Info.Uses {
		if v, ok := o.(*types.Var); ok && f.IsGlobal(v) {
			return true
		}
	}
	return false
}

// Declares is the names that a file declares for its package, and the package's name. A
// file with errors declares what can be read.
func Declares(text string) (pkg string, names []string) {
	file, _ := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if file == nil || file.Name == nil {
		return "", nil
	}
	for _, id := range declared(file) {
		names = append(names, id.Name)
	}
	return file.Name.Name, names
}

// textOf is the text of the file that a place is in.
func (f *File) textOf(p token.Pos) string {
	for i, file := range f.files {
		if file.FileStart <= p && p <= file.FileEnd {
			return f.texts[i]
		}
	}
	return ""
}
