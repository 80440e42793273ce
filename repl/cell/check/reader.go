package check

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"

	"github.com/tiler-go/tiler/repl/cell/sugar"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A part is a file for the type checker that was made of a cell: the same text with
// all but some spans blanked, after a prefix.
type part struct {
	cell   int
	prefix int // bytes before the cell's text
	dep    *Def
}

// A reader makes files of parts of cells, and knows of each place in a file where the user sees it.
type reader struct {
	s      *Scope
	Cell   int
	fset   *token.FileSet
	parts  map[*token.File]part
	grids  map[token.Pos]bool // calls that stand for grids, by their opening brackets
	errors diag.List
	unread *diag.Diagnostic // the first thing that the parser could not read
}

func newReader(p *Plan) reader {
	return reader{s: p.s, Cell: p.cell, fset: token.NewFileSet(), parts: map[*token.File]part{}, grids: map[token.Pos]bool{}}
}

// Program reports whether the cell is a whole file.
func (r *reader) Program() bool { return r.s.Sources[r.Cell].Program }

// declPrefix and bodyPrefix make a Go file of declarations, or of statements.
const (
	declPrefix = "package main\n"
	bodyPrefix = "package main\nfunc _() {\n"
)

// parse makes a file of some spans of a cell.
func (r *reader) parse(cell int, spans []span, prefix string, dep *Def) *ast.File {
	text := r.s.Sources[cell].Text
	blank := []byte(text)
	for i, b := range blank {
		if b != '\n' {
			blank[i] = ' '
		}
	}
	deep := r.s.Sources[cell].nesting()
	if deep != nil {
		spans = nil
	}
	plain, grids := sugar.PlainIndex(text), []int(nil)
	if !r.Program() && deep == nil {
		plain, grids = sugar.PlainBrackets(plain, r.s.generics(text))
	}
	for _, sp := range spans {
		copy(blank[sp.Start:sp.End], plain[sp.Start:sp.End])
	}
	src := prefix + string(blank)
	if prefix == bodyPrefix {
		src += "\n}"
	}
	before := r.fset.Base()
	f, err := parser.ParseFile(r.fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	tf := r.fset.File(token.Pos(before))
	r.parts[tf] = part{cell, len(prefix), dep}
	for _, at := range grids {
		r.grids[tf.Pos(len(prefix)+at)] = true
	}
	switch {
	case deep != nil && len(r.errors) == 0:
		r.errors = append(r.errors, deep)
	case deep == nil && err != nil:
		r.syntax(err, tf)
	case deep == nil:
		r.chains(f)
	}
	return f
}

// syntax reports the first thing that the parser found: what comes after it often follows from it.
func (r *reader) syntax(err error, tf *token.File) {
	list, ok := err.(scanner.ErrorList)
	if !ok || len(list) == 0 {
		r.errors = append(r.errors, diag.At(diag.Pos{}, "%v", err))
		return
	}
	first := slices.MinFunc(list, func(a, b *scanner.Error) int { return a.Pos.Offset - b.Pos.Offset })
	pos := r.position(tf.Pos(min(first.Pos.Offset, tf.Size())))
	d := r.syntaxHint(pos, first.Msg)
	if first.Msg == "exceeded max nesting depth" {
		d = tooLong(pos)
	}
	r.errors = append(r.errors, d)
	if r.unread == nil || d.Pos.Line < r.unread.Pos.Line || d.Pos.Line == r.unread.Pos.Line && d.Pos.Col < r.unread.Pos.Col {
		r.unread = d
	}
}

// offset is a position as a cell and a byte of its text.
func (r *reader) offset(pos token.Pos) (cell, off int) {
	tf := r.fset.File(pos)
	if tf == nil {
		return r.Cell, 0
	}
	p := r.parts[tf]
	off = tf.Offset(pos) - p.prefix
	return p.cell, min(max(off, 0), len(r.s.Sources[p.cell].Text))
}

// position is where the user sees a position.
func (r *reader) position(pos token.Pos) diag.Pos {
	cell, off := r.offset(pos)
	return r.s.Sources[cell].At(off)
}

// dependent is the definition of an earlier cell that a position is in, nil if it is of the cell's own text.
func (r *reader) dependent(pos token.Pos) *Def { return r.parts[r.fset.File(pos)].dep }

// lineMark is a position as lowered code notes it.
func (r *reader) lineMark(pos token.Pos) int {
	cell, off := r.offset(pos)
	return (cell+1)<<lineBits + r.s.Sources[cell].At(off).Line
}

// lineBits is how many bits of a mark are the line; the others are the cell, counted
// from 1, so that a mark is no line.
const lineBits = 24

func (r *reader) errorf(pos token.Pos, format string, args ...any) *diag.Diagnostic {
	d := diag.At(r.position(pos), format, args...)
	r.errors = append(r.errors, d)
	return d
}
