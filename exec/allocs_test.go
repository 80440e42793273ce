//go:build !race

package exec_test

import (
	"slices"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// TestLaunchesAllocateNothing: launches of machine code like the one before find all that they need
// in memory that waits for them. (The race detector makes pools forget some of it.)
func TestLaunchesAllocateNothing(t *testing.T) {
	if dtype.Fenced() != dtype.NoFence {
		t.Skip("against fences nothing waits for use")
	}
	for _, engine := range []string{"avx2", "avx512"} {
		if !slices.Contains(exec.Engines(), engine) {
			continue
		}
		for _, workers := range []int{1, 2} {
			o := exec.Options{Engine: engine, Workers: workers}
			for _, n := range []int{16, 256} {
				x, y, out := tensor.Rand(1, tl.Float32, n, n), tensor.Rand(2, tl.Float32, n, n), tensor.Zeros(tl.Float32, n, n)
				blocks := tl.Cdiv(n, 16)
				for _, l := range []struct {
					k    *exec.Kernel
					g    exec.Space
					args []any
				}{
					{exec.New(matmulBlocks, o), exec.Grid{blocks, blocks}, []any{x, y, out, n, n, n, n, 16, 16, 32}},
					{exec.New(addVectors, o), exec.Grid{n}, []any{x, y, out, n * n, n}},
				} {
					launch := func() {
						if err := l.k.Launch(l.g, l.args...); err != nil {
							t.Fatal(err)
						}
					}
					launch()
					if allocs := testing.AllocsPerRun(50, launch); allocs != 0 {
						t.Errorf("%s in %d workers, size %d: a launch allocates %v times", engine, workers, n, allocs)
					}
				}
			}
		}
	}
}
