package amd64

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/codemem"
	"github.com/tiler-go/tiler/exec/ir"
)

func newStop(on bool) *atomic.Bool {
	var b atomic.Bool
	b.Store(on)
	return &b
}

// TestFault forces code to a bad address: the launch ends with an error, and the next
// one runs.
func TestFault(t *testing.T) {
	if !codemem.RecoversFaults {
		t.Skip("faults end the process here")
	}
	for _, tier := range runnable(t) {
		c := addCall(5000)
		code := compile(t, kernel(t, c.kernel), tier)
		w := code.NewWorker()
		l := &Launch{Args: c.args, Grid: c.grid}
		w.Begin(l)
		w.Set(scalar.ArgOffset(0), 0x10000) // nothing is there
		var fault *codemem.Fault
		err := codemem.Protect(func() { w.Run(0, c.grid[0]) })
		if !errors.As(err, &fault) {
			t.Fatalf("got %v, want a fault", err)
		}
		w.Begin(l)
		if f := w.Run(0, c.grid[0]); f != nil {
			t.Fatal(f)
		}
	}
}

// TestEndless stops loops that would not end: code comes back to Go between calls.
func TestEndless(t *testing.T) {
	for _, body := range []string{
		`loop {
    continue
  }`,
		`v10 i64 = const 0
  v11 i64 = const 9223372036854775807
  for v10 v11 #1 {
    (v12 i64)
    yield
  }`,
	} {
		f := ir.MustParse("func k(v1 i64 \"x\") \"k.go\" {\n  " + body + "\n  return\n}")
		if err := ir.Verify(f); err != nil {
			t.Fatal(err)
		}
		for _, tier := range runnable(t) {
			w := compile(t, f, tier).NewWorker()
			stop := newStop(false)
			w.Begin(&Launch{Args: []ir.Arg{{Bits: 1}}, Grid: [3]int{1, 1, 1}, Stop: stop})
			timer := time.AfterFunc(5*time.Millisecond, func() { stop.Store(true) })
			if f := w.Run(0, 1); f != nil {
				t.Fatal(f)
			}
			timer.Stop()
		}
	}
}
