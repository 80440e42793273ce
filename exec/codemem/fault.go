package codemem

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/sys/cpu"
)

// Fault is an error of generated code that the processor noticed.
type Fault struct {
	Cause Cause
	Addr  uintptr // for BadAddress
}

// Cause is the kind of a fault.
type Cause uint8

// The causes. BadAddress also covers addresses that the processor refuses to form, and misaligned
// operands of instructions that want them aligned: Addr is 0 then.
const (
	BadAddress Cause = iota
	NilAddress       // below 4096; the exact address is not known
	BadDivision
)

func (f *Fault) Error() string {
	switch {
	case f.Cause == NilAddress:
		return "memory fault near address 0"
	case f.Cause == BadDivision:
		return "integer division fault"
	case f.Addr == 0:
		return "memory fault at an address the processor refuses"
	}
	return fmt.Sprintf("memory fault at address %#x", f.Addr)
}

// Protect runs f. A fault of generated code that f calls ends f and is returned as a *Fault; every other panic goes on. It
// costs some tens of nanoseconds, so it belongs around a chunk of calls, on the goroutine that makes them.
//
// Where RecoversFaults is false, such a fault ends the process.
func Protect(f func()) (err error) {
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
		if r := recover(); r != nil {
			fault := faultOf(r)
			if fault == nil {
				panic(r)
			}
			err = fault
		}
	}()
	f()
	return nil
}

// faultOf is the fault that made the panic r, or nil if r did not come out of generated code.
// It must be called while the panicking frames are still on the stack.
func faultOf(r any) *Fault {
	e, ok := r.(runtime.Error)
	if !ok || !calledGenerated() {
		return nil
	}
	restoreState(cpu.X86.HasAVX)
	switch a, ok := e.(interface{ Addr() uintptr }); {
	case ok:
		return &Fault{BadAddress, a.Addr()}
	case e == divisionError():
		return &Fault{Cause: BadDivision}
	}
	return &Fault{Cause: NilAddress}
}

// calledGenerated reports whether the signal that is being turned into a panic was raised in generated code. The
// runtime makes it look as if the trampoline had called sigpanic, see the package comment on RSP.
func calledGenerated() bool {
	pcs := make([]uintptr, 16)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for signalled := false; ; {
		f, more := frames.Next()
		if signalled {
			return strings.HasSuffix(f.Function, "/codemem.call")
		}
		signalled = f.Function == "runtime.sigpanic"
		if !more {
			return false
		}
	}
}

// divisionError is the value with which the runtime panics on an integer division by zero.
func divisionError() (e runtime.Error) {
	defer func() { e, _ = recover().(runtime.Error) }()
	zero := 0
	_ = 1 / zero
	return nil
}
