package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tiler-go/tiler/tilelang/diag"
)

// String is the report as text: a line for the launch, a paragraph for each finding,
// and how much of the tiles did something.
func (r *Report) String() string {
	var b strings.Builder
	launch, verdict := r.Verdict()
	b.WriteString(launch + ": " + verdict + "\n")
	for _, s := range r.Summary() {
		b.WriteString("\t" + s + "\n")
	}
	for i := range r.Findings {
		b.WriteString("\n" + r.Findings[i].String())
	}
	for _, s := range []string{r.Coverage.String(), r.Varied.String()} {
		if s != "" {
			b.WriteString("\n" + s)
		}
	}
	return b.String()
}

// Verdict is which launch was checked, and what came of it in a word or a sentence.
func (r *Report) Verdict() (launch, verdict string) {
	verdict = "ok"
	switch {
	case r.Err != "":
		verdict = r.Err
	case !r.OK:
		verdict = "FAILED"
	case slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Severity == Warning && f.Variation == "" }):
		verdict = "no error, but warnings"
	case r.Count(Warning) > 0:
		verdict = "no error with these arguments, but with others"
	}
	launch = fmt.Sprintf("check %s on grid %s", r.Kernel, Tuple(r.Grid))
	if r.Launches > 1 {
		launch = fmt.Sprintf("check %s, %s, the first on grid %s", r.Kernel, Plural(r.Launches, "launch"), Tuple(r.Grid))
	}
	return launch, verdict
}

// Summary is how much ran and what was found, in numbers, and the promotion if there was one.
func (r *Report) Summary() []string {
	if !r.Promoted || !r.OK {
		return []string{r.summary()}
	}
	lines := append([]string{r.summary()}, r.promotion()...)
	if len(r.ToGo) > 0 {
		lines = append(lines, "left to Go, many times slower: "+strings.Join(r.ToGo, "; "))
	}
	return lines
}

// promotion is the engine, and how much faster it is.
func (r *Report) promotion() []string {
	lines := []string{fmt.Sprintf("promoted to %s, from memory", r.Engine)}
	if r.Times.Compile > 0 {
		lines[0] = fmt.Sprintf("promoted to %s, compiled in %v", r.Engine, round(r.Times.Compile))
	}
	if i, c := r.Times.Interpreted, r.Times.Compiled; i > 0 && c > 0 {
		lines = append(lines, fmt.Sprintf("%v interpreted, %v compiled, %s times as fast", round(i), round(c), times(i.Seconds()/c.Seconds())))
	}
	return lines
}

// times is a factor with two or three digits.
func times(x float64) string {
	if x >= 99.5 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.2g", x)
}

// round is d with about three digits.
func round(d time.Duration) time.Duration {
	unit := time.Nanosecond
	for d >= 1000*unit {
		unit *= 10
	}
	return d.Round(unit)
}

func (r *Report) summary() string {
	ran := Plural(r.Programs, "program")
	if r.Ran < r.Programs {
		ran = fmt.Sprintf("%d of %s", r.Ran, ran)
	}
	s := fmt.Sprintf("%s checked in %v", ran, r.Times.Check.Round(100*time.Microsecond))
	for _, v := range []Severity{Error, Warning, Note} {
		if n := r.Count(v); n > 0 {
			s += ", " + Plural(n, v.String())
		}
	}
	return s
}

// String is the finding as a paragraph: place, kind and what is wrong, then the source
// line, facts, the picture and what to do.
func (f *Finding) String() string {
	var b strings.Builder
	b.WriteString(f.Place() + f.Title() + "\n")
	for _, l := range f.Lines() {
		b.WriteString("\t" + l.Text + "\n")
	}
	return b.String()
}

// Title is the finding without its place: severity, kind and what is wrong.
func (f *Finding) Title() string { return fmt.Sprintf("%s: %s: %s", f.Severity, f.Kind, f.Msg) }

// A Part says what a line of a finding is.
type Part uint8

// The parts below the title.
const (
	Fact   Part = iota // programs and lanes, or a note
	Source             // the line of the kernel
	Tile               // a row of the picture
	Advice             // what to do
)

// A Line is one line of a finding below its title.
type Line struct {
	Part Part
	Text string
}

// Lines is the finding below its title.
func (f *Finding) Lines() (lines []Line) {
	add := func(p Part, text string) {
		for l := range strings.SplitSeq(text, "\n") {
			lines = append(lines, Line{p, l})
		}
	}
	if f.Source != "" {
		add(Source, "  "+f.Source)
	}
	if f.Variation != "" {
		add(Fact, "found with "+f.Variation)
	}
	switch {
	case f.Launches > 1 && f.Launch != "":
		add(Fact, fmt.Sprintf("in %s, the first is %s", Plural(f.Launches, "launch"), f.Launch))
	case f.Launches > 1:
		add(Fact, fmt.Sprintf("in %s", Plural(f.Launches, "launch")))
	case f.Launch != "":
		add(Fact, "in "+f.Launch)
	}
	if s := f.where(); s != "" {
		add(Fact, s)
	}
	for _, n := range f.Notes {
		add(Fact, n.At(placeOf(n.Pos)))
	}
	if s := f.followed(); s != "" {
		add(Fact, s)
	}
	if f.Picture != "" {
		add(Tile, f.Picture)
	}
	if s := f.advice(); s != "" {
		add(Advice, "fix: "+s)
	}
	return lines
}

