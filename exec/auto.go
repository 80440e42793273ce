package exec

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/inspect"
	"github.com/tiler-go/tiler/exec/promote"
	"github.com/tiler-go/tiler/exec/run"
	"github.com/tiler-go/tiler/exec/tune"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A Config is values for some of a kernel's parameters, by name: for those that decide
// how fast it is and not what it computes.
type Config = tune.Config

// A Tuning is how configurations of a kernel compare for one key.
type Tuning = tune.Tuning

// A TuningRow is one configuration: how long a launch takes, or why it is rejected.
type TuningRow = tune.TuningRow

// A Timing is how long something takes.
type Timing = tune.Timing

// Bench calls fn, a launch say, until it is known how long that takes: once to warm up,
// then in samples of 10 ms or one call, for about half a second. It ends with the first
// error.
func Bench(fn func() error) (Timing, error) { return tune.Bench(fn) }

// An Autotuner launches a kernel with the fastest of some configurations. It may be
// used from many goroutines.
type Autotuner struct {
	k       *Kernel
	configs []Config
	key     []string
	opts    AutoOptions

	mu     sync.Mutex
	chosen map[string]*choice
}

// AutoOptions change how an Autotuner works; the zero value is the right default.
type AutoOptions struct {
	// Table, if set, is told of every configuration as soon as it was measured.
	Table io.Writer
	// Memory is a directory where choices are remembered for later processes; empty is
	// none.
	Memory string
	// Tolerance is how far results may lie from each other, nil the default of their
	// dtype.
	Tolerance *tensor.Tolerance
	// Bench measures a launch with a configuration; nil is the function Bench.
	Bench func(c Config, launch func() error) (Timing, error)
}

// A choice is what was found for one key. Its lock is held while that is being found.
type choice struct {
	mu     sync.Mutex
	tuning *Tuning
}

// Auto makes an Autotuner of a kernel. All configurations give values to the same
// parameters. key names parameters on whose values (of tensors: shapes) the choice
// depends; it depends on dtypes, and on the engine, in any case.
//
//	matmul := exec.Auto(k, []exec.Config{{"BM": 32, "BN": 64}, {"BM": 64, "BN": 64}}, "M", "N", "K")
//	err := matmul.Launch(grid, a, b, c, m, n, k) // the arguments without BM and BN
//
// The first launch for a key tries the configurations, on private copies of the
// tensors. One that fails is rejected, and so is one whose results are others: than
// those of the reference that was given with Against or, if there is none, than those
// of most configurations. Of the rest the fastest is used for all launches with this
// key.
func Auto(k *Kernel, configs []Config, key ...string) *Autotuner {
	return &Autotuner{k: k, configs: slices.Clone(configs), key: slices.Clone(key), chosen: map[string]*choice{}}
}

// With is the Autotuner under other options. It has chosen nothing yet.
func (a *Autotuner) With(o AutoOptions) *Autotuner {
	b := Auto(a.k, a.configs, a.key...)
	b.opts = o
	return b
}

// Launch launches the kernel with the configuration that is the fastest for the key
// of these arguments: the kernel's, in order, without those that configurations give.
// A grid that depends on a configuration is a GridFn.
func (a *Autotuner) Launch(g Space, args ...any) error {
	return a.LaunchContext(context.Background(), g, args...)
}

// LaunchContext is Launch, ended early when ctx is done.
func (a *Autotuner) LaunchContext(ctx context.Context, g Space, args ...any) error {
	t, err := a.TuneContext(ctx, g, args...)
	if err != nil {
		return err
	}
	full, err := a.with(t.Best, args)
	if err != nil {
		return err
	}
	return a.k.LaunchContext(ctx, g, full...)
}

// Tune finds the configuration for the key of some arguments without a launch that
// writes to them, or tells what was found before.
func (a *Autotuner) Tune(g Space, args ...any) (*Tuning, error) {
	return a.TuneContext(context.Background(), g, args...)
}

// TuneContext is Tune, ended early when ctx is done.
func (a *Autotuner) TuneContext(ctx context.Context, g Space, args ...any) (t *Tuning, err error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	full, err := a.with(a.configs[0], args)
	if err != nil {
		return nil, err
	}
	key, err := a.keyOf(full)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	c := a.chosen[key]
	if c == nil {
		c = &choice{}
		a.chosen[key] = c
	}
	a.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tuning != nil {
		return c.tuning, nil
	}
	defer run.Guard(a.k.fn, full, &err)()
	file := a.memoryFile(key, full)
	if file != "" {
		t = tune.Recall(file, a.k.fn.Name, key, a.configs)
	}
	if t == nil {
		if t, err = a.trial(key, g, args).Run(ctx); err != nil {
			return t, err
		}
		if file != "" {
			a.remember(file, t)
		}
	}
	c.tuning = t
	return t, nil
}

