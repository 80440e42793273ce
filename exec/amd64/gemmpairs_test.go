package amd64

import (
	"fmt"
	"math"
	"testing"

	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A layout is how operands lie: element (i, k) of a at i·am + k·ak, (k, j) of b at k·bk + j·bn.
type layout struct{ am, ak, bk, bn int }

func layouts(m, n, k int) []layout {
	return []layout{{k, 1, n, 1}, {k + 3, 1, 1, k}, {1, m, n + 1, 1}, {1, m, 1, k}, {2 * k, 2, 2 * n, 2}}
}

// productPairs is a product by pairs whose elements are about scale, in blocks of 32×64
// and 32 along the chain.
func productPairs(m, n, k int, l layout, scale float64) problem {
	operand := func(size int, seed uint32) ir.Arg {
		z := dtype.NewBuf(dtype.BFloat16, size)
		for i, x := range numbers(size, seed) {
			z.SetBits(i, dtype.FromFloat(dtype.BFloat16, float64(x)*scale))
		}
		return ir.Arg{Mem: z}
	}
	x, y := operand((m-1)*l.am+(k-1)*l.ak+1, 1), operand((k-1)*l.bk+(n-1)*l.bn+1, 2)
	args := append([]ir.Arg{x, y, tensorOfType(dtype.Float32, m*n, 3)}, ints(m, n, k, l.am, l.ak, l.bk, l.bn, 32, 64, 32)...)
	return problem{"product_pairs", args, [3]int{cdiv(m, 32), cdiv(n, 64), 1}}
}

// byDefinition is its result as op.DotPairs has it, with what masks let be zeros.
func byDefinition(c problem, m, n, k int, l layout) []float32 {
	padded := roundUp(k, 32)
	a, b, z := make([]float32, m*padded), make([]float32, padded*n), make([]float32, m*n)
	x, y := dtype.View[uint16](c.args[0].Mem), dtype.View[uint16](c.args[1].Mem)
	for s := range k {
		for i := range m {
			a[i*padded+s] = dtype.FromBFloat16(x[i*l.am+s*l.ak])
		}
		for j := range n {
			b[s*n+j] = dtype.FromBFloat16(y[s*l.bk+j*l.bn])
		}
	}
	f := func(v []float32) dtype.Buf { return dtype.BufOf(dtype.Float32, v) }
	op.DotPairs(f(z), f(a), f(b), m, n, padded)
	return z
}

// TestProductsByPairs compares whole products with their definition: on both tiers, by
// multiply-adds and by the instruction, of operands that lie in every way.
func TestProductsByPairs(t *testing.T) {
	f := kernel(t, "product_pairs")
	ways := map[string]Options{"avx2": {}, "avx512": {AVX512: true, pairs: pairsSteps}}
	if cpu.Detected().Has(cpu.HasAVX512BF16) {
		ways["instruction"] = Options{AVX512: true, pairs: pairsInstruction}
	} else {
		t.Log("this processor has no AVX-512 BF16: the instruction is left out")
	}
	for name, o := range ways {
		code, err := Compile(f, o)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range [][3]int{{64, 64, 64}, {1, 1, 1}, {70, 75, 33}, {33, 130, 31}, {8, 32, 1030}, {9, 70, 1537}} {
			m, n, k := s[0], s[1], s[2]
			for j, l := range layouts(m, n, k) {
				c := productPairs(m, n, k, l, []float64{1, 0x1p-64}[(i+j)%2])
				if l := (&Launch{Args: c.args, Grid: c.grid}); !code.Job(l, 1).Whole() {
					t.Fatalf("%s: %s is not one product", name, c)
				}
				want := byDefinition(c, m, n, k, l)
				for _, single := range []bool{false, true} {
					c.run(t, code, 1+i%2*2, single)
					for e, got := range dtype.View[float32](c.out()) {
						if math.Float32bits(got) != math.Float32bits(want[e]) {
							t.Fatalf("%s: %s, one by one %v: element %d, %d is %x, want %x", name, c, single, e/n, e%n, got, want[e])
						}
					}
				}
			}
		}
	}
}

// BenchmarkPairs is products by pairs, by multiply-adds and by the instruction.
func BenchmarkPairs(b *testing.B) {
	f := kernel(b, "product_pairs")
	const n = 1024
	for _, l := range layouts(n, n, n)[:4] {
		c := productPairs(n, n, n, l, 1)
		for way := pairsSteps; way <= pairsInstruction; way++ {
			if way == pairsInstruction && !cpu.Detected().Has(cpu.HasAVX512BF16) {
				continue
			}
			b.Run(fmt.Sprint(l, []string{"steps", "instruction"}[way-pairsSteps]), func(b *testing.B) {
				code, err := Compile(f, Options{AVX512: true, pairs: way})
				if err != nil {
					b.Fatal(err)
				}
				j := code.Job(&Launch{Args: c.args, Grid: c.grid}, 1)
				w := j.Worker()
				for b.Loop() {
					w.Run(0, j.Tasks())
				}
				b.ReportMetric(2*n*n*n*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GF/s")
			})
		}
	}
}
