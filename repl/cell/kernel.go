package cell

import (
	"context"
	"errors"
	"strings"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// hooks are the calls that a session makes itself: kernels are told their source,
// launches the context.
var hooks = map[string]string{
	"github.com/tiler-go/tiler/exec.New":                     "NewKernel",
	"(*github.com/tiler-go/tiler/exec.Kernel).With":          "With",
	"(*github.com/tiler-go/tiler/exec.Kernel).Launch":        "Launch",
	"(*github.com/tiler-go/tiler/exec.Kernel).LaunchContext": "LaunchContext",
}

// NewKernel is exec.New. code is what lowered code calls the function, "" if it has
// no name.
func (h *host) NewKernel(code string, fn any, o ...exec.Option) *exec.Kernel {
	opts := []exec.Option{exec.Options{Output: h.out, Progress: h.progress("")}}
	if name, text := h.s.sourceOf(code); name != "" {
		opts = []exec.Option{exec.Options{Output: h.out, Progress: h.progress(name)}, exec.Source(text, name)}
	}
	for _, x := range o {
		if x, ok := x.(exec.Options); ok {
			opts = append(opts, h.options(x))
			continue
		}
		opts = append(opts, x)
	}
	return exec.New(fn, opts...)
}

// options is options with the session's output.
func (h *host) options(o exec.Options) exec.Options {
	if o.Output == nil {
		o.Output = h.out
	}
	if o.Progress == nil {
		o.Progress = h.progress("")
	}
	return o
}

func (h *host) progress(kernel string) func(done, total int) {
	return func(done, total int) {
		if h.s.opts.Progress != nil {
			h.s.opts.Progress(kernel, done, total)
		}
	}
}

// With is k.With(o).
func (h *host) With(k *exec.Kernel, o exec.Options) *exec.Kernel { return k.With(h.options(o)) }

// Launch is k.Launch, ended when the cell is told to stop.
func (h *host) Launch(k *exec.Kernel, g exec.Space, args ...any) error {
	return h.LaunchContext(k, context.Background(), g, args...)
}

// LaunchContext is k.LaunchContext, ended when the cell is told to stop.
func (h *host) LaunchContext(k *exec.Kernel, ctx context.Context, g exec.Space, args ...any) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := h.now.Load()
	defer context.AfterFunc(ctx, func() {})()
	go func() {
		select {
		case <-r.stopped:
			cancel()
		case <-ctx.Done():
		}
	}()
	h.flush()
	err := k.LaunchContext(ctx, g, args...)
	if r.cause() != nil {
		h.leave()
	}
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
	if pos := h.s.markPos(d.Pos.Line); pos.IsValid() {
		d.Pos = pos
	} else if d.Pos.Line > 1<<lineBits {
		d.Pos = diag.Pos{}
	}
	e.Diag = &d
}
