package nb

import (
	"slices"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/show"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// Check shows what a check found, as one picture. Positions are lines of functions.
func Check(rep *exec.Report) {
	switch {
	case rep == nil:
	case inNotebook():
		display(show.Value(inCells(rep), options()), "tiler-check")
	default:
		display(show.Value(rep, options()), "")
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
