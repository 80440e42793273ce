package bench

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
)

// A Printer writes results as a table, row by row as they come.
type Printer struct {
	W     io.Writer
	suite string
}

// Print writes one result.
func (p *Printer) Print(r Result) {
	if r.Name != p.suite {
		p.suite = r.Name
		fmt.Fprintf(p.W, "\n%s\n", r.Name)
	}
	fmt.Fprintf(p.W, "  %-40s %2dt  ", r.Case, r.Threads)
	switch {
	case r.Skipped != "":
		fmt.Fprintf(p.W, "left out: %s\n", r.Skipped)
		return
	case r.Error != "":
		fmt.Fprintf(p.W, "ERROR: %s\n", strings.ReplaceAll(r.Error, "\n", "\n\t"))
		return
	}
	fmt.Fprintf(p.W, "%8s %-5s ±%-4s", figure(r.Value), r.Unit, percent(r.Spread/2))
	if r.Peak > 0 {
		fmt.Fprintf(p.W, " %4s of peak", percent(r.OfPeak))
	} else if len(r.Ratio)+len(r.Short()) > 0 {
		fmt.Fprintf(p.W, "%13s", "")
	}
	for _, k := range slices.Sorted(maps.Keys(r.Ratio)) {
		fmt.Fprintf(p.W, "  %.2f × %s", r.Ratio[k], k)
	}
	fmt.Fprintln(p.W)
	for _, g := range r.Short() {
		fmt.Fprintf(p.W, "  %44s  short of its goal: %s\n", "", g.text(r.Unit))
	}
}

func (g Goal) text(unit string) string {
	switch g.Against {
	case "":
		return fmt.Sprintf("at most %v %s", g.Most, unit)
	case "peak":
		return fmt.Sprintf("%s of peak", percent(g.Least))
	}
	return fmt.Sprintf("%.3g × %s", g.Least, g.Against)
}

// figure is a number with three or four digits.
func figure(v float64) string {
	switch a := math.Abs(v); {
	case a >= 100:
		return fmt.Sprintf("%.0f", v)
	case a >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

func percent(v float64) string { return fmt.Sprintf("%.0f%%", 100*v) }

// A Summary counts results for the line below the table.
type Summary struct {
	rows, goals, met, failed int
	missing                  map[string]string
}

// Add counts a result.
func (s *Summary) Add(r Result) {
	if s.missing == nil {
		s.missing = map[string]string{}
	}
	s.rows++
	s.goals += len(r.Goals)
	s.met += len(r.Goals) - len(r.Short())
	if r.Error != "" {
		s.failed++
	}
	for k, why := range r.Missing {
		s.missing[k] = why
	}
}

// Failed is how many rows ended in an error.
func (s *Summary) Failed() int { return s.failed }

// Write writes the summary.
func (s *Summary) Write(w io.Writer) {
	fmt.Fprintf(w, "\n%d of %d goals met in %d rows", s.met, s.goals, s.rows)
	if s.failed > 0 {
		fmt.Fprintf(w, "; %d rows failed", s.failed)
	}
	fmt.Fprintln(w)
	for _, k := range slices.Sorted(maps.Keys(s.missing)) {
		fmt.Fprintf(w, "without %s: %s\n", k, s.missing[k])
	}
	if len(s.missing) > 0 {
		fmt.Fprintln(w, "tiler bench -peers says how to install them")
	}
}
