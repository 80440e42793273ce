package cell

import "github.com/tiler-go/tiler/exec"

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
