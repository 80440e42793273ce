package tune

import (
	"fmt"
	"slices"
	"strings"
)

// A Tuning is how configurations of a kernel compare for one key.
type Tuning struct {
	Kernel     string
	Key        string // what the choice is for
	Best       Config
	Rows       []TuningRow
	Remembered bool // from an earlier process
}

// A TuningRow is one configuration: how long a launch takes, or why it is rejected.
type TuningRow struct {
	Config   Config
	Timing   Timing
	Rejected string
}

// width is that of the longest configuration's text.
func (t *Tuning) width() (w int) {
	for _, r := range t.Rows {
		w = max(w, len(r.Config.String()))
	}
	return w
}

func (r TuningRow) text(width int, best bool) string {
	s := fmt.Sprintf("%-*s  ", width, r.Config)
	if r.Rejected != "" {
		first, _, _ := strings.Cut(r.Rejected, "\n")
		return s + "rejected: " + first
	}
	s += fmt.Sprintf("%10v", round(r.Timing.Median))
	if best {
		s += "  the fastest so far"
	}
	return s
}

func (t *Tuning) reasons() string {
	var b strings.Builder
	for _, r := range t.Rows {
		fmt.Fprintf(&b, "\t%v: %s\n", r.Config, strings.ReplaceAll(r.Rejected, "\n", "\n\t\t"))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// String is the tuning as a table, the fastest first, the rejected last.
func (t *Tuning) String() string {
	rows := slices.Clone(t.Rows)
	slices.SortStableFunc(rows, func(x, y TuningRow) int {
		if (x.Rejected == "") != (y.Rejected == "") {
			if x.Rejected == "" {
				return -1
			}
			return 1
		}
		return int(min(max(x.Timing.Median-y.Timing.Median, -1), 1))
	})
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", t.Kernel, t.Key)
	if t.Remembered {
		b.WriteString("reused from an earlier run\n")
	}
	width := t.width()
	for _, r := range rows {
		text := r.text(width, false)
		if r.Rejected == "" && rows[0].Timing.Median > 0 {
			text += fmt.Sprintf("  %5.2f×", float64(r.Timing.Median)/float64(rows[0].Timing.Median))
		}
		fmt.Fprintf(&b, "  %s\n", text)
	}
	return b.String()
}
