package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
)

// Measures of a chart, in pixels.
const (
	chartWidth = 920.0
	chartLeft  = 380.0 // where the scale begins
	chartRight = 820.0 // and ends
	chartRow   = 24.0
	chartTop   = 74.0
	chartLane  = 6.0 // between the peers of a row
)

// ReadResults reads results as tiler bench -json prints them.
func ReadResults(r io.Reader) (list []Result, err error) {
	d := json.NewDecoder(r)
	for {
		var x Result
		switch err := d.Decode(&x); {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("result %d: %w", len(list)+1, err)
		}
		list = append(list, x)
	}
}

// A span is the least and the greatest of what was measured.
type span struct{ lo, hi float64 }

func (s span) with(v float64) span {
	if s.hi == 0 {
		return span{v, v}
	}
	return span{min(s.lo, v), max(s.hi, v)}
}

// text is the span with at most two decimals.
func (s span) text(unit func(float64) string) string {
	if unit(s.lo) == unit(s.hi) {
		return unit(s.lo)
	}
	return unit(s.lo) + "–" + unit(s.hi)
}

// A chartLine is a row of a chart: what several runs of one row gave.
type chartLine struct {
	Result
	ratio  map[string]span
	ofPeak span
}

// chartLines is the results that can be drawn, those of one case and number of threads as
// one line.
func chartLines(list []Result) (lines []*chartLine) {
	for _, r := range list {
		if r.Error != "" || r.Skipped != "" || len(r.Ratio) == 0 && r.OfPeak == 0 {
			continue
		}
		i := slices.IndexFunc(lines, func(l *chartLine) bool { return l.Name == r.Name && l.Case == r.Case && l.Threads == r.Threads })
		if i < 0 {
			i = len(lines)
			lines = append(lines, &chartLine{Result: r, ratio: map[string]span{}})
		}
		for peer, v := range r.Ratio {
			lines[i].ratio[peer] = lines[i].ratio[peer].with(v)
		}
		if r.OfPeak > 0 {
			lines[i].ofPeak = lines[i].ofPeak.with(r.OfPeak)
		}
	}
	return lines
}

// chartPeers is how peers are called, and their colours on light and on dark ground.
var chartPeers = map[string][3]string{
	"openblas": {"OpenBLAS", "#2f6fde", "#6ea8ff"},
	"onednn":   {"oneDNN", "#d9730d", "#f0a35e"},
	"numpy":    {"NumPy", "#2e9e5b", "#63cf8f"},
	"torch":    {"PyTorch", "#c43b4b", "#f2808c"},
	"numba":    {"Numba", "#8a57c9", "#c09af0"},
	"gcc":      {"C, gcc -O3", "#7a6a5a", "#b8a794"},
}

// A chart is results on a logarithmic scale: how many times as fast as each peer.
type chart struct {
	strings.Builder
	lo, hi float64 // of the scale
}

// WriteChart draws results as SVG. Those of one case are several runs of it, and drawn as
// a range.
func WriteChart(w io.Writer, list []Result) error {
	lines := chartLines(list)
	if len(lines) == 0 {
		return errors.New("there is nothing to draw: no result has a peer or a limit beside it")
	}
	c := chart{lo: .5, hi: 2}
	peers := map[string]bool{}
	for _, l := range lines {
		for peer, s := range l.ratio {
			c.lo, c.hi, peers[peer] = min(c.lo, s.lo), max(c.hi, s.hi*1.1), true
		}
	}
	height := chartTop + chartRow*float64(len(lines)) + 16
	fmt.Fprintf(&c, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"tiler beside other libraries: times as fast\">\n%s<rect class=\"ground\" width=\"100%%\" height=\"100%%\" rx=\"10\"/>\n",
		chartWidth, height, chartWidth, height, chartStyle())
	c.legend(slices.Sorted(maps.Keys(peers)))
	c.scale(height - 12)
	for i, l := range lines {
		c.line(l, chartTop+chartRow*float64(i), i > 0 && sameCase(lines[i-1], l), i == 0 || lines[i-1].Name != l.Name)
	}
	c.WriteString("</svg>\n")
	_, err := io.WriteString(w, c.String())
	return err
}

func sameCase(a, b *chartLine) bool { return a.Name == b.Name && a.Case == b.Case }

