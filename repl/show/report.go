package show

import (
	"fmt"
	"strings"

	"github.com/tiler-go/tiler/exec/check"
)

// Report is what came of a check: the text of the report with its parts told apart,
// and the masked tiles of its findings cell by cell.
func Report(r *check.Report) Picture {
	if r == nil {
		return Text("nil")
	}
	var p Picture
	p.verdict(r)
	for i := range r.Findings {
		p.add("")
		p.finding(&r.Findings[i])
	}
	for _, s := range []string{r.Coverage.String(), r.Varied.String()} {
		if s != "" {
			p.add("")
			p.lines(Plain, strings.TrimSuffix(s, "\n"))
		}
	}
	return p
}

// Finding is one thing that a check found.
func Finding(f check.Finding) Picture {
	var p Picture
	p.finding(&f)
	return p
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

// tileLine is a row of a finding's picture: o active, · masked off, X wrong.
func tileLine(l string) Line {
	var out Line
	for _, r := range l {
		style := Plain
		switch r {
		case 'o':
			style = On
		case '·':
			style = Masked
		case 'X':
			style = Bad
		}
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
