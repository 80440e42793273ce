package run

import (
	"errors"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/tiler-go/tiler/exec/codemem"
	"github.com/tiler-go/tiler/exec/engine"
	"github.com/tiler-go/tiler/exec/function"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A tensor may lie in memory that goes away while it is used: a file that is mapped and
// becomes shorter, a mapping that ends, one that cannot be written to. The processor notices, and
// what it notices is an error of the launch. Nothing is wrong with the code that ran.

// faultAddress is the address that a panic, or crash, says cannot be accessed.
func faultAddress(v any) (addr uintptr, ok bool) {
	err, _ := v.(error)
	var fault *codemem.Fault
	if errors.As(err, &fault) {
		return fault.Addr, fault.Cause == codemem.BadAddress && fault.Addr != 0
	}
	var e interface {
		runtime.Error
		Addr() uintptr
	}
	if !errors.As(err, &e) {
		return 0, false
	}
	return e.Addr(), true
}

// Gone is what there is to say of a panic, or crash, because the memory of an argument cannot be
// accessed by an operation, or a kernel; nil if it is not about that.
func Gone(fn *function.Function, args []any, v any, by string) *diag.Diagnostic {
	addr, ok := faultAddress(v)
	if !ok {
		return nil
	}
	for i, a := range engine.Args(nil, args) {
		if lo, hi := engine.Within(&a); addr >= lo && addr < hi {
			x, name := args[i].(*tensor.Tensor), fn.Params()[i].Label()
			at := x.IndexOf(int(addr-lo) / x.DType().Size())
			d := diag.At(diag.Pos{}, "%s: the memory of %s is not there: %s%v cannot be accessed", by, name, name, at)
			return d.Note("%s is %s%v", name, x.DType().Short(), x.Shape()).
				Note("this happens when a mapped file becomes shorter, when a mapping ends, and when one that is only for reading is stored to").
				Fix("leave the file as it is while launches use it, or launch on a copy: %s.Clone()", name)
		}
	}
	return nil
}

// Guard has the goroutine panic, not the process end, where memory cannot be accessed; what it
// returns is to be deferred, and makes an error of such a panic if the memory is an argument's.
func Guard(fn *function.Function, args []any, err *error) (end func()) {
	old := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(old)
		if v := recover(); v != nil {
			d := Gone(fn, args, v, fn.Name)
			if d == nil {
				panic(v)
			}
			*err = d
		}
	}
}

// lostFault is the fault of a program that panicked because the memory of an argument cannot be accessed, nil if it
// did not. It must be called while the panicking frames are still on the stack.
func (r *Interpretation) lostFault(v any) *tl.Fault {
	by := operation()
	d := Gone(r.setup.Fn, r.given, v, by)
	if d == nil {
		return nil
	}
	d.Pos = PanicPos()
	return &tl.Fault{Op: by, Diag: d, Kind: tl.AddressFault}
}

// operation is the operation of the language that a panic came out of, as the kernel spells it.
func operation() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	name, below := "the kernel", false
	for {
		f, more := frames.Next()
		rest, ours := strings.CutPrefix(f.Function, languagePath+".")
		switch {
		case f.Function == "runtime.sigpanic":
			below = true
		case !below || strings.HasPrefix(f.Function, "runtime.") || strings.HasPrefix(f.Function, languagePath+"/"):
		case !ours:
			return name
		case strings.Contains(rest, "."):
			name = rest
		default:
			name = "tl." + rest
		}
		if !more {
			return name
		}
	}
}
