package show

import (
	"fmt"
	"html"
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
		b.WriteString("<pre>")
		for first := true; i < len(p.Blocks) && p.Blocks[i].Grid == nil; i++ {
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
			b.WriteString("<td" + class + ">" + html.EscapeString(strings.TrimSpace(c.Text)+c.Mark) + "</td>")
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</table>")
}

// styleSheet is the styles of looks, for light and dark pages: as the page's system
// says, unless Jupyter says otherwise.
var styleSheet = sync.OnceValue(func() string {
	light := func(scope string) string {
		return sheet(scope, "#ffffff", "#1f2937", func(l look) string { return l.light })
	}
	dark := func(scope string) string {
		return sheet(scope, "#161b22", "#d1d5db", func(l look) string { return l.dark })
	}
	const font = "ui-monospace,Menlo,Consolas,monospace"
	return "<style>" +
		".tiler{padding:6px 8px;border-radius:4px;overflow-x:auto}" +
		".tiler pre{margin:0;padding:0;background:none;color:inherit;font:13px/1.35 " + font + "}" +
		".tiler table{border-collapse:collapse;margin:2px 0 6px;font:13px/1.25 " + font + ";border:0}" +
		".tiler tr{background:none}" +
		".tiler td,.tiler th{padding:1px 6px;text-align:right;border:0;background:none;color:inherit;white-space:pre}" +
		".tiler .tight td,.tiler .tight th{padding:0 3px;text-align:center}" +
		light(".tiler") + "@media(prefers-color-scheme:dark){" + dark(".tiler") + "}" +
		light("[data-jp-theme-light=\"true\"] .tiler") + dark("[data-jp-theme-light=\"false\"] .tiler") +
		"</style>"
})

// sheet is the colours of one ground.
func sheet(scope, ground, ink string, colour func(look) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s{background:%s;color:%s}%s th{color:%s;font-weight:normal}", scope, ground, ink, scope, colour(looks[Head]))
	for _, l := range looks {
		switch {
		case l.class == "":
		case l.fill:
			fmt.Fprintf(&b, "%s .%s{background:%s}", scope, l.class, colour(l))
		default:
			fmt.Fprintf(&b, "%s .%s{color:%s}", scope, l.class, colour(l))
		}
	}
	return b.String()
}
