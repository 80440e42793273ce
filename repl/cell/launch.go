package cell

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A Launch is a kernel that the session's code launches.
type Launch struct {
	Op     string // the method that was called, such as "Launch"
	Kernel *exec.Kernel
	Grid   exec.Space
	Args   []any

	ctx context.Context
	run func(ctx context.Context) error
	h   *host
}

// Context ends when the cell is told to stop.
func (l *Launch) Context() context.Context { return l.ctx }

// Name is the kernel's function.
func (l *Launch) Name() string { return l.Kernel.Name() }

// Run does what the program asked for.
func (l *Launch) Run() error { return l.h.place(l.run(l.ctx)) }

// Launches is the last launch of each kernel, the latest last.
func (s *Session) Launches() []*Launch { return slices.Clone(s.host.launches) }

// Launch is k.Launch, ended when the cell is told to stop.
func (h *host) Launch(k *exec.Kernel, g exec.Space, args ...any) error {
	return h.launch("Launch", context.Background(), k, g, args, func(ctx context.Context) error { return k.LaunchContext(ctx, g, args...) })
}

// LaunchContext is k.LaunchContext, ended when the cell is told to stop.
func (h *host) LaunchContext(k *exec.Kernel, ctx context.Context, g exec.Space, args ...any) error {
	return h.launch("LaunchContext", ctx, k, g, args, func(ctx context.Context) error { return k.LaunchContext(ctx, g, args...) })
}

// launch does what the program asks for, or what the session's owner makes of it.
func (h *host) launch(op string, ctx context.Context, k *exec.Kernel, g exec.Space, args []any, run func(context.Context) error) error {
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := h.now.Load()
	go func() {
		select {
		case <-r.stopped:
			cancel()
		case <-ctx.Done():
		}
	}()
	h.flush()
	l := &Launch{Op: op, Kernel: k, Grid: g, Args: args, ctx: ctx, run: run, h: h}
	h.noteLaunch(l)
	do := (*Launch).Run
	if h.s.opts.Launch != nil {
		do = h.s.opts.Launch
	}
	err := do(l)
	if r.cause() != nil {
		h.leave()
	}
	return err
}

// maxLaunches is how many kernels a session remembers the last launch of.
const maxLaunches = 100

func (h *host) noteLaunch(l *Launch) {
	if l.Kernel == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	kept := slices.DeleteFunc(slices.Clone(h.launches), func(o *Launch) bool { return o.Name() == l.Name() })
	kept = append(kept, l)
	h.launches = kept[max(len(kept)-maxLaunches, 0):]
}

// place gives an error of a launch its place in the session's text.
func (h *host) place(err error) error {
	var e *exec.Error
	if errors.As(err, &e) {
		h.translate(e)
	}
	return err
}

// translate gives an error of a launch the place in the session's text.
func (h *host) translate(e *exec.Error) {
	d := *e.Diag
	if text, ok := strings.CutPrefix(d.Msg, "panic: "); ok {
		if err, ok := translate(text); ok {
			d.Msg = "panic: " + err.Error()
		}
	}
	switch pos := h.s.markPos(d.Pos.Line); {
	case pos.IsValid():
		d.Pos = pos
	case d.Pos.Line >= 1<<lineBits:
		d.Pos = diag.Pos{}
	}
	e.Diag = &d
}