// advice is what to do, in one sentence.
func (f *Finding) advice() string { return strings.Join(f.Fixes, "; ") }

// where is the programs and lanes that are concerned.
func (f *Finding) where() string {
	if len(f.PID) == 0 {
		return ""
	}
	s := "in program " + Tuple(f.PID)
	switch {
	case f.Programs > 1 && f.Lanes > 0:
		s = fmt.Sprintf("%s in %s, first in program %s", Plural(f.Lanes, "lane"), Plural(f.Programs, "program"), Tuple(f.PID))
	case f.Programs > 1:
		s = fmt.Sprintf("in %s, first in program %s", Plural(f.Programs, "program"), Tuple(f.PID))
	case f.Lanes > 0:
		s = fmt.Sprintf("%s in program %s", Plural(f.Lanes, "lane"), Tuple(f.PID))
	}
	if len(f.At) > 0 {
		s += ", the first at " + IndexText(f.At) + " of its tile"
	}
	return s
}

// Place is file:line and a colon, empty if there is none.
func (f *Finding) Place() string {
	switch p := f.Pos; {
	case p.Line == 0:
		return ""
	case p.File == "":
		return fmt.Sprintf("line %d: ", p.Line)
	default:
		return fmt.Sprintf("%s:%d: ", diag.ShortPath(p.File), p.Line)
	}
}

func placeOf(p diag.Pos) string {
	p.File = diag.ShortPath(p.File)
	return p.String()
}

// String is the coverage by place; places where every lane was active are left out.
func (c Coverage) String() string {
	if c.Lanes == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "lanes active: %s\n", share(c.Active, c.Lanes))
	for _, s := range c.Sites {
		if s.Active < s.Lanes {
			fmt.Fprintf(&b, "\t%s:%d: %s of %s: %s\n", diag.ShortPath(s.File), s.Line, s.Op, s.Tensor, share(s.Active, s.Lanes))
		}
	}
	return b.String()
}

func share(n, of int) string {
	return fmt.Sprintf("%d of %d (%.0f %%)", n, of, 100*float64(n)/float64(max(of, 1)))
}

// String is what was varied.
func (v Varied) String() string {
	var b strings.Builder
	for _, s := range v.Sizes {
		fmt.Fprintf(&b, "\t%s = %d\n", strings.Join(append(slices.Clone(s.Params), s.Dims...), " = "), s.Value)
	}
	if len(v.Tried) > 0 {
		b.WriteString(list80("tried: ", v.Tried))
	}
	switch {
	case b.Len() == 0 && v.Why == "":
		return ""
	case b.Len() == 0:
		return v.Why + "\n"
	case v.Why != "":
		fmt.Fprintf(&b, "\t%s\n", v.Why)
	}
	return "other sizes:\n" + b.String()
}

// list80 is a list on lines of at most 80 columns, as far as its items go, indented by a tab.
func list80(head string, items []string) string {
	var b strings.Builder
	b.WriteString("\t" + head)
	const tab = 8
	at := tab + len(head)
	for i, s := range items {
		if n := len([]rune(s)) + len("; "); i > 0 && at+n > 80 {
			b.WriteString("\n\t  ")
			at = tab + len("  ")
		} else if i > 0 {
			b.WriteString(" ")
		}
		b.WriteString(s)
		if i < len(items)-1 {
			b.WriteString(";")
		}
		at += len([]rune(s)) + len("; ")
	}
	return b.String() + "\n"
}

var urgency = map[Severity]int{Warning: 0, Error: 1, Note: 2}

// sortFindings orders by urgency, and then by place.
func sortFindings(fs []Finding) {
	slices.SortStableFunc(fs, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(urgency[a.Severity], urgency[b.Severity]), cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Tensor, b.Tensor))
	})
}

// Plural is a number of things: 1 lane, 2 lanes.
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if strings.HasSuffix(what, "ch") {
		what += "e"
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Tuple is numbers as a place in a grid: (2,3).
func Tuple(ns []int) string {
	return "(" + strings.Trim(strings.Join(strings.Fields(fmt.Sprint(ns)), ","), "[]") + ")"
}

// IndexText is numbers as an index: [2,3].
func IndexText(ns []int) string { return strings.Join(strings.Fields(fmt.Sprint(ns)), ",") }
