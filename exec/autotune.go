package exec

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/exec/check/launch"
	"github.com/tiler-go/tiler/tilelang/tensor"
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

// tune tries all configurations.
func (a *Autotuner) tune(ctx context.Context, key string, g Space, args []any) (*Tuning, error) {
	t := &Tuning{Kernel: a.k.fn.Name, Key: key}
	for _, c := range a.configs {
		t.Rows = append(t.Rows, TuningRow{Config: c})
	}
	a.say("%s: %s\n", t.Kernel, t.Key)
	j := &judge{a: a, tuning: t}
	for i := range t.Rows {
		if err := ctx.Err(); err != nil {
			return t, err
		}
		j.try(ctx, i, g, args)
	}
	j.decide()
	width := t.width()
	best := -1
	for i := range t.Rows {
		r := &t.Rows[i]
		if err := ctx.Err(); err != nil {
			return t, err
		}
		if r.Rejected == "" {
			if err := a.measure(ctx, r, g, args); err != nil {
				r.Rejected = err.Error()
			} else if best < 0 || r.Timing.Median < t.Rows[best].Timing.Median {
				best = i
			}
		}
		a.say("  %3d/%d  %s\n", i+1, len(t.Rows), r.text(width, i == best))
	}
	if err := ctx.Err(); err != nil {
		return t, err
	}
	if best < 0 {
		return t, fmt.Errorf("%s: every configuration was rejected\n%s", t.Kernel, t.reasons())
	}
	t.Best = t.Rows[best].Config
	a.say("%s: the fastest is %v\n", t.Kernel, t.Best)
	return t, nil
}

// say writes to the live table.
func (a *Autotuner) say(format string, args ...any) {
	if a.opts.Table != nil {
		fmt.Fprintf(a.opts.Table, format, args...)
	}
}

// quiet is the kernel without what a trial is not to show.
func (a *Autotuner) quiet() *Kernel {
	o := a.k.opts
	o.Output, o.Progress = io.Discard, nil
	return a.k.With(o)
}

// copied is the arguments of a configuration with private copies of the tensors.
func (a *Autotuner) copied(c Config, args []any) (full []any, copies []*tensor.Tensor, err error) {
	if full, err = a.with(c, args); err != nil {
		return nil, nil, err
	}
	copies = launch.Copies(full)
	full = slices.Clone(full)
	for i, x := range copies {
		if x != nil {
			full[i] = x
		}
	}
	return full, copies, nil
}

// measure times launches with a configuration, on copies.
func (a *Autotuner) measure(ctx context.Context, r *TuningRow, g Space, args []any) error {
	full, _, err := a.copied(r.Config, args)
	if err != nil {
		return err
	}
	k := a.quiet()
	launch := func() error { return k.LaunchContext(ctx, g, full...) }
	if a.opts.Bench != nil {
		r.Timing, err = a.opts.Bench(r.Config, launch)
	} else {
		r.Timing, err = Bench(launch)
	}
	return err
}

// A judge decides which configurations compute what they should.
type judge struct {
	a      *Autotuner
	tuning *Tuning
	camps  []camp
}

// A camp is configurations that agree.
type camp struct {
	results []*tensor.Tensor
	rows    []int
}

// try launches a configuration once on copies and compares the results with the
// reference's, or puts it into a camp.
func (j *judge) try(ctx context.Context, i int, g Space, args []any) {
	r := &j.tuning.Rows[i]
	full, copies, err := j.a.copied(r.Config, args)
	if err == nil {
		err = j.a.quiet().LaunchContext(ctx, g, full...)
	}
	if err != nil {
		r.Rejected = err.Error()
		return
	}
	ref, err := j.a.k.reference()
	if err == nil && ref != nil {
		full, want, _ := j.a.copied(r.Config, args)
		if err = launch.CallReference(*ref, full, want); err == nil {
			err = j.differ(copies, want, "the reference")
		}
		if err != nil {
			r.Rejected = err.Error()
		}
		return
	}
	if err != nil {
		r.Rejected = err.Error()
		return
	}
	for n := range j.camps {
		if j.differ(copies, j.camps[n].results, "") == nil {
			j.camps[n].rows = append(j.camps[n].rows, i)
			return
		}
	}
	j.camps = append(j.camps, camp{copies, []int{i}})
}

// decide rejects the configurations that are not of the largest camp; of several such,
// the one that came first is taken for right.
func (j *judge) decide() {
	right := 0
	for n, c := range j.camps {
		if len(c.rows) > len(j.camps[right].rows) {
			right = n
		}
	}
	for n, c := range j.camps {
		if n == right {
			continue
		}
		who := fmt.Sprint(j.tuning.Rows[j.camps[right].rows[0]].Config)
		if others := len(j.camps[right].rows) - 1; others > 0 {
			who += fmt.Sprintf(" and %d more", others)
		}
		err := j.differ(c.results, j.camps[right].results, who)
		for _, i := range c.rows {
			j.tuning.Rows[i].Rejected = err.Error()
		}
	}
	j.camps = nil // they hold memory
}

// differ says in what results differ from those of somebody; nil if they do not.
func (j *judge) differ(got, want []*tensor.Tensor, who string) error {
	var o []tensor.Tolerance
	if t := j.a.opts.Tolerance; t != nil {
		o = []tensor.Tolerance{*t}
	}
	for i, x := range got {
		if x == nil {
			continue
		}
		c := tensor.AllClose(x, want[i], o...)
		name := j.a.k.fn.Params()[i].Label()
		switch {
		case c.Why != "":
			return fmt.Errorf("%s cannot be compared with that of %s: %s", name, who, c.Why)
		case !c.OK:
			return fmt.Errorf("wrong result: %d of %d elements of %s differ from those of %s; the worst is %s: got %v, want %v",
				c.Mismatches, c.Total, name, who, check.IndexText(c.Index), c.Got, c.Want)
		}
	}
	return nil
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
