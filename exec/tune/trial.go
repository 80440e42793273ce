package tune

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/tiler-go/tiler/exec/check/launch"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A Trial is a launch of a kernel with each of some configurations.
type Trial struct {
	Kernel, Key string // what the choice is of, and for
	Configs     []Config
	// Full is the arguments of a launch with a configuration.
	Full func(c Config) ([]any, error)
	// Launch launches the kernel, printing nothing.
	Launch func(ctx context.Context, args []any) error
	// Reference is a function that computes the same, nil if there is none.
	Reference func() (*reflect.Value, error)
	Label     func(arg int) string // of an argument, in messages

	Table     io.Writer         // is told of each configuration; nil: nobody
	Tolerance *tensor.Tolerance // of results, nil for that of their dtype
	Bench     func(c Config, launch func() error) (Timing, error)
}

// Run tries all configurations.
func (a *Trial) Run(ctx context.Context) (*Tuning, error) {
	t := &Tuning{Kernel: a.Kernel, Key: a.Key}
	for _, c := range a.Configs {
		t.Rows = append(t.Rows, TuningRow{Config: c})
	}
	a.say("%s: %s\n", t.Kernel, t.Key)
	j := &judge{trial: a, tuning: t}
	for i := range t.Rows {
		if err := ctx.Err(); err != nil {
			return t, err
		}
		j.try(ctx, i)
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
			if err := a.measure(ctx, r); err != nil {
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
func (a *Trial) say(format string, args ...any) {
	if a.Table != nil {
		fmt.Fprintf(a.Table, format, args...)
	}
}

// copied is the arguments of a configuration with private copies of the tensors.
func (a *Trial) copied(c Config) (full []any, copies []*tensor.Tensor, err error) {
	if full, err = a.Full(c); err != nil {
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
func (a *Trial) measure(ctx context.Context, r *TuningRow) error {
	full, _, err := a.copied(r.Config)
	if err != nil {
		return err
	}
	launch := func() error { return a.Launch(ctx, full) }
	if a.Bench != nil {
		r.Timing, err = a.Bench(r.Config, launch)
	} else {
		r.Timing, err = Bench(launch)
	}
	return err
}
