package nb

import (
	"fmt"
	"strings"
	"unicode/utf8"
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

// plotStyle follows the page: light and dark, as its system says or Jupyter does.
const plotStyle = `<style>` +
	`.tiler-plot{background:#fff;border-radius:4px;max-width:100%}.tiler-plot text{font:13px ui-monospace,Menlo,Consolas,monospace;fill:#1f2937}` +
	`.tiler-plot .head{font-weight:bold}.tiler-plot .peak{stroke:#6b7280;stroke-dasharray:3 3}` +
	`.tiler-plot .b0{fill:#0284c7}.tiler-plot .b1{fill:#d97706}.tiler-plot .b2{fill:#16a34a}.tiler-plot .b3{fill:#a21caf}.tiler-plot .b4{fill:#4f46e5}.tiler-plot .b5{fill:#dc2626}` +
	`@media(prefers-color-scheme:dark){.tiler-plot{background:#161b22}.tiler-plot text{fill:#d1d5db}}` +
	`[data-jp-theme-light="true"] .tiler-plot{background:#fff}[data-jp-theme-light="true"] .tiler-plot text{fill:#1f2937}` +
	`[data-jp-theme-light="false"] .tiler-plot{background:#161b22}[data-jp-theme-light="false"] .tiler-plot text{fill:#d1d5db}` +
	`</style>`

// barsSVG is the bars as a drawing, each with its value in words beside it.
func barsSVG(bars []bar) string {
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
	height := len(bars)*(barHeight+barGap) + 2*barGap
	var s strings.Builder
	s.WriteString(plotStyle)
	fmt.Fprintf(&s, `<svg class="tiler-plot" role="img" width="%d" height="%d" viewBox="0 0 %d %d">`, plotWidth, height, plotWidth, height)
	for i, b := range bars {
		y := barGap + i*(barHeight+barGap)
		base := y + barHeight - 5
		if b.unit == "" {
			fmt.Fprintf(&s, `<text class="head" x="6" y="%d">%s</text>`, base, escape(b.label))
			continue
		}
		w := b.value / most * room
		fmt.Fprintf(&s, `<text x="%d" y="%d" text-anchor="end">%s</text>`, left-8, base, escape(b.label))
		fmt.Fprintf(&s, `<rect class="b%d" x="%d" y="%d" width="%.1f" height="%d"/>`, b.hue%6, left, y, w, barHeight)
		fmt.Fprintf(&s, `<text x="%.1f" y="%d">%s %s</text>`, float64(left)+w+6, base, number(b.value), escape(b.unit))
		if b.peak > 0 {
			x := float64(left) + b.peak/most*room
			fmt.Fprintf(&s, `<line class="peak" x1="%.1f" x2="%.1f" y1="%d" y2="%d"><title>the machine's limit: %s %s</title></line>`, x, x, y-2, y+barHeight+2, number(b.peak), escape(b.unit))
		}
	}
	s.WriteString("</svg>")
	return s.String()
}
