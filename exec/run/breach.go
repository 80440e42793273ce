package run

import (
	"fmt"
	"runtime/debug"

	"github.com/tiler-go/tiler/exec/codemem"
	"github.com/tiler-go/tiler/exec/function"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A BreachError is a launch that ended at a fence: what ran it, an engine or the interpreter, went
// outside of a buffer. It is never made up for by another engine, unlike a crash without
// fences: fences are there to be told.
type BreachError struct {
	kernel, engine string
	breach         *dtype.Breach
	argument       string // whose memory the buffer is, if it is a tensor's
}

func (e *BreachError) Error() string {
	whose := ""
	if e.argument != "" {
		whose = fmt.Sprintf("\n\tthe buffer is argument %s", e.argument)
	}
	return fmt.Sprintf("%s, engine %s: %v%s", e.kernel, e.engine, e.breach, whose)
}

func (e *BreachError) Unwrap() error { return e.breach }

// newBreach is what a launch panicked or faulted with as a BreachError, nil if it was not about a fence.
func newBreach(fn *function.Function, engine string, args []any, v any) *BreachError {
	b := dtype.BreachOf(v)
	if f, ok := v.(*codemem.Fault); ok {
		b = dtype.FenceAt(f.Addr)
	}
	if b == nil {
		return nil
	}
	e := &BreachError{kernel: fn.Name, engine: engine, breach: b}
	for i, a := range args {
		if x, ok := a.(*tensor.Tensor); ok && x.Storage().Base() == b.Start {
			e.argument = fn.Params()[i].Label()
		}
	}
	return e
}

// FaultsPanic makes faults at fences panics that can be told, for the rest of the goroutine.
func FaultsPanic() {
	if dtype.Fenced() != dtype.NoFence {
		debug.SetPanicOnFault(true)
	}
}
