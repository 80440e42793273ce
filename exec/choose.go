package exec

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
)

// choose is the program that a launch uses, nil for the interpreter. as is the arguments as
// compiled code takes them.
//
// A forced engine is used as it is, or the launch fails. A promoted kernel runs in
// the fastest engine that compiles it, once that has given the interpreter's bits on
// samples of the launch; whatever speaks against it ends in the interpreter, with the
// reason in State.
func (k *Kernel) choose(args []any, as []ir.Arg) (*variant, *program, error) {
	switch k.opts.Engine {
	case interpreted:
		return nil, nil, nil
	case "":
		v, p := k.promotedProgram(args, as)
		return v, p, nil
	}
	v, err := k.variant(args)
	if err != nil {
		return nil, nil, err
	}
	p := v.program(k.forced, v.overlapping(args, as))
	return v, p, p.err
}

// promotedProgram is the program for a launch of a kernel that is promoted, or was in
// an earlier process; nil if it is to be interpreted.
func (k *Kernel) promotedProgram(args []any, as []ir.Arg) (*variant, *program) {
	if !k.promoted.Load() && !k.recall(args) {
		k.state.set(interpreted, "")
		return nil, nil
	}
	v, err := k.variant(args)
	if err != nil {
		k.state.set(interpreted, err.Error())
		return nil, nil
	}
	p, err := k.fastest(v, v.overlapping(args, as))
	if err != nil {
		k.state.set(interpreted, err.Error())
		return nil, nil
	}
	return v, p
}

// fastest is the variant in the fastest engine that has code for it. One that was
// refused is not passed over: what is wrong with the code may be wrong with all code
// that is made of the same functions.
func (k *Kernel) fastest(v *variant, ordered bool) (*program, error) {
	if k.limitErr != nil {
		return nil, k.limitErr
	}
	var reasons []error
	table := k.engineTable()
	for i := range slices.Backward(table) {
		e := &table[i]
		if e.tier > k.limit {
			continue
		}
		p := v.program(e, ordered)
		switch {
		case p.err != nil:
			reasons = append(reasons, fmt.Errorf("%s: %w", e.name, p.err))
		case p.trust.Load() == refused:
			_, reason := p.standing()
			return nil, fmt.Errorf("%s: %s", e.name, reason)
		default:
			return p, nil
		}
	}
	return nil, errors.Join(reasons...)
}

// launchProgram launches a program, after a trial where that is due.
func (k *Kernel) launchProgram(ctx context.Context, v *variant, p *program, l *compiledLaunch) error {
	if k.opts.Engine == "" {
		if ok, err := k.earn(ctx, v, p, l.extent, l.args); !ok || err != nil {
			if err != nil {
				return err
			}
			return k.interpret(ctx, l.extent, l.args)
		}
	}
	k.state.set(p.engine, "")
	err := l.run(ctx, p)
	if err == nil {
		v.flow.Define(l.args)
		l.ended(ctx)
		return nil
	}
	var crash *crashError
	if errors.As(err, &crash) {
		return k.crashed(ctx, v, p, l.extent, l.args, crash)
	}
	return err
}

// crashed gives a program up. Where nothing that the kernel reads can have been
// written, the launch is done again by the interpreter.
func (k *Kernel) crashed(ctx context.Context, v *variant, p *program, e extent, args []any, crash *crashError) error {
	if d := k.lost(args, crash.what, k.fn.Name); d != nil {
		return k.vanished(ctx, v, e, args, d, crash.near)
	}
	p.settle(refused, crash.Error())
	k.trace("refused", 0, "%s: %v", p.engine, crash.what)
	k.state.set(interpreted, crash.Error())
	if k.opts.Engine != "" || v.flow.Atomics || len(v.flow.Mixed(args)) > 0 {
		return crash
	}
	return k.interpret(ctx, e, args)
}
