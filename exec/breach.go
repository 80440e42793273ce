package exec

import (
	"fmt"
	"runtime/debug"

	"github.com/tiler-go/tiler/exec/codemem"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A breachError is a launch that ended at a fence: what ran it, an engine or the interpreter, went
// outside of a buffer. It is never made up for by another engine, unlike a crash without
// fences: fences are there to be told.
type breachError struct {
	kernel, engine string
	breach         *dtype.Breach
	argument       string // whose memory the buffer is, if it is a tensor's
}

func (e *breachError) Error() string {
	whose := ""
	if e.argument != "" {
		whose = fmt.Sprintf("\n\tthe buffer is argument %s", e.argument)
	}
	return fmt.Sprintf("%s, engine %s: %v%s", e.kernel, e.engine, e.breach, whose)
}

func (e *breachError) Unwrap() error { return e.breach }

// newBreach is what a launch panicked or faulted with as a breachError, nil if it was not about a fence.
func (k *Kernel) newBreach(engine string, args []any, v any) *breachError {
	b := dtype.BreachOf(v)
	if f, ok := v.(*codemem.Fault); ok {
		b = dtype.FenceAt(f.Addr)
	}
	if b == nil {
		return nil
	}
	e := &breachError{kernel: k.fn.Name, engine: engine, breach: b}
	for i, a := range args {
		if x, ok := a.(*tensor.Tensor); ok && x.Storage().Base() == b.Start {
			e.argument = k.fn.Params()[i].Label()
		}
	}
	return e
}

// faultsPanic makes faults at fences panics that can be told, for the rest of the goroutine.
func faultsPanic() {
	if dtype.Fenced() != dtype.NoFence {
		debug.SetPanicOnFault(true)
	}
}
