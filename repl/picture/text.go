package picture

import (
	"slices"
	"strings"
)

// String is the picture as text without colours.
func (p Picture) String() string { return p.draw(textWriter{}) }

// ANSI is the picture as text with a terminal's colours, for dark ground or for light.
func (p Picture) ANSI(light bool) string { return p.draw(textWriter{colour: true, light: light}) }

// draw is the picture as text; it ends without a newline.
func (p Picture) draw(t textWriter) string {
	w := &t
	first := true
	for _, b := range p.Blocks {
		if b.Figure != nil && b.Figure.Text.Blocks == nil || b.Legend.obvious() || b.Panel != nil {
			continue // only pages show it
		}
		if !first {
			w.WriteByte('\n')
		}
		first = false
		if b.Grid != nil {
			w.grid(b.Grid)
			continue
		}
		if b.Raster != nil {
			w.raster(b.Raster)
			continue
		}
		if b.Figure != nil {
			w.WriteString(b.Figure.text().draw(textWriter{colour: w.colour, light: w.light}))
			continue
		}
		if b.Legend != nil {
			w.legend(b.Legend)
			continue
		}
		for _, s := range b.Line {
			w.span(s.Text, s.Style)
		}
	}
	return w.String()
}

type textWriter struct {
	strings.Builder
	colour, light bool
}

func (w *textWriter) span(text string, s Style) {
	code := looks[s].terminal
	if w.light {
		code = looks[s].onLight
	}
	if !w.colour || code == "" || text == "" {
		w.WriteString(text)
		return
	}
	w.WriteString("\x1b[" + code + "m" + text + "\x1b[0m")
}

// layout is how wide the parts of a grid are.
type layout struct {
	head   int // columns before the rule
	cell   int // of one cell
	mark   int // for marks, 0 if there are none
	space  string
	stride int // every which column has its header
}

func (g *Grid) layout() layout {
	l := layout{space: "  ", stride: 1}
	if g.Tight {
		l.space = " "
	}
	for _, r := range g.Rows {
		l.head = max(l.head, Width(r))
	}
	for _, row := range g.Cells {
		for _, c := range row {
			l.cell = max(l.cell, Width(c.Text))
			l.mark = max(l.mark, Width(c.Mark))
		}
	}
	widest := 0
	for _, c := range g.Cols {
		widest = max(widest, Width(c))
	}
	if !g.Tight {
		l.cell = max(l.cell, widest)
		return l
	}
	gap := min(widest, 2) // numbers of several digits would run together
	for step := l.cell + l.mark + len(l.space); step*l.stride-gap < widest && l.stride < 8; l.stride *= 2 {
	}
	return l
}

func (w *textWriter) grid(g *Grid) {
	l := g.layout()
	if g.Cols != nil {
		w.header(g, l)
		w.WriteByte('\n')
	}
	for i, row := range g.Cells {
		if i > 0 {
			w.WriteByte('\n')
		}
		if g.Rows != nil {
			w.span(padLeft(g.Rows[i], l.head)+" │ ", Head)
		}
		for k, c := range row {
			if k > 0 {
				w.WriteString(l.space)
			}
			w.WriteString(strings.Repeat(" ", l.cell-Width(c.Text)))
			w.span(c.Text+c.Mark, c.Style)
			if k < len(row)-1 {
				w.WriteString(strings.Repeat(" ", l.mark-Width(c.Mark)))
			}
		}
	}
}

// header writes the headers of the columns, and the rule below them. Where they are
// wider than the columns only some are written, each from the left edge of its
// column on.
func (w *textWriter) header(g *Grid, l layout) {
	step := l.cell + l.mark + len(l.space)
	b, at := "", 0
	for k, s := range g.Cols {
		col := k * step
		if l.stride == 1 {
			col += l.cell - Width(s)
		} else if col < at || !onStride(g.Cols, k, l.stride) {
			continue
		}
		b += strings.Repeat(" ", col-Width(b)) + s
		at = Width(b) + 1
	}
	prefix, rule := "", ""
	if g.Rows != nil {
		prefix, rule = strings.Repeat(" ", l.head)+" │ ", strings.Repeat("─", l.head+1)+"┼─"
	}
	w.span(prefix+b, Head)
	w.WriteByte('\n')
	w.span(rule+strings.Repeat("─", max(0, step*len(g.Cols)-len(l.space))), Head)
}

// onStride reports whether column k shows its header: every stride-th does, and where
// columns are left out.
func onStride(cols []string, k, stride int) bool {
	first := 0 // behind what is left out
	if gap := slices.Index(cols, Gap); gap >= 0 && gap < k {
		first = gap + 1
	}
	return (k-first)%stride == 0 || cols[k] == Gap
}

// legendWidth is how wide the lines of a legend are.
const legendWidth = 78

// obvious reports whether a legend says only what the caption above says.
func (l Legend) obvious() bool {
	return l != nil && !slices.ContainsFunc(l, func(k Key) bool { return k.Style != On && k.Style != Off })
}

// legend writes keys beside each other, in as many lines as they need.
func (w *textWriter) legend(keys Legend) {
	at := 0
	for i, k := range keys {
		wide := Width(k.Mark) + 1 + Width(k.Text)
		switch {
		case i == 0:
		case at+3+wide <= legendWidth:
			w.WriteString("   ")
			at += 3
		default:
			w.WriteByte('\n')
			at = 0
		}
		w.span(k.Mark, k.Style)
		w.span(" "+k.Text, Head)
		at += wide
	}
}
