package kerneltest_test

import (
	"fmt"
	"testing"

	"github.com/tiler-go/tiler/exec/kerneltest"
)

// TestRandomKernels runs random kernels in every engine.
func TestRandomKernels(t *testing.T) {
	n := uint64(20)
	if long() {
		n = 1_000
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
