package exec

import (
	"context"
	"errors"
	"time"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/run"
	"github.com/tiler-go/tiler/exec/variant"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// choose is the program that a launch uses, nil for the interpreter. as is the arguments as
// compiled code takes them.
//
// A forced engine is used as it is, or the launch fails. A promoted kernel runs in
// the fastest engine that compiles it, once that has given the interpreter's bits on
// samples of the launch; whatever speaks against it ends in the interpreter, with the
// reason in State.
func (k *Kernel) choose(args []any, as []ir.Arg) (*variant.Program, error) {
	switch k.opts.Engine {
	case interpreted:
		return nil, nil
	case "":
		return k.promotedProgram(args, as), nil
	}
	v, err := k.variants.Of(k.fn, args)
	if err != nil {
		return nil, err
	}
	p := v.Program(k.use.Forced, v.Overlapping(args, as))
	return p, p.Err
}

// promotedProgram is the program for a launch of a kernel that is promoted, or was in
// an earlier process; nil if it is to be interpreted.
func (k *Kernel) promotedProgram(args []any, as []ir.Arg) *variant.Program {
	if !k.promoted.Load() && !k.recall(args) {
		k.state.set(interpreted, "")
		return nil
	}
	v, err := k.variants.Of(k.fn, args)
	if err != nil {
		k.state.set(interpreted, err.Error())
		return nil
	}
	p, err := v.Fastest(&k.use, v.Overlapping(args, as))
	if err != nil {
		k.state.set(interpreted, err.Error())
		return nil
	}
	return p
}

// launchProgram launches a program, after a trial where that is due.
func (k *Kernel) launchProgram(ctx context.Context, p *variant.Program, l *run.Launch) error {
	if k.opts.Engine == "" {
		if ok, err := k.earn(ctx, p, l.Extent, l.Args); !ok || err != nil {
			if err != nil {
				return err
			}
			return k.run.Interpretation(l.Extent, l.Args).Run(ctx)
		}
	}
	k.state.set(p.Engine, "")
	err := l.Run(ctx, p)
	if err == nil {
		p.Of.Flow.Define(l.Args)
		k.launches.Put(ctx, l)
		return nil
	}
	var crash *run.CrashError
	if errors.As(err, &crash) {
		return k.crashed(ctx, l, p, crash)
	}
	return err
}

// crashed gives a program up. Where nothing that the kernel reads can have been
// written, the launch is done again by the interpreter.
func (k *Kernel) crashed(ctx context.Context, l *run.Launch, p *variant.Program, crash *run.CrashError) error {
	if d := run.Gone(k.fn, l.Args, crash.What, k.fn.Name); d != nil {
		return k.vanished(ctx, l, p, d, crash.Near)
	}
	p.Settle(variant.Refused, crash.Error())
	k.trace("refused", 0, "%s: %v", p.Engine, crash.What)
	k.state.set(interpreted, crash.Error())
	if k.opts.Engine != "" || !p.Of.Flow.Rerun(l.Args) {
		return crash
	}
	return k.run.Interpretation(l.Extent, l.Args).Run(ctx)
}

// patienceLost is how long the interpreter looks for the access that compiled code made to memory that is not there.
const patienceLost = time.Second

// vanished is the error of a launch whose compiled code met memory of an argument that is not there, d. The
// interpreter says which operation did it, if it comes to it in time; first is a program near it. Where it can do
// the whole launch, because the memory is there again, and nothing was changed in place, that is what it does.
func (k *Kernel) vanished(ctx context.Context, l *run.Launch, p *variant.Program, d *diag.Diagnostic, first int) error {
	inner, cancel := context.WithTimeout(ctx, patienceLost)
	defer cancel()
	r := k.run.Interpretation(l.Extent, l.Args)
	r.Order = func(i int) int { return (i + first) % l.Extent.Total }
	err := r.Run(inner)
	switch {
	case ctx.Err() != nil:
		return k.run.Ended(ctx, 0, l.Extent.Total)
	case run.Lost(err), err == nil && p.Of.Flow.Rerun(l.Args):
		return err
	}
	return d
}
