package exec

import (
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/tiler-go/tiler/exec/function"
	"github.com/tiler-go/tiler/exec/grid"
	"github.com/tiler-go/tiler/exec/promote"
	"github.com/tiler-go/tiler/exec/run"
	"github.com/tiler-go/tiler/exec/variant"
)

// newTrial is a trial of a program on a launch.
func (k *Kernel) newTrial(p *variant.Program, e grid.Extent, args []any, full bool) *promote.Trial {
	quiet := &run.Setup{Fn: k.fn, Workers: k.opts.Workers, Output: io.Discard}
	t := &promote.Trial{Flow: &p.Of.Flow, Grid: e.Num, Full: full, Args: args, Workers: quiet.Workers}
	if p.Of.Flow.Atomics {
		quiet.Workers = 1
	}
	if t.Workers <= 0 {
		t.Workers = runtime.GOMAXPROCS(0)
	}
	t.Interpret = func(ctx context.Context, args []any, instances []int) error {
		r := quiet.Interpretation(e, args)
		r.Count, r.Order = len(instances), func(i int) int { return instances[i] }
		return r.Run(ctx)
	}
	t.Launch = func(ctx context.Context, args []any, instances []int) error {
		l := quiet.NewLaunch()
		l.Extent = e
		l.Take(args)
		if instances == nil {
			return l.Run(ctx, p)
		}
		return l.Each(ctx, p, instances)
	}
	t.Fault = func(err error) error { return fault(k.fn, args, err) }
	t.Label = func(arg int) string { return k.fn.Params()[arg].Label() }
	return t
}

// fault is what the error of a compiled launch says of its program.
func fault(fn *function.Function, args []any, err error) error {
	var failure *Error
	var crash *run.CrashError
	switch {
	case errors.As(err, &failure):
		return promote.ErrUndecided
	case errors.As(err, new(*run.BreachError)):
		return err
	case errors.As(err, &crash):
		if run.Gone(fn, args, crash.What, fn.Name) != nil {
			return promote.ErrUndecided
		}
		return err
	}
	return &promote.Mismatch{Text: "it fails where the interpreter does not: " + err.Error()}
}

// earn reports whether the program may do the launch. If it has not been tried yet, or
// every launch is a trial, it is tried now.
func (k *Kernel) earn(ctx context.Context, p *variant.Program, e grid.Extent, args []any) (ok bool, err error) {
	trust := p.Trust()
	switch {
	case e.Total == 0 || k.opts.Verify == Never && trust != variant.Refused:
		return true, nil
	case trust == variant.Refused || trust == variant.Trusted && k.opts.Verify != Always:
		return trust == variant.Trusted, nil
	}
	p.Lock()
	defer p.Unlock()
	if trust = p.Trust(); trust == variant.Refused || trust == variant.Trusted && k.opts.Verify != Always {
		return trust == variant.Trusted, nil
	}
	defer run.Guard(k.fn, args, &err)()
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
		return false, k.run.Ended(ctx, 0, t.Grid[0]*t.Grid[1]*t.Grid[2])
	case errors.As(err, new(*run.BreachError)):
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

// remember notes for later processes that a program gave the interpreter's bits. It is
// a convenience: that it cannot be written is told to Trace only.
func (k *Kernel) remember(p *variant.Program) {
	m := promote.MemoryIn(k.opts.Memory)
	if m == "" || k.variants.Freed() > 0 { // of ever new variants there would be ever more files
		return
	}
	if err := m.Note(memoryName(k.fn, p)); err != nil {
		k.trace("remembered", 0, "not: %v", err)
	}
}

// recall promotes the kernel if an earlier process did, for these arguments. What it
// has of the kernel's code is tried on samples, as any new specialisation.
func (k *Kernel) recall(args []any) bool {
	m := promote.MemoryIn(k.opts.Memory)
	if m == "" || !k.remembered.any(m, k.fn) {
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
	if !m.Has(memoryName(k.fn, p)) {
		v.Strange.Store(true)
		return false
	}
	k.promoted.Store(true)
	k.trace("remembered", 0, "promoted in an earlier run, on %s", p.Engine)
	return true
}

// memoryName is the name under which memory has a program.
func memoryName(fn *function.Function, p *variant.Program) promote.Name {
	return promote.NameOf(fn.Name, p.Meaning())
}

// A recollection is whether earlier processes left anything of a kernel, looked up once: most
// kernels are not promoted, and are not to be compiled to find that out.
type recollection struct {
	once sync.Once
	some bool
}

func (r *recollection) any(m promote.Memory, fn *function.Function) bool {
	r.once.Do(func() { r.some = m.HasAny(fn.Name) })
	return r.some
}
