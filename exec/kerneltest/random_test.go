package kerneltest_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/kerneltest"
)

// TestRandomKernels runs random kernels in every engine.
func TestRandomKernels(t *testing.T) {
	n := uint64(30)
	if long() {
		n = 5_000
	}
	skipped := map[string]int{}
	for seed := range n {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			build := kerneltest.RandomArgs(seed)
			f := kerneltest.RandomKernel(seed)
			grid := [3]int{2, 1, 1}
			if err := sameIR(t, f, grid, build, skipped); err != nil {
				t.Error(err)
				shrink(t, f, grid, build)
			}
		})
	}
	t.Logf("of %d kernels not compiled: %v", n, skipped)
}

// shrink shows the smallest kernel like f that fails, if asked to.
func shrink(t *testing.T, f *ir.Func, grid [3]int, build func(w *kerneltest.World)) {
	if os.Getenv("SHRINK") == "" {
		return
	}
	small := kerneltest.Shrink(f, func(g *ir.Func) (fails bool) {
		defer func() {
			if recover() != nil { // endless, most likely
				fails = false
			}
		}()
		return sameIR(t, g, grid, build, map[string]int{}) != nil
	})
	t.Logf("it shrinks to: %v", sameIR(t, small, grid, build, map[string]int{}))
}
