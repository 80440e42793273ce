package play

import (
	"math"

	"github.com/tiler-go/tiler/repl/picture"
	tl "github.com/tiler-go/tiler/tilelang"
)

// A Picture is a picture as data.
type Picture struct {
	Blocks   []Block   `json:"blocks"`
	Pointers *Pointers `json:"pointers,omitempty"` // what the picture is of, if that is pointers
}

// A Block is a line, a grid, a legend, a panel or a drawing.
type Block struct {
	Line    [][2]string `json:"line,omitempty"` // style and text
	Grid    *Grid       `json:"grid,omitempty"`
	Legend  [][3]string `json:"legend,omitempty"` // mark, style and text
	Panel   *Panel      `json:"panel,omitempty"`
	Drawing *Drawing    `json:"drawing,omitempty"`
}

// A Panel is a picture with a word before it.
type Panel struct {
	Badge string   `json:"badge"`
	Style string   `json:"style"`
	Body  *Picture `json:"body"`
}

// A Drawing is an image, an SVG document, with what it shows in words.
type Drawing struct {
	SVG   string `json:"svg"`
	Label string `json:"label"`
	W     int    `json:"w"`
	H     int    `json:"h"`
}

// A Grid is cells in rows.
type Grid struct {
	Cols  []string `json:"cols,omitempty"`
	Rows  []string `json:"rows,omitempty"`
	Cells [][]Cell `json:"cells"`
	Tight bool     `json:"tight,omitempty"`
}

// A Cell is one field.
type Cell struct {
	Text  string  `json:"t"`
	Mark  string  `json:"m,omitempty"`
	Style string  `json:"s,omitempty"`
	Heat  float64 `json:"h,omitempty"`
	Note  string  `json:"n,omitempty"`
}

// styles are the names of styles in the page's style sheet.
var styles = map[picture.Style]string{
	picture.Head: "head", picture.Name: "name", picture.On: "on", picture.Off: "off",
	picture.Masked: "masked", picture.Bad: "bad", picture.WrongRow: "row", picture.Undef: "undef",
	picture.Good: "good", picture.Warn: "warn", picture.Code: "code",
	picture.Hue1: "p0", picture.Hue2: "p1", picture.Hue3: "p2", picture.Hue4: "p3",
	picture.Hue5: "p4", picture.Hue6: "p5", picture.Hue7: "p6", picture.Hue8: "p7",
}

func asData(p picture.Picture) *Picture {
	out := &Picture{Blocks: []Block{}}
	for _, b := range p.Blocks {
		switch {
		case b.Grid != nil:
			out.Blocks = append(out.Blocks, Block{Grid: gridData(b.Grid)})
		case b.Raster != nil:
			out.Blocks = append(out.Blocks, Block{Grid: rasterData(b.Raster)})
		case b.Legend != nil:
			keys := [][3]string{}
			for _, k := range b.Legend {
				keys = append(keys, [3]string{k.Mark, styles[k.Style], k.Text})
			}
			out.Blocks = append(out.Blocks, Block{Legend: keys})
		case b.Panel != nil:
			out.Blocks = append(out.Blocks, Block{Panel: &Panel{b.Panel.Badge, styles[b.Panel.Style], asData(b.Panel.Body)}})
		case b.Figure != nil:
			out.Blocks = append(out.Blocks, figureData(b.Figure)...)
		default:
			line := [][2]string{}
			for _, s := range b.Line {
				line = append(line, [2]string{styles[s.Style], s.Text})
			}
			out.Blocks = append(out.Blocks, Block{Line: line})
		}
	}
	return out
}

// figureData is what a page shows of a figure: its drawing, or else its picture for pages.
func figureData(f *picture.Figure) []Block {
	switch {
	case f.Drawing != "":
		return []Block{{Drawing: &Drawing{f.Drawing, f.Label, f.W, f.H}}}
	case len(f.Page.Blocks) > 0:
		return asData(f.Page).Blocks
	}
	return asData(f.Text).Blocks
}

