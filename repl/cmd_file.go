package repl

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/save"
	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/repl/cell/sugar"
	"github.com/tiler-go/tiler/repl/screen"
	"github.com/tiler-go/tiler/tilelang/overwrite"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// cmdSave writes the session as a Go program.
func cmdSave(v *screen.View, _ context.Context, arg string) error {
	return write(v, ":save", arg, ".go", []byte(v.Cells.Save()))
}

// cmdNotebook writes the session as a notebook: its cells as they were typed, or what they
// did as a program.
func (s *Session) cmdNotebook(_ context.Context, arg string) error {
	file, kernel, _ := strings.Cut(arg, " ")
	switch strings.TrimSpace(kernel) {
	case "", "tiler":
		return write(s.view, ":notebook", file, ".ipynb", save.CellsNotebook(s.history.worked))
	case "gonb":
		return write(s.view, ":notebook", file, ".ipynb", s.cells.Notebook())
	}
	return usage(":notebook")
}

// loadNotebook evaluates the cells of a notebook.
func (s *Session) loadNotebook(ctx context.Context, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	cells, err := save.NotebookCells(filepath.Base(file), text)
	if err != nil {
		return err
	}
	for i, c := range cells {
		if err := s.loadCells(ctx, fmt.Sprintf("%s[%d]", filepath.Base(file), i+1), scan.Split(c)); err != nil || s.quit {
			return err
		}
	}
	return nil
}

// loadCells evaluates cells of a file.
func (s *Session) loadCells(ctx context.Context, name string, cells []scan.Cell) error {
	for _, c := range cells {
		var err error
		if isCommand(c.Text) {
			err = s.Eval(ctx, c.Text)
		} else {
			err = s.evalAt(ctx, name, c.Line, c.Text)
		}
		if err != nil || s.quit {
			return err
		}
	}
	return nil
}

func write(v *screen.View, command, file, extension string, text []byte) error {
	if file == "" {
		return usage(command)
	}
	if filepath.Ext(file) == "" {
		file += extension
	}
	if filepath.Ext(file) != extension {
		return fmt.Errorf("%s writes a file whose name ends in %s, got %s", command, extension, file)
	}
	if err := overwrite.Bytes(file, 0o644, text); err != nil {
		return err
	}
	v.Note("wrote %s, %s", file, screen.Bytes(len(text)))
	return nil
}

// cmdLoad evaluates a file.
func (s *Session) cmdLoad(ctx context.Context, arg string) error {
	if arg == "" {
		return usage(":load")
	}
	file, name, _ := strings.Cut(arg, " ")
	switch filepath.Ext(file) {
	case ".npy":
		return loadArray(s.view, file, strings.TrimSpace(name))
	case ".npz":
		return loadArrays(s.view, file, strings.TrimSpace(name))
	case ".py":
		return s.kernels.Load(file)
	}
	s.loading++
	defer func() { s.loading-- }()
	if s.loading > 20 {
		return fmt.Errorf("files load one another over 20 deep: does %s load itself?", arg)
	}
	if filepath.Ext(arg) == ".ipynb" {
		return s.loadNotebook(ctx, arg)
	}
	text, err := scan.ReadText(arg)
	if err != nil {
		return err
	}
	return s.loadCells(ctx, filepath.Base(arg), cellsOf(text))
}

// loadArray reads an .npy file into a variable.
func loadArray(v *screen.View, file, name string) error {
	x, err := tensor.LoadNpy(file)
	if err != nil {
		return err
	}
	if name == "" {
		return fmt.Errorf("%s holds an array, which needs a name\n\tfix: :load %s x", file, file)
	}
	return setTensor(v, name, x)
}

// loadArrays reads the arrays of an .npz file into variables.
func loadArrays(v *screen.View, file, name string) error {
	arrays, err := tensor.LoadNpz(file)
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(arrays)) {
		to := key
		switch {
		case name != "" && len(arrays) == 1:
			to = name
		case name != "":
			to = name + "_" + key
		}
		if !token.IsIdentifier(to) {
			return fmt.Errorf("%s holds an array called %q, which cannot be the name of a variable\n\tfix: x := tensor.Open(%q, %q)", file, to, file, key)
		}
		if err := setTensor(v, to, arrays[key]); err != nil {
			return err
		}
	}
	return nil
}

// setTensor makes a variable of a tensor, and says so.
func setTensor(v *screen.View, name string, x *tensor.Tensor) error {
	if err := v.Cells.Set(name, x); err != nil {
		return err
	}
	v.Note("%s is a tensor %s", name, tensor.Describe(x.DType(), x.Shape()))
	return nil
}

// cellsOf is the cells of a script; of a program its declarations, and then the
// statements of its main.
func cellsOf(text string) []scan.Cell {
	if !scan.IsProgram(text) {
		return scan.Split(text)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", sugar.PlainSyntax(text), parser.SkipObjectResolution)
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	decls := blank(text, at(f.Package), at(f.Name.End()))
	if err != nil {
		return []scan.Cell{{Text: decls, Line: 1}} // which says what is wrong with it
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Name.Name != "main" || fn.Recv != nil || fn.Body == nil {
			continue
		}
		decls = blank(decls, at(fn.Pos()), at(fn.End()))
		body := blank(blank(text, 0, at(fn.Body.Lbrace)+1), at(fn.Body.Rbrace), len(text))
		return []scan.Cell{{Text: decls, Line: 1}, {Text: body, Line: 1}}
	}
	return []scan.Cell{{Text: decls, Line: 1}}
}

// blank is text with what stands from lo to hi blanked out: every byte but the ends of lines.
func blank(text string, lo, hi int) string {
	b := []byte(text)
	for i := lo; i < hi; i++ {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
	return string(b)
}
