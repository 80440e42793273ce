package amd64

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"sync/atomic"
	"testing"

	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// kernel is a Func of testdata: what the front end makes of seeds and examples.
func kernel(tb testing.TB, name string) *ir.Func {
	tb.Helper()
	text, err := os.ReadFile("testdata/" + name + ".ir")
	if err != nil {
		tb.Fatal(err)
	}
	f := ir.MustParse(string(text))
	if err := ir.Verify(f); err != nil {
		tb.Fatal(err)
	}
	return f
}

// runnable are the tiers whose code this processor runs; the log says which are not tested.
func runnable(tb testing.TB) (tiers []cpu.Tier) {
	tb.Helper()
	for _, tier := range []cpu.Tier{cpu.AVX2, cpu.AVX512} {
		if tier.Available() {
			tiers = append(tiers, tier)
		} else {
			tb.Logf("NOT TESTED: this processor has no %s", tier)
		}
	}
	if tiers == nil {
		tb.Skip("this processor runs no machine code of ours")
	}
	return tiers
}

// widest is the last of those.
func widest(tb testing.TB) cpu.Tier {
	tb.Helper()
	tiers := runnable(tb)
	return tiers[len(tiers)-1]
}

func compile(tb testing.TB, f *ir.Func, tier cpu.Tier) *Code {
	tb.Helper()
	if !tier.Available() {
		tb.Fatalf("%s is not to be run here: ask runnable", tier)
	}
	c, err := Compile(f, Options{Tier: tier})
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// A problem is a kernel with arguments.
type problem struct {
	kernel string
	args   []ir.Arg
	grid   [3]int
}

// out is the problem's result: the last of its tensors.
func (c problem) out() dtype.Buf {
	var out dtype.Buf
	for _, a := range c.args {
		if a.Bits == 0 && a.Mem.Len() > 0 {
			out = a.Mem
		}
	}
	return out
}

func (c problem) String() string {
	s := c.kernel
	for _, a := range c.args {
		if a.Mem.Len() == 0 {
			s += fmt.Sprintf(" %d", int64(a.Bits))
		}
	}
	return s
}

// run carries it out in as many workers and gives the result's bytes.
func (c problem) run(tb testing.TB, code *Code, workers int, single bool) []byte {
	tb.Helper()
	out := c.out().Bytes()
	for i := range out {
		out[i] = 0xa5
	}
	l := &Launch{Args: c.args, Grid: c.grid, Single: single, Stop: new(atomic.Bool)}
	l.Exact = func(program int) *ir.Failure {
		tb.Errorf("%s: instance %d was given up", c, program)
		return nil
	}
	j := code.Job(l, workers)
	n := j.Tasks()
	for i := range workers {
		w := j.Worker()
		kerneltest.Guarded(tb, c, func() {
			if f := w.Run(n*i/workers, n*(i+1)/workers); f != nil {
				tb.Fatalf("%s: %v", c, f)
			}
		})
		w.Release()
	}
	return bytes.Clone(out)
}

// numbers are reproducible and of both signs.
func numbers(n int, seed uint32) []float32 {
	x := make([]float32, n)
	for i := range x {
		seed = seed*1664525 + 1013904223
		x[i] = float32(int32(seed))*0x1p-31 + float32(i%3)*0.25
	}
	return x
}

func tensorOfType(d dtype.DType, n int, seed uint32) ir.Arg {
	z := dtype.Alloc("a tensor", d, max(n, 1))
	if d == dtype.Float32 {
		copy(dtype.View[float32](z), numbers(n, seed))
		return ir.Arg{Mem: z}
	}
	for i, x := range numbers(n, seed) {
		if d.IsFloat() {
			z.SetBits(i, dtype.FromFloat(d, float64(x)))
		} else {
			z.SetBits(i, dtype.FromInt(d, int64(x*200), true))
		}
	}
	return ir.Arg{Mem: z}
}

// everySecond reports whether the i-th of many cases runs: all do with TILER_LONG=1.
func everySecond(i int) bool { return i%2 == 0 || os.Getenv("TILER_LONG") != "" }

func ints(ns ...int) (args []ir.Arg) {
	for _, n := range ns {
		args = append(args, ir.Arg{Bits: uint64(n)})
	}
	return args
}

func cdiv(a, b int) int { return (a + b - 1) / b }

func product003(name string, in dtype.DType, m, n, k int) problem {
	args := []ir.Arg{tensorOfType(in, m*k, 1), tensorOfType(in, k*n, 2), tensorOfType(dtype.Float32, m*n, 3)}
	return problem{name, append(args, ints(m, k, k, n, 16, 16, 32, 1)...), [3]int{cdiv(m, 16), cdiv(n, 16), 1}}
}

// product004 has matrices whose elements lie step apart.
func product004(m, n, k, step int) problem {
	f := dtype.Float32
	args := []ir.Arg{tensorOfType(f, m*k*step, 1), tensorOfType(f, k*n*step, 2), tensorOfType(f, m*n*step, 3)}
	args = append(args, ints(m, n, k, k*step, step, n*step, step, n*step, step, 128, 256, 64)...)
	return problem{"product_mod", args, [3]int{cdiv(m, 128) * cdiv(n, 256), 1, 1}}
}

func productBytes(m, n, k int) problem {
	args := []ir.Arg{tensorOfType(dtype.Int8, m*k, 1), tensorOfType(dtype.Int8, k*n, 2), tensorOfType(dtype.Int32, m*n, 3)}
	return problem{"product_int8", append(args, ints(m, n, k, 64, 64, 64)...), [3]int{cdiv(m, 64), cdiv(n, 64), 1}}
}

// productApart is bytes that lie so many elements apart in each direction.
func productApart(m, n, k int, strides [6]int) problem {
	xm, xk, yk, yn, zm, zn := strides[0], strides[1], strides[2], strides[3], strides[4], strides[5]
	last := func(rows, row, cols, col int) int { return (rows-1)*row + (cols-1)*col + 1 }
	args := []ir.Arg{
		tensorOfType(dtype.Int8, last(m, xm, k, xk), 1), tensorOfType(dtype.Int8, last(k, yk, n, yn), 2),
		tensorOfType(dtype.Int32, last(m, zm, n, zn), 3),
	}
	args = append(args, ints(m, n, k, xm, xk, yk, yn, zm, zn, 32, 64, 32, 0)...)
	return problem{"product_int8_apart", args, [3]int{cdiv(m, 32), cdiv(n, 64), 1}}
}

func rowsCall(name string, rows, cols int) problem {
	f := dtype.Float32
	x, out := tensorOfType(f, rows*cols, 1), tensorOfType(f, rows*cols, 2)
	if name == "softmax" {
		return problem{name, append([]ir.Arg{x, out}, ints(cols, cols, cols, 1024)...), [3]int{rows, 1, 1}}
	}
	args := append([]ir.Arg{x, tensorOfType(f, cols, 3), tensorOfType(f, cols, 4), out}, ints(cols, cols)...)
	return problem{name, append(args, ir.Arg{Bits: math.Float64bits(1e-5)}, ir.Arg{Bits: 1024}), [3]int{rows, 1, 1}}
}

func addCall(n int) problem {
	f := dtype.Float32
	args := []ir.Arg{tensorOfType(f, n, 1), tensorOfType(f, n, 2), tensorOfType(f, n, 3)}
	return problem{"add", append(args, ints(n, 1024)...), [3]int{cdiv(n, 1024), 1, 1}}
}

func attentionCall(heads, n int) problem {
	f := dtype.Float32
	var args []ir.Arg
	for i := range uint32(4) {
		args = append(args, tensorOfType(f, heads*n*64, i))
	}
	args = append(args, ir.Arg{Bits: uint64(n)}, ir.Arg{Bits: math.Float64bits(0.18)})
	return problem{"attention", append(args, ints(64, 64, 64)...), [3]int{cdiv(n, 64), heads, 1}}
}

// problems are of sizes that fill blocks, and of such that do not.
func problems() []problem {
	f := dtype.Float32
	return []problem{
		product003("product", f, 16, 16, 32), product003("product", f, 48, 80, 90), product003("product", f, 160, 304, 600),
		product003("product_f16", dtype.Float16, 48, 80, 90), product003("product_f16", dtype.Float16, 32, 304, 1100),
		product004(128, 256, 64, 1), product004(200, 300, 100, 1), product004(130, 77, 65, 1), product004(70, 300, 1100, 1), product004(140, 40, 70, 3),
		productBytes(64, 64, 64), productBytes(50, 70, 90), productBytes(130, 300, 2050), productBytes(1, 1, 1), productBytes(65, 33, 7),
		rowsCall("softmax", 3, 1024), rowsCall("softmax", 40, 781), rowsCall("softmax", 5, 17), rowsCall("softmax", 9, 1),
		rowsCall("layernorm", 3, 1024), rowsCall("layernorm", 19, 1000), rowsCall("layernorm", 3, 5),
		addCall(1), addCall(1023), addCall(5000), attentionCall(2, 100), attentionCall(1, 192), attentionCall(1, 33),
	}
}

// TestTiersAgree runs the kernels instance by instance and as whole products, in one
// worker and in three, on both tiers: the bits are always the same.
func TestTiersAgree(t *testing.T) {
	codes := map[string][]*Code{}
	for _, c := range problems() {
		tiers, ok := codes[c.kernel]
		if !ok {
			f := kernel(t, c.kernel)
			for _, tier := range runnable(t) {
				tiers = append(tiers, compile(t, f, tier))
			}
			codes[c.kernel] = tiers
		}
		want := c.run(t, tiers[0], 1, true)
		for tier, code := range tiers {
			for _, workers := range []int{1, 3} {
				if got := c.run(t, code, workers, false); !bytes.Equal(got, want) {
					t.Errorf("%s: tier %d, %d workers: byte %d differs", c, tier, workers, firstDifference(got, want))
				}
			}
			if got := c.run(t, code, 1, true); !bytes.Equal(got, want) {
				t.Errorf("%s: tier %d, one by one: byte %d differs", c, tier, firstDifference(got, want))
			}
		}
	}
}

func firstDifference(x, y []byte) int {
	for i := range x {
		if x[i] != y[i] {
			return i
		}
	}
	return -1
}
