package primitive

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestScale(t *testing.T) {
	one, ulp := float32(1), f32(1)
	tests := []struct{ x, n, want float32 }{
		{one, 10, 1024}, {3, -149, f32(3)}, {one + 0x1p-23, -149, ulp}, {3, -151, f32(1)}, {5, -151, f32(1)}, {1, -150, 0},
		{ulp, 149, 1}, {ulp, 276, 0x1p127}, {1, 1000, float32(math.Inf(1))}, {-1, -1000, float32(math.Copysign(0, -1))},
	}
	for _, x := range tests {
		z := []float32{0}
		scale32(z, []float32{x.x}, []float32{x.n})
		if math.Float32bits(z[0]) != math.Float32bits(x.want) {
			t.Errorf("scale(%v, %v) = %v, want %v", x.x, x.n, z[0], x.want)
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 200_000 {
		x := math.Float64frombits(r.Uint64())
		n := r.IntN(4400) - 2200
		if x != x {
			continue
		}
		if got, want := ldexp(x, n), exactScale(x, n); math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("scale(%x, %d) = %x, want %x", x, n, got, want)
		}
	}
}

// exactScale is x·2^n rounded once.
func exactScale(x float64, n int) float64 {
	if x == 0 || math.IsInf(x, 0) {
		return x
	}
	z := new(big.Float).SetFloat64(x)
	f, _ := z.SetMantExp(z, n).Float64()
	if f == 0 {
		return math.Copysign(0, x)
	}
	return f
}