func chartStyle() string {
	light, dark := "", ""
	for _, name := range slices.Sorted(maps.Keys(chartPeers)) {
		p := chartPeers[name]
		light += fmt.Sprintf(".%s{fill:%s;stroke:%s}", name, p[1], p[1])
		dark += fmt.Sprintf(".%s{fill:%s;stroke:%s}", name, p[2], p[2])
	}
	return "<style>text{font:12.5px system-ui,sans-serif;fill:#1f2937}.h{font-weight:600}.s{fill:#6b7280;font-size:11px}.ground{fill:#f6f8fa}.grid{stroke:#d8dee4}.one{stroke:#1f2937;stroke-width:1.5}.other{fill:#57606a;stroke:#57606a}" + light +
		"@media(prefers-color-scheme:dark){text{fill:#d1d5db}.s{fill:#8b949e}.ground{fill:#161b22}.grid{stroke:#30363d}.one{stroke:#d1d5db}" + dark + "}</style>\n"
}

// at is where a ratio lies on the scale.
func (c *chart) at(v float64) float64 {
	return chartLeft + (chartRight-chartLeft)*math.Log(v/c.lo)/math.Log(c.hi/c.lo)
}

func (c *chart) text(x, y float64, anchor, class, text string) {
	fmt.Fprintf(c, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">%s</text>\n", x, y, anchor, class, html.EscapeString(text))
}

func (c *chart) legend(peers []string) {
	c.text(18, 28, "start", "h", "tiler is … times as fast as")
	x := 210.0
	for _, name := range peers {
		fmt.Fprintf(c, "<circle cx=\"%.1f\" cy=\"24\" r=\"4.5\" class=\"%s\"/>\n", x, peerClass(name))
		c.text(x+9, 28, "start", "", peerName(name))
		x += 34 + 7.2*float64(len(peerName(name)))
	}
}

func peerClass(name string) string {
	if _, ok := chartPeers[name]; ok {
		return name
	}
	return "other"
}

func peerName(name string) string {
	if p, ok := chartPeers[name]; ok {
		return p[0]
	}
	return name
}

// scale draws lines at ratios, that of equal speed thicker.
func (c *chart) scale(bottom float64) {
	for _, v := range []float64{.1, .2, .5, 1, 2, 3, 5, 10, 20, 50, 100} {
		if v < c.lo || v > c.hi {
			continue
		}
		class := "grid"
		if v == 1 {
			class = "one"
		}
		fmt.Fprintf(c, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", c.at(v), c.at(v), chartTop-10, bottom, class)
		c.text(c.at(v), chartTop-16, "middle", "s", fmt.Sprintf("%v×", v))
	}
	c.text(chartRight+20, chartTop-16, "start", "s", "of peak")
}

// line draws one row: its case, unless it is that of the row above, and a range for each peer.
func (c *chart) line(l *chartLine, y float64, again, first bool) {
	middle := y + chartRow/2
	if first && y > chartTop {
		fmt.Fprintf(c, "<line x1=\"18\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" class=\"grid\"/>\n", chartWidth-18, y, y)
	}
	if first {
		c.text(18, middle+4, "start", "h", l.Name)
	}
	if !again {
		c.text(142, middle+4, "start", "", l.Case)
	}
	threads := "1 thread"
	if l.Threads != 1 {
		threads = fmt.Sprintf("%d threads", l.Threads)
	}
	c.text(chartLeft-12, middle+4, "end", "s", threads)
	peers := slices.Sorted(maps.Keys(l.ratio))
	for i, name := range peers {
		s, at := l.ratio[name], middle+chartLane*(float64(i)-float64(len(peers)-1)/2)
		label := s.text(func(v float64) string { return fmt.Sprintf("%.3g", v) }) + " × " + peerName(name)
		fmt.Fprintf(c, "<g class=\"%s\"><title>%s</title><line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke-width=\"3\"/><circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/><circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/></g>\n",
			peerClass(name), html.EscapeString(label), c.at(s.lo), c.at(s.hi), at, at, c.at(s.lo), at, c.at(s.hi), at)
	}
	if l.ofPeak.hi > 0 {
		c.text(chartRight+20, middle+4, "start", "", l.ofPeak.text(func(v float64) string { return fmt.Sprintf("%.0f", 100*v) })+" %")
	}
}