func gridData(g *picture.Grid) *Grid {
	out := &Grid{Cols: g.Cols, Rows: g.Rows, Tight: g.Tight, Cells: make([][]Cell, len(g.Cells))}
	for i, row := range g.Cells {
		for _, c := range row {
			heat := c.Heat
			if math.IsNaN(heat) || math.IsInf(heat, 0) {
				heat = 0
			}
			out.Cells[i] = append(out.Cells[i], Cell{c.Text, c.Mark, styles[c.Style], math.Round(heat*100) / 100, c.Note})
		}
	}
	return out
}

// mostPoints is how many points a heat map of the page has on a side.
const mostPoints = 48

// rasterData is a raster as a grid whose cells have nothing but a place on the scale.
func rasterData(r *picture.Raster) *Grid {
	rows, cols := min(r.Rows, mostPoints), min(r.Cols, mostPoints)
	out := &Grid{Tight: true, Cells: make([][]Cell, rows)}
	for i := range rows {
		for j := range cols {
			v := r.At(i*r.Rows/rows, j*r.Cols/cols)
			c := Cell{}
			switch scale := max(math.Abs(r.Lo), math.Abs(r.Hi)); {
			case math.IsNaN(v):
				c.Text = "?"
			case scale > 0:
				c.Heat = math.Round(v/scale*100) / 100
			}
			out.Cells[i] = append(out.Cells[i], c)
		}
	}
	return out
}

// size is about how many bytes a picture takes.
func (p *Picture) size() (n int) {
	for _, b := range p.Blocks {
		for _, s := range b.Line {
			n += len(s[1]) + 16
		}
		if b.Panel != nil {
			n += b.Panel.Body.size()
		}
		if b.Drawing != nil {
			n += len(b.Drawing.SVG)
		}
		if b.Grid != nil {
			for _, row := range b.Grid.Cells {
				n += 24 * len(row)
			}
		}
	}
	if p.Pointers != nil {
		n += 12 * len(p.Pointers.Offsets)
	}
	return n
}

// Pointers is a tile of pointers into a tensor.
type Pointers struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Tensor  []int  `json:"tensor"` // its shape
	Strides []int  `json:"strides"`
	Span    int    `json:"span"`
	Shape   []int  `json:"shape"` // of the tile
	Offsets []int  `json:"offsets"`
	Wrapped []bool `json:"wrapped"` // by lane: it has run past the end of its row into another
}

// mostLanes is how many lanes are drawn one by one.
const mostLanes = 4096

// pointers is a value as pointers, nil if it is none or too large.
func pointers(v any) *Pointers {
	x, ok := v.(tl.Tile)
	if !ok || !x.DType().IsPointer() || x.Base() == nil || x.Base().Tensor == nil {
		return nil
	}
	t := x.Base().Tensor
	bits := x.Bits()
	if len(bits) > mostLanes || len(x.Shape()) == 0 || len(x.Shape()) > 2 || t.Rank() == 0 || t.Rank() > 2 {
		return nil
	}
	p := &Pointers{
		Name: x.Base().Name, Type: t.DType().Short(), Tensor: t.Shape(), Strides: t.Strides(), Span: t.Span(),
		Shape: x.Shape(), Offsets: make([]int, len(bits)), Wrapped: make([]bool, len(bits)),
	}
	if p.Name == "" {
		p.Name = "tensor"
	}
	for i, b := range bits {
		p.Offsets[i] = int(int64(b))
	}
	p.wrap()
	return p
}

// wrap finds the lanes that have left their row: along an axis of the tile that steps from
// element to element, all lanes belong in the row of the first.
func (p *Pointers) wrap() {
	if len(p.Tensor) != 2 || p.Strides[1] != 1 || p.Strides[0] <= 0 {
		return
	}
	row := func(i int) int { return int(math.Floor(float64(p.Offsets[i]) / float64(p.Strides[0]))) }
	step := 1
	for axis := len(p.Shape) - 1; axis >= 0; axis-- {
		n := p.Shape[axis]
		if n > 1 && p.Offsets[step]-p.Offsets[0] == 1 {
			for i := range p.Offsets {
				if first := i - i/step%n*step; row(i) != row(first) {
					p.Wrapped[i] = true
				}
			}
		}
		step *= n
	}
}
