package cell

import "github.com/tiler-go/tiler/exec"

// hooks are the calls that a session makes itself: kernels are told their source,
// launches the context.
var hooks = map[string]string{
	"github.com/tiler-go/tiler/exec.New":                      "NewKernel",
	"(*github.com/tiler-go/tiler/exec.Kernel).With":           "With",
	"(*github.com/tiler-go/tiler/exec.Kernel).Launch":         "Launch",
	"(*github.com/tiler-go/tiler/exec.Kernel).LaunchContext":  "LaunchContext",
	"(*github.com/tiler-go/tiler/exec.Kernel).Check":          "Check",
	"(*github.com/tiler-go/tiler/exec.Kernel).CheckContext":   "CheckContext",
	"(*github.com/tiler-go/tiler/exec.Kernel).Promote":        "Promote",
	"(*github.com/tiler-go/tiler/exec.Kernel).PromoteContext": "PromoteContext",
}

// NewKernel is exec.New. code is what lowered code calls the function, "" if it has
// no name.
func (h *host) NewKernel(code string, fn any, o ...exec.Option) *exec.Kernel {
	var d *def
	var text string
	h.s.read(func() { d, text = h.s.sourceOf(code) })
	src := exec.Text{Go: text, At: h.s.markPos, File: h.s.text, Stop: h.stopKernel, Spell: spell}
	if d != nil {
		src.Name = d.name
		src.Same = h.sameKernel(d, text)
	}
	opts := []exec.Option{exec.Options{Output: h.out, Progress: h.progress(src.Name)}, src}
	for _, x := range o {
		if x, ok := x.(exec.Options); ok {
			opts = append(opts, h.options(x))
			continue
		}
		opts = append(opts, x)
	}
	k := exec.New(fn, opts...)
	if d != nil {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.kernels[d.name] = madeKernel{k, d, text}
	}
	return k
}

// A madeKernel is a kernel with the definition that it is made of, and the text of that
// and all it calls.
type madeKernel struct {
	kernel *exec.Kernel
	of     *def
	text   string
}

// sameKernel is the kernel that was last made of the same definitions, nil for none.
func (h *host) sameKernel(d *def, text string) *exec.Kernel {
	h.mu.Lock()
	defer h.mu.Unlock()
	if k := h.kernels[d.name]; k.of == d && k.text == text {
		return k.kernel
	}
	return nil
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
