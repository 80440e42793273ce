package kerneltest_test

import (
	"math"
	"os"
	"testing"

	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/exec/kerneltest/random"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

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

// shrinkGo is shrink for the IR of a random Go kernel.
func shrinkGo(t *testing.T, seed, argSeed uint64) {
	if os.Getenv("SHRINK") == "" {
		return
	}
	f, build := lowerGo(t, random.Go(seed).Text, argSeed)
	if err := sameIR(t, f, [3]int{2, 1, 1}, build, map[string]int{}); err == nil {
		t.Logf("its IR does not fail: the front end is at fault")
		return
	}
	shrink(t, f, [3]int{2, 1, 1}, build)
}

// goTypes is what the compiler must know of arguments.
func goTypes(args []any) []frontend.Arg {
	types := make([]frontend.Arg, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case *tensor.Tensor:
			types[i].DType = a.DType()
		case int:
			types[i].Int = int64(a)
		case float64:
			types[i].Float = a
		case bool:
			types[i].Bool = a
		}
	}
	return types
}

// irArg is an argument as a world holds it.
func irArg(a any) any {
	switch a := a.(type) {
	case int:
		return uint64(a)
	case float64:
		return math.Float64bits(a)
	case bool:
		if a {
			return uint64(1)
		}
		return uint64(0)
	}
	return a
}
