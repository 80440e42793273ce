package kerneltest_test

import (
	"fmt"
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/exec/kerneltest/corpus"
	"github.com/tiler-go/tiler/exec/kerneltest/random"
)

// TestRandomProducts runs products with sizes at the edges of what engines do in one piece.
func TestRandomProducts(t *testing.T) {
	n := uint64(10)
	if long() {
		n = 2_000
	}
	kernels := map[string]*exec.Kernel{}
	for seed := range n {
		if !kerneltest.InPart(t, int(seed)) {
			continue
		}
		c := corpus.RandomProduct(seed)
		k := kernels[c.Row.Name]
		if k == nil {
			k = exec.New(c.Row.Fn)
			kernels[c.Row.Name] = k
		}
		if compareCase(t, k, c); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestRandomKernels runs random kernels in every engine.
func TestRandomKernels(t *testing.T) {
	n := uint64(20)
	if long() {
		n = 2_000
	}
	skipped := map[string]int{}
	for seed := range n {
		if !kerneltest.InPart(t, int(seed)) {
			continue
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			build := random.Args(seed)
			f := random.Kernel(seed)
			grid := [3]int{2, 1, 1}
			if err := sameIR(t, f, grid, build, skipped); err != nil {
				t.Error(err)
				shrink(t, f, grid, build)
			}
		})
	}
	t.Logf("of %d kernels not compiled: %v", n, skipped)
}
