package portable_test

import (
	"math"
	"os"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// kernelFile reads testdata/NAME.ir: what front end and passes make of a kernel.
func kernelFile(t testing.TB, name string) *ir.Func {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name + ".ir")
	if err != nil {
		t.Fatal(err)
	}
	f, err := ir.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// uniform adds a tensor of numbers in [0, 1).
func uniform(w *kerneltest.World, d dtype.DType, n int) {
	w.AddBits(d, n, func(int) uint64 { return dtype.FromFloat(d, w.R.Float64()) })
}

// A launch is a kernel of testdata with a grid and arguments.
type launch struct {
	name, file string
	grid       [3]int
	args       func(w *kerneltest.World)
}

func matmulLaunch(name string, d dtype.DType, m, n, k int) launch {
	return launch{name, name, [3]int{(m + 15) / 16, (n + 15) / 16, 1}, func(w *kerneltest.World) {
		uniform(w, d, m*k)
		uniform(w, d, k*n)
		w.Add(dtype.Float16, m*n)
		w.Ints(m, k, k, n, 16, 16, 32)
	}}
}

func softmaxLaunch(rows, cols int) launch {
	return launch{"softmax", "softmax", [3]int{rows, 1, 1}, func(w *kerneltest.World) {
		w.Add(dtype.Float32, rows*cols)
		uniform(w, dtype.Float32, rows*cols)
		w.Ints(cols, cols, 1024)
	}}
}

func layernormLaunch(rows, cols int) launch {
	return launch{"layernorm", "layernorm", [3]int{rows, 1, 1}, func(w *kerneltest.World) {
		uniform(w, dtype.Float16, rows*cols)
		uniform(w, dtype.Float32, cols)
		uniform(w, dtype.Float32, cols)
		w.Add(dtype.Float16, rows*cols)
		w.Ints(cols)
		w.Args = append(w.Args, math.Float64bits(1e-5))
		w.Ints(1024)
	}}
}

func attentionLaunch(n int) launch {
	return launch{"attention", "attention", [3]int{(n + 31) / 32, 1, 1}, func(w *kerneltest.World) {
		for range 3 {
			uniform(w, dtype.Float16, n*64)
		}
		w.Add(dtype.Float16, n*64)
		w.Ints(n)
		w.Args = append(w.Args, math.Float64bits(0.125))
		w.Ints(32, 32, 64)
	}}
}

func vecaddLaunch(n int) launch {
	return launch{"vecadd", "vecadd", [3]int{(n + 1023) / 1024, 1, 1}, func(w *kerneltest.World) {
		for range 3 {
			uniform(w, dtype.Float32, n)
		}
		w.Ints(n)
	}}
}

func TestKernels(t *testing.T) {
	for _, l := range []launch{
		vecaddLaunch(1), vecaddLaunch(1000), vecaddLaunch(1024), vecaddLaunch(5000),
		matmulLaunch("matmul", dtype.Float32, 64, 48, 96), matmulLaunch("matmul", dtype.Float32, 32, 16, 50),
		matmulLaunch("matmul16", dtype.Float16, 48, 32, 70),
		softmaxLaunch(3, 1000), softmaxLaunch(2, 1024), softmaxLaunch(2, 1),
		layernormLaunch(2, 777), attentionLaunch(70),
	} {
		f := kernelFile(t, l.file)
		if o, _ := same(t, f, l.grid, l.args); o.Bad != nil {
			t.Errorf("%s failed at %s: %v", l.name, kerneltest.Name(o.Bad), o.Why)
		}
	}
}
