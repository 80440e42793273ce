// Package plot draws numbers as lines along two axes, of characters or as a drawing, and finds the numbers of a value.
package plot

import (
	"fmt"
	"math"
	"strings"

	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/repl/show"
)

// A Series is one line of a plot.
type Series struct {
	Name string
	X, Y []float64
}

// An Axis is how a plot measures.
type Axis struct {
	Name string
	Log  bool // equal ratios are equally far apart
	Text func(v float64) string
}

// plotMarks tell series apart without colours.
const plotMarks = "*+ox#@%&"

// A canvas is the characters of a plot.
type canvas struct {
	w, h  int
	cells [][]picture.Span
}

// Lines draws series as lines: of characters at the prompt, as a drawing on a page.
func Lines(list []Series, x, y Axis, o show.Options) picture.Picture {
	o = o.WithDefaults()
	h := max(6, min(16, o.Rows-5))
	x0, x1 := ends(list, func(s Series) []float64 { return s.X })
	y0, y1 := ends(list, func(s Series) []float64 { return s.Y })
	head := 0
	for i := range h {
		head = max(head, picture.Width(y.text(y.value(y0, y1, 1-float64(i)/float64(h-1)))))
	}
	c := canvas{w: max(16, o.Width-head-4), h: h}
	c.cells = make([][]picture.Span, h)
	for i := range c.cells {
		c.cells[i] = make([]picture.Span, c.w)
	}
	for k, s := range list {
		c.series(s, k, func(v float64) float64 { return x.place(x0, x1, v) }, func(v float64) float64 { return y.place(y0, y1, v) })
	}
	var p picture.Picture
	names := picture.LineOf(picture.Head, y.Name+"  ")
	for k, s := range list {
		mark := plotMarks[k%len(plotMarks) : k%len(plotMarks)+1]
		names = append(names, picture.Span{Text: mark + " " + s.Name + "   ", Style: picture.Hue(k)})
	}
	p.Blocks = append(p.Blocks, picture.Block{Line: names})
	for i, row := range c.cells {
		label := ""
		if i%3 == 0 || i == h-1 {
			label = y.text(y.value(y0, y1, 1-float64(i)/float64(h-1)))
		}
		at := picture.LineOf(picture.Head, fmt.Sprintf("%*s │", head, label))
		p.Blocks = append(p.Blocks, picture.Block{Line: append(at, joined(row)...)})
	}
	p.Add(picture.Head, strings.Repeat(" ", head+1)+"└"+strings.Repeat("─", c.w))
	lo, hi := x.text(x0), x.text(x1)
	middle := x.Name
	gap := max(2, c.w-picture.Width(lo)-picture.Width(hi)-picture.Width(middle))
	p.Add(picture.Head, strings.Repeat(" ", head+2)+lo+strings.Repeat(" ", gap/2)+middle+strings.Repeat(" ", gap-gap/2)+hi)
	return picture.Picture{Blocks: []picture.Block{{Figure: chart(list, x, y, p)}}}
}

func (a Axis) text(v float64) string {
	if a.Text != nil {
		return a.Text(v)
	}
	return fmt.Sprintf("%.4g", v)
}

// place is where a value is between two others, 0 to 1.
func (a Axis) place(lo, hi, v float64) float64 {
	if a.Log {
		lo, hi, v = math.Log(lo), math.Log(hi), math.Log(v)
	}
	if hi == lo {
		return 0.5
	}
	return (v - lo) / (hi - lo)
}

// value is the value at a place.
func (a Axis) value(lo, hi, at float64) float64 {
	if a.Log {
		return math.Exp(math.Log(lo) + at*(math.Log(hi)-math.Log(lo)))
	}
	return lo + at*(hi-lo)
}

// ends is the least and the greatest number that can be drawn.
func ends(list []Series, of func(Series) []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, s := range list {
		for _, v := range of(s) {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}
	if lo > hi {
		return 0, 1
	}
	return lo, hi
}

// series draws the points of a series, and dots between neighbours.
func (c *canvas) series(s Series, k int, x, y func(float64) float64) {
	at := func(i int) (col, row float64, ok bool) {
		col, row = x(s.X[i])*float64(c.w-1), (1-y(s.Y[i]))*float64(c.h-1)
		return col, row, !math.IsNaN(col+row) && !math.IsInf(col+row, 0)
	}
	for i := 1; i < len(s.X); i++ {
		c0, r0, ok0 := at(i - 1)
		c1, r1, ok1 := at(i)
		if !ok0 || !ok1 {
			continue
		}
		steps := math.Max(math.Abs(c1-c0), math.Abs(r1-r0))
		for n := 1.0; n < steps; n++ {
			c.put(c0+(c1-c0)*n/steps, r0+(r1-r0)*n/steps, picture.Span{Text: "·", Style: picture.Hue(k)}, false)
		}
	}
	mark := plotMarks[k%len(plotMarks) : k%len(plotMarks)+1]
	for i := range s.X {
		if col, row, ok := at(i); ok {
			c.put(col, row, picture.Span{Text: mark, Style: picture.Hue(k)}, true)
		}
	}
}

// put draws a character; a dot is drawn only where nothing is.
func (c *canvas) put(col, row float64, s picture.Span, over bool) {
	cell := &c.cells[int(math.Round(row))][int(math.Round(col))]
	if over || cell.Text == "" {
		*cell = s
	}
}

// joined is the characters of a row as spans, without the blanks at its end.
func joined(row []picture.Span) (l picture.Line) {
	for len(row) > 0 && row[len(row)-1].Text == "" {
		row = row[:len(row)-1]
	}
	for _, s := range row {
		if s.Text == "" {
			s = picture.Span{Text: " ", Style: picture.Plain}
		}
		if n := len(l); n > 0 && l[n-1].Style == s.Style {
			l[n-1].Text += s.Text
			continue
		}
		l = append(l, s)
	}
	return l
}
