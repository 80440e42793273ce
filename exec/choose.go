package exec

import (
	"context"
	"errors"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/variant"
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
func (k *Kernel) launchProgram(ctx context.Context, p *variant.Program, l *compiledLaunch) error {
	if k.opts.Engine == "" {
		if ok, err := k.earn(ctx, p, l.extent, l.args); !ok || err != nil {
			if err != nil {
				return err
			}
			return k.interpret(ctx, l.extent, l.args)
		}
	}
	k.state.set(p.Engine, "")
	err := l.run(ctx, p)
	if err == nil {
		p.Of.Flow.Define(l.args)
		l.ended(ctx)
		return nil
	}
	var crash *crashError
	if errors.As(err, &crash) {
		return k.crashed(ctx, p, l.extent, l.args, crash)
	}
	return err
}

// crashed gives a program up. Where nothing that the kernel reads can have been
// written, the launch is done again by the interpreter.
func (k *Kernel) crashed(ctx context.Context, p *variant.Program, e extent, args []any, crash *crashError) error {
	if d := k.lost(args, crash.what, k.fn.Name); d != nil {
		return k.vanished(ctx, p.Of, e, args, d, crash.near)
	}
	p.Settle(variant.Refused, crash.Error())
	k.trace("refused", 0, "%s: %v", p.Engine, crash.what)
	k.state.set(interpreted, crash.Error())
	if k.opts.Engine != "" || p.Of.Flow.Atomics || len(p.Of.Flow.Mixed(args)) > 0 {
		return crash
	}
	return k.interpret(ctx, e, args)
}
