// Package picture is pictures as data, and how they are drawn; what they show it does not know. A Picture is lines of
// text, grids of cells, maps of numbers and drawings, whose parts each have a style; it is drawn as plain text, as text
// with a terminal's colours, or as HTML, from the one table of styles. Nothing is told by colour alone.
package picture

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

// Gap stands for rows or columns that are left out.
const Gap = "…"

// LineOf makes a line of texts and styles in turn.
func LineOf(parts ...any) Line {
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

// Add adds a line of texts and styles in turn.
func (p *Picture) Add(parts ...any) { p.Blocks = append(p.Blocks, Block{Line: LineOf(parts...)}) }

// AddLines adds a text as lines of one style.
func (p *Picture) AddLines(style Style, text string) {
	for l := range strings.SplitSeq(text, "\n") {
		p.Add(style, l)
	}
}

// AddGrid adds a grid.
func (p *Picture) AddGrid(g *Grid) { p.Blocks = append(p.Blocks, Block{Grid: g}) }

// AddLegend adds keys, if there are any.
func (p *Picture) AddLegend(keys ...Key) {
	if len(keys) > 0 {
		p.Blocks = append(p.Blocks, Block{Legend: keys})
	}
}

// Append adds the blocks of another picture below.
func (p *Picture) Append(q Picture) { p.Blocks = append(p.Blocks, q.Blocks...) }

// AddScale adds what the shades of the last grid mean, if it has any.
func (p *Picture) AddScale() {
	if g := p.Blocks[len(p.Blocks)-1].Grid; g != nil && g.Shaded {
		p.Blocks = append(p.Blocks, Block{Figure: g.scale()})
	}
}

// scale says on a page what the shades of numbers mean.
func (g *Grid) scale() *Figure {
	row, least, most := []Cell{}, Cell{}, Cell{}
	for _, cells := range g.Cells {
		for _, c := range cells {
			if c.Heat < least.Heat {
				least = c
			}
			if c.Heat > most.Heat {
				most = c
			}
		}
	}
	for _, c := range []Cell{least, {Text: "0"}, most} {
		if c.Text != "" {
			row = append(row, Cell{Text: c.Text, Heat: c.Heat})
		}
	}
	return &Figure{Page: Picture{Blocks: []Block{{Grid: &Grid{Rows: []string{"shades"}, Cells: [][]Cell{row}, Shaded: true}}}}}
}

// Width is how many columns a text takes.
func Width(s string) int { return utf8.RuneCountInString(s) }

func padLeft(s string, w int) string { return strings.Repeat(" ", max(0, w-Width(s))) + s }
