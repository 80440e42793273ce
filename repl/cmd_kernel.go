package repl

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/repl/picture"
	"github.com/tiler-go/tiler/repl/screen"
	"github.com/tiler-go/tiler/repl/show"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// unknown is the error of a name that stands for nothing, or not for what is wanted.
func (s *Session) unknown(name, want string) error {
	var names []string
	for _, d := range s.cells.Defs() {
		if d.Name == name {
			return fmt.Errorf("%s is no %s", name, want)
		}
		names = append(names, d.Name)
	}
	if near := diag.Nearest(name, names); near != "" {
		return fmt.Errorf("there is no %s (did you mean %s?)", name, near)
	}
	return fmt.Errorf("there is no %s", name)
}

func (s *Session) cmdCheck(ctx context.Context, arg string) error {
	return s.checked(ctx, "checking", arg, (*exec.Kernel).CheckContext)
}

func (s *Session) cmdPromote(ctx context.Context, arg string) error {
	return s.checked(ctx, "promoting", arg, (*exec.Kernel).PromoteContext)
}

// checked runs a check or a promotion, and shows its report.
func (s *Session) checked(ctx context.Context, what, arg string, run func(*exec.Kernel, context.Context, exec.Space, ...any) (*exec.Report, error)) error {
	a, err := s.target(ctx, arg)
	if err != nil {
		return err
	}
	type outcome struct {
		rep *exec.Report
		err error
	}
	o, err := watched(ctx, s, what+" "+a.kernel.Name(), func() (o outcome) {
		o.rep, o.err = run(a.kernel, ctx, a.grid, a.args...)
		return o
	})
	if err != nil || o.rep == nil {
		return cmp.Or(err, o.err)
	}
	s.repeatable(a)
	rep, err := o.rep, o.err
	s.view.Say(show.Report(rep))
	if err == nil || sameProblem(rep, err) {
		if !rep.OK {
			return screen.ErrSaid
		}
		return nil
	}
	return err
}

func (s *Session) cmdWhy(ctx context.Context, arg string) error {
	name := arg
	if name == "" {
		var err error
		if name, err = s.onlyKernel(); err != nil {
			return err
		}
	}
	var a again
	if err := s.find(ctx, name, &a); err != nil {
		return err
	}
	s.view.Say(show.Text(a.kernel.State().String()))
	if !a.kernel.State().Promoted {
		s.view.Note("a kernel is compiled when it is promoted: :promote %s", a.kernel.Name())
		return nil
	}
	if i, err := a.kernel.Inspect(); err == nil {
		if costs, err := i.Costs(cpu.Auto); err == nil {
			s.view.Say(show.Text(exec.CostText(costs)))
		}
	}
	return nil
}

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

// cmdBench measures a launch in every engine, in turn.
func (s *Session) cmdBench(ctx context.Context, arg string) error {
	a, err := s.target(ctx, arg)
	if err != nil {
		return err
	}
	racers, err := s.race(ctx, a, "measuring "+a.kernel.Name(), benchTime)
	if err != nil {
		return err
	}
	s.raced = &raced{a.kernel.Name(), racers}
	s.repeatable(a)
	s.view.Say(raceTable(a.kernel.Name(), racers))
	return nil
}

// race measures a launch in every engine, for about some time.
func (s *Session) race(ctx context.Context, a again, what string, limit time.Duration) (racers []*racer, err error) {
	args := copies(a.args)
	for _, e := range exec.Engines() {
		racers = append(racers, &racer{engine: e})
	}
	return racers, s.patiently(what, func() error { return race(ctx, a, args, racers, limit) })
}

// race runs the launch in each engine, round by round. What is slow sits out most
// rounds.
func race(ctx context.Context, a again, args []any, racers []*racer, limit time.Duration) error {
	start := time.Now()
	for round := 0; round < 3 || round < 200 && time.Since(start) < limit; round++ {
		for _, r := range racers {
			if r.err != nil || round > 1 && r.median() > limit/10 {
				continue
			}
			began := time.Now()
			err := a.kernel.With(exec.Options{Engine: r.engine, Output: io.Discard}).LaunchContext(ctx, a.grid, args...)
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
			rows = append(rows, []string{r.engine, "cannot", firstLine(r.err.Error())})
			continue
		case first == 0:
			first = r.median()
			rows = append(rows, []string{r.engine, show.Seconds(first.Seconds()), ""})
			continue
		}
		m := r.median()
		rows = append(rows, []string{r.engine, show.Seconds(m.Seconds()), show.Times(first.Seconds()/m.Seconds()) + " faster than " + racers[0].engine})
	}
	return show.Table([]string{kernel, "a launch", ""}, rows)
}

func firstLine(s string) string {
	for i, r := range s {
		if r == '\n' {
			return s[:i]
		}
	}
	return s
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
