package exec

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tiler-go/tiler/exec/cpu"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A Kernel is a kernel function with the options it is run under. Its methods may be
// called from many goroutines.
type Kernel struct {
	fn   reflect.Value
	name string
	opts Options
	src  Text
	err  error

	lowered *Lowered // of a kernel that is no Go function

	limit    cpu.Tier // the instructions that opts allow here
	limitErr error
	forced   *engine // that opts name, nil if they name none that compiles here

	against atomic.Pointer[any] // the reference; see Against

	*shared
	engines []engine // nil: those of this machine; tests have others
}

// shared is what is known of a kernel beyond its function. All kernels of a function
// share it: what one promotes is promoted for all, under whatever options.
type shared struct {
	mu       sync.Mutex
	variants atomic.Pointer[[]*variant] // changed under mu
	clock    atomic.Int64               // advanced by each variant that is made
	freed    atomic.Int64               // variants that are not kept any more
	promoted atomic.Bool                // launches may be compiled
	launches sync.Pool                  // of compiledLaunch: those that have ended
	state    stateNotes

	paramsOnce sync.Once // of parameters
	params     []param

	recallOnce sync.Once // of remembered
	recallable bool
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
	k.src = s
	if s.Name != "" {
		k.name = s.Name
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
func New(fn any, o ...Option) *Kernel {
	k := &Kernel{fn: reflect.ValueOf(fn)}
	k.name, k.err = checkFunction(k.fn)
	for _, o := range o {
		if o != nil {
			o.apply(k)
		}
	}
	if k.shared == nil {
		k.shared = k.known()
	}
	return k.limited()
}

// limited is k, which knows from now on what its options allow on this machine.
func (k *Kernel) limited() *Kernel {
	k.limit, k.limitErr = k.opts.CPU.Resolve()
	k.forced = k.engineNamed(k.opts.Engine)
	return k
}

// functions is what is known of functions in the program, by functionKey. There are
// only so many of them.
var functions sync.Map

type functionKey struct {
	code uintptr
	of   reflect.Type
}

// known is what is known of the kernel's function. Functions that an interpreter of Go
// makes cannot be told apart, so each kernel of these is by itself unless Text.Same
// says otherwise. Closures over
// variables can neither, but have no code but the interpreter's.
func (k *Kernel) known() *shared {
	if k.err != nil || k.src.Go != "" || strings.HasPrefix(codeName(k.fn), "reflect.") {
		return &shared{}
	}
	s, _ := functions.LoadOrStore(functionKey{k.fn.Pointer(), k.fn.Type()}, &shared{})
	return s.(*shared)
}

// usable is what keeps the kernel from being called.
func (k *Kernel) usable() error {
	if k == nil || k.err == nil && !k.fn.IsValid() {
		return errors.New("exec: a Kernel that was not made with exec.New")
	}
	return k.err
}

// Err is what is wrong with the function the kernel was made of, nil if nothing is.
func (k *Kernel) Err() error { return k.usable() }

// Name is the function's name.
func (k *Kernel) Name() string { return k.name }

// With is the kernel under other options.
func (k *Kernel) With(o Options) *Kernel {
	z := &Kernel{fn: k.fn, name: k.name, opts: o, src: k.src, err: k.err, lowered: k.lowered, shared: k.shared, engines: k.engines}
	z.against.Store(k.against.Load())
	return z.limited()
}

var (
	programType = reflect.TypeFor[*tl.Program]()
	tileType    = reflect.TypeFor[tl.Tile]()
	dtypeType   = reflect.TypeFor[tl.DType]()
)

// checkFunction is the function's name, and what keeps it from being a kernel.
func checkFunction(fn reflect.Value) (string, error) {
	if fn.Kind() != reflect.Func {
		return "kernel", fmt.Errorf("exec.New: got %s, want a kernel function func(p *tl.Program, ...)", kindName(fn))
	}
	if fn.IsNil() {
		return "kernel", fmt.Errorf("exec.New: a nil function")
	}
	name := functionName(fn)
	t := fn.Type()
	switch {
	case t.NumIn() == 0 || t.In(0) != programType:
		return name, fmt.Errorf("exec.New: the first parameter of %s must be *tl.Program", name)
	case t.NumOut() != 0:
		return name, fmt.Errorf("exec.New: %s returns a value; a kernel stores its results through tl.Ptr parameters", name)
	case t.IsVariadic():
		return name, fmt.Errorf("exec.New: %s is variadic; a kernel has a fixed list of parameters", name)
	}
	for i := 1; i < t.NumIn(); i++ {
		if kindOfType(t.In(i)) == 0 {
			return name, fmt.Errorf("exec.New: parameter %d of %s is %s; a kernel takes tl.Ptr, int, float64, bool, tl.Const, tl.DType and string", i, name, t.In(i))
		}
	}
	return name, nil
}

func kindName(v reflect.Value) string {
	if !v.IsValid() {
		return "nil"
	}
	return v.Type().String()
}

// codeName is the full name of the function's code, "" if it has none.
func codeName(fn reflect.Value) string {
	f := runtime.FuncForPC(fn.Pointer())
	if f == nil {
		return ""
	}
	name := f.Name()
	return name[strings.LastIndex(name, "/")+1:]
}

// functionName is the last part of the function's name in its package.
func functionName(fn reflect.Value) string {
	name := codeName(fn)
	if name == "" || strings.HasPrefix(name, "reflect.") {
		return "kernel" // an interpreter's function: only who made it knows its name
	}
	if i := strings.IndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	return strings.TrimSuffix(name, "-fm")
}
