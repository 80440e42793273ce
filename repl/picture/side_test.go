package picture

import (
	"fmt"
	"html"
	"strings"
)

// Measures of a drawing, in pixels, for text of 13 pixels.
const (
	svgChar   = 7.85 // a character
	svgLine   = 20.0
	svgCell   = 22.0
	svgMargin = 18.0
	svgGap    = 44.0 // between pictures side by side
)

// SVG is pictures side by side, and another one below them, as a drawing with colours of
// its own for light and dark pages.
func SVG(label string, below Picture, side ...Picture) string {
	var w svgWriter
	x, height := svgMargin, 0.0
	for _, p := range side {
		width, high := w.picture(p, x, svgMargin)
		x, height = x+width+svgGap, max(height, high)
	}
	width, high := w.picture(below, svgMargin, svgMargin+height+12)
	width, height = max(width+2*svgMargin, x-svgGap+svgMargin), 2*svgMargin+height+high+12
	return fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"%s\">\n%s<rect class=\"ground\" width=\"100%%\" height=\"100%%\" rx=\"10\"/>\n%s</svg>\n",
		width, height, width, height, html.EscapeString(label), svgStyle(), w.String())
}

// svgStyle is the looks as rules.
func svgStyle() string {
	rules := func(ground, ink, line, wrong string, colour func(look) string) string {
		var b strings.Builder
		fmt.Fprintf(&b, ".ground{fill:%s}text{fill:%s}.cell{stroke:%s}text.bad{fill:%s}", ground, ink, line, wrong)
		for _, l := range looks {
			switch {
			case l.colour.Ground:
				fmt.Fprintf(&b, "rect.%s{fill:%s}", l.class, colour(l))
			case l.class != "":
				fmt.Fprintf(&b, "text.%s{fill:%s}", l.class, colour(l))
			}
		}
		return b.String()
	}
	return "<style>text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;white-space:pre}text.n{font-weight:bold}.small{font-size:11px}.cell{fill:none}" +
		rules("#f6f8fa", "#1f2937", "#d0d7de", "#b91c1c", func(l look) string { return l.colour.Light }) +
		"@media(prefers-color-scheme:dark){" + rules("#161b22", "#d1d5db", "#30363d", "#f87171", func(l look) string { return l.colour.Dark }) + "}</style>\n"
}

type svgWriter struct{ strings.Builder }

// text writes a text whose middle line is at y; anchor is start, middle or end.
func (w *svgWriter) text(x, y float64, anchor, class, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	if class != "" {
		class = " class=\"" + class + "\""
	}
	fmt.Fprintf(w, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>\n", x, y+4.5, anchor, class, html.EscapeString(text))
}

// picture draws a picture with its corner at a place, and returns its size.
func (w *svgWriter) picture(p Picture, x, y float64) (width, height float64) {
	top := y
	for _, b := range p.Blocks {
		if b.Grid != nil {
			wide, high := w.grid(b.Grid, x, y)
			width, y = max(width, wide), y+high
			continue
		}
		at := x
		for _, s := range b.Line {
			text := strings.ReplaceAll(s.Text, "\t", "    ")
			w.text(at, y+svgLine/2, "start", looks[s.Style].class, text)
			at += svgChar * float64(len([]rune(text)))
		}
		width, y = max(width, at-x), y+svgLine
	}
	return width, y - top
}

// grid draws cells: marks in squares, numbers in columns as wide as they need.
func (w *svgWriter) grid(g *Grid, x, y float64) (width, height float64) {
	before, wide := 0, 1
	for _, r := range g.Rows {
		before = max(before, len([]rune(r)))
	}
	for _, row := range g.Cells {
		for _, c := range row {
			wide = max(wide, len([]rune(strings.TrimSpace(c.Text)+c.Mark)))
		}
	}
	cell := svgCell
	if !g.Tight {
		cell = svgChar*float64(wide) + 14
	}
	left, top := x+svgChar*float64(before)+8, y+4
	if g.Cols != nil {
		for i, c := range g.Cols {
			w.text(left+(float64(i)+.5)*cell, top+7, "middle", "h small", c)
		}
		top += 18
	}
	for i, row := range g.Cells {
		at := top + float64(i)*svgCell
		if g.Rows != nil {
			w.text(left-7, at+svgCell/2, "end", "h small", g.Rows[i])
		}
		for j, c := range row {
			class := "cell"
			if l := looks[c.Style]; l.colour.Ground {
				class += " " + l.class
			}
			fmt.Fprintf(w, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"/>\n", left+float64(j)*cell, at, cell, svgCell, class)
			w.text(left+(float64(j)+.5)*cell, at+svgCell/2, "middle", looks[c.Style].class, strings.TrimSpace(c.Text)+c.Mark)
		}
	}
	return left - x + float64(len(g.Cells[0]))*cell, top - y + float64(len(g.Cells))*svgCell + 8
}
