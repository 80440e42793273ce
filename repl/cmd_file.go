package repl

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/cell"
	"github.com/tiler-go/tiler/repl/launch"
	"github.com/tiler-go/tiler/repl/screen"
	"github.com/tiler-go/tiler/tilelang/overwrite"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// cmdSave writes the session as a Go program.
func (s *Session) cmdSave(_ context.Context, arg string) error {
	return s.write(":save", arg, ".go", []byte(s.cells.Save()))
}

// cmdNotebook writes the session as a notebook: its cells as they were typed, or what they
// did as a program.
func (s *Session) cmdNotebook(_ context.Context, arg string) error {
	file, kernel, _ := strings.Cut(arg, " ")
	switch strings.TrimSpace(kernel) {
	case "", "tiler":
		return s.write(":notebook", file, ".ipynb", cell.CellsNotebook(s.worked))
	case "gonb":
		return s.write(":notebook", file, ".ipynb", s.cells.Notebook())
	}
	return usage(":notebook")
}

// loadNotebook evaluates the cells of a notebook.
func (s *Session) loadNotebook(ctx context.Context, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	cells, err := cell.NotebookCells(filepath.Base(file), text)
	if err != nil {
		return err
	}
	for i, c := range cells {
		if err := s.loadCells(ctx, fmt.Sprintf("%s[%d]", filepath.Base(file), i+1), cell.Split(c)); err != nil || s.quit {
			return err
		}
	}
	return nil
}

// loadCells evaluates cells of a file.
func (s *Session) loadCells(ctx context.Context, name string, cells []cell.Cell) error {
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

func (s *Session) write(command, file, extension string, text []byte) error {
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
	s.view.Note("wrote %s, %s", file, screen.Bytes(len(text)))
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
		return s.loadArray(file, strings.TrimSpace(name))
	case ".npz":
		return s.loadArrays(file, strings.TrimSpace(name))
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
	text, err := cell.ReadText(arg)
	if err != nil {
		return err
	}
	return s.loadCells(ctx, filepath.Base(arg), cellsOf(text))
}

// loadArray reads an .npy file into a variable.
func (s *Session) loadArray(file, name string) error {
	x, err := tensor.LoadNpy(file)
	if err != nil {
		return err
	}
	if name == "" {
		return fmt.Errorf("%s holds an array, which needs a name\n\tfix: :load %s x", file, file)
	}
	return s.setTensor(name, x)
}

// loadArrays reads the arrays of an .npz file into variables.
func (s *Session) loadArrays(file, name string) error {
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
		if err := s.setTensor(to, arrays[key]); err != nil {
			return err
		}
	}
	return nil
}

// setTensor makes a variable of a tensor, and says so.
func (s *Session) setTensor(name string, x *tensor.Tensor) error {
	if err := s.cells.Set(name, x); err != nil {
		return err
	}
	s.view.Note("%s is a tensor %s", name, tensor.Describe(x.DType(), x.Shape()))
	return nil
}

// cellsOf is the cells of a script; of a program its declarations, and then the
// statements of its main.
func cellsOf(text string) []cell.Cell {
	if !cell.IsProgram(text) {
		return cell.Split(text)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", cell.PlainSyntax(text), parser.SkipObjectResolution)
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	decls := blank(text, at(f.Package), at(f.Name.End()))
	if err != nil {
		return []cell.Cell{{Text: decls, Line: 1}} // which says what is wrong with it
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Name.Name != "main" || fn.Recv != nil || fn.Body == nil {
			continue
		}
		decls = blank(decls, at(fn.Pos()), at(fn.End()))
		body := blank(blank(text, 0, at(fn.Body.Lbrace)+1), at(fn.Body.Rbrace), len(text))
		return []cell.Cell{{Text: decls, Line: 1}, {Text: body, Line: 1}}
	}
	return []cell.Cell{{Text: decls, Line: 1}}
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

// cmdEdit changes a definition or the last cell in the user's editor.
func (s *Session) cmdEdit(ctx context.Context, arg string) error {
	before := s.last
	if arg != "" {
		d, ok := s.cells.Def(arg)
		if !ok || d.Source == "" {
			return launch.Unknown(s.cells, arg, "function, type or constant")
		}
		before = d.Source
	}
	after, err := s.editText(before)
	if err != nil {
		return err
	}
	if strings.TrimSpace(after) == strings.TrimSpace(before) {
		s.view.Note("nothing was changed")
		return nil
	}
	return s.evalAt(ctx, "", 0, after)
}

// editText changes a text in the user's editor.
func (s *Session) editText(text string) (string, error) {
	if s.o.Edit == nil {
		return "", errors.New("no editor found\n\tfix: set the environment variable EDITOR")
	}
	f, err := os.CreateTemp("", "cell*.go")
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(strings.TrimRight(text, "\n") + "\n")
	if err := errors.Join(err, f.Close()); err != nil {
		return "", err
	}
	if err := s.o.Edit(f.Name()); err != nil {
		return "", err
	}
	out, err := os.ReadFile(f.Name())
	return strings.TrimRight(string(out), "\n"), err
}

func (s *Session) cmdReset(context.Context, string) error {
	s.cells.Reset()
	s.begun, s.last, s.shown, s.worked = 0, "", nil, nil
	s.kernels.Log.Forget()
	s.lessons.Forget()
	s.view.Note("the session is empty again")
	return nil
}
