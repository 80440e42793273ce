package check

import (
	"fmt"
	"slices"
)

// Merge adds the report of another launch of the same kernel to r: a finding that r has
// already is counted, others are added with the grid that they were found on.
func (r *Report) Merge(o *Report) {
	r.Launches = max(r.Launches, 1) + 1
	r.Programs += o.Programs
	r.Ran += o.Ran
	r.Times.Check += o.Times.Check
	if r.Err == "" {
		r.Err = o.Err
	}
	var added []Finding
	for _, f := range o.Findings {
		i := slices.IndexFunc(r.Findings, func(g Finding) bool { return g.same(&f) })
		if i < 0 {
			f.Launch = fmt.Sprintf("launch %d, on grid %s", r.Launches, Tuple(o.Grid))
			added = append(added, f)
			continue
		}
		g := &r.Findings[i]
		g.Launches = max(g.Launches, 1) + 1
	}
	r.Promoted = r.Promoted && o.Promoted
	r.Add(added...)
	r.OK = r.OK && o.OK
}

// same reports whether two findings are one, of several launches.
func (f *Finding) same(g *Finding) bool {
	return f.Kind == g.Kind && f.Severity == g.Severity && f.Pos == g.Pos && f.Tensor == g.Tensor && f.Op == g.Op && (f.Variation == "") == (g.Variation == "")
}
