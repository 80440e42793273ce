package amd64

import (
	"errors"
	"sync"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// TestPartsAreMadeWhenNeeded says what launches leave unmade.
func TestPartsAreMadeWhenNeeded(t *testing.T) {
	c := product003("product", dtype.Float32, 48, 80, 90)
	code := compile(t, kernel(t, c.kernel), widest(t))
	c.run(t, code, 1, false)
	if code.single.Ready() != nil {
		t.Error("a launch that is one product has made code for single instances")
	}
	c.run(t, code, 1, true)
	if code.single.Ready() == nil {
		t.Error("instances one by one ran without code")
	}
	code.Free()
}

// TestPartsAreMadeOnce lets launches of both kinds begin together.
func TestPartsAreMadeOnce(t *testing.T) {
	code := compile(t, kernel(t, "product"), widest(t))
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() { product003("product", dtype.Float32, 48, 80, 90).run(t, code, 2, i%2 == 0) })
	}
	wg.Wait()
}

// TestWithoutSingleCode leaves instances to the portable engine that have no code.
func TestWithoutSingleCode(t *testing.T) {
	c := product003("product", dtype.Float32, 48, 80, 90)
	code := compile(t, kernel(t, c.kernel), widest(t))
	code.single.Make = func() (*routine, error) { return nil, errors.New("no memory") }
	var done []int
	fail := &ir.Failure{}
	l := &Launch{Args: c.args, Grid: c.grid, Single: true, Exact: func(program int) *ir.Failure {
		if done = append(done, program); program == 3 {
			return fail
		}
		return nil
	}}
	w := code.Job(l, 1).Worker()
	if f := w.Run(1, 6); f != fail || len(done) != 3 || done[0] != 1 {
		t.Errorf("got failure %v after instances %v, want that of instance 3", f, done)
	}
	w.Release()
}
