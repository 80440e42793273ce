package show

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/picture"
)

// Report is what came of a check: for terminals the text of the report with its parts told
// apart, for pages a panel for the verdict and one for each finding.
func Report(r *check.Report) picture.Picture {
	if r == nil {
		return Text("nil")
	}
	var p, page picture.Picture
	addVerdict(&p, r)
	addPanel(&page, verdictPanel(r))
	for i := range r.Findings {
		p.Add("")
		addFinding(&p, &r.Findings[i])
		addPanel(&page, findingPanel(&r.Findings[i]))
	}
	for _, s := range []string{r.Coverage.String(), r.Varied.String()} {
		if s != "" {
			p.Add("")
			p.AddLines(picture.Plain, strings.TrimSuffix(s, "\n"))
			page.AddLines(picture.Head, strings.TrimSuffix(s, "\n"))
		}
	}
	return reported(p, page)
}

// reportWidth is how wide a report's lines are, which are prose.
const reportWidth = 80

func reported(text, page picture.Picture) picture.Picture {
	return picture.Picture{Blocks: []picture.Block{{Figure: &picture.Figure{Text: text, Width: reportWidth, Page: page}}}}
}

// Verdict is the first lines of a report.
func Verdict(r *check.Report) picture.Picture {
	var p, page picture.Picture
	addVerdict(&p, r)
	addPanel(&page, verdictPanel(r))
	return reported(p, page)
}

// Finding is one thing that a check found.
func Finding(f check.Finding) picture.Picture {
	var p, page picture.Picture
	addFinding(&p, &f)
	addPanel(&page, findingPanel(&f))
	return reported(p, page)
}

// addFinding adds the lines of a finding.
func addFinding(p *picture.Picture, f *check.Finding) {
	title, more, long := strings.Cut(f.Title(), "\n")
	p.Add(picture.Head, f.Place(), severity[f.Severity], title)
	if long {
		p.AddLines(picture.Plain, more)
	}
	for _, l := range f.Lines() {
		if l.Part == check.Tile {
			p.Blocks = append(p.Blocks, picture.Block{Line: tileLine("\t" + l.Text)})
		} else {
			p.Add(parts[l.Part], "\t"+l.Text)
		}
	}
}

var (
	severity = map[check.Severity]picture.Style{
		check.Error: picture.Bad, check.Warning: picture.Warn, check.Note: picture.Name}
	badges = map[check.Severity]picture.Style{
		check.Error: picture.Bad, check.Warning: picture.WrongRow, check.Note: picture.Masked}
	parts = map[check.Part]picture.Style{
		check.Fact: picture.Plain, check.Source: picture.Code, check.Advice: picture.Good}
)

// addVerdict adds the report's first lines.
func addVerdict(p *picture.Picture, r *check.Report) {
	style := picture.Good
	switch {
	case !r.OK:
		style = picture.Bad
	case r.Count(check.Warning) > 0:
		style = picture.Warn
	}
	launch, verdict := r.Verdict()
	p.Add(picture.Name, launch+": ", style, verdict)
	for i, s := range r.Summary() {
		if style = picture.Head; i > 0 {
			style = picture.Plain
		}
		p.Add(style, "\t"+s)
	}
}

// verdictPanel is the same with the verdict as a badge, in the colour of what is worst.
func verdictPanel(r *check.Report) *picture.Panel {
	x := &picture.Panel{Badge: "ok", Style: picture.Hue3}
	switch {
	case !r.OK:
		x.Badge, x.Style = "FAILED", picture.Bad
	case r.Count(check.Warning) > 0:
		x.Badge, x.Style = "warning", picture.WrongRow
	}
	launch, verdict := r.Verdict()
	if strings.EqualFold(verdict, x.Badge) {
		x.Body.Add(picture.Name, launch)
	} else {
		x.Body.Add(picture.Name, launch+": ", picture.Plain, verdict)
	}
	for _, s := range r.Summary() {
		x.Body.Add(picture.Head, s)
	}
	return x
}

// findingPanel is a finding with its severity as a badge, and its lanes as a grid.
func findingPanel(f *check.Finding) *picture.Panel {
	x := &picture.Panel{Badge: f.Severity.String(), Style: badges[f.Severity]}
	x.Body.Add(picture.Name, f.Place()+string(f.Kind)+": ", picture.Plain, "")
	x.Body.AddLines(picture.Plain, f.Msg)
	last := &x.Body.Blocks[0].Line
	*last = append(*last, x.Body.Blocks[1].Line...)
	x.Body.Blocks = append(x.Body.Blocks[:1], x.Body.Blocks[2:]...)
	for _, l := range f.Lines() {
		switch {
		case l.Part != check.Tile:
			x.Body.Add(parts[l.Part], strings.TrimLeft(l.Text, " "))
		case !hasGrid(x.Body):
			g, keys := tileGrid(f)
			x.Body.AddGrid(g)
			x.Body.AddLegend(keys...)
		}
	}
	return x
}

func hasGrid(p picture.Picture) bool {
	return slices.ContainsFunc(p.Blocks, func(b picture.Block) bool { return b.Grid != nil })
}

func addPanel(p *picture.Picture, x *picture.Panel) {
	p.Blocks = append(p.Blocks, picture.Block{Panel: x})
}

// laneSigns is what the characters of a finding's picture mean.
var laneSigns = map[rune]picture.Key{
	'o': {Mark: markOn, Style: picture.On, Text: "active"},
	'·': {Mark: markMasked, Style: picture.Masked, Text: "masked off"},
	'»': {Mark: markRow, Style: picture.WrongRow, Text: "in the wrong row"},
	'?': {Mark: markUndef, Style: picture.Undef, Text: "undefined"},
	'X': {Mark: markBad, Style: picture.Bad, Text: "wrong"},
}

// badLanes is what X stands for where it is not just wrong.
var badLanes = map[check.Kind]string{check.OutOfBounds: "outside the tensor", check.Unwritten: "not written"}

// maxLanes is how many lanes of a tile of one dimension stand in a row of a page, which is
// as wide as a notebook's cell.
const maxLanes = 24

// tileGrid is the lanes of a finding's picture, and what their marks mean.
func tileGrid(f *check.Finding) (*picture.Grid, picture.Legend) {
	g := &picture.Grid{Tight: true}
	seen := map[rune]bool{}
	wide := 0
	for l := range strings.SplitSeq(f.Picture, "\n") {
		var row []picture.Cell
		for _, r := range l {
			switch k, lane := laneSigns[r]; {
			case lane:
				seen[r] = true
				row = append(row, picture.Cell{Text: k.Mark, Style: k.Style, Note: k.Text})
			case r != ' ':
				row = append(row, picture.Cell{Text: picture.Gap, Style: picture.Head})
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
			row = append(row, picture.Cell{})
		}
		g.Cells[i] = row
	}
	var keys picture.Legend
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
func tileLine(l string) picture.Line {
	var out picture.Line
	for _, r := range l {
		style := laneSigns[r].Style
		if n := len(out); n > 0 && out[n-1].Style == style {
			out[n-1].Text += string(r)
			continue
		}
		out = append(out, picture.Span{Text: string(r), Style: style})
	}
	return out
}

// Speedup says how much faster the promoted kernel is.
func Speedup(kernel, engine string, before, after float64) picture.Picture {
	var p picture.Picture
	p.Add(picture.Name, kernel, picture.Head, ": ",
		picture.Good, fmt.Sprintf("%s, %s faster", engine, Times(before/after)),
		picture.Head, fmt.Sprintf("  (%s → %s)", Seconds(before), Seconds(after)))
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
