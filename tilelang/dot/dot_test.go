package dot

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// dotValues are kinds of float32 data: each takes another way through dot32, or is at
// the edge of one.
var dotValues = []struct {
	name string
	pick func(r *rand.Rand) float32
}{
	{"uniform", func(r *rand.Rand) float32 { return r.Float32() }},
	{"signed", func(r *rand.Rand) float32 { return float32(r.NormFloat64()) }},
	{"float16", func(r *rand.Rand) float32 { return dtype.FromFloat16(dtype.ToFloat16(float32(r.NormFloat64()))) }},
	{"integers", func(r *rand.Rand) float32 { return float32(r.IntN(9) - 4) }},
	{"12 bits", func(r *rand.Rand) float32 { return float32(r.IntN(8192)-4096) / 4096 }},
	{"13 bits", func(r *rand.Rand) float32 { return float32(r.IntN(16384)-8192) / 4096 }},
	{"zeros", func(r *rand.Rand) float32 {
		return r.Float32() * float32(r.IntN(2)) * float32(math.Copysign(1, r.Float64()-0.5))
	}},
	{"tiny", func(r *rand.Rand) float32 { return r.Float32() * 0x1p-70 }},
	{"tiny short", func(r *rand.Rand) float32 { return float32(r.IntN(64)) * 0x1p-72 }},
	{"huge", func(r *rand.Rand) float32 { return (r.Float32() - 0.5) * 0x1p64 }},
	{"huge short", func(r *rand.Rand) float32 { return float32(r.IntN(64)) * 0x1p58 }},
	{"subnormal", func(r *rand.Rand) float32 { return math.Float32frombits(r.Uint32N(1 << 24)) }},
	{"special", func(r *rand.Rand) float32 {
		return [...]float32{0, 1, 2, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN())}[r.IntN(6)]
	}},
	{"any", func(r *rand.Rand) float32 { return math.Float32frombits(r.Uint32()) }},
}

// TestDot32 compares every way of carrying out the chain with primitive.FMA32 step by step.
func TestDot32(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var d Adder
	for _, av := range dotValues {
		for _, bv := range dotValues {
			for _, zv := range []int{6, r.IntN(len(dotValues)), r.IntN(len(dotValues))} {
				m, n, k := 1+r.IntN(5), 1+r.IntN(20), 1+r.IntN(40)
				fill := func(n int, pick func(*rand.Rand) float32) []float32 {
					v := make([]float32, n)
					for i := range v {
						v[i] = pick(r)
					}
					return v
				}
				a, b, z := fill(m*k, av.pick), fill(k*n, bv.pick), fill(m*n, dotValues[zv].pick)
				want := append([]float32(nil), z...)
				dotBy(axpy, want, a, b, m, n, k)
				f := func(v []float32) dtype.Buf { return dtype.BufOf(dtype.Float32, v) }
				d.loops(f(z), f(a), f(b), m, n, k)
				for i := range z {
					if math.Float32bits(z[i]) != math.Float32bits(want[i]) && (z[i] == z[i] || want[i] == want[i]) {
						t.Fatalf("%s × %s + %s, %d×%d×%d: element %d is %x, want %x", av.name, bv.name, dotValues[zv].name,
							m, n, k, i, math.Float32bits(z[i]), math.Float32bits(want[i]))
					}
				}
			}
		}
	}
}

// TestDotWidened runs the chain on all patterns of narrow floats, infinities and NaN
// included.
func TestDotWidened(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	var d Adder
	for range 300 {
		for from := dtype.Float8E5; from <= dtype.BFloat16; from++ {
			m, n, k := 1+r.IntN(4), 1+r.IntN(9), 1+r.IntN(9)
			fill := func(n int) dtype.Buf {
				b := dtype.NewBuf(dtype.Float32, n)
				for i := range n {
					b.SetBits(i, dtype.Convert(dtype.Float32, from, uint64(r.Uint32())&(1<<from.Bits()-1), false))
				}
				return b
			}
			a, b, z := fill(m*k), fill(k*n), fill(m*n)
			want := append([]float32(nil), dtype.View[float32](z)...)
			dotBy(axpy, want, dtype.View[float32](a), dtype.View[float32](b), m, n, k)
			d.loopsOf(from, z, a, b, m, n, k)
			for i, v := range want {
				if !sameBits(dtype.Float32, z.Bits(i), uint64(math.Float32bits(v))) {
					t.Fatalf("%s: element %d is %x, want %x", from, i, z.Bits(i), math.Float32bits(v))
				}
			}
		}
	}
}

// TestDotWays checks that the data of TestDot32 reaches every way.
func TestDotWays(t *testing.T) {
	ways := map[string]int{}
	r := rand.New(rand.NewPCG(5, 6))
	for _, av := range dotValues {
		v := make([]float32, 64)
		for i := range v {
			v[i] = av.pick(r)
		}
		switch f := factsOf(v); {
		case exactProducts(f, f):
			ways["short"]++
		case wideSums(f, f, facts{}, len(v)):
			ways["wide"]++
		default:
			ways["careful"]++
		}
	}
	for _, way := range []string{"short", "wide", "careful"} {
		if ways[way] < 3 {
			t.Errorf("%d kinds of data go the %s way", ways[way], way)
		}
	}
}

func TestDotColumns(t *testing.T) { // more columns than one panel has
	r := rand.New(rand.NewPCG(7, 8))
	const m, n, k = 2, 70, 2500
	a, b := make([]float32, m*k), make([]float32, k*n)
	for i := range a {
		a[i] = r.Float32()
	}
	for i := range b {
		b[i] = r.Float32()
	}
	z, want := make([]float32, m*n), make([]float32, m*n)
	new(Adder).dot32(z, a, b, m, n, k)
	dotBy(axpy, want, a, b, m, n, k)
	for i := range z {
		if z[i] != want[i] {
			t.Fatalf("element %d is %v, want %v", i, z[i], want[i])
		}
	}
}

func BenchmarkDot(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, v := range []int{0, 2} {
		b.Run(dotValues[v].name, func(b *testing.B) {
			const m, n, k = 16, 16, 32
			x, y, z := dtype.NewBuf(dtype.Float32, m*k), dtype.NewBuf(dtype.Float32, k*n), dtype.NewBuf(dtype.Float32, m*n)
			for _, buf := range []dtype.Buf{x, y} {
				for i := range buf.Len() {
					buf.SetBits(i, uint64(math.Float32bits(dotValues[v].pick(r))))
				}
			}
			for b.Loop() {
				AddAscending(z, x, y, m, n, k)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(m*n*k), "ns/fma")
		})
	}
}

// sameBits reports whether two values are equal bit for bit, or both no number.
func sameBits(d dtype.DType, x, y uint64) bool {
	v, w := dtype.ToFloat(d, x), dtype.ToFloat(d, y)
	return x == y || v != v && w != w
}
