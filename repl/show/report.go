package show

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec/check"
)

// Report is what came of a check: for terminals the text of the report with its parts told
// apart, for pages a panel for the verdict and one for each finding.
func Report(r *check.Report) Picture {
	if r == nil {
		return Text("nil")
	}
	var p, page Picture
	p.verdict(r)
	page.panel(verdictPanel(r))
	for i := range r.Findings {
		p.add("")
		p.finding(&r.Findings[i])
		page.panel(findingPanel(&r.Findings[i]))
	}
	for _, s := range []string{r.Coverage.String(), r.Varied.String()} {
		if s != "" {
			p.add("")
			p.lines(Plain, strings.TrimSuffix(s, "\n"))
			page.lines(Head, strings.TrimSuffix(s, "\n"))
		}
	}
	return reported(p, page)
}

// reportWidth is how wide a report's lines are, which are prose.
const reportWidth = 80

func reported(text, page Picture) Picture {
	return Picture{Blocks: []Block{{Figure: &Figure{Text: text, Width: reportWidth, Page: page}}}}
}

// Verdict is the first lines of a report.
func Verdict(r *check.Report) Picture {
	var p, page Picture
	p.verdict(r)
	page.panel(verdictPanel(r))
	return reported(p, page)
}

// Finding is one thing that a check found.
func Finding(f check.Finding) Picture {
	var p, page Picture
	p.finding(&f)
	page.panel(findingPanel(&f))
	return reported(p, page)
}

// finding adds the lines of a finding.
func (p *Picture) finding(f *check.Finding) {
	title, more, long := strings.Cut(f.Title(), "\n")
	p.add(Head, f.Place(), severity[f.Severity], title)
	if long {
		p.lines(Plain, more)
	}
	for _, l := range f.Lines() {
		if l.Part == check.Tile {
			p.Blocks = append(p.Blocks, Block{Line: tileLine("\t" + l.Text)})
		} else {
			p.add(parts[l.Part], "\t"+l.Text)
		}
	}
}

var (
	severity = map[check.Severity]Style{check.Error: Bad, check.Warning: Warn, check.Note: Name}
	badges   = map[check.Severity]Style{check.Error: Bad, check.Warning: WrongRow, check.Note: Masked}
	parts    = map[check.Part]Style{check.Fact: Plain, check.Source: Code, check.Advice: Good}
)

// verdict is the report's first lines.
func (p *Picture) verdict(r *check.Report) {
	style := Good
	switch {
	case !r.OK:
		style = Bad
	case r.Count(check.Warning) > 0:
		style = Warn
	}
	launch, verdict := r.Verdict()
	p.add(Name, launch+": ", style, verdict)
	for i, s := range r.Summary() {
		if style = Head; i > 0 {
			style = Plain
		}
		p.add(style, "\t"+s)
	}
}

// verdictPanel is the same with the verdict as a badge, in the colour of what is worst.
func verdictPanel(r *check.Report) *Panel {
	x := &Panel{Badge: "ok", Style: Hue3}
	switch {
	case !r.OK:
		x.Badge, x.Style = "FAILED", Bad
	case r.Count(check.Warning) > 0:
		x.Badge, x.Style = "warning", WrongRow
	}
	launch, verdict := r.Verdict()
	if strings.EqualFold(verdict, x.Badge) {
		x.Body.add(Name, launch)
	} else {
		x.Body.add(Name, launch+": ", Plain, verdict)
	}
	for _, s := range r.Summary() {
		x.Body.add(Head, s)
	}
	return x
}

// findingPanel is a finding with its severity as a badge, and its lanes as a grid.
func findingPanel(f *check.Finding) *Panel {
	x := &Panel{Badge: f.Severity.String(), Style: badges[f.Severity]}
	x.Body.add(Name, f.Place()+string(f.Kind)+": ", Plain, "")
	x.Body.lines(Plain, f.Msg)
	last := &x.Body.Blocks[0].Line
	*last = append(*last, x.Body.Blocks[1].Line...)
	x.Body.Blocks = append(x.Body.Blocks[:1], x.Body.Blocks[2:]...)
	for _, l := range f.Lines() {
		switch {
		case l.Part != check.Tile:
			x.Body.add(parts[l.Part], strings.TrimLeft(l.Text, " "))
		case !x.Body.hasGrid():
			g, keys := tileGrid(f)
			x.Body.grid(g)
			x.Body.legend(keys...)
		}
	}
	return x
}

