package dot

import (
	"math"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op/primitive"
)

// AddPairs adds the product of a (m×k) and b (k×n), dense and row-major, to z (m×n) as
// hardware multiplies bfloat16 (VDPBF16PS): the chain takes pairs of k in order, of each
// pair the odd element first,
//
//	z = step(a[i,2l+1], b[2l+1,j], z)
//	z = step(a[i,2l], b[2l,j], z)
//
// and where k is odd, zeros as the partner of the last element. All are float32, a and b
// with values of bfloat16.
//
// A step is x·y + z rounded once, to nearest even, but for subnormals: those among x, y
// and z count as zeros of their sign, and so does a result that would be below 2^-126
// were it rounded to 24 bits. (What rounds up to 2^-126 stays, as after x86's other
// float32 operations that flush.)
func AddPairs(z, a, b dtype.Buf, m, n, k int) {
	x, y, w := dtype.View[float32](a)[:m*k], dtype.View[float32](b)[:k*n], dtype.View[float32](z)[:m*n]
	pair := carefulPair
	if neverTiny(factsOf(x), factsOf(y), factsOf(w)) {
		pair = plainPair
	}
	for i := range m {
		sums, row, l := w[i*n:(i+1)*n], x[i*k:(i+1)*k], 0
		for ; l+1 < k; l += 2 {
			pair(sums, row[l+1], row[l], y[(l+1)*n:(l+2)*n], y[l*n:(l+1)*n])
		}
		if l < k {
			lastOfPair(sums, row[l], y[l*n:(l+1)*n])
		}
	}
}

// carefulPair takes both steps of a pair, for a row of chains.
func carefulPair(z []float32, odd, even float32, odds, evens []float32) {
	odds, evens = odds[:len(z)], evens[:len(z)]
	for j := range z {
		z[j] = pairStep(even, evens[j], pairStep(odd, odds[j], z[j]))
	}
}

// lastOfPair is carefulPair with zeros for the odd elements.
func lastOfPair(z []float32, even float32, evens []float32) {
	evens = evens[:len(z)]
	for j := range z {
		z[j] = pairStep(even, evens[j], pairStep(0, 0, z[j]))
	}
}

// plainPair is carefulPair where products are exact and nothing is ever subnormal.
func plainPair(z []float32, odd, even float32, odds, evens []float32) {
	odds, evens = odds[:len(z)], evens[:len(z)]
	for j := range z {
		w := z[j] + float32(odd*odds[j])
		z[j] = w + float32(even*evens[j])
	}
}

// neverTiny reports whether products of an x and a y are exact, and they and their sums
// with a w zeros or multiples of 2^-126, none of them subnormal.
func neverTiny(x, y, w facts) bool {
	return exactProducts(x, y) && finestBit(x, y) >= -126 && !w.odd && w.lo-w.width+1 >= -126
}

// notTiny is the least magnitude that rounds up to 2^-126 on the grid of 24 bits below it.
const notTiny = 0x1p-126 - 0x1p-151

// pairStep is a step of AddPairs. The float64 sum is exact where it is compared: a
// product has 16 bits, and one that is added to a normal w and leaves less than 2^-125
// is either below 2^-151, so that the sum is not tiny, or a multiple of 2^-168.
func pairStep(x, y, w float32) float32 {
	x, y, w = flushed(x), flushed(y), flushed(w)
	s := float64(x)*float64(y) + float64(w)
	switch b := math.Float64bits(s); {
	case math.Abs(s) < notTiny:
		return float32(math.Copysign(0, s))
	case b&primitive.Dropped != primitive.HalfLast:
		return float32(s)
	}
	return float32(primitive.SumToOdd(float64(x)*float64(y), float64(w)))
}

// flushed is x, or a zero of its sign if x is subnormal.
func flushed(x float32) float32 {
	if b := math.Float32bits(x); b<<1 < 1<<24 {
		return math.Float32frombits(b &^ (1<<31 - 1))
	}
	return x
}
