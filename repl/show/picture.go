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

// A Block is a line, a grid, a raster, a legend or a figure.
type Block struct {
	Line   Line
	Grid   *Grid   // if not nil, the block is this
	Raster *Raster // or this
	Legend Legend  // or this
	Figure *Figure // or this
	Panel  *Panel  // or this, on pages only
}

// A Panel is a picture with a word before it that says what it is.
type Panel struct {
	Badge string
	Style Style
	Body  Picture
}

// isLine reports whether the block is a line of text.
func (b Block) isLine() bool {
	return b.Grid == nil && b.Raster == nil && b.Legend == nil && b.Figure == nil && b.Panel == nil
}

// A Legend says what marks mean.
type Legend []Key

// A Key is a mark of a legend.
type Key struct {
	Mark  string
	Style Style
	Text  string
}

// A Figure is what a page can show better than a terminal.
type Figure struct {
	Text  Picture // what a terminal shows
	Width int     // where lines of Text are broken also if a terminal is wider; 0: nowhere
	Page  Picture // what a page shows, if it has no drawing

	Drawing string // an SVG document
	Label   string // what the drawing shows, for who does not see it
	W, H    int    // the drawing's size in pixels
	Areas   []Area // places in it that say what they are
}

// An Area is a rectangle of a drawing, in pixels: left, top, right and bottom.
type Area struct {
	Rect [4]int
	Text string
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
	Shaded     bool // Heat is the ground of its cells
}

// A Cell is one field of a grid. Its mark says without colours what its style says
// with them.
type Cell struct {
	Text  string
	Mark  string // at most one character, after the text
	Style Style
	Heat  float64 // of a float: its part of the largest of the grid, -1 to 1
	Note  string  // what a page says about it when one points at it
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

// legend adds keys, if there are any.
func (p *Picture) legend(keys ...Key) {
	if len(keys) > 0 {
		p.Blocks = append(p.Blocks, Block{Legend: keys})
	}
}

// Append adds the blocks of another picture below.
func (p *Picture) Append(q Picture) { p.Blocks = append(p.Blocks, q.Blocks...) }

// Text is a picture of a text, unchanged.
func Text(text string) Picture {
	var p Picture
	p.lines(Plain, strings.TrimSuffix(text, "\n"))
	return p
}

func width(s string) int { return utf8.RuneCountInString(s) }

func padLeft(s string, w int) string { return strings.Repeat(" ", max(0, w-width(s))) + s }
