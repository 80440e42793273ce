package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// One cause is one finding. What a wrong address, or an undefined value, leads to is
// counted under it.

// causes is the kinds that others follow from, the first cause first.
var causes = map[Kind]int{Overflow: 1, WrongRow: 2, OutOfBounds: 3, Undefined: 4, Race: 5, DuplicateStore: 6, Unwritten: 7, Reference: 8}

// Settle puts errors and warnings under those that they follow from.
func (r *Report) Settle() {
	order := make([]int, 0, len(r.Findings))
	for i, f := range r.Findings {
		if f.Severity != Note && causes[f.Kind] > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return earlier(&r.Findings[a], &r.Findings[b]) })
	gone := make([]bool, len(r.Findings))
	for k, i := range order {
		for _, j := range order[:k] {
			if f, g := &r.Findings[i], &r.Findings[j]; !gone[j] && f.follows(g) {
				g.Follows = append(g.Follows, *f)
				gone[i] = true
				break
			}
		}
	}
	kept := make([]Finding, 0, len(r.Findings))
	for i, f := range r.Findings {
		if !gone[i] {
			kept = append(kept, f)
		}
	}
	r.Findings = kept
	r.Add()
}

// earlier compares findings by which is rather the cause: of a line, what is loaded.
func earlier(f, g *Finding) int {
	stores := func(f *Finding) int { return strings.Count(f.Op, "Store") }
	return cmp.Or(cmp.Compare(causes[f.Kind], causes[g.Kind]), cmp.Compare(f.Pos.File, g.Pos.File), cmp.Compare(f.Pos.Line, g.Pos.Line), cmp.Compare(stores(f), stores(g)))
}

// follows reports whether f follows from g, of which the kind is an earlier cause, or the
// same.
func (f *Finding) follows(g *Finding) bool {
	switch {
	case f.Severity != g.Severity:
		return false
	case f.Kind == Reference:
		return g.Kind != Reference
	case f.Kind == g.Kind:
		return f.alike(g)
	case f.Tensor != g.Tensor || g.Kind == Undefined:
		return false
	case f.Kind == OutOfBounds || f.Kind == WrongRow || f.Kind == Undefined || f.Kind == DuplicateStore:
		return f.Pos == g.Pos
	}
	return f.Kind == Race || f.Kind == Unwritten
}

// alike reports whether findings of one kind have one cause: the same lanes of the same
// programs go beyond two tensors, two programs meet twice in one, a value is undefined
// twice.
func (f *Finding) alike(g *Finding) bool {
	switch f.Kind {
	case OutOfBounds, WrongRow:
		return f.Variation == g.Variation && f.Lanes == g.Lanes && f.Programs == g.Programs && slices.Equal(f.PID, g.PID) && slices.Equal(f.At, g.At)
	case Race:
		return f.Tensor == g.Tensor
	case Overflow:
		return f.Pos == g.Pos && f.Op == g.Op
	case Undefined:
		return len(f.Notes) > 0 && len(g.Notes) > 0 && f.Notes[0].Pos.IsValid() && f.Notes[0].Pos == g.Notes[0].Pos && f.Notes[0].Text == g.Notes[0].Text
	}
	return false
}

// All is the finding, and what follows from it.
func (f *Finding) All() []Finding { return append([]Finding{*f}, f.Follows...) }

// maxFollows is how many of what follows are named.
const maxFollows = 3

// followed says what follows from f, "" if nothing does.
func (f *Finding) followed() string {
	if len(f.Follows) == 0 {
		return ""
	}
	var names []string
	for _, g := range f.Follows[:min(len(f.Follows), maxFollows)] {
		name := string(g.Kind)
		if g.Tensor != "" {
			name += " of " + g.Tensor
		}
		if place := g.Place(); place != "" && place != f.Place() {
			name += " at " + strings.TrimSuffix(place, ": ")
		}
		names = append(names, name)
	}
	if len(f.Follows) > maxFollows {
		names = append(names, "...")
	}
	verb := "follow"
	if len(f.Follows) == 1 {
		verb = "follows"
	}
	return fmt.Sprintf("%s %s from this one: %s", Plural(len(f.Follows), "more finding"), verb, strings.Join(names, ", "))
}
