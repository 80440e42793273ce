package picture

import (
	"fmt"
	"html"
	"strings"

	"github.com/tiler-go/tiler/exec/palette"
)

// Measures of a drawing, in pixels.
const (
	SketchMargin = 14
	SketchChar   = 7.3 // a character of a caption
)

// sketchStyle is colours of light and dark pages.
func sketchStyle() string {
	rules := "svg{" + palette.CSS(false) + "}@media(prefers-color-scheme:dark){svg{" + palette.CSS(true) + "}}" +
		"text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:var(--ink)}.b{font-weight:bold}.s{fill:var(--soft)}.t{font-size:10px;fill:var(--soft)}" +
		".i{fill:var(--on-ink);text-anchor:middle;dominant-baseline:central}.e{text-anchor:end}.m{text-anchor:middle}" +
		"rect{shape-rendering:crispEdges}.l{fill:none;stroke-width:2.5}.card{fill:var(--ground)}.x{fill:none;stroke:var(--soft)}.g{stroke:var(--line);fill:none;stroke-width:.6}.o{fill:none;stroke:var(--soft);stroke-dasharray:3 2}"
	for _, l := range looks {
		if l.colour.Ground {
			rules += fmt.Sprintf(".%s{fill:var(--%s)}.%sl{stroke:var(--%s)}", l.class, l.colour.Name, l.class, l.colour.Name)
		}
	}
	return "<style>" + rules + "</style>"
}

// A Sketch is a drawing in the making.
type Sketch struct {
	strings.Builder
	Areas []Area // places in it that say what they are
}

// Text draws a text from a place on.
func (w *Sketch) Text(x, y float64, class, text string) {
	fmt.Fprintf(w, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%s</text>", x, y, class, html.EscapeString(text))
}

// Rect draws a rectangle with its corner at a place.
func (w *Sketch) Rect(x, y, width, height float64, class string) {
	fmt.Fprintf(w, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"/>", x, y, width, height, class)
}

// Document is the drawing as an image of a size, on a ground of its own.
func (w *Sketch) Document(width, height int) string {
	return fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">%s<rect class=\"card\" width=\"100%%\" height=\"100%%\" rx=\"4\"/>%s</svg>",
		width, height, width, height, sketchStyle(), w.String())
}
