package exec

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/exec/engine"
	"github.com/tiler-go/tiler/exec/function"
	"github.com/tiler-go/tiler/exec/grid"
	"github.com/tiler-go/tiler/exec/promote"
	"github.com/tiler-go/tiler/exec/run"
	"github.com/tiler-go/tiler/exec/variant"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// wholeTrial is how long the interpreter may take for all instances of a trial;
// beyond it Promote compares some.
const wholeTrial = 10 * time.Second

// Promote checks the kernel on a launch, compiles it, and compares what the compiled
// code does on the same inputs with what the interpreter does, bit for bit. If
// nothing is wrong, launches run compiled from then on, also in later processes; else
// the kernel stays interpreted, and the error and the report say why.
func (k *Kernel) Promote(g Space, args ...any) (*Report, error) {
	return k.PromoteContext(context.Background(), g, args...)
}

// PromoteContext is Promote, ended early when ctx is done.
func (k *Kernel) PromoteContext(ctx context.Context, g Space, args ...any) (*Report, error) {
	rep, err := k.CheckContext(ctx, g, args...)
	if err != nil {
		return rep, err
	}
	as, err := k.fn.Accept(args, nil)
	if err == nil {
		err = k.fn.RefuseVirtual(as)
	}
	if err != nil {
		return rep, err
	}
	e, err := resolve(k.fn, g, as)
	if err != nil {
		return rep, err
	}
	start := time.Now()
	p, err := k.promotable(as)
	rep.Times.Compile = time.Since(start)
	if err != nil {
		rep.Add(unsupported(k.fn, err)...)
		k.state.set(interpreted, err.Error())
		return rep, rep.Problem()
	}
	if p.Trust() != variant.Untried {
		rep.Times.Compile = 0
	}
	for _, reason := range p.Of.Without(&k.use, p.Ordered, p.Engine) {
		rep.Add(check.Finding{Kind: check.Unsupported, Severity: check.Note, Diagnostic: *diag.At(k.fn.Place(),
			"no code for a faster engine, %v", reason)})
	}
	if err := k.prove(ctx, rep, p, e, as); err != nil {
		return rep, err
	}
	k.promoted.Store(true)
	k.state.set(p.Engine, "")
	rep.Promoted, rep.Engine, rep.ToGo = true, p.Engine, engine.LeftToGo(p.Code)
	_, evidence := p.Standing()
	k.trace("promoted", rep.Times.Compile+rep.Times.Verify, "%s: %s", p.Engine, evidence)
	return rep, nil
}

// Compile has launches run compiled from now on, as after Promote but without its check: the first
// launch of each specialisation is tried on some of its programs, against the interpreter, and
// what speaks against the code leaves the kernel interpreted.
func (k *Kernel) Compile() {
	if k.usable() == nil {
		k.promoted.Store(true)
	}
}

// promotable is the kernel in the fastest engine that has code for arguments.
func (k *Kernel) promotable(args []any) (*variant.Program, error) {
	if err := k.use.Check(k.opts.Engine); err != nil {
		return nil, err
	}
	v, err := k.variants.Of(k.fn, args)
	if err != nil {
		return nil, err
	}
	return v.Fastest(&k.use, v.Overlap(args))
}

// prove makes the trial that trust rests on, and notes in the report what came of it.
func (k *Kernel) prove(ctx context.Context, rep *Report, p *variant.Program, e grid.Extent, args []any) (err error) {
	p.Lock()
	defer p.Unlock()
	defer run.Guard(k.fn, args, &err)()
	start := time.Now()
	t := k.newTrial(p, e, args, rep.Times.Check < wholeTrial)
	if err = t.Run(ctx); err == nil {
		t.Again(ctx)
	}
	rep.Times.Verify = time.Since(start)
	if ok, cause := k.verdict(ctx, p, t, err, rep.Times.Verify); !ok {
		switch {
		case cause != nil:
			return cause
		case err == promote.ErrUndecided:
			return fmt.Errorf("%s: not promoted: the launch fails on copies of its tensors", k.fn.Name)
		}
		rep.Add(mismatch(k.fn, p, err))
		return rep.Problem()
	}
	if t.Full {
		rep.Times.Interpreted, rep.Times.Compiled = t.Interpreted, t.Compiled
	}
	if p.Of.Flow.FloatAtomics {
		rep.Add(check.Finding{Kind: check.DType, Severity: check.Note, Diagnostic: *diag.At(k.fn.Place(),
			"floats are added atomically: the result depends on the order in which programs run; only one order was compared")})
	}
	return nil
}

// unsupported is why a kernel cannot be compiled, a finding for each construct.
func unsupported(fn *function.Function, err error) (fs []check.Finding) {
	var list diag.List
	var one *diag.Diagnostic
	switch {
	case errors.As(err, &list):
	case errors.As(err, &one):
		list = diag.List{one}
	default:
		list = diag.List{diag.At(fn.Place(), "%s", err.Error())}
	}
	for _, d := range list {
		fs = append(fs, check.Finding{Kind: check.Unsupported, Severity: check.Error, Diagnostic: *d})
	}
	return fs
}

const itsBug = "this is a bug in the compiler; launches stay interpreted and give the right result"

// mismatch is a program that was refused as a finding.
func mismatch(fn *function.Function, p *variant.Program, err error) check.Finding {
	f := check.Finding{Kind: check.EngineMismatch, Severity: check.Error, Diagnostic: *diag.At(fn.Place(), "%s: %v", p.Engine, err)}
	if !fn.Given() {
		f.Fix("if %s has changed since the program was built, build it again; otherwise %s", diag.ShortPath(fn.File()), itsBug)
	} else {
		f.Fix(itsBug)
	}
	var m *promote.Mismatch
	if errors.As(err, &m) {
		f.Tensor, f.Index = m.Tensor, m.Index
	}
	return f
}
