// Package show makes values visible: tiles, tensors, pointers, masks and messages as
// pictures. A Picture is data, lines of text and grids of cells that each have a
// style; it is drawn as plain text, as text with a terminal's colours, or as HTML,
// from the one table of styles. Nothing is told by colour alone.
//
// The functions are pure: they look at values, and keep nothing.
package show

import (
	"strings"
	"unicode/utf8"
)

// A Picture is blocks from top to bottom.
type Picture struct{ Blocks []Block }

// A Block is a line, a grid or a raster.
type Block struct {
	Line   Line
	Grid   *Grid   // if not nil, the block is this
	Raster *Raster // or this
}

// A Line is one line of text.
type Line []Span

// A Span is text in one style.
type Span struct {
	Text  string
	Style Style
}

// A Grid is cells in rows and columns, all rows of one length. Headers stand above
// the columns and before the rows.
type Grid struct {
	Cols, Rows []string
	Cells      [][]Cell
	Tight      bool // cells are marks: a narrow column each
}

// A Cell is one field of a grid. Its mark says without colours what its style says
// with them.
type Cell struct {
	Text  string
	Mark  string // at most one character, after the text
	Style Style
	Heat  float64 // of a float: its part of the largest of the grid, -1 to 1
}

// gapHeader stands for rows or columns that are left out.
const gapHeader = "…"

// line makes a line of texts and styles in turn.
func line(parts ...any) Line {
	var l Line
	style := Plain
	for _, p := range parts {
		switch p := p.(type) {
		case Style:
			style = p
		case string:
			l = append(l, Span{p, style})
			style = Plain
		}
	}
	return l
}

func (p *Picture) add(parts ...any) { p.Blocks = append(p.Blocks, Block{Line: line(parts...)}) }

// lines adds a text as lines of one style.
func (p *Picture) lines(style Style, text string) {
	for l := range strings.SplitSeq(text, "\n") {
		p.add(style, l)
	}
}

func (p *Picture) grid(g *Grid) { p.Blocks = append(p.Blocks, Block{Grid: g}) }

// Append adds the blocks of another picture below.
func (p *Picture) Append(q Picture) { p.Blocks = append(p.Blocks, q.Blocks...) }

// Paragraph is what stands before the first empty line.
func (p Picture) Paragraph() Picture {
	for i, b := range p.Blocks {
		if b.Grid == nil && b.Raster == nil && len(b.Line) == 0 || len(b.Line) == 1 && b.Line[0].Text == "" {
			return Picture{p.Blocks[:i]}
		}
	}
	return p
}

// Text is a picture of a text, unchanged.
func Text(text string) Picture {
	var p Picture
	p.lines(Plain, strings.TrimSuffix(text, "\n"))
	return p
}

func width(s string) int { return utf8.RuneCountInString(s) }

func padLeft(s string, w int) string { return strings.Repeat(" ", max(0, w-width(s))) + s }
