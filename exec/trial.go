package exec

import (
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"time"

	"github.com/tiler-go/tiler/exec/promote"
	"github.com/tiler-go/tiler/exec/variant"
)

// newTrial is a trial of a program on a launch.
func (k *Kernel) newTrial(p *variant.Program, e extent, args []any, full bool) *promote.Trial {
	quiet := k.With(Options{Workers: k.opts.Workers, Output: io.Discard})
	t := &promote.Trial{Flow: &p.Of.Flow, Grid: e.num, Full: full, Args: args, Workers: quiet.opts.Workers}
	if p.Of.Flow.Atomics {
		quiet.opts.Workers = 1
	}
	if t.Workers <= 0 {
		t.Workers = runtime.GOMAXPROCS(0)
	}
	t.Interpret = func(ctx context.Context, args []any, instances []int) error {
		r := quiet.interpretation(e, args).print()
		r.count, r.order = len(instances), func(i int) int { return instances[i] }
		return r.run(ctx)
	}
	t.Launch = func(ctx context.Context, args []any, instances []int) error {
		l := quiet.newLaunch()
		l.extent = e
		l.take(args)
		if instances == nil {
			return l.run(ctx, p)
		}
		return l.each(ctx, p, instances)
	}
	t.Fault = func(err error) error { return quiet.fault(args, err) }
	t.Label = func(arg int) string { return k.fn.Params()[arg].Label() }
	return t
}

// each runs some instances one by one.
func (l *compiledLaunch) each(ctx context.Context, p *variant.Program, instances []int) error {
	if err := l.begin(p, 1, true); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { l.stop.Store(true) })()
	r := l.runner(0)
	defer r.Release()
	for _, i := range instances {
		if !l.stop.Load() {
			r.Run(i, i+1)
		}
	}
	return l.result(ctx, l.job.Tasks)
}

// fault is what the error of a compiled launch says of its program.
func (k *Kernel) fault(args []any, err error) error {
	var failure *Error
	var crash *crashError
	switch {
	case errors.As(err, &failure):
		return promote.ErrUndecided
	case errors.As(err, new(*breachError)):
		return err
	case errors.As(err, &crash):
		if k.lost(args, crash.what, k.fn.Name) != nil {
			return promote.ErrUndecided
		}
		return err
	}
	return &promote.Mismatch{Text: "it fails where the interpreter does not: " + err.Error()}
}

// earn reports whether the program may do the launch. If it has not been tried yet, or
// every launch is a trial, it is tried now.
func (k *Kernel) earn(ctx context.Context, p *variant.Program, e extent, args []any) (ok bool, err error) {
	trust := p.Trust()
	switch {
	case e.total == 0 || k.opts.Verify == Never && trust != variant.Refused:
		return true, nil
	case trust == variant.Refused || trust == variant.Trusted && k.opts.Verify != Always:
		return trust == variant.Trusted, nil
	}
	p.Lock()
	defer p.Unlock()
	if trust = p.Trust(); trust == variant.Refused || trust == variant.Trusted && k.opts.Verify != Always {
		return trust == variant.Trusted, nil
	}
	defer k.guard(args, &err)()
	start := time.Now()
	t := k.newTrial(p, e, slices.Clone(args), false) // what stalls in it may outlast the launch
	err = t.Run(ctx)
	return k.verdict(ctx, p, t, err, time.Since(start))
}

// verdict settles a program by the outcome of its trial.
func (k *Kernel) verdict(ctx context.Context, p *variant.Program, t *promote.Trial, err error, took time.Duration) (bool, error) {
	switch {
	case err == nil:
		if p.Trust() != variant.Trusted {
			p.Settle(variant.Trusted, t.Evidence())
			k.trace("trial", took, "%s: %s", p.Engine, t.Evidence())
			k.remember(p)
		}
		return true, nil
	case ctx.Err() != nil:
		return false, k.ended(ctx, 0, t.Grid[0]*t.Grid[1]*t.Grid[2])
	case errors.As(err, new(*breachError)):
		return false, err
	case err == promote.ErrUndecided:
		k.state.set(interpreted, "the launch fails; the interpreter reports it")
		return false, nil
	}
	p.Settle(variant.Refused, err.Error())
	k.trace("refused", took, "%s: %v", p.Engine, err)
	k.state.set(interpreted, p.Engine+": "+err.Error())
	return false, nil
}

// memoryName is the name under which memory has a program.
func (k *Kernel) memoryName(p *variant.Program) string {
	return promote.Name(k.fn.Name, "", p.Meaning())
}

// remember notes for later processes that a program gave the interpreter's bits. It is
// a convenience: that it cannot be written is told to Trace only.
func (k *Kernel) remember(p *variant.Program) {
	m := promote.MemoryIn(k.opts.Memory)
	if m == "" || k.variants.Freed() > 0 { // of ever new variants there would be ever more files
		return
	}
	if err := m.Note(k.memoryName(p)); err != nil {
		k.trace("remembered", 0, "not: %v", err)
	}
}

// recall promotes the kernel if an earlier process did, for these arguments. What it
// has of the kernel's code is tried on samples, as any new specialisation.
func (k *Kernel) recall(args []any) bool {
	m := promote.MemoryIn(k.opts.Memory)
	if m == "" || !k.remembered(m) {
		return false
	}
	v, err := k.variants.Of(k.fn, args)
	if err != nil || v.Strange.Load() {
		return false
	}
	p, err := v.Fastest(&k.use, v.Overlap(args))
	if err != nil {
		return false
	}
	if !m.Has(k.memoryName(p)) {
		v.Strange.Store(true)
		return false
	}
	k.promoted.Store(true)
	k.trace("remembered", 0, "promoted in an earlier run, on %s", p.Engine)
	return true
}

// remembered reports whether there is anything of the kernel, looked up once: most
// kernels are not promoted, and are not to be compiled to find that out.
func (k *Kernel) remembered(m promote.Memory) bool {
	k.recallOnce.Do(func() { k.recallable = m.HasAny(promote.Prefix(k.fn.Name)) })
	return k.recallable
}
