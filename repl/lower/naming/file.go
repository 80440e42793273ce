package naming

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/lower/source"
)

// A File is the Go that one unit is lowered to, but for the bodies of its functions.
type File struct {
	*Table
	source.Checked

	inside   map[string]bool // types that are being spelled
	queue    []Instance
	imported []string // import declarations, and their paths
	Paths    []string
	declared []string // types, variables and functions
	register []string // statements that tell the host of methods
}

// NewFile is the file of a unit, whose code is given.
func NewFile(n *Table, code source.Checked) *File {
	return &File{Table: n, Checked: code, inside: map[string]bool{}}
}

// Text is the whole file.
func (f *File) Text(body string) string {
	var b strings.Builder
	b.WriteString("package main\n")
	for _, s := range slices.Concat(f.imported, f.declared) {
		b.WriteString(s)
	}
	b.WriteString("func init() {\n" + strings.Join(f.register, ""))
	if body != "" {
		b.WriteString(Host + ".Run(func(ſl *int) {\n" + body + "})\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// Declare adds a type, variable or function.
func (f *File) Declare(text string) { f.declared = append(f.declared, text) }

// Helper is a function of lowered code, declared when it is first needed.
func (f *File) Helper(key, base string, text func(name string) string) string {
	if name := f.helpers[key]; name != "" {
		return name
	}
	name := f.Fresh(base)
	set(f.Table, f.helpers, key, name)
	f.Declare(text(name))
	return name
}

// Pkg is the name of an imported package.
func (f *File) Pkg(p *types.Package) string {
	path := strings.TrimSuffix(p.Path(), "/generic")
	if name := f.imports[path]; name != "" {
		return name
	}
	name := f.Fresh(p.Name())
	set(f.Table, f.imports, path, name)
	f.imported = append(f.imported, fmt.Sprintf("import %s %q\n", name, path))
	f.Paths = append(f.Paths, path)
	return name
}
