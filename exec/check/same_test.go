package check_test

import (
	"io"
	"os"
	"slices"
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/exec/kerneltest/corpus"
)

// TestWatchingChangesNothing: what a checked launch leaves is what an unchecked one does,
// to the bit, for kernels of all kinds: all cases of the corpus with TILER_LONG=1, or those of
// the part that TILER_PART=p/n asks for, else one of each kernel.
func TestWatchingChangesNothing(t *testing.T) {
	for i := range corpus.Kernels {
		row := &corpus.Kernels[i]
		cases := row.Cases()
		if os.Getenv("TILER_LONG") == "" {
			cases = []kerneltest.Case{cases[i*7%len(cases)]}
		}
		for j, c := range cases {
			if !kerneltest.InPart(t, j) {
				continue
			}
			got, want := c.Make(), c.Make()
			o := exec.Options{Output: io.Discard, Workers: 1}
			k := exec.New(row.Fn, o)
			err := k.Launch(exec.Grid(want.Grid), want.Args...)
			if err != nil {
				continue // what is left then is unspecified
			}
			o.Check = exec.CheckOptions{NoVariations: true, Commit: exec.CommitAlways}
			r, err := k.With(o).Check(exec.Grid(got.Grid), got.Args...)
			if r == nil {
				t.Fatalf("%s: %v", c, err)
			}
			if slices.ContainsFunc(r.Findings, wrapped) {
				continue
			}
			if s := got.Changed(want, false); s != "" {
				t.Errorf("%s: %s", c, s)
			}
		}
	}
}

// wrapped reports whether a finding is of an address that an int32 overflow made: such accesses are left out, since
// nothing that happens there is meant.
func wrapped(f check.Finding) bool {
	return f.Kind == check.Overflow && f.Severity == check.Error && f.Tensor != ""
}
