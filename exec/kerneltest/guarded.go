package kerneltest

import (
	"fmt"
	"testing"

	"github.com/tiler-go/tiler/exec/codemem"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Guarded runs f, in which an access to a fence, by machine code or by Go, is an error of the test
// that says of which buffer.
func Guarded(tb testing.TB, what any, f func()) {
	tb.Helper()
	if err := Breach(f); err != nil {
		tb.Fatalf("%v: %v", what, err)
	}
}

// Breach runs f and gives what memory fault ended it, as a *dtype.Breach where it was at a fence.
func Breach(f func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			b := dtype.BreachOf(v)
			if b == nil {
				panic(v)
			}
			err = b
		}
	}()
	fault, _ := codemem.Protect(f).(*codemem.Fault)
	if fault == nil {
		return nil
	}
	if b := dtype.FenceAt(fault.Addr); b != nil {
		return fmt.Errorf("machine code: %w", b)
	}
	return fault
}
