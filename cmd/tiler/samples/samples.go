// Package samples is what the command carries to learn from, examples and notebooks, and writes it into folders where
// one can work with it. An example becomes a module that Go builds, and that sees the tiler which the command is.
package samples

import (
	"fmt"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/cmd/tiler/cli"
	programs "github.com/tiler-go/tiler/examples"
	"github.com/tiler-go/tiler/notebooks"
	"github.com/tiler-go/tiler/notebooks/jupyter"
	"github.com/tiler-go/tiler/repl/learn/puzzles"
)

// A Sample is something to learn from that is in this program.
type Sample struct {
	Name, Title string
	files       fs.FS
	dir         string // of files; "" of a notebook, which is one file
}

// Examples is the example programs.
func Examples() (list []Sample) {
	entries, _ := fs.ReadDir(programs.Files, ".") // of memory
	for _, d := range entries {
		list = append(list, Sample{d.Name(), synopsis(d.Name()), programs.Files, d.Name()})
	}
	return list
}

// synopsis is the first sentence of an example's comment up to its first colon, without the
// command's name.
func synopsis(name string) string {
	text, _ := programs.Files.ReadFile(name + "/main.go")
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		return ""
	}
	says := strings.TrimPrefix(new(doc.Package).Synopsis(file.Doc.Text()), "Command "+name+" ")
	says, _, _ = strings.Cut(says, ": ")
	return strings.TrimSuffix(says, ".")
}

// Tutorials is the notebooks.
func Tutorials() (list []Sample) { return notebookSamples("*.ipynb") }

// compiled is the notebooks whose cells gonb compiles.
func compiled() (list []Sample) { return notebookSamples("gonb/*.ipynb") }

func notebookSamples(pattern string) (list []Sample) {
	names, _ := fs.Glob(notebooks.Files, pattern)
	for _, file := range names {
		text, _ := notebooks.Files.ReadFile(file)
		title := ""
		if nb, err := jupyter.Parse(text); err == nil && len(nb.Cells) > 0 {
			title, _, _ = strings.Cut(strings.TrimPrefix(nb.Cells[0].Source, "# "), "\n")
		}
		list = append(list, Sample{strings.TrimSuffix(file, ".ipynb"), title, notebooks.Files, ""})
	}
	return list
}

// paths is the sample's files.
func (s Sample) paths() []string {
	if s.dir == "" {
		return []string{s.Name + ".ipynb"}
	}
	names, _ := fs.Glob(s.files, s.dir+"/*")
	return names
}

// IsProgram reports whether a sample is an example, and not a notebook.
func (s Sample) IsProgram() bool { return s.dir != "" }

// Main is the program of an example.
func (s Sample) Main() ([]byte, error) { return fs.ReadFile(s.files, s.dir+"/main.go") }

// Named is the samples of the names; all examples if there are none.
func Named(names []string) (list []Sample, err error) {
	all := slices.Concat(Examples(), Tutorials(), compiled())
	if len(names) == 0 {
		return Examples(), nil
	}
	var there []string
	for _, s := range all {
		there = append(there, s.Name)
	}
	for _, name := range names {
		name = strings.TrimSuffix(name, ".ipynb")
		i := slices.Index(there, name)
		if p, err := puzzles.Course.Named(name); i < 0 && err == nil {
			return nil, fmt.Errorf("%s is a puzzle\n\tfix: tiler learn -o %s.go %[1]s writes it into a file", p.Name, p.Name)
		}
		if i < 0 {
			return nil, fmt.Errorf("there is no example %s%s\n\tfix: tiler examples lists them", name, cli.DidYouMean(name, there, ""))
		}
		list = append(list, all[i])
	}
	return list, nil
}
