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
func (t *Trial) Run(ctx context.Context) (*Tuning, error) {
	z := &Tuning{Kernel: t.Kernel, Key: t.Key}
	for _, c := range t.Configs {
		z.Rows = append(z.Rows, TuningRow{Config: c})
	}
	t.say("%s: %s\n", z.Kernel, z.Key)
	j := &judge{trial: t, tuning: z}
	for i := range z.Rows {
		if err := ctx.Err(); err != nil {
			return z, err
		}
		j.try(ctx, i)
	}
	j.decide()
	width := z.width()
	best := -1
	for i := range z.Rows {
		r := &z.Rows[i]
		if err := ctx.Err(); err != nil {
			return z, err
		}
		if r.Rejected == "" {
			if err := t.measure(ctx, r); err != nil {
				r.Rejected = err.Error()
			} else if best < 0 || r.Timing.Median < z.Rows[best].Timing.Median {
				best = i
			}
		}
		t.say("  %3d/%d  %s\n", i+1, len(z.Rows), r.text(width, i == best))
	}
	if err := ctx.Err(); err != nil {
		return z, err
	}
	if best < 0 {
		return z, fmt.Errorf("%s: every configuration was rejected\n%s", z.Kernel, z.reasons())
	}
	z.Best = z.Rows[best].Config
	t.say("%s: the fastest is %v\n", z.Kernel, z.Best)
	return z, nil
}

// say writes to the live table.
func (t *Trial) say(format string, args ...any) {
	if t.Table != nil {
		fmt.Fprintf(t.Table, format, args...)
	}
}

// copied is the arguments of a configuration with private copies of the tensors.
func (t *Trial) copied(c Config) (full []any, copies []*tensor.Tensor, err error) {
	if full, err = t.Full(c); err != nil {
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
func (t *Trial) measure(ctx context.Context, r *TuningRow) error {
	full, _, err := t.copied(r.Config)
	if err != nil {
		return err
	}
	launch := func() error { return t.Launch(ctx, full) }
	if t.Bench != nil {
		r.Timing, err = t.Bench(r.Config, launch)
	} else {
		r.Timing, err = Bench(launch)
	}
	return err
}
