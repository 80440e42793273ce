package elementwise

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestFactor: products with factors of constants, shifted and rounded toward 0, are quotients, next to multiples of the
// constant and at the ends.
func TestFactor(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	divisors := []int64{2, 3, 5, 6, 7, 10, 49, 77, 641, 1<<16 - 1, 1 << 16, 46341, 1<<30 + 1}
	divisors = append(divisors, math.MaxInt32-1, math.MaxInt32)
	for range 2000 {
		divisors = append(divisors, max(2, int64(r.Uint32()>>r.IntN(31)>>1)))
	}
	for _, y := range divisors {
		f := factorOf(uint64(y))
		if f.m >= 1<<32 || f.shift > 31 {
			t.Fatalf("%d has the factor %d, shifted by %d", y, f.m, f.shift)
		}
		last := math.MaxInt32 / y * y
		for range 100 {
			m := int64(int32(r.Uint32())) / y * y
			for _, x := range []int64{m - 1, m, m + 1, last - 1, last, -last, 1 - last, math.MaxInt32, math.MinInt32, 0} {
				if x < math.MinInt32 || x > math.MaxInt32 {
					continue
				}
				if got := (x*int64(f.m))>>32>>f.shift - x>>63; got != x/y {
					t.Fatalf("%d / %d is %d, want %d", x, y, got, x/y)
				}
			}
		}
	}
}
