package show

import (
	"fmt"
	"html"
	"math"
	"strings"
	"sync"
)

// HTML is the picture as a piece of a page. It brings its style along, and its own
// ground, so that it can be read on light and dark pages.
func (p Picture) HTML() string {
	var b strings.Builder
	b.WriteString("<div class=\"tiler\">" + styleSheet())
	for i := 0; i < len(p.Blocks); {
		if g := p.Blocks[i].Grid; g != nil {
			htmlGrid(&b, g)
			i++
			continue
		}
		if r := p.Blocks[i].Raster; r != nil {
			htmlRaster(&b, r)
			i++
			continue
		}
		b.WriteString("<pre>")
		for first := true; i < len(p.Blocks) && p.Blocks[i].Grid == nil && p.Blocks[i].Raster == nil; i++ {
			if !first {
				b.WriteByte('\n')
			}
			first = false
			for _, s := range p.Blocks[i].Line {
				htmlSpan(&b, s)
			}
		}
		b.WriteString("</pre>")
	}
	b.WriteString("</div>\n")
	return b.String()
}

func htmlSpan(b *strings.Builder, s Span) {
	text := html.EscapeString(s.Text)
	if class := looks[s.Style].class; class != "" {
		text = "<span class=\"" + class + "\">" + text + "</span>"
	}
	b.WriteString(text)
}

func htmlGrid(b *strings.Builder, g *Grid) {
	class := ""
	if g.Tight {
		class = " class=\"tight\""
	}
	b.WriteString("<table" + class + ">")
	if g.Cols != nil {
		b.WriteString("<tr>")
		if g.Rows != nil {
			b.WriteString("<th></th>")
		}
		for _, c := range g.Cols {
			b.WriteString("<th>" + html.EscapeString(c) + "</th>")
		}
		b.WriteString("</tr>")
	}
	for i, row := range g.Cells {
		b.WriteString("<tr>")
		if g.Rows != nil {
			b.WriteString("<th>" + html.EscapeString(g.Rows[i]) + "</th>")
		}
		for _, c := range row {
			class := looks[c.Style].class
			if class != "" {
				class = " class=\"" + class + "\""
			}
			b.WriteString("<td" + class + shade(c.Heat) + ">" + html.EscapeString(strings.TrimSpace(c.Text)+c.Mark) + "</td>")
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</table>")
}

// styleSheet is the styles of looks, for light and dark pages: as the page's system
// says, unless Jupyter says otherwise. The class is named three times, because pages
// have rules for tables that count as much as two classes.
var styleSheet = sync.OnceValue(func() string {
	const font, top = "ui-monospace,Menlo,Consolas,monospace", ".tiler.tiler.tiler"
	light := palette("#ffffff", "#1f2937", "#b91c1c", func(l look) string { return l.light })
	dark := palette("#161b22", "#d1d5db", "#f87171", func(l look) string { return l.dark })
	var b strings.Builder
	b.WriteString("<style>.tiler{" + light + "}@media(prefers-color-scheme:dark){.tiler{" + dark + "}}" +
		"[data-jp-theme-light=\"true\"] .tiler{" + light + "}[data-jp-theme-light=\"false\"] .tiler{" + dark + "}")
	for _, rule := range []string{
		"{padding:6px 8px;border-radius:4px;overflow-x:auto;background:var(--ground);color:var(--ink)}",
		" pre{margin:0;padding:0;background:none;color:inherit;white-space:pre-wrap;overflow-wrap:anywhere;word-break:normal;tab-size:4;font:13px/1.35 " + font + "}",
		" table{border-collapse:collapse;margin:2px 0 6px;table-layout:auto;color:inherit;font:13px/1.25 " + font + ";border:0}",
		" tr{background:none}",
		" td{padding:1px 6px;text-align:right;border:0;background:none;color:inherit;white-space:pre;max-width:none}",
		" th{padding:1px 6px;text-align:right;border:0;background:none;color:var(--h);white-space:pre;font-weight:normal}",
		" .tight td{padding:0;min-width:15px;text-align:center}",
		" .tight th{padding:0 1px;text-align:center;font-size:10px}",
	} {
		b.WriteString(top + rule)
	}
	for _, l := range looks {
		switch {
		case l.class == "":
		case l.fill:
			fmt.Fprintf(&b, "%s .%s{background:var(--%s)}", top, l.class, l.class)
		default:
			fmt.Fprintf(&b, "%s .%s{color:var(--%s)}", top, l.class, l.class)
		}
	}
	b.WriteString(top + " pre .bad{background:none;color:var(--wrong)}</style>")
	return b.String()
})

// palette is the colours of one ground, as variables named like the looks. What is
// wrong is a ground in grids, and an ink in text.
func palette(ground, ink, wrong string, colour func(look) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "--ground:%s;--ink:%s;--wrong:%s", ground, ink, wrong)
	for _, l := range looks {
		if l.class != "" {
			fmt.Fprintf(&b, ";--%s:%s", l.class, colour(l))
		}
	}
	return b.String()
}

// shade is a number's place on the scale of its grid as a ground that can be read on
// light and dark pages, "" for next to nothing.
func shade(heat float64) string {
	colour, strength := "14,165,233", math.Round(50*math.Abs(heat))/100
	if heat < 0 {
		colour = "249,115,22"
	}
	if !(strength > 0) {
		return ""
	}
	return fmt.Sprintf(" style=\"background:rgba(%s,%v)\"", colour, strength)
}
