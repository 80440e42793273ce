package triton_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/exec/triton"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// load is a kernel of testdata/kernels.py.
func load(t testing.TB, name string) *triton.Kernel {
	t.Helper()
	f, err := triton.Load("testdata/kernels.py")
	if err != nil {
		t.Fatal(err)
	}
	k, err := f.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// everywhere launches a kernel in each engine on tensors of its own, and compares what is in
// argument out.
func everywhere(t *testing.T, name string, g exec.Grid, out int, want []float64, args ...any) {
	t.Helper()
	for _, engine := range exec.Engines() {
		fresh := slices.Clone(args)
		for i, a := range args {
			if x, ok := a.(*tensor.Tensor); ok {
				fresh[i] = x.Clone()
			}
		}
		k, rest, err := load(t, name).Specialize(fresh...)
		if err != nil {
			t.Fatal(err)
		}
		if err := k.With(exec.Options{Engine: engine, Memory: "off", Verify: exec.Never}).Launch(g, rest...); err != nil {
			t.Fatalf("%s: %v", engine, err)
		}
		got := fresh[out].(*tensor.Tensor).To(tl.Float64).Floats()
		for i, w := range want {
			if math.Abs(got[i]-w) > 1e-5*(1+math.Abs(w)) {
				t.Errorf("%s: %s[%d] is %v, want %v", name, engine, i, got[i], w)
				break
			}
		}
	}
}

func TestAdd(t *testing.T) {
	x, y := tensor.Rand(1, tl.Float32, 100), tensor.Rand(2, tl.Float32, 100)
	var want []float64
	for i := range 100 {
		want = append(want, x.Float(i)+y.Float(i))
	}
	everywhere(t, "add_kernel", exec.Grid{2}, 2, want, x, y, tensor.Zeros(tl.Float32, 100), 100, 64)
}

func TestSoftmax(t *testing.T) {
	x := tensor.Randn(1, tl.Float32, 3, 50)
	var want []float64
	for i := range 3 {
		sum := 0.0
		for j := range 50 {
			sum += math.Exp(x.Float(i, j))
		}
		for j := range 50 {
			want = append(want, math.Exp(x.Float(i, j))/sum)
		}
	}
	everywhere(t, "softmax_kernel", exec.Grid{3}, 0, want, tensor.Zeros(tl.Float32, 3, 50), x, 50, 50, 64)
}

func TestMatmul(t *testing.T) {
	const m, n, k = 50, 70, 40
	a, b := tensor.Randn(1, tl.Float16, m, k), tensor.Randn(2, tl.Float16, k, n)
	var want []float64
	for i := range m {
		for j := range n {
			sum := 0.0
			for l := range k {
				sum += a.Float(i, l) * b.Float(l, j)
			}
			want = append(want, max(0, sum))
		}
	}
	everywhere(t, "matmul_kernel", exec.Grid{4 * 3}, 2, want,
		a, b, tensor.Zeros(tl.Float32, m, n), m, n, k, k, 1, n, 1, n, 1, 16, 32, 16, "relu")
}

func TestBlocks(t *testing.T) {
	x := tensor.RandInt(1, tl.Float32, 0, 10, 10, 20)
	sums, turned := make([]float64, 10), make([]float64, 200)
	for i := range 10 {
		for j := range 20 {
			sums[i] += x.Float(i, j)
			turned[j*10+i] = x.Float(i, j)
		}
	}
	everywhere(t, "block_pointers", exec.Grid{3}, 1, sums, x, tensor.Zeros(tl.Float16, 10), 10, 20, 4, 8)
	everywhere(t, "descriptors", exec.Grid{3}, 1, turned, x, tensor.Zeros(tl.Float32, 20, 10), 10, 20, 4, 8)
}

func TestControl(t *testing.T) {
	x := tensor.From([]float32{1, 5, 9, 20, 0}, 5)
	// Halved to 2 at most: 1 (0 steps), 1.25 (2), 1.125 (3), 1.25 (4); then bias + kind + 531.
	want := []float64{2 + 10 + 531, 2.5 + 10 + 531, 1.125 + 20 + 531, 2.5 + 10 + 531, 0}
	zeros := tensor.Zeros(tl.Float32, 5)
	everywhere(t, "control", exec.Grid{5}, 1, want, x, zeros, 2.0, 4, nil, nil)
	extra := tensor.From([]float32{1, 2, 3, 4, 5}, 5)
	for i := range 4 {
		want[i] += 16 + 2*32 + 3*16 + float64(i) + 1
	}
	everywhere(t, "control", exec.Grid{5}, 1, want, x, zeros, 2.0, 4, true, extra)
}

func TestFunctions(t *testing.T) {
	x := []float32{1, 4, 2, 8, 5, 7, 3, 6}
	tanh := 0.0
	for _, v := range x {
		tanh += math.Tanh(float64(v))
	}
	everywhere(t, "functions", exec.Grid{1}, 1, []float64{6, 1, 8, 8, 3, 1 + 4 + 4 + 5*8, 1, tanh},
		tensor.From(x, 8), tensor.Zeros(tl.Float32, 8), 8)
}

func TestEvaluated(t *testing.T) {
	everywhere(t, "evaluated", exec.Grid{1}, 1, []float64{-18, 40, 1 + 30 + 500 + 3000},
		tensor.From([]float32{1, 2, 3, 4}, 4), tensor.Zeros(tl.Float32, 3), 4)
}

func TestWraps(t *testing.T) {
	everywhere(t, "wraps", exec.Grid{1}, 0, []float64{-2147483648, 2147483648, -2147483648}, tensor.Zeros(tl.Int64, 3), 1<<16, 1<<15)
}

func TestTypes(t *testing.T) {
	everywhere(t, "types", exec.Grid{1}, 2, []float64{16, 32, 8, 32, 32, 32, 32, 8},
		tensor.Ones(tl.Float16, 4), tensor.Ones(tl.Int8, 4), tensor.Zeros(tl.Int32, 8))
}

func TestPersistent(t *testing.T) {
	var want []float64
	for i := range 100 {
		want = append(want, float64(i))
	}
	everywhere(t, "persistent", exec.Grid{3}, 0, want, tensor.Zeros(tl.Int32, 100), 100, 16)
}

// TestCheck: findings have the lines and names of the Python file.
func TestCheck(t *testing.T) {
	x, out := tensor.Ones(tl.Float32, 100), tensor.Zeros(tl.Float32, 100)
	k, rest, err := load(t, "outside").Specialize(x, out, 100, 64)
	if err != nil {
		t.Fatal(err)
	}
	r, err := k.Check(exec.Grid{2}, rest...)
	if err == nil || len(r.Of(check.OutOfBounds)) != 1 {
		t.Fatalf("got %v\n%v", err, r)
	}
	f := r.Of(check.OutOfBounds)[0]
	if want := "tl.load: lane [36] of [64] is x[100], 1 element past the end of x"; f.Msg != want || !slices.Contains(f.Fixes, "mask the lanes beyond the tensor's edge: mask=offs < n") {
		t.Errorf("got %q and %q, want %q", f.Msg, f.Fixes, want)
	}
	if filepath.Base(f.Pos.File) != "kernels.py" || f.Source != "v = tl.load(x + offs)" || !strings.Contains(f.Msg, "x") {
		t.Errorf("got %s: %s\n%s", f.Pos, f.Source, f.Msg)
	}
	err = k.Launch(exec.Grid{2}, rest...)
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("kernels.py:%d", f.Pos.Line)) {
		t.Errorf("a launch fails with %v", err)
	}
}

