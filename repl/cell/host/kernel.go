package host

import (
	"sync"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/cell/sugar"
)

// Hooks are the calls that a session makes itself: kernels are told their source,
// launches the context.
var Hooks = map[string]string{
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
func (ks *Kernels) NewKernel(code string, fn any, o ...exec.Option) *exec.Kernel {
	from := ks.host.env.Source(code)
	src := exec.Text{Go: from.Go, At: ks.host.env.Place, File: ks.host.env.Text, Stop: ks.host.stopKernel, Spell: sugar.Spell, Name: from.Name}
	if from.Of != nil {
		src.Same = ks.sameKernel(from)
	}
	opts := []exec.Option{exec.Options{Output: ks.host.streams.out, Progress: ks.progress(src.Name)}, src}
	for _, x := range o {
		if x, ok := x.(exec.Options); ok {
			opts = append(opts, ks.options(x))
			continue
		}
		opts = append(opts, x)
	}
	k := exec.New(fn, opts...)
	if from.Of != nil {
		ks.mu.Lock()
		defer ks.mu.Unlock()
		ks.made[from.Name] = madeKernel{k, from}
	}
	return k
}

// A Source is what a kernel is made of.
type Source struct {
	Name string
	Of   any    // its definition, to be compared; nil for a function without a name
	Go   string // the text of that and all it calls
}

type madeKernel struct {
	kernel *exec.Kernel
	from   Source
}

// Kernels is the kernels that a program made and launched.
type Kernels struct {
	host *Host

	mu       sync.Mutex
	launches []*Launch             // the last of each kernel
	made     map[string]madeKernel // the last of each function, by name
}

// sameKernel is the kernel that was last made of the same definitions, nil for none.
func (ks *Kernels) sameKernel(from Source) *exec.Kernel {
	ks.mu.Lock()
	defer ks.mu.Unlock()
	if k := ks.made[from.Name]; k.from == from {
		return k.kernel
	}
	return nil
}

// Made is the kernel that was last made of a definition, nil for none.
func (ks *Kernels) Made(name string, of any) *exec.Kernel {
	ks.mu.Lock()
	defer ks.mu.Unlock()
	if k := ks.made[name]; k.from.Of == of {
		return k.kernel
	}
	return nil
}

// options is options with the session's output.
func (ks *Kernels) options(o exec.Options) exec.Options {
	if o.Output == nil {
		o.Output = ks.host.streams.out
	}
	if o.Progress == nil {
		o.Progress = ks.progress("")
	}
	return o
}

func (ks *Kernels) progress(kernel string) func(done, total int) {
	return func(done, total int) {
		if ks.host.env.Progress != nil {
			ks.host.env.Progress(kernel, done, total)
		}
	}
}

// With is k.With(o).
func (ks *Kernels) With(k *exec.Kernel, o exec.Options) *exec.Kernel { return k.With(ks.options(o)) }
