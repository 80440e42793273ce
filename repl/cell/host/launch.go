package host

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/cell/builtin"
)

// A Launch is a kernel that the session's code launches.
type Launch struct {
	Op     string // the method that was called, such as "Launch"
	Kernel *exec.Kernel
	Grid   exec.Space
	Args   []any
	Report *exec.Report // of Check and Promote, when they have run

	ctx context.Context
	run func(ctx context.Context) error
}

// Context ends when the cell is told to stop.
func (l *Launch) Context() context.Context { return l.ctx }

// Name is the kernel's function.
func (l *Launch) Name() string { return l.Kernel.Name() }

// Run does what the program asked for.
func (l *Launch) Run() error { return inWords(l.run(l.ctx)) }

// Observe does what the program asked for with Launch before the eyes of an observer.
func (l *Launch) Observe(o exec.Observer) error {
	return inWords(l.Kernel.Observe(l.ctx, o, l.Grid, l.Args...))
}

// Launch is k.Launch, ended when the cell is told to stop.
func (ks *Kernels) Launch(k *exec.Kernel, g exec.Space, args ...any) error {
	return ks.launch(context.Background(), &Launch{Op: "Launch", Kernel: k, Grid: g, Args: args, run: func(ctx context.Context) error { return k.LaunchContext(ctx, g, args...) }})
}

// LaunchContext is k.LaunchContext, ended when the cell is told to stop.
func (ks *Kernels) LaunchContext(k *exec.Kernel, ctx context.Context, g exec.Space, args ...any) error {
	return ks.launch(ctx, &Launch{Op: "LaunchContext", Kernel: k, Grid: g, Args: args, run: func(ctx context.Context) error { return k.LaunchContext(ctx, g, args...) }})
}

// Check is k.Check, ended when the cell is told to stop.
func (ks *Kernels) Check(k *exec.Kernel, g exec.Space, args ...any) (*exec.Report, error) {
	return ks.report("Check", context.Background(), k, g, args, k.CheckContext)
}

// CheckContext is k.CheckContext, ended when the cell is told to stop.
func (ks *Kernels) CheckContext(k *exec.Kernel, ctx context.Context, g exec.Space, args ...any) (*exec.Report, error) {
	return ks.report("CheckContext", ctx, k, g, args, k.CheckContext)
}

// Promote is k.Promote, ended when the cell is told to stop.
func (ks *Kernels) Promote(k *exec.Kernel, g exec.Space, args ...any) (*exec.Report, error) {
	return ks.report("Promote", context.Background(), k, g, args, k.PromoteContext)
}

// PromoteContext is k.PromoteContext, ended when the cell is told to stop.
func (ks *Kernels) PromoteContext(k *exec.Kernel, ctx context.Context, g exec.Space, args ...any) (*exec.Report, error) {
	return ks.report("PromoteContext", ctx, k, g, args, k.PromoteContext)
}

func (ks *Kernels) report(op string, ctx context.Context, k *exec.Kernel, g exec.Space, args []any, do func(context.Context, exec.Space, ...any) (*exec.Report, error)) (*exec.Report, error) {
	l := &Launch{Op: op, Kernel: k, Grid: g, Args: args}
	l.run = func(ctx context.Context) (err error) {
		l.Report, err = do(ctx, g, args...)
		return err
	}
	err := ks.launch(ctx, l)
	return l.Report, err
}

// launch does what the program asks for, or what the session's owner makes of it.
func (ks *Kernels) launch(ctx context.Context, l *Launch) error {
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := ks.host.now.Load()
	go func() {
		select {
		case <-r.stopped:
			cancel()
		case <-ctx.Done():
		}
	}()
	ks.host.streams.flush()
	l.ctx = ctx
	ks.noteLaunch(l)
	do := (*Launch).Run
	if ks.host.env.Launch != nil {
		do = ks.host.env.Launch
	}
	err := do(l)
	if r.cause() != nil {
		ks.host.leave()
	}
	return err
}

// maxLaunches is how many kernels a session remembers the last launch of.
const maxLaunches = 100

func (ks *Kernels) noteLaunch(l *Launch) {
	if l.Kernel == nil {
		return
	}
	ks.mu.Lock()
	defer ks.mu.Unlock()
	kept := slices.DeleteFunc(slices.Clone(ks.launches), func(o *Launch) bool { return o.Name() == l.Name() })
	kept = append(kept, l)
	ks.launches = kept[max(len(kept)-maxLaunches, 0):]
}

// inWords says what went wrong in a launch as Go's runtime does.
func inWords(err error) error {
	var e *exec.Error
	if errors.As(err, &e) {
		translate(e)
	}
	return err
}

// translate puts what reflection says of a Go panic into the runtime's words.
func translate(e *exec.Error) {
	d := *e.Diag
	if text, ok := strings.CutPrefix(d.Msg, "panic: "); ok {
		if err, ok := builtin.Translate(text); ok {
			d.Msg = "panic: " + err.Error()
			e.Diag = &d
		}
	}
}

// Latest is the last launch of each kernel, the latest last.
func (ks *Kernels) Latest() []*Launch {
	ks.mu.Lock()
	defer ks.mu.Unlock()
	return slices.Clone(ks.launches)
}
