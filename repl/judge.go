package repl

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"

	"github.com/tiler-go/tiler/repl/cell/scan"
)

// JudgeFile judges the puzzles' kernels that a file defines. It does not run the file's main. It is
// the process's exit status: 1 if a kernel is wrong.
func (s *Session) JudgeFile(ctx context.Context, name string) int {
	text, err := scan.ReadText(name)
	if err != nil {
		s.Report(err)
		return 1
	}
	s.lessons.InFiles()
	if err := s.define(ctx, name, string(text)); err != nil {
		if ctx.Err() != nil {
			err = errInterrupted
		}
		s.Report(err)
		return 1
	}
	verdicts := s.lessons.Verdicts()
	if len(verdicts) == 0 {
		s.Report(fmt.Errorf("%s defines no kernel of a puzzle, such as %s\n\tfix: tiler learn lists them", name, s.lessons.Current().Name))
		return 1
	}
	if slices.Contains(verdicts, false) {
		return 1
	}
	return 0
}

// define makes the definitions of a file: of a program as Go does, without running its main; else
// cell by cell.
func (s *Session) define(ctx context.Context, name, text string) error {
	if scan.IsProgram(text) {
		if err := s.cells.RunFile(ctx, name, withoutMain(text)); err != nil {
			return err
		}
		return s.lessons.JudgeNew(ctx)
	}
	for _, c := range cellsOf(text) {
		if err := s.evalAt(ctx, name, c.Line, c.Text); err != nil {
			return err
		}
	}
	return nil
}

// withoutMain is a program whose main does nothing. What it did is compiled all the same, so that
// its imports are used.
func withoutMain(text string) string {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return text // which says what is wrong with it
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == "main" && fn.Recv == nil {
			at := fset.Position(fn.Name.Pos()).Offset
			text = text[:at] + "_" + text[at+len("main"):]
		}
	}
	return text + "\nfunc main() {}\n"
}
