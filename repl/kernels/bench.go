package kernels

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/launch"
	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/repl/show"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A racer is a launch in one engine, being measured.
type racer struct {
	engine string
	took   []time.Duration
	err    error
}

func (r *racer) median() time.Duration {
	t := slices.Sorted(slices.Values(r.took))
	return t[len(t)/2]
}

// benchTime is about how long :bench measures.
const benchTime = time.Second

// A Bench is what :bench measured last.
type Bench struct {
	kernel string
	racers []*racer
}

// Run measures a launch in every engine, in turn.
func (b *Bench) Run(ctx context.Context, k *launch.Kernels, arg string) error {
	a, err := k.Target(ctx, arg)
	if err != nil {
		return err
	}
	racers, err := compare(ctx, k, a, "measuring "+a.Kernel.Name(), benchTime)
	if err != nil {
		return err
	}
	*b = Bench{a.Kernel.Name(), racers}
	k.Repeat(a)
	k.Say(raceTable(a.Kernel.Name(), racers))
	return nil
}

// compare measures a launch in every engine, for about some time.
func compare(ctx context.Context, k *launch.Kernels, a launch.Again, what string, limit time.Duration) ([]*racer, error) {
	args := copies(a.Args)
	var racers []*racer
	for _, e := range exec.Engines() {
		racers = append(racers, &racer{engine: e})
	}
	return racers, k.Log.Patiently(what, func() error { return race(ctx, a, args, racers, limit) })
}

// race runs the launch in each engine, round by round. What is slow sits out most
// rounds.
func race(ctx context.Context, a launch.Again, args []any, racers []*racer, limit time.Duration) error {
	start := time.Now()
	for round := 0; round < 3 || round < 200 && time.Since(start) < limit; round++ {
		for _, r := range racers {
			if r.err != nil || round > 1 && r.median() > limit/10 {
				continue
			}
			began := time.Now()
			err := a.Kernel.With(exec.Options{Engine: r.engine, Output: io.Discard}).LaunchContext(ctx, a.Grid, args...)
			took := time.Since(began)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				r.err = err
			case round > 0 || took > limit/10: // the first launch compiles
				r.took = append(r.took, took)
			}
		}
	}
	return nil
}

func raceTable(kernel string, racers []*racer) picture.Picture {
	var rows [][]string
	var first time.Duration
	for _, r := range racers {
		switch {
		case r.err != nil:
			line, _, _ := strings.Cut(r.err.Error(), "\n")
			rows = append(rows, []string{r.engine, "cannot", line})
			continue
		case first == 0:
			first = r.median()
			rows = append(rows, []string{r.engine, show.Seconds(first.Seconds()), ""})
			continue
		}
		m := r.median()
		times := show.Times(first.Seconds()/m.Seconds()) + " faster than " + racers[0].engine
		rows = append(rows, []string{r.engine, show.Seconds(m.Seconds()), times})
	}
	return show.Table([]string{kernel, "a launch", ""}, rows)
}

// copies is arguments with copies of their tensors.
func copies(args []any) []any {
	out := slices.Clone(args)
	var xs []*tensor.Tensor
	var at []int
	for i, a := range args {
		if x, ok := a.(*tensor.Tensor); ok && x != nil {
			xs, at = append(xs, x), append(at, i)
		}
	}
	for i, x := range tensor.Copies(xs...) {
		out[at[i]] = x
	}
	return out
}
