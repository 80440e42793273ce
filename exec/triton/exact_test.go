package triton_test

import (
	"math"
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/triton"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

const exact = `
import triton
import triton.language as tl

@triton.jit
def cast(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n).to(out.dtype.element_ty), mask=i < n)

@triton.jit
def product(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    at = i[:, None] * N + i[None, :]
    tl.store(out + at, tl.dot(tl.load(x + at), tl.load(y + at)))
`

func kernelOf(t *testing.T, name string) *triton.Kernel {
	t.Helper()
	f, err := triton.Parse("exact.py", exact)
	if err != nil {
		t.Fatal(err)
	}
	k, err := f.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// launch launches a kernel in an engine.
func launch(t *testing.T, k *triton.Kernel, engine string, g exec.Grid, args ...any) {
	t.Helper()
	z, rest, err := k.Specialize(args...)
	if err != nil {
		t.Fatal(err)
	}
	if err := z.With(exec.Options{Engine: engine}).Launch(g, rest...); err != nil {
		t.Fatalf("%s: %v", engine, err)
	}
}

// TestCastsOfAllPatterns: every bfloat16 and every float8 is the float32 that its bits say, and
// comes back from there.
func TestCastsOfAllPatterns(t *testing.T) {
	k := kernelOf(t, "cast")
	values := map[tl.DType]func(bits int) float64{
		tl.BFloat16: func(b int) float64 { return float64(math.Float32frombits(uint32(b) << 16)) },
		tl.Float8E5: func(b int) float64 { return small(b, 5, 2, true) },
		tl.Float8E4NV: func(b int) float64 {
			if b&0x7f == 0x7f {
				return math.NaN()
			}
			return small(b, 4, 3, false)
		},
	}
	for d, value := range values {
		n := 1 << (8 * d.Size())
		x := tensor.Empty(d, n)
		for i := range n {
			x.Buf().SetBits(i, uint64(i))
		}
		x.MarkDefined()
		for _, engine := range exec.Engines() {
			wide, back := tensor.Zeros(tl.Float32, n), tensor.Zeros(d, n)
			launch(t, k, engine, exec.Grid{n / 256}, x, wide, n, 256)
			launch(t, k, engine, exec.Grid{n / 256}, wide, back, n, 256)
			for i := range n {
				want := value(i)
				if got := wide.Float(i); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
					t.Fatalf("%s, %v: bits %#x are %v, want %v", engine, d, i, got, want)
				}
				if got := back.Buf().Bits(i); got != uint64(i) && !math.IsNaN(want) {
					t.Fatalf("%s, %v: bits %#x come back as %#x", engine, d, i, got)
				}
			}
		}
	}
}

// small is the value of a float of 8 bits.
func small(bits, exponent, mantissa int, infinite bool) float64 {
	sign, e, m := 1-2*float64(bits>>7), bits>>mantissa&(1<<exponent-1), bits&(1<<mantissa-1)
	bias := 1<<(exponent-1) - 1
	switch {
	case infinite && e == 1<<exponent-1 && m == 0:
		return sign * math.Inf(1)
	case infinite && e == 1<<exponent-1:
		return math.NaN()
	case e == 0:
		return sign * math.Ldexp(float64(m), 1-bias-mantissa)
	}
	return sign * math.Ldexp(float64(m|1<<mantissa), e-bias-mantissa)
}

// TestProductsOfSmallIntegers: where every sum is a whole number that float32 holds, a product of
// bfloat16 or float8 is exact.
func TestProductsOfSmallIntegers(t *testing.T) {
	k := kernelOf(t, "product")
	const n = 32
	for _, d := range []tl.DType{tl.BFloat16, tl.Float16, tl.Float8E5, tl.Float8E4NV} {
		x, y := tensor.RandInt(1, tl.Int32, -2, 3, n, n), tensor.RandInt(2, tl.Int32, -2, 3, n, n)
		for _, engine := range exec.Engines() {
			out := tensor.Zeros(tl.Float32, n, n)
			launch(t, k, engine, exec.Grid{1}, x.To(d), y.To(d), out, n)
			for i := range n * n {
				sum := 0
				for j := range n {
					sum += x.Int(i/n, j) * y.Int(j, i%n)
				}
				if got := out.Float(i/n, i%n); got != float64(sum) {
					t.Fatalf("%s, %v: element %d is %v, want %d", engine, d, i, got, sum)
				}
			}
		}
	}
}
