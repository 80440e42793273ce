package portable_test

import (
	"testing"

	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/exec/kerneltest/random"
)

// TestRandomKernels compares random kernels with the interpreter.
func TestRandomKernels(t *testing.T) {
	n := uint64(200)
	switch {
	case testing.Short(): // under an emulator
		n = 20
	case long():
		n = 10_000
	}
	fine := 0
	for seed := range n {
		if randomWorld(t, seed).Bad == nil {
			fine++
		}
	}
	t.Logf("%d of %d kernels did not fail", fine, n)
	if fine < int(n/4) {
		t.Errorf("only %d of %d kernels do not fail", fine, n)
	}
}

func randomWorld(t testing.TB, seed uint64) kerneltest.Outcome {
	f := random.Kernel(seed)
	defer func() {
		if v := recover(); v != nil {
			t.Logf("seed %d\n%s", seed, f)
			panic(v)
		}
	}()
	o, _ := same(t, f, [3]int{2, 1, 1}, random.Args(seed))
	return o
}