// TestOverflow: an offset that wraps at 2³¹ is found without the tensor's memory.
func TestOverflow(t *testing.T) {
	const n = 1 << 31
	x, out := tensor.Virtual(tl.Float32, n), tensor.Virtual(tl.Float32, n)
	k, rest, err := load(t, "outside").Specialize(x, out, n-1, 64)
	if err != nil {
		t.Fatal(err)
	}
	r, _ := k.Check(exec.Grid{n/64 + 1}, rest...)
	if r == nil || len(r.Of(check.Overflow)) == 0 {
		t.Errorf("got\n%v", r)
	}
}

func TestPromote(t *testing.T) {
	x, y, out := tensor.Rand(1, tl.Float32, 100), tensor.Rand(2, tl.Float32, 100), tensor.Zeros(tl.Float32, 100)
	k, rest, err := load(t, "add_kernel").Specialize(x, y, out, 100, 64)
	if err != nil {
		t.Fatal(err)
	}
	k = k.With(exec.Options{Memory: "off"})
	if r, err := k.Promote(exec.Grid{2}, rest...); err != nil {
		t.Fatalf("%v\n%v", err, r)
	}
	if err := k.Launch(exec.Grid{2}, rest...); err != nil || k.State().Engine == "interpreted" {
		t.Errorf("got %v, in %s: %s", err, k.State().Engine, k.State().Reason)
	}
	i, err := k.Inspect(rest...)
	if err != nil || len(i.Stages) < 2 {
		t.Errorf("got %v", err)
	}
}

