package nb

import (
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/show"
	"github.com/tiler-go/tiler/tilelang/diag"
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
		if p := f.Pos; p.Line > 0 {
			list.WriteString(p.File + ":" + itoa(p.Line) + ": " + f.Title() + "\n")
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
		f.Pos = placed(f.Pos)
		f.Notes = slices.Clone(f.Notes)
		for k := range f.Notes {
			f.Notes[k].Pos = placed(f.Notes[k].Pos)
		}
	}
	r.Coverage.Sites = append(r.Coverage.Sites[:0:0], r.Coverage.Sites...)
	for i := range r.Coverage.Sites {
		s := &r.Coverage.Sites[i]
		p := placed(diag.Pos{File: s.File, Line: s.Line})
		s.File, s.Line = p.File, p.Line
	}
	return &r
}