func (p *Picture) hasGrid() bool {
	return slices.ContainsFunc(p.Blocks, func(b Block) bool { return b.Grid != nil })
}

func (p *Picture) panel(x *Panel) { p.Blocks = append(p.Blocks, Block{Panel: x}) }

// laneSigns is what the characters of a finding's picture mean.
var laneSigns = map[rune]Key{
	'o': {markOn, On, "active"},
	'·': {markMasked, Masked, "masked off"},
	'»': {markRow, WrongRow, "in the wrong row"},
	'?': {markUndef, Undef, "undefined"},
	'X': {markBad, Bad, "wrong"},
}

// badLanes is what X stands for where it is not just wrong.
var badLanes = map[check.Kind]string{check.OutOfBounds: "outside the tensor", check.Unwritten: "not written"}

// maxLanes is how many lanes of a tile of one dimension stand in a row of a page, which is
// as wide as a notebook's cell.
const maxLanes = 24

// tileGrid is the lanes of a finding's picture, and what their marks mean.
func tileGrid(f *check.Finding) (*Grid, Legend) {
	g := &Grid{Tight: true}
	seen := map[rune]bool{}
	wide := 0
	for l := range strings.SplitSeq(f.Picture, "\n") {
		var row []Cell
		for _, r := range l {
			switch k, lane := laneSigns[r]; {
			case lane:
				seen[r] = true
				row = append(row, Cell{Text: k.Mark, Style: k.Style, Note: k.Text})
			case r != ' ':
				row = append(row, Cell{Text: gapHeader, Style: Head})
			}
		}
		wide = max(wide, len(row))
		g.Cells = append(g.Cells, row)
	}
	if len(g.Cells) == 1 && wide > maxLanes {
		wide, g.Cells = maxLanes, slices.Collect(slices.Chunk(g.Cells[0], maxLanes))
	}
	for i, row := range g.Cells {
		for len(row) < wide {
			row = append(row, Cell{})
		}
		g.Cells[i] = row
	}
	var keys Legend
	for _, r := range "o·»?X" {
		if k := laneSigns[r]; seen[r] {
			if text := badLanes[f.Kind]; r == 'X' && text != "" {
				k.Text = text
			}
			keys = append(keys, k)
		}
	}
	return g, keys
}

// tileLine is a row of a finding's picture, with its signs in colours.
func tileLine(l string) Line {
	var out Line
	for _, r := range l {
		style := laneSigns[r].Style
		if n := len(out); n > 0 && out[n-1].Style == style {
			out[n-1].Text += string(r)
			continue
		}
		out = append(out, Span{string(r), style})
	}
	return out
}

// Speedup says how much faster the promoted kernel is.
func Speedup(kernel, engine string, before, after float64) Picture {
	var p Picture
	p.add(Name, kernel, Head, ": ", Good, fmt.Sprintf("%s, %s faster", engine, Times(before/after)),
		Head, fmt.Sprintf("  (%s → %s)", Seconds(before), Seconds(after)))
	return p
}

// Times is a ratio in few digits.
func Times(r float64) string {
	switch {
	case r >= 100:
		return fmt.Sprintf("%.0f×", r)
	case r >= 10:
		return fmt.Sprintf("%.1f×", r)
	}
	return fmt.Sprintf("%.2f×", r)
}

// Seconds is a time in three digits.
func Seconds(s float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}} {
		if s >= u.size {
			return fmt.Sprintf("%.3g %s", s/u.size, u.name)
		}
	}
	return fmt.Sprintf("%.3g ns", s*1e9)
}
