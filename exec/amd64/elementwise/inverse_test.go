package elementwise

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestInverse: products with inverses truncate to quotients, next to multiples of the divisor and at the ends.
func TestInverse(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	divisors := []int64{1, -1, 2, 3, -3, 7, 127, 65535, 65536, 46341}
	divisors = append(divisors, math.MaxInt32, math.MinInt32, math.MaxUint32, math.MaxUint32-1)
	for range 2000 {
		divisors = append(divisors, int64(int32(r.Uint32()))>>r.IntN(31)|1)
	}
	for _, d := range divisors {
		inverse := above1 / float64(d)
		for range 100 {
			m := int64(r.Uint32()) / max(d, -d) * d
			for _, x := range []int64{m - 1, m, m + 1, -m, math.MaxInt32, math.MinInt32, math.MaxUint32, 0} {
				if got := int64(float64(x) * inverse); max(x, -x) <= math.MaxUint32 && got != x/d {
					t.Fatalf("%d / %d is %d, want %d", x, d, got, x/d)
				}
			}
		}
	}
}
