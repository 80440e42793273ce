package exec

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// interpreted is the engine that calls the kernel's own function.
const interpreted = "interpreted"

// An engine makes optimised functions runnable.
type engine struct {
	name    string
	tier    cpu.Tier
	compile func(v *variant, ordered bool) (code, error)
}

// engines are the engines that compile, slowest first, each with the instructions it
// needs.
var engines = []engine{
	{"portable", cpu.Portable, func(v *variant, _ bool) (code, error) { return portably(v) }},
	{"avx2", cpu.AVX2, func(v *variant, ordered bool) (code, error) { return machineCode(v, cpu.AVX2, ordered) }},
	{"avx512", cpu.AVX512, func(v *variant, ordered bool) (code, error) { return machineCode(v, cpu.AVX512, ordered) }},
}

// code is a kernel as an engine runs it, for any number of launches.
type code interface {
	// begin prepares a launch. Instances are done one by one if single is set, else
	// possibly many as one.
	begin(l *launchArgs, workers int, single bool) job
}

// launchArgs is what an engine is told of a launch.
type launchArgs struct {
	args  []ir.Arg
	grid  [3]int
	total int
	print func(program int, v *ir.Value, operands []ir.Printed)
	stop  *atomic.Bool
	kept  any // what an engine has left here at an earlier launch
}

// A job is a launch as tasks that can be done in any order, and what does them.
type job struct {
	tasks  int
	worker func() jobWorker
}

// A jobWorker does tasks on one goroutine. Run gives the first failure, after which
// it does no more.
type jobWorker interface {
	Run(lo, hi int) *ir.Failure
	Release()
}

// Engines names the engines that run kernels here, slowest first.
func Engines() []string {
	names := []string{interpreted}
	for _, e := range engines {
		if e.tier.Available() {
			names = append(names, e.name)
		}
	}
	return names
}

// engineNamed finds the engine of a name, nil if there is none here. An engine that does not
// compile is none.
func (k *Kernel) engineNamed(name string) *engine {
	table := k.engineTable()
	for i := range table {
		if e := &table[i]; e.name == name && e.tier.Available() {
			return e
		}
	}
	return nil
}

func (k *Kernel) engineTable() []engine {
	if k.engines != nil {
		return k.engines
	}
	return engines
}

// checkEngine reports an engine that this machine does not have.
func (k *Kernel) checkEngine() error {
	if k.limitErr != nil {
		return fmt.Errorf("exec: %w", k.limitErr)
	}
	if name := k.opts.Engine; k.forced == nil && name != "" && name != interpreted {
		if tier, err := cpu.Parse(name); err == nil {
			if _, err := tier.Resolve(); err != nil {
				return fmt.Errorf("exec: no engine %q here: %w", name, err)
			}
		}
		return fmt.Errorf("exec: no engine %q here; there is %v", name, Engines())
	}
	return nil
}

// portableCode is a kernel in the portable engine.
type portableCode struct{ p *portablePool }

func portably(v *variant) (code, error) {
	p, err := v.portable()
	if err != nil {
		return nil, err
	}
	return portableCode{p}, nil
}

// A portablePool is a portable program with workers that wait for use.
type portablePool struct {
	program *portable.Program
	workers sync.Pool
}

func newPortable(f *ir.Func) (*portablePool, error) {
	p, err := portable.Compile(f)
	if err != nil {
		return nil, err
	}
	return &portablePool{program: p, workers: sync.Pool{New: func() any { return p.NewWorker() }}}, nil
}

// run runs instances lo to hi-1.
func (p *portablePool) run(l *portable.Launch, lo, hi int) *ir.Failure {
	if dtype.Fenced() != dtype.NoFence { // against fences of its own
		return p.program.NewWorker().Run(l, lo, hi)
	}
	w := p.workers.Get().(*portable.Worker)
	f := w.Run(l, lo, hi)
	p.workers.Put(w) // not after a panic
	return f
}

func (c portableCode) begin(l *launchArgs, _ int, _ bool) job {
	pl := &portable.Launch{Args: l.args, Grid: l.grid, Print: l.print, Stop: l.stop}
	return job{l.total, func() jobWorker { return portableWorker{c.p, pl} }}
}

type portableWorker struct {
	p *portablePool
	l *portable.Launch
}

func (w portableWorker) Run(lo, hi int) *ir.Failure { return w.p.run(w.l, lo, hi) }
func (w portableWorker) Release()                   {}
