package kerneltest_test

import (
	"testing"

	"github.com/tiler-go/tiler/exec/kerneltest/random"
)

// FuzzKernel runs a random kernel, of IR or of Go, in every engine. What it finds is
// kept under testdata/fuzz.
func FuzzKernel(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, seed uint64, isGo bool) {
		var err error
		if isGo {
			err = randomGo(seed, map[string]int{})
		} else {
			err = sameIR(t, random.Kernel(seed), [3]int{2, 1, 1}, random.Args(seed), map[string]int{})
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	})
}
