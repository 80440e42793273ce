package picture

import (
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"html"
	"math"
	"strings"
	"sync"

	"github.com/tiler-go/tiler/exec/palette"
)

// HTML is the picture as a piece of a page. Whatever is needed to read it is said with
// elements and attributes that pages let through which take styles and scripts away: an
// untrusted notebook, a code host, an export. Marks and words tell what colours tell; grounds
// have an ink of their own, and other inks can be read on light and dark pages. A style sheet
// for pages that let it through sets type and spacing only.
func (p Picture) HTML() string {
	var b strings.Builder
	b.WriteString("<div class=\"tiler\">" + styleSheet())
	htmlBlocks(&b, p)
	b.WriteString("</div>\n")
	return b.String()
}

func htmlBlocks(b *strings.Builder, p Picture) {
	for i := 0; i < len(p.Blocks); i++ {
		switch x := p.Blocks[i]; {
		case x.Grid != nil:
			htmlGrid(b, x.Grid)
		case x.Raster != nil:
			htmlRaster(b, x.Raster)
		case x.Legend != nil:
			htmlLegend(b, x.Legend)
		case x.Figure != nil:
			htmlFigure(b, x.Figure)
		case x.Panel != nil:
			htmlPanel(b, x.Panel)
		default:
			b.WriteString("<pre>")
			for first := true; i < len(p.Blocks) && p.Blocks[i].isLine(); i++ {
				if !first {
					b.WriteByte('\n')
				}
				first = false
				for _, s := range p.Blocks[i].Line {
					htmlSpan(b, s)
				}
			}
			i--
			b.WriteString("</pre>")
		}
	}
}

func htmlSpan(b *strings.Builder, s Span) {
	text := html.EscapeString(s.Text)
	l := looks[s.Style]
	if ink := l.inText().Any; ink != "" {
		text = "<font color=\"" + ink + "\">" + text + "</font>"
	}
	if strings.HasPrefix(l.terminal, "1") {
		text = "<b>" + text + "</b>"
	}
	b.WriteString(text)
}

// cellSize is how wide and high the cells of marks are, in pixels.
const cellSize = 22

