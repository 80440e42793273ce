package show

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/tiler-go/tiler/exec/check"
)

// Report is what came of a check: the text of the report with its parts told apart,
// and the masked tiles of its findings cell by cell.
func Report(r *check.Report) Picture {
	if r == nil {
		return Text("nil")
	}
	lines := strings.Split(strings.TrimRight(r.String(), "\n"), "\n")
	var p Picture
	p.verdict(r, lines[0])
	if len(lines) > 1 {
		p.add(Head, lines[1])
		p.findings(r.Findings, lines[2:])
	}
	return p
}

// Finding is one thing that a check found.
func Finding(f check.Finding) Picture {
	var p Picture
	p.findings([]check.Finding{f}, strings.Split(strings.TrimRight(f.String(), "\n"), "\n"))
	return p
}

// findings adds the lines of findings.
func (p *Picture) findings(fs []check.Finding, lines []string) {
	sources, tiles := map[string]bool{}, map[string]bool{}
	for _, f := range fs {
		sources[strings.TrimSpace(f.Source)] = f.Source != ""
		for l := range strings.SplitSeq(f.Picture, "\n") {
			tiles[strings.TrimSpace(l)] = strings.TrimSpace(l) != ""
		}
	}
	for _, l := range lines {
		text := strings.TrimSpace(l)
		switch m := findingHead.FindStringSubmatch(l); {
		case m != nil:
			p.add(Head, m[1], severity[m[2]], m[2]+m[3])
		case tiles[text]:
			p.Blocks = append(p.Blocks, Block{Line: tileLine(l)})
		case sources[text]:
			p.add(Code, l)
		case strings.HasPrefix(text, "fix: "):
			p.add(Good, l)
		default:
			p.add(l)
		}
	}
}

// findingHead is the first line of a finding: place, severity, kind and text.
var findingHead = regexp.MustCompile(`^((?:\S[^\t]*:|line )?(?:\d+: )?)(error|warning|note)(: [a-z-]+: .*)$`)

var severity = map[string]Style{"error": Bad, "warning": Warn, "note": Name}

// verdict is the report's first line.
func (p *Picture) verdict(r *check.Report, l string) {
	style := Good
	switch {
	case !r.OK:
		style = Bad
	case r.Count(check.Warning) > 0:
		style = Warn
	}
	what, verdict, ok := strings.Cut(l, ": ")
	if !ok {
		p.add(style, l)
		return
	}
	p.add(Name, what+": ", style, verdict)
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
