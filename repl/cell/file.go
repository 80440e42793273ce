package cell

import (
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

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
		s.sources = append(s.sources, source{name: name, text: text, line: 1, program: true})
		return s.evalStage(ctx, len(s.sources)-1, scan.Stage{})
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

// programFile reads a whole file into the check.
func (c *check) programFile() {
	f := c.parse(c.cell, []span{{c.cell, 0, len(c.s.sources[c.cell].text)}}, "", nil)
	c.decls = append(c.decls, f)
	c.refuseNone()
	if len(c.errors) > 0 {
		return
	}
	if f.Name.Name != "main" {
		c.errorf(f.Name.Pos(), "package %s is not a program", f.Name.Name).Fix("write package main, and a func main()")
	}
	for _, spec := range f.Imports {
		path := strings.Trim(spec.Path.Value, "`\"")
		if _, err := c.s.types.Import(path); err != nil {
			c.errors = append(c.errors, c.importHint(c.position(spec.Path.Pos()), path))
		}
	}
	if mainFunc(f) == nil {
		c.errorf(f.Name.Pos(), "function main is undeclared in the main package")
	}
}

func mainFunc(f *ast.File) *ast.FuncDecl {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "main" {
			return fn
		}
	}
	return nil
}

// main is the function that ends a program; nil for a cell.
func (c *check) main() *types.Func {
	if !c.program() {
		return nil
	}
	f, _ := c.info.Defs[mainFunc(c.decls[0]).Name].(*types.Func)
	return f
}

// program reports whether the check is of a whole file.
func (c *check) program() bool { return c.s.sources[c.cell].program }

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
	var sources []source
	s.read(func() { sources = slices.Clone(s.sources) })
	var lines []string
	for _, src := range sources {
		if src.name != name {
			continue
		}
		for i, line := range strings.Split(src.text, "\n") {
			for len(lines) < src.line+i {
				lines = append(lines, "")
			}
			lines[src.line+i-1] = line
		}
	}
	return strings.Join(lines, "\n")
}
