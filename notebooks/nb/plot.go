package nb

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tiler-go/tiler/exec/palette"
	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/repl/show"
)

// barsText is the bars as text.
func barsText(bars []bar) string {
	const longest = 40
	wide := 0
	for _, b := range bars {
		wide = max(wide, utf8.RuneCountInString(b.label))
	}
	most := greatest(bars)
	var s strings.Builder
	for _, b := range bars {
		if b.unit == "" {
			s.WriteString(b.label + "\n")
			continue
		}
		n := 0
		if most > 0 {
			n = int(b.value/most*longest + 0.5)
		}
		fmt.Fprintf(&s, "  %-*s %s%s %s %s\n", wide, b.label, strings.Repeat("█", n), strings.Repeat(" ", longest-n), number(b.value), b.unit)
	}
	return s.String()
}

// Sizes of the drawing, in pixels.
const (
	plotWidth  = 760
	barHeight  = 18
	barGap     = 5
	valueSpace = 110
	charWidth  = 7.3
)

// plotStyle is colours of light and dark pages.
var plotStyle = sync.OnceValue(func() string {
	rules := func(dark bool) string { return "svg{" + palette.CSS(dark) + "}" }
	s := "<style>" + rules(false) + "@media(prefers-color-scheme:dark){" + rules(true) + "}" +
		".card{fill:var(--ground)}text{font:13px ui-monospace,Menlo,Consolas,monospace;fill:var(--ink)}.head{font-weight:bold}.peak{stroke:var(--soft);stroke-dasharray:3 3}"
	for i := range palette.Hues {
		s += fmt.Sprintf(".b%d{fill:var(--%s)}", i, palette.Hues[i].Name)
	}
	return s + "</style>"
})

// barsPicture is the bars as a drawing for pages, and as text.
func barsPicture(bars []bar, text string) picture.Picture {
	drawing, height := barsSVG(bars)
	f := picture.Figure{Text: show.Text(text), Drawing: drawing, W: plotWidth, H: height, Label: text}
	return picture.Picture{Blocks: []picture.Block{{Figure: &f}}}
}

// barsSVG is the bars as a drawing, each with its value in words beside it.
func barsSVG(bars []bar) (drawing string, height int) {
	wide := 0
	for _, b := range bars {
		if b.unit != "" {
			wide = max(wide, utf8.RuneCountInString(b.label))
		}
	}
	left := 12 + int(charWidth*float64(wide)) + 8
	room := float64(plotWidth - left - valueSpace)
	most := greatest(bars)
	if most == 0 {
		most = 1
	}
	height = len(bars)*(barHeight+barGap) + 2*barGap
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">`, plotWidth, height, plotWidth, height)
	s.WriteString(plotStyle() + `<rect class="card" width="100%" height="100%" rx="4"/>`)
	for i, b := range bars {
		y := barGap + i*(barHeight+barGap)
		base := y + barHeight - 5
		if b.unit == "" {
			fmt.Fprintf(&s, `<text class="head" x="6" y="%d">%s</text>`, base, escape(b.label))
			continue
		}
		w := b.value / most * room
		fmt.Fprintf(&s, `<text x="%d" y="%d" text-anchor="end">%s</text>`, left-8, base, escape(b.label))
		fmt.Fprintf(&s, `<rect class="b%d" x="%d" y="%d" width="%.1f" height="%d"/>`, b.hue%len(palette.Hues), left, y, w, barHeight)
		fmt.Fprintf(&s, `<text x="%.1f" y="%d">%s %s</text>`, float64(left)+w+6, base, number(b.value), escape(b.unit))
		if b.peak > 0 {
			x := float64(left) + b.peak/most*room
			fmt.Fprintf(&s, `<line class="peak" x1="%.1f" x2="%.1f" y1="%d" y2="%d"><title>the machine's limit: %s %s</title></line>`, x, x, y-2, y+barHeight+2, number(b.peak), escape(b.unit))
		}
	}
	s.WriteString("</svg>")
	return s.String(), height
}