// trial is of all configurations, in launches that print nothing.
func (a *Autotuner) trial(key string, g Space, args []any) *tune.Trial {
	o := a.k.opts
	o.Output, o.Progress = io.Discard, nil
	quiet := a.k.With(o)
	return &tune.Trial{
		Kernel: a.k.fn.Name, Key: key, Configs: a.configs,
		Full:      func(c Config) ([]any, error) { return a.with(c, args) },
		Launch:    func(ctx context.Context, full []any) error { return quiet.LaunchContext(ctx, g, full...) },
		Reference: a.k.reference,
		Label:     func(arg int) string { return a.k.fn.Params()[arg].Label() },
		Table:     a.opts.Table, Tolerance: a.opts.Tolerance, Bench: a.opts.Bench,
	}
}

// remember leaves a choice for later processes. It is a convenience: that it cannot be
// written is told to Trace only.
func (a *Autotuner) remember(file string, t *Tuning) {
	if err := tune.Remember(file, t); err != nil {
		a.k.trace("tuned", 0, "not saved: %v", err)
	}
}

// check is what keeps the Autotuner from being used.
func (a *Autotuner) check() error {
	if err := a.k.usable(); err != nil {
		return err
	}
	if len(a.configs) == 0 {
		return fmt.Errorf("exec.Auto: no configurations for %s", a.k.fn.Name)
	}
	names := a.paramNames()
	for i, c := range a.configs {
		for _, name := range slices.Sorted(maps.Keys(c)) {
			if !slices.Contains(names, name) {
				return fmt.Errorf("exec.Auto: configuration %v: %s has no parameter %s%s", c, a.k.fn.Name, name, inspect.Nearest(name, names))
			}
			if _, ok := a.configs[0][name]; !ok {
				return fmt.Errorf("exec.Auto: configuration %v sets %s but %v does not: all must set the same parameters", c, name, a.configs[0])
			}
		}
		if len(c) != len(a.configs[0]) {
			return fmt.Errorf("exec.Auto: configuration %v does not set a parameter that %v sets", a.configs[i], a.configs[0])
		}
	}
	for _, name := range a.key {
		if !slices.Contains(names, name) {
			return fmt.Errorf("exec.Auto: key: %s has no parameter %s%s", a.k.fn.Name, name, inspect.Nearest(name, names))
		}
	}
	return nil
}

func (a *Autotuner) paramNames() []string {
	names := make([]string, len(a.k.fn.Params()))
	for i, p := range a.k.fn.Params() {
		names[i] = p.Name()
	}
	return names
}

// with is arguments with those of a configuration in their places, checked.
func (a *Autotuner) with(c Config, args []any) ([]any, error) {
	ps := a.k.fn.Params()
	if len(args) != len(ps)-len(c) {
		return nil, a.k.fn.Errorf("got %d arguments, want %d: the configurations set the other %d\n\tthe kernel is %s",
			len(args), len(ps)-len(c), len(c), a.k.fn.Signature())
	}
	full := make([]any, 0, len(ps))
	for _, p := range ps {
		v, ok := c[p.Name()]
		if !ok {
			v, args = args[0], args[1:]
		}
		full = append(full, v)
	}
	return a.k.fn.Accept(full, nil)
}

// keyOf is what a choice depends on, as text.
func (a *Autotuner) keyOf(full []any) (string, error) {
	parts := []string{a.k.opts.Engine}
	switch {
	case parts[0] != "":
	case a.k.promoted.Load():
		parts[0] = "promoted"
	default:
		parts[0] = interpreted
	}
	if n := a.k.opts.Workers; n > 0 {
		parts = append(parts, fmt.Sprintf("%d workers", n))
	}
	for i, p := range a.k.fn.Params() {
		if x, ok := full[i].(*tensor.Tensor); ok {
			text := fmt.Sprintf("%s %s", p.Name(), x.DType().Short())
			if slices.Contains(a.key, p.Name()) {
				text += fmt.Sprint(x.Shape())
			}
			parts = append(parts, text)
		} else if slices.Contains(a.key, p.Name()) {
			if _, ok := a.configs[0][p.Name()]; ok {
				return "", fmt.Errorf("exec.Auto: %s is in the key, but the configurations set it", p.Name())
			}
			parts = append(parts, fmt.Sprintf("%s=%v", p.Name(), full[i]))
		}
	}
	return strings.Join(parts, ", "), nil
}

// memoryFile is the file of a choice: a hash of everything that it depends on: what the
// kernel means, the configurations, the key, the machine, the build. It is "" if
// nothing is remembered, as for kernels that cannot be compiled.
func (a *Autotuner) memoryFile(key string, full []any) string {
	if a.opts.Memory == "" {
		return ""
	}
	v, err := a.k.variants.Of(a.k.fn, full)
	if err != nil {
		return ""
	}
	facts := fmt.Sprintf("%s\n%s\n%d\n%v\n%s\n%s", cpu.Model(), a.k.opts.CPU, runtime.GOMAXPROCS(0), a.configs, key, v.Text())
	return filepath.Join(a.opts.Memory, promote.NameOf(a.k.fn.Name, facts).File("tuned"))
}
