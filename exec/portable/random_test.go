package portable_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// long reports whether slow tests run in full.
func long() bool { return os.Getenv("TILER_LONG") != "" }

func randomKernel(seed uint64) *ir.Func {
	g := &generator{builder: newBuilder(), r: rand.New(rand.NewPCG(seed, 99)), left: 40}
	switch seed % 4 {
	case 1:
		g.home = ir.Tile(dtype.Float32, 4, 4)
	case 2:
		g.home = ir.Tile(dtype.Int64, 6)
	case 3:
		g.home = ir.Tile(dtype.Float32, 300)
	}
	return g.kernel()
}

// TestRandomKernels compares random kernels with the interpreter.
func TestRandomKernels(t *testing.T) {
	n := uint64(400)
	if long() {
		n = 10_000
	}
	fine := 0
	for seed := range n {
		if o := randomWorld(t, seed); o.bad == nil {
			fine++
		}
	}
	t.Logf("%d of %d kernels did not fail", fine, n)
	if fine < int(n/4) {
		t.Errorf("only %d of %d kernels do not fail", fine, n)
	}
}

func randomWorld(t testing.TB, seed uint64) outcome {
	f := randomKernel(seed)
	defer func() {
		if v := recover(); v != nil {
			t.Logf("seed %d\n%s", seed, f)
			panic(v)
		}
	}()
	return same(t, f, [3]int{2, 1, 1}, func(w *world) {
		w.r = rand.New(rand.NewPCG(seed, 7))
		randomArgs(w)
	})
}

// randomArgs is arguments for a random kernel.
func randomArgs(w *world) {
	for range 2 {
		for _, d := range tensorTypes {
			w.add(d, memory)
		}
	}
	w.ints(w.r.IntN(9), w.r.IntN(100)-50)
}
