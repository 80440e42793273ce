package amd64

import (
	"fmt"
	"math"
	"testing"

	"github.com/tiler-go/tiler/exec/amd64/gemm"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A layout is how operands lie: element (i, k) of a at i·am + k·ak, (k, j) of b at k·bk + j·bn.
type layout struct{ am, ak, bk, bn int }

func layouts(m, n, k int) []layout {
	return []layout{{k, 1, n, 1}, {k + 3, 1, 1, k}, {1, m, n + 1, 1}, {1, m, 1, k}, {2 * k, 2, 2 * n, 2}}
}

// productPairs is a product by pairs, or with another chain in its kernel, whose elements are about scale, in blocks of 32×64
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

// byDefinition is its result as a chain is defined, with what masks let be zeros.
func byDefinition(chain dot.Chain, c problem, m, n, k int, l layout) []float32 {
	padded := (k + 31) / 32 * 32
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
	chain.Dot(f(z), f(a), f(b), m, n, padded)
	return z
}

// productBy is the kernel of productPairs with a chain.
func productBy(tb testing.TB, chain dot.Chain) *ir.Func {
	tb.Helper()
	return chained(kernel(tb, "product_pairs"), chain)
}

// chained is f with a chain for its products.
func chained(f *ir.Func, chain dot.Chain) *ir.Func {
	var set func(b *ir.Block)
	set = func(b *ir.Block) {
		for _, v := range b.Values {
			if v.Op == op.Dot {
				v.Chain = chain
			}
			for _, b := range v.Blocks {
				set(b)
			}
		}
	}
	set(f.Body)
	return f
}

// waysOf is how a chain can be carried out here.
func waysOf(tb testing.TB, chain dot.Chain) map[string]Options {
	ways := map[string]Options{}
	for _, tier := range runnable(tb) {
		ways[tier.String()] = Options{Tier: tier, pairs: gemm.PairsSteps, NoTiles: true}
	}
	switch {
	case chain == dot.Pairs && cpu.Detected().Has(cpu.HasAVX512BF16):
		ways["instruction"] = Options{Tier: cpu.AVX512, pairs: gemm.PairsInstruction}
	case chain == dot.Ascending:
	case chain == dot.Tiles && cpu.Tiles(cpu.HasAMXBF16):
		ways["tiles"] = Options{Tier: cpu.AVX512}
	default:
		tb.Logf("this processor has no instruction for %s: it is left out", chain)
	}
	return ways
}

// TestProductsByChains compares whole products with what their chains are defined to be:
// on both tiers, by multiply-adds and by instructions, of operands that lie in every way.
func TestProductsByChains(t *testing.T) {
	for _, chain := range dot.Chains() {
		f := productBy(t, chain)
		for name, o := range waysOf(t, chain) {
			code, err := Compile(f, o)
			if err != nil {
				t.Fatal(err)
			}
			if tiles := name == "tiles"; code.product.InTiles() != tiles {
				t.Errorf("%s, %s: in tiles %v, want %v", chain, name, code.product.InTiles(), tiles)
			}
			for i, s := range [][3]int{{64, 64, 64}, {1, 1, 1}, {70, 75, 33}, {33, 130, 31}, {8, 32, 1030}, {9, 70, 1537}, {96, 64, 520}} {
				m, n, k := s[0], s[1], s[2]
				for j, l := range layouts(m, n, k) {
					if !everySecond(i + j/2) {
						continue
					}
					c := productPairs(m, n, k, l, []float64{1, 0x1p-64}[(i+j)%2])
					compareProduct(t, chain.String()+", "+name, code, c, byDefinition(chain, c, m, n, k, l), n)
				}
			}
		}
	}
}

// compareProduct runs a product of n columns as a whole, by each kernel that may be
// chosen, and one instance after the other.
func compareProduct(t *testing.T, name string, code *Code, c problem, want []float32, n int) {
	t.Helper()
	check := func(way string) {
		for e, got := range dtype.View[float32](c.out()) {
			if math.Float32bits(got) != math.Float32bits(want[e]) {
				t.Fatalf("%s: %s, %s: element %d, %d is %x, want %x", name, c, way, e/n, e%n, got, want[e])
			}
		}
	}
	for workers := 1; workers <= 3; workers += 2 {
		for k := range gemm.NumTilesKernels {
			j := code.Job(&Launch{Args: c.args, Grid: c.grid}, workers)
			if !j.Whole() {
				t.Fatalf("%s: %s is not one product", name, c)
			}
			clear(c.out().Bytes())
			j.product.Only(k)
			w := j.Worker()
			w.Run(0, j.Tasks())
			w.Release()
			check(fmt.Sprintf("as a whole for %d workers, kernel %d", workers, k))
			if !code.product.InTiles() {
				break
			}
		}
	}
	c.run(t, code, 1, true)
	check("one by one")
}

// BenchmarkChains is products by chains, in each way.
func BenchmarkChains(b *testing.B) {
	const n = 1024
	for _, chain := range dot.Chains() {
		for name, o := range waysOf(b, chain) {
			for _, l := range layouts(n, n, n)[:4] {
				c := productPairs(n, n, n, l, 1)
				b.Run(fmt.Sprintf("%s/%s/%v", chain, name, l), func(b *testing.B) {
					code, err := Compile(productBy(b, chain), o)
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
}
