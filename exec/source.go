package exec

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"runtime"
	"sync"

	"github.com/tiler-go/tiler/tilelang/diag"
)

// file is the file that the kernel's function is in, as the compiler recorded it.
func (k *Kernel) file() string {
	if k.src.Go != "" {
		return k.src.Name + ".go"
	}
	file, _ := k.position()
	return file
}

// at is where a line is that an interpreter has put into Program.Line.
func (k *Kernel) at(line int) diag.Pos {
	if k.src.At != nil {
		return k.src.At(line)
	}
	return diag.Pos{File: k.file(), Line: line}
}

// position is the file and line of the function, as the compiler recorded them.
func (k *Kernel) position() (file string, line int) {
	f := runtime.FuncForPC(k.fn.Pointer())
	if f == nil {
		return "", 0
	}
	return f.FileLine(f.Entry())
}

// paramNames is the names of the function's parameters, nil if its source is not
// found.
func (k *Kernel) paramNames() []string {
	t := k.declaration()
	if t == nil {
		return nil
	}
	var names []string
	for _, f := range t.Params.List {
		for _, n := range f.Names {
			names = append(names, n.Name)
		}
		if len(f.Names) == 0 {
			names = append(names, "_")
		}
	}
	return names
}

// declaration is the type of the kernel's function in its source, nil if that is not
// found.
func (k *Kernel) declaration() *ast.FuncType {
	if k.src.Go != "" {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, k.src.Name+".go", k.src.Go, parser.SkipObjectResolution)
		if err != nil {
			return nil
		}
		return functionAt(fset, f, k.src.Name, 0)
	}
	file, line := k.position()
	fset, f := parsed(file)
	if f == nil {
		return nil
	}
	return functionAt(fset, f, "", line)
}

// functionAt is the innermost function that begins on a line, or the declared
// function of a name.
func functionAt(fset *token.FileSet, f *ast.File, name string, line int) (t *ast.FuncType) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if name != "" && n.Recv == nil && n.Name.Name == name || name == "" && fset.Position(n.Pos()).Line == line {
				t = n.Type
			}
		case *ast.FuncLit:
			if name == "" && fset.Position(n.Pos()).Line == line {
				t = n.Type
			}
		}
		return true
	})
	return t
}

type parsedFile struct {
	fset *token.FileSet
	file *ast.File
}

var parsedFiles sync.Map // file name → parsedFile

// parsed is a source file, parsed once per process; nil if it cannot be read.
func parsed(name string) (*token.FileSet, *ast.File) {
	if p, ok := parsedFiles.Load(name); ok {
		return p.(parsedFile).fset, p.(parsedFile).file
	}
	p := parsedFile{fset: token.NewFileSet()}
	if text, err := os.ReadFile(name); err == nil {
		p.file, _ = parser.ParseFile(p.fset, name, text, parser.SkipObjectResolution)
	}
	parsedFiles.Store(name, p)
	return p.fset, p.file
}
