package exec

import (
	"context"

	"github.com/tiler-go/tiler/exec/run"
)

// An Error is a program instance that failed.
type Error = run.Error

// Launch runs the kernel once per program instance of a grid. args are the
// parameters after the program, in order: *tensor.Tensor for tl.Ptr, int, float64,
// bool, tl.DType, string. They are checked before anything runs.
//
// Instances run in any order, on all cores. A program that fails stops the launch;
// the error is that of the lowest failing program id (with Options.Shuffle, of those that
// ran), and what is in the tensors that were being written is then unspecified.
func (k *Kernel) Launch(g Space, args ...any) error {
	return k.LaunchContext(context.Background(), g, args...)
}

// LaunchContext is Launch, ended early when ctx is done: no other programs start,
// those that are running end at their next access to memory, and the error is the
// context's.
func (k *Kernel) LaunchContext(ctx context.Context, g Space, args ...any) error {
	l, err := k.prepare(g, args)
	if err != nil {
		return err
	}
	if ctx == nil {
		ctx = context.Background()
	}
	if k.opts.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, k.opts.Timeout)
		defer cancel()
	}
	p, err := k.choose(l.Args, l.As())
	if err != nil {
		return err
	}
	if p == nil {
		return k.run.Interpretation(l.Extent, l.Args).Run(ctx)
	}
	return k.launchProgram(ctx, p, l)
}

// prepare is a launch of a grid and arguments, which it checks.
func (k *Kernel) prepare(g Space, args []any) (l *run.Launch, err error) {
	if err := k.usable(); err != nil {
		return nil, err
	}
	if err := k.use.Check(k.opts.Engine); err != nil {
		return nil, err
	}
	l = k.launches.Get(&k.run)
	if l.Args, err = k.fn.Accept(args, l.Args[:0]); err != nil {
		return nil, err
	}
	if err := k.fn.RefuseVirtual(l.Args); err != nil {
		return nil, err
	}
	l.Take(l.Args)
	return l, measure(k.fn, &l.Extent, g, l.Args)
}
