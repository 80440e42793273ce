package nb

import (
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/show"
)

// Check shows what a check found. Positions are lines of functions in the picture; below
// it, findings are listed with their cell and line.
func Check(rep *exec.Report) {
	if rep == nil {
		return
	}
	if !inNotebook() {
		display(show.Value(rep, options()), "")
		return
	}
	display(show.Value(inCells(rep), options()), "tiler-check")
	var list strings.Builder
	for _, f := range rep.Findings {
		if f.Line > 0 {
			list.WriteString(f.File + ":" + itoa(f.Line) + ": " + f.Severity.String() + ": " + string(f.Kind) + ": " + f.Text + "\n")
		}
	}
	if list.Len() > 0 {
		printError(list.String())
	}
}

// inCells is a copy of a report whose positions are lines of functions.
func inCells(rep *exec.Report) *exec.Report {
	r := *rep
	r.Findings = append(r.Findings[:0:0], r.Findings...)
	for i := range r.Findings {
		f := &r.Findings[i]
		if cellFile.MatchString(f.File + ":1") {
			p := placeInFunction(f.Line)
			f.File, f.Line = p.File, p.Line
		}
		f.Notes = append(f.Notes[:0:0], f.Notes...)
		for k := range f.Notes {
			f.Notes[k] = inFunctions(f.Notes[k])
		}
		f.Text, f.Fix = inFunctions(f.Text), inFunctions(f.Fix)
	}
	r.Coverage.Sites = append(r.Coverage.Sites[:0:0], r.Coverage.Sites...)
	for i := range r.Coverage.Sites {
		s := &r.Coverage.Sites[i]
		if cellFile.MatchString(s.File + ":1") {
			p := placeInFunction(s.Line)
			s.File, s.Line = p.File, p.Line
		}
	}
	return &r
}