// TestInspect: what a command line says of arguments is enough to compile a kernel.
func TestInspect(t *testing.T) {
	f, err := triton.Load("testdata/kernels.py")
	if err != nil {
		t.Fatal(err)
	}
	i, err := f.Inspect("matmul_kernel", "BM=16", "BN=16", "BK=16", "ACT=relu", "a=f16", "b=fp16")
	if err != nil || !strings.HasPrefix(i.Args, "a f16, b f16, c f32, M int") {
		t.Errorf("got %v, %v", i, err)
	}
	for _, c := range []struct {
		kernel, args, want string
	}{
		{"matmul_kernel", "BM=16 BK=16", "the value of BN, ACT decides what is compiled"},
		{"softmax_kernel", "BLOK=16", "no parameter BLOK (did you mean BLOCK?)"},
		{"matmul_kernel", "BM", "want NAME=VALUE"},
		{"", "", "which kernel? it has add_kernel"},
		{"ad_kernel", "", "no function ad_kernel"},
	} {
		if _, err := f.Inspect(c.kernel, strings.Fields(c.args)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: got %v, want %q", c.kernel, c.args, err, c.want)
		}
	}
}

// TestRefused: what is outside the language is refused on the line that says so.
func TestRefused(t *testing.T) {
	text, err := os.ReadFile("testdata/refused.py")
	if err != nil {
		t.Fatal(err)
	}
	f, err := triton.Parse("refused.py", string(text))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for _, name := range f.Kernels() {
		k, err := f.Kernel(name)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = k.Specialize(tensor.Zeros(tl.Float32, 16), 16)
		if err == nil {
			t.Errorf("%s is accepted", name)
			continue
		}
		first, _, _ := strings.Cut(err.Error(), "\n")
		var line int
		if _, err := fmt.Sscanf(first, "refused.py:%d:", &line); err != nil {
			t.Errorf("%s: no line in %s", name, first)
			continue
		}
		_, want, ok := strings.Cut(lines[line-1], "# ERROR ")
		if !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
}

// TestLimits: what a file takes from torch.finfo and torch.iinfo is PyTorch's.
func TestLimits(t *testing.T) {
	f, err := triton.Parse("limits.py", `import torch
import triton
import triton.language as tl
MOST: tl.constexpr = torch.finfo(torch.float16).max
LEAST = tl.constexpr(torch.finfo(torch.float8_e4m3fn).min)
EPS = tl.constexpr(torch.finfo(torch.float32).eps)
TINY = tl.constexpr(torch.finfo(torch.bfloat16).tiny)
INT: tl.constexpr = torch.iinfo(torch.int32).min

@triton.jit
def limits(out):
    tl.store(out, MOST)
    tl.store(out + 1, LEAST)
    tl.store(out + 2, EPS)
    tl.store(out + 3, TINY)
    tl.store(out + 4, INT)
    tl.store(out + 5, torch.iinfo(torch.uint8).max)
`)
	if err != nil {
		t.Fatal(err)
	}
	k, err := f.Kernel("limits")
	if err != nil {
		t.Fatal(err)
	}
	out := tensor.Zeros(tl.Float32, 6)
	if err := k.Launch(exec.Grid{1}, out); err != nil {
		t.Fatal(err)
	}
	want := []float64{65504, -448, 0x1p-23, 0x1p-126, -0x1p31, 255}
	if got := out.Floats(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestTwoTensors: a tile of pointers into different tensors is refused before anything runs, as in Go.
func TestTwoTensors(t *testing.T) {
	f, err := triton.Parse("two.py", `import triton
import triton.language as tl

@triton.jit
def two(x, y):
    i = tl.arange(0, 4)
    tl.store(tl.where(i < 2, x + i, y + i), 0)
`)
	if err != nil {
		t.Fatal(err)
	}
	k, err := f.Kernel("two")
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = k.Specialize(tensor.Zeros(tl.Float32, 4), tensor.Zeros(tl.Float32, 4))
	want := "two.py:7:22: tl.where: *f32[4] and *f32[4]: pointers into different tensors, x and y"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v", err)
	}
}
