package exec

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tiler-go/tiler/exec/amd64"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass"
	"github.com/tiler-go/tiler/exec/portable"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A variant is a kernel compiled for some dtypes and compile-time values.
type variant struct {
	fn    *ir.Func
	spec  *frontend.Spec
	args  []frontend.Arg
	exact *portable.Program // runs what machine code gives up on, and is the portable engine

	mu   sync.Mutex
	code map[codeKey]*amd64.Code
}

type codeKey struct{ avx512, ordered bool }

// frontendArgs is what the compiler must know of arguments.
func frontendArgs(args []any) []frontend.Arg {
	out := make([]frontend.Arg, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case *tensor.Tensor:
			out[i].DType = a.DType()
		case int:
			out[i].Int = int64(a)
		case float64:
			out[i].Float = a
		case bool:
			out[i].Bool = a
		case tl.DType:
			out[i].DType = a
		case string:
			out[i].Str = a
		}
	}
	return out
}

// variant finds or compiles the kernel for arguments.
func (k *Kernel) variant(args []any) (*variant, error) {
	fa := frontendArgs(args)
	k.variantMu.Lock()
	defer k.variantMu.Unlock()
	for _, v := range k.variants {
		if v.spec.Serves(v.args, fa) {
			return v, nil
		}
	}
	file, name, err := k.sourceFile()
	if err != nil {
		return nil, err
	}
	fn, spec, err := file.Compile(name, fa)
	if err != nil {
		return nil, err
	}
	if err := pass.Run(fn, pass.Options{Verify: verifyIR}); err != nil {
		return nil, err
	}
	exact, err := portable.Compile(fn)
	if err != nil {
		return nil, err
	}
	v := &variant{fn: fn, spec: spec, args: fa, exact: exact, code: map[codeKey]*amd64.Code{}}
	k.variants = append(k.variants, v)
	return v, nil
}

// verifyIR makes the passes check their work; tests set it.
var verifyIR bool

// machine is the variant's machine code, compiled when first asked for.
func (v *variant) machine(key codeKey) (*amd64.Code, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if c := v.code[key]; c != nil {
		return c, nil
	}
	c, err := amd64.Compile(v.fn, amd64.Options{AVX512: key.avx512, Ordered: key.ordered, Runner: aside})
	if err != nil {
		return nil, err
	}
	v.code[key] = c
	return c, nil
}

// aside makes a small Func runnable by the portable engine.
func aside(f *ir.Func) (amd64.Runner, error) {
	if err := ir.Verify(f); err != nil {
		return nil, err
	}
	p, err := portable.Compile(f)
	if err != nil {
		return nil, err
	}
	pool := sync.Pool{New: func() any { return p.NewWorker() }}
	return func(args []ir.Arg) *ir.Failure {
		w := pool.Get().(*portable.Worker)
		defer pool.Put(w)
		return w.Run(&portable.Launch{Args: args, Grid: [3]int{1, 1, 1}}, 0, 1)
	}, nil
}

// machineArgs is the arguments as compiled code takes them.
func machineArgs(fn *ir.Func, args []any) []ir.Arg {
	out := make([]ir.Arg, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case *tensor.Tensor:
			out[i].Mem = a.Buf()
			if a.HasGaps() {
				out[i].Owns = a.Contains
			}
		case int:
			out[i].Bits = uint64(a)
		case float64:
			out[i].Bits = dtype.FromFloat(dtype.Float64, a)
		case bool:
			out[i].Bits = dtype.FromInt(dtype.Bool, int64(btoi(a)), true)
		}
	}
	return out
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// overlap reports whether two tensor arguments share memory, in which case no load
// may be moved past a store.
func overlap(args []any) bool {
	for i, a := range args {
		x, ok := a.(*tensor.Tensor)
		if !ok {
			continue
		}
		for _, b := range args[:i] {
			if y, ok := b.(*tensor.Tensor); ok && x.Overlaps(y) {
				return true
			}
		}
	}
	return false
}

// runner runs tasks of a launch on one goroutine.
type runner interface {
	Run(lo, hi int) *ir.Failure
	Release()
}

// A compiledLaunch is one launch of compiled code.
type compiledLaunch struct {
	k      *Kernel
	v      *variant
	extent extent
	args   []any
	tasks  int // instances, or parts of one large product

	next atomic.Int64
	stop atomic.Bool
	mu   sync.Mutex
	fail *ir.Failure
}

// launchCompiled runs a kernel in a given engine.
func (k *Kernel) launchCompiled(ctx context.Context, engine string, e extent, args []any) error {
	v, err := k.variant(args)
	if err != nil {
		return err
	}
	workers := k.opts.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	l := &compiledLaunch{k: k, v: v, extent: e, args: args, tasks: e.total}
	newRunner, err := l.engine(engine, workers)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { l.stop.Store(true) })()
	workers = min(workers, l.tasks)
	chunk := max(1, l.tasks/(workers*8))
	work := func() {
		r := newRunner()
		defer r.Release()
		for !l.stop.Load() {
			lo := int(l.next.Add(int64(chunk))) - chunk
			if lo >= l.tasks {
				return
			}
			if f := r.Run(lo, min(lo+chunk, l.tasks)); f != nil {
				l.failed(f)
				return
			}
		}
	}
	if workers <= 1 {
		work()
	} else {
		var wg sync.WaitGroup
		for range workers {
			wg.Go(work)
		}
		wg.Wait()
	}
	if l.fail != nil {
		return l.error(l.fail)
	}
	return ctx.Err()
}

