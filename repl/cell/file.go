package cell

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/cell/check"
	"github.com/tiler-go/tiler/repl/cell/save"
	"github.com/tiler-go/tiler/repl/cell/scan"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// RunFile runs the text of a file. A text that begins with a package clause is a
// program: what Go compiles and nothing else, which ends when its function main does.
// Any other text is cells, one after the other, until one fails.
func (s *Session) RunFile(ctx context.Context, name, text string) error {
	if scan.IsProgram(text) {
		s.lock()
		defer s.unlock()
		cell := s.scope.Add(check.Source{Name: name, Text: text, Line: 1, Program: true})
		return s.evalStage(ctx, cell, scan.Stage{})
	}
	for _, c := range scan.Split(text) {
		if err := s.runCell(ctx, name, c); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) runCell(ctx context.Context, name string, c scan.Cell) error {
	if !scan.IsCommand(c.Text) {
		return s.EvalAt(ctx, name, c.Line, c.Text)
	}
	if s.opts.Command == nil {
		return diag.List{diag.At(diag.Pos{File: name, Line: c.Line, Col: 1}, "%s: commands cannot be used here", strings.Fields(c.Text)[0])}
	}
	return s.opts.Command(ctx, c.Text)
}

// Render is an error of the session as its user sees it: with the line of the text
// that it is about, a caret, and what to do.
func (s *Session) Render(err error) string {
	switch err := err.(type) {
	case nil:
		return ""
	case diag.List:
		texts := make([]string, len(err))
		for i, d := range err {
			texts[i] = diag.Render(d, s.text)
		}
		return strings.Join(texts, "\n")
	case *diag.Diagnostic:
		return diag.Render(err, s.text)
	case *Failure:
		return diag.Render(err.Diagnostic(), s.text)
	}
	return fmt.Sprint(err)
}

// text is what the session was given under a name, each line at its number.
func (s *Session) text(name string) string {
	var sources []check.Source
	s.read(func() { sources = slices.Clone(s.scope.Sources) })
	var lines []string
	for _, src := range sources {
		if src.Name != name {
			continue
		}
		for i, line := range strings.Split(src.Text, "\n") {
			for len(lines) < src.Line+i {
				lines = append(lines, "")
			}
			lines[src.Line+i-1] = line
		}
	}
	return strings.Join(lines, "\n")
}

// Save is the session as a Go program, for go run and tiler run: the definitions in
// force, and a function main that does what the cells did which ran to their end.
func (s *Session) Save() string { return s.log.Program() }

// Notebook is the session as a notebook for gonb, a cell for each of its cells.
func (s *Session) Notebook() []byte { return s.log.Notebook() }

// Compiled is the cell that was evaluated last as one of gonb's. Its body begins with those
// statements of earlier cells that made the variables which it uses. What earlier cells only
// showed or launched is not among them.
func (s *Session) Compiled() save.Edition {
	s.lock()
	defer s.unlock()
	return s.log.Edition(len(s.scope.Sources)-1, false)
}
