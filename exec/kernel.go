package exec

import (
	"errors"
	"io"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/engine"
	"github.com/tiler-go/tiler/exec/function"
	"github.com/tiler-go/tiler/exec/run"
	"github.com/tiler-go/tiler/exec/variant"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A Kernel is a kernel function with the options it is run under. Its methods may be
// called from many goroutines.
type Kernel struct {
	fn   *function.Function
	opts Options
	run  run.Setup     // of launches, from opts
	use  engine.Choice // the engines that opts allow

	against atomic.Pointer[any] // the reference; see Against

	*shared
}

// shared is what is known of a kernel beyond its function. All kernels of a function
// share it: what one promotes is promoted for all, under whatever options.
type shared struct {
	variants variant.Set
	promoted atomic.Bool // launches may be compiled
	launches run.Pool    // compiled ones that have ended
	state    stateNotes

	remembered recollection
}

// Options change how a kernel is run; the zero value is the right default. Options
// is itself an Option of New.
type Options struct {
	// Engine forces one of Engines, promoted or not. Empty is the interpreter, and for
	// a promoted kernel the fastest engine.
	Engine string
	// CPU caps the instructions that promoted kernels may use; 0 means no cap.
	CPU cpu.Tier
	// Verify says when compiled code is tried against the interpreter.
	Verify Verify
	// Memory is the directory where promotions are remembered for later processes;
	// empty is tiler/promoted in the user's cache directory, "off" none.
	Memory string
	// Trace, if set, is told what happens to the kernel. It may be called from several
	// goroutines.
	Trace func(Event)
	// Check says what Check does.
	Check CheckOptions
	// Workers is how many cores a launch uses; 0 means all.
	Workers int
	// Timeout ends a launch that takes longer; 0 means none.
	Timeout time.Duration
	// Output is where programs print; nil means standard output.
	Output io.Writer
	// Shuffle, if not 0, seeds a random order of instances, for finding kernels
	// that depend on it.
	Shuffle uint64
	// Progress, if set, is called now and then during a launch, from one goroutine
	// at a time, with how many programs are done.
	Progress func(done, total int)
}

// An Option of New.
type Option interface{ apply(*Kernel) }

func (o Options) apply(k *Kernel) { k.opts = o }

// A Text is the source of a kernel that an interpreter of Go runs.
type Text struct {
	Go   string // the Go file that the kernel is in
	Name string // the function's name in it
	// At is where a line is that the interpreter puts into Program.Line; nil if that
	// is a line of Go.
	At func(line int) diag.Pos
	// File is the text of a file that At, or a line comment in Go, names.
	File func(name string) string
	// Stop ends, at their next step, the functions that the interpreter runs, of a kernel
	// that is told to end and does not; when they have ended, resume lets new ones begin.
	// nil if it cannot.
	Stop func() (resume func())
	// Spell puts a message, which gives code as Go is written, into the words of what the kernel was written in;
	// nil if that is Go.
	Spell func(d *diag.Diagnostic)
	// Same is a kernel of the same function, nil if there is none yet: only who
	// interprets it can tell. What one of them promotes is promoted for the other.
	Same *Kernel
}

func (s Text) apply(k *Kernel) {
	k.fn.Text = function.Text{Go: s.Go, Name: s.Name, At: s.At, File: s.File, Stop: s.Stop, Spell: s.Spell}
	if s.Name != "" {
		k.fn.Name = s.Name
	}
	if s.Same != nil {
		k.shared = s.Same.shared
	}
}

// Source gives the text of the Go file that a kernel is in, and the function's name
// in it, for where they cannot be found by the function's file and line, or must be
// certain: of a text that is found, positions are compared with the program, and a change
// within a line is not seen. With //go:embed the text travels with the program.
func Source(text, name string) Option { return Text{Go: text, Name: name} }

// New makes a kernel of a function: one without a result whose first parameter is
// *tl.Program and whose others are tl.Ptr, int, float64, bool, tl.DType or string.
// It never fails; what is wrong with fn is Err, and the error of every call.
func New(fn any, o ...Option) *Kernel { return made(function.New(fn), o) }

// made is a kernel of a function.
func made(fn *function.Function, o []Option) *Kernel {
	k := &Kernel{fn: fn}
	for _, o := range o {
		if o != nil {
			o.apply(k)
		}
	}
	if k.shared == nil {
		k.shared = known(fn)
	}
	return k.ready(engine.Table())
}

// ready is k, which knows from now on how its options have launches run, in which engines of a table.
func (k *Kernel) ready(table []engine.Engine) *Kernel {
	k.use = engine.Choose(table, k.opts.Engine, k.opts.CPU)
	o := &k.opts
	k.run = run.Setup{Fn: k.fn, Workers: o.Workers, Output: o.Output, Shuffle: o.Shuffle, Progress: o.Progress}
	return k
}

// functions is what is known of functions in the program, by functionKey. There are
// only so many of them.
var functions sync.Map

type functionKey struct {
	code uintptr
	of   reflect.Type
}

// known is what is known of a function. Functions that an interpreter of Go
// makes cannot be told apart, so each kernel of these is by itself unless Text.Same
// says otherwise. Closures over variables can neither, but have no code but the
// interpreter's.
func known(fn *function.Function) *shared {
	if fn.Err != nil || fn.Given() || fn.Anonymous() {
		return &shared{}
	}
	s, _ := functions.LoadOrStore(functionKey{fn.Go.Pointer(), fn.Go.Type()}, &shared{})
	return s.(*shared)
}

// usable is what keeps the kernel from being called.
func (k *Kernel) usable() error {
	if k == nil || k.fn == nil {
		return errors.New("exec: a Kernel that was not made with exec.New")
	}
	return k.fn.Err
}

// Err is what is wrong with the function the kernel was made of, nil if nothing is.
func (k *Kernel) Err() error { return k.usable() }

// Name is the function's name.
func (k *Kernel) Name() string { return k.fn.Name }

// With is the kernel under other options.
func (k *Kernel) With(o Options) *Kernel {
	z := &Kernel{fn: k.fn, opts: o, shared: k.shared}
	z.against.Store(k.against.Load())
	return z.ready(k.use.Table)
}

// Engines names the engines that run kernels here, slowest first.
func Engines() []string { return engine.Names() }

// interpreted is the engine that calls the kernel's own function.
const interpreted = engine.Interpreted