func (l *compiledLaunch) failed(f *ir.Failure) {
	l.stop.Store(true)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fail == nil || f.Program < l.fail.Program {
		l.fail = f
	}
}

// engine is how workers of an engine are made.
func (l *compiledLaunch) engine(name string, workers int) (func() runner, error) {
	margs := machineArgs(l.v.fn, l.args)
	pl := &portable.Launch{Args: margs, Grid: l.extent.num, Print: l.print, Stop: &l.stop}
	if name == "portable" {
		return func() runner { return portableRunner{l.v.exact.NewWorker(), pl} }, nil
	}
	c, err := l.v.machine(codeKey{avx512: name == "avx512", ordered: overlap(l.args)})
	if err != nil {
		return nil, err
	}
	ml := &amd64.Launch{Args: margs, Grid: l.extent.num, Print: l.print, Stop: &l.stop}
	ml.Exact = func(program int) *ir.Failure { return l.v.exact.NewWorker().Run(pl, program, program+1) }
	job := c.Job(ml, workers)
	l.tasks = job.Tasks()
	return func() runner { return job.Worker() }, nil
}

type portableRunner struct {
	w *portable.Worker
	l *portable.Launch
}

func (r portableRunner) Run(lo, hi int) *ir.Failure { return r.w.Run(r.l, lo, hi) }
func (r portableRunner) Release()                   {}

// print prints what a program prints as the interpreter would.
func (l *compiledLaunch) print(program int, v *ir.Value, operands []ir.Printed) {
	values := make([]any, len(operands))
	for i, o := range operands {
		values[i] = printable(o)
	}
	out := tl.NewOutput(l.k.opts.Output)
	if l.k.opts.Output == nil {
		out = nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	tl.NewProgram(l.extent.id(program), l.extent.num, out).Print(v.Text, values...)
}

// printable is a printed operand as the value that the interpreter prints.
func printable(o ir.Printed) any {
	if !o.GoScalar {
		return tl.TileOf(o.Elems, o.Type.Shape.Dims()...)
	}
	bits := o.Elems.Bits(0)
	switch d := o.Type.D; {
	case d == dtype.Bool:
		return bits != 0
	case d.IsFloat():
		return dtype.ToFloat(d, bits)
	}
	return int(dtype.ToInt(o.Type.D, bits))
}

// error is a failure as the interpreter reports it: the instance is run again,
// interpreted, for the message. If it does not fail there, because it has changed its
// own input, the failure itself says what there is to say.
func (l *compiledLaunch) error(f *ir.Failure) error {
	if err := l.k.interpretOne(l.extent, l.args, f.Program); err != nil {
		return err
	}
	id := l.extent.id(f.Program)
	return fmt.Errorf("%s: program %s: %s failed (lane %d, offset %d)", f.Value.Pos, tuple(id[:l.extent.axes]), ir.OpName(f.Value.Op), f.Lane, f.Offset)
}

// machineEngines are the machine-code engines of this processor, slowest first.
func machineEngines() (names []string) {
	for _, t := range cpu.Tiers() {
		switch t {
		case cpu.AVX2:
			names = append(names, "avx2")
		case cpu.AVX512:
			names = append(names, "avx512")
		}
	}
	return names
}

// files are the source files that kernels have been compiled from, by text.
var files sync.Map // string → *frontend.File

// sourceFile is the source of the kernel's function and its name there.
func (k *Kernel) sourceFile() (*frontend.File, string, error) {
	text, fileName := k.src.text, k.src.name+".go"
	if text == "" {
		file, _ := k.position()
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, "", fmt.Errorf("%s: its source is not at hand: %w\n\tgive it with exec.Source(text, name), for example by //go:embed", k.name, err)
		}
		text, fileName = string(b), file
	}
	f, ok := files.Load(text)
	if !ok {
		parsed, err := frontend.Load(fileName, text)
		if err != nil {
			return nil, "", err
		}
		f, _ = files.LoadOrStore(text, parsed)
	}
	file := f.(*frontend.File)
	if k.src.text != "" {
		return file, k.src.name, nil
	}
	_, line := k.position()
	name, found := file.KernelAt(line)
	if !found {
		return nil, "", fmt.Errorf("%s: no kernel begins at %s:%d", k.name, fileName, line)
	}
	return file, name, nil
}

// interpretOne runs one instance interpreted and gives its failure.
func (k *Kernel) interpretOne(e extent, args []any, program int) error {
	r := &interpretation{kernel: k, extent: e, out: tl.NewOutput(io.Discard)}
	r.args = k.values(args, &r.cancelled)
	r.program(program, slices.Clone(r.args))
	if r.failure != nil {
		return r.failure
	}
	return nil
}
