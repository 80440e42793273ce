package elementwise

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
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

// TestKnownInverse: products with inverses of constants, shifted, are quotients of 64 bits.
func TestKnownInverse(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	divisors := []uint64{1, 2, 3, 7, 10, 641, 1 << 32, 1<<32 + 1, 1<<63 - 1, 1 << 63, 1<<63 + 1, math.MaxUint64}
	for range 2000 {
		divisors = append(divisors, max(r.Uint64()>>r.IntN(64), 1))
	}
	for _, y := range divisors {
		for _, d := range []dtype.DType{dtype.Int64, dtype.Uint64} {
			if d == dtype.Int64 && y > math.MaxInt64 {
				continue
			}
			z := knownInverse(d, y)
			greatest := uint64(1) << 63
			if d == dtype.Uint64 {
				greatest = math.MaxUint64
			}
			last := greatest / y * y
			for _, x := range []uint64{0, 1, y - 1, y, last - 1, last, greatest, r.Uint64() % greatest} {
				if got := quotientBy(z, x); got != x/y {
					t.Fatalf("%d / %d is %d, want %d (%v)", x, y, got, x/y, d)
				}
			}
		}
	}
}

// quotientBy is what code does.
func quotientBy(z wideInverse, x uint64) uint64 {
	t, _ := bits.Mul64(x, z.m.Bits)
	switch z.way {
	case byShift:
		return x >> z.shift.Bits
	case byProduct:
		return t >> z.shift.Bits
	}
	return (t + (x-t)>>z.half.Bits) >> z.shift.Bits
}