func htmlGrid(b *strings.Builder, g *Grid) {
	kind := " cellpadding=\"4\""
	if g.Tight {
		kind = " class=\"tight\" cellpadding=\"0\""
	}
	b.WriteString("<table" + kind + " align=\"left\" cellspacing=\"1\">")
	if g.Cols != nil {
		b.WriteString("<tr>")
		if g.Rows != nil {
			b.WriteString("<th></th>")
		}
		for _, c := range g.Cols {
			htmlHeader(b, g, c)
		}
		b.WriteString("</tr>")
	}
	for i, row := range g.Cells {
		b.WriteString("<tr>")
		if g.Rows != nil {
			htmlHeader(b, g, g.Rows[i])
		}
		for _, c := range row {
			htmlCell(b, g, c)
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</table>" + below)
}

// below ends what floats: a page without styles lets text stand beside a table.
const below = "<br clear=\"all\">"

func htmlHeader(b *strings.Builder, g *Grid, text string) {
	align := "right"
	if g.Tight {
		align = "center"
	}
	fmt.Fprintf(b, "<th align=\"%s\"><font color=\"%s\">%s</font></th>", align, palette.Soft.Any, html.EscapeString(text))
}

func htmlCell(b *strings.Builder, g *Grid, c Cell) {
	if g.Tight {
		fmt.Fprintf(b, "<td align=\"center\" width=\"%d\" height=\"%d\"", cellSize, cellSize)
	} else {
		b.WriteString("<td align=\"right\"")
	}
	l := looks[c.Style]
	colour, ink := "", l.inText().Any
	switch {
	case l.colour.Ground:
		colour, ink = l.colour.Any, palette.Ink
		b.WriteString(" class=\"" + l.class + "\"")
	case g.Shaded && !math.IsNaN(c.Heat) && c.Style == Plain:
		colour, ink = shade(c.Heat), palette.Ink
	}
	if colour != "" {
		b.WriteString(" bgcolor=\"" + colour + "\"")
	}
	if c.Note != "" {
		b.WriteString(" title=\"" + html.EscapeString(c.Note) + "\"")
	}
	text := html.EscapeString(strings.TrimSpace(c.Text) + c.Mark)
	if ink != "" && text != "" {
		text = "<font color=\"" + ink + "\">" + text + "</font>"
	}
	b.WriteString(">" + text + "</td>")
}

// htmlLegend is marks as they look in grids, and what they mean.
// keyColumns is how many columns a line of a legend has: pages that give cells room of
// their own wrap within keys if there are more, or let them leave the page.
const keyColumns = 64

func htmlLegend(b *strings.Builder, keys Legend) {
	const end = "</tr></table>" + below
	const begin = "<table class=\"tight key\" cellpadding=\"0\" align=\"left\" cellspacing=\"1\"><tr>"
	b.WriteString(begin)
	used := 0
	for _, k := range keys {
		n := Width(k.Text) + 5 // with its mark
		if used > 0 && used+n > keyColumns {
			b.WriteString(end + begin)
			used = 0
		}
		used += n
		htmlCell(b, &Grid{Tight: true}, Cell{Text: k.Mark, Style: k.Style})
		fmt.Fprintf(b, "<td align=\"left\"><font color=\"%s\">&nbsp;%s&nbsp;&nbsp;</font></td>", palette.Soft.Any, html.EscapeString(k.Text))
	}
	b.WriteString(end)
}

// htmlFigure is a drawing as an image, with its places named, or else what the page shows.
func htmlFigure(b *strings.Builder, f *Figure) {
	if f.Drawing == "" {
		htmlBlocks(b, f.Page)
		return
	}
	use, places := "", ""
	if len(f.Areas) > 0 {
		sum := fnv.New32a()
		sum.Write([]byte(f.Drawing))
		name := fmt.Sprintf("tiler-%08x", sum.Sum32())
		use = " usemap=\"#" + name + "\""
		places = "<map name=\"" + name + "\">"
		for _, a := range f.Areas {
			text := html.EscapeString(a.Text)
			places += fmt.Sprintf("<area shape=\"rect\" coords=\"%d,%d,%d,%d\" alt=\"%s\" title=\"%s\">", a.Rect[0], a.Rect[1], a.Rect[2], a.Rect[3], text, text)
		}
		places += "</map>"
	}
	b.WriteString(image("svg+xml", []byte(f.Drawing), f.W, f.H, f.Label, use) + places)
}

// htmlPanel is a badge, and what it is about beside it.
func htmlPanel(b *strings.Builder, p *Panel) {
	l := looks[p.Style]
	fmt.Fprintf(b, "<table class=\"part\" cellpadding=\"4\" align=\"left\" cellspacing=\"1\"><tr><td class=\"%s\" bgcolor=\"%s\" align=\"center\" valign=\"top\" width=\"72\"><font color=\"%s\"><b>%s</b></font></td><td align=\"left\" valign=\"top\"><div align=\"left\">",
		l.class, l.colour.Any, palette.Ink, html.EscapeString(p.Badge))
	htmlBlocks(b, p.Body)
	b.WriteString("</div></td></tr></table>" + below)
}

// image is a drawing that is part of the page, with its meaning in words.
func image(kind string, data []byte, w, h int, label, more string) string {
	return fmt.Sprintf("<img src=\"data:image/%s;base64,%s\" width=\"%d\" height=\"%d\" alt=\"%s\"%s>",
		kind, base64.StdEncoding.EncodeToString(data), w, h, html.EscapeString(label), more)
}

// styleSheet is type and spacing, and darker grounds where Jupyter or an editor says that
// the page is dark. The class is named three times, because pages have rules for tables that
// count as much as two classes.
var styleSheet = sync.OnceValue(func() string {
	const font, top = "ui-monospace,Menlo,Consolas,monospace", ".tiler.tiler.tiler"
	var b strings.Builder
	b.WriteString("<style>")
	for _, rule := range []string{
		"{padding:4px 0;overflow-x:auto}",
		" pre{margin:0;padding:0;background:none;color:inherit;border:0;white-space:pre-wrap;overflow-wrap:anywhere;word-break:normal;tab-size:4;font:13px/1.4 " + font + "}",
		" table{float:none;border-collapse:separate;border-spacing:1px;margin:3px 0 5px;table-layout:auto;color:inherit;font:13px/1.25 " + font + ";border:0}",
		" tr{background:none}",
		" td{padding:2px 7px;border:0;color:inherit;white-space:pre;max-width:none}",
		" th{padding:2px 7px;border:0;background:none;white-space:pre;font-weight:normal}",
		" .tight td{padding:0;min-width:22px;text-align:center}",
		" .tight th{padding:0 2px;font-size:11px}",
		" .part{width:100%;margin:2px 0}",
		" .part>tbody>tr>td{padding:4px 10px;text-align:left;vertical-align:top;white-space:normal}",
		" .part>tbody>tr>td[width]{text-align:center}",
		" .key td{text-align:left}",
		" .key td[width]{text-align:center}",
		" img{max-width:none;margin:4px 0}",
		" br{display:none}",
	} {
		b.WriteString(top + rule)
	}
	const dark = ":is([data-jp-theme-light=\"false\"],.vscode-dark) .tiler"
	b.WriteString(dark + "{color-scheme:dark}" + dark + " td[class] font{color:" + palette.InkDark + "}")
	for _, l := range looks {
		if l.colour.Ground {
			fmt.Fprintf(&b, "%s td.%s{background:%s}", dark, l.class, l.colour.Dark)
		}
	}
	b.WriteString("</style>")
	return b.String()
})

// shade is a number's place on the scale of its grid as a ground for dark ink.
func shade(heat float64) string {
	c := shaded(heat)
	return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2])
}

// shaded is a place on a scale from -1 to 1 as red, green and blue: white is 0, blue more,
// orange less.
func shaded(heat float64) (c [3]uint8) {
	end := [3]float64{0x3a, 0xa3, 0xe0}
	if heat < 0 {
		end = [3]float64{0xf0, 0x8c, 0x32}
	}
	for i := range c {
		c[i] = uint8(math.Round(255 + (end[i]-255)*math.Min(1, math.Abs(heat))))
	}
	return c
}
