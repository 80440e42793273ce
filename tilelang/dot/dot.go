package dot

import (
	"fmt"
	"math"
	"math/bits"
	"sync"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op/primitive"
)

// AddAscending adds the product of a (m×k) and b (k×n), dense and row-major, to z (m×n):
// z[i,j] = fma(a[i,l], b[l,j], z[i,j]) for l = 0 ... k-1 in that order. All have one
// element type: a wide float, or an integer, which wraps.
func AddAscending(z, a, b dtype.Buf, m, n, k int) {
	d := adders.Get().(*Adder)
	d.Chain(z, a, b, m, n, k)
	adders.Put(d)
}

var adders = sync.Pool{New: func() any { return new(Adder) }}

// A Adder carries out AddAscending and keeps the memory that it takes from one call to
// the next. It serves one goroutine; the zero value is ready.
type Adder struct {
	panel []float64 // of columns of b, widened
	row   []float64 // of z, widened

	chains []float32 // the two of a row of AddTiles

	edge32  edge[float32]
	edge64  edge[float64]
	edgeInt edge[uint32]
}

// Chain is AddAscending.
func (d *Adder) Chain(z, a, b dtype.Buf, m, n, k int) {
	if !d.vector(z, a, b, m, n, k) {
		d.loops(z, a, b, m, n, k)
	}
}

// loops is the chain in Go: what it means, and what runs where vector has no blocks.
func (d *Adder) loops(z, a, b dtype.Buf, m, n, k int) {
	switch z.DType() {
	case dtype.Float32:
		d.dot32(dtype.View[float32](z), dtype.View[float32](a), dtype.View[float32](b), m, n, k)
	case dtype.Float64:
		dotBy(axpy64, dtype.View[float64](z), dtype.View[float64](a), dtype.View[float64](b), m, n, k)
	case dtype.Int32, dtype.Uint32:
		dotBy(mulAdd[uint32], dtype.View[uint32](z), dtype.View[uint32](a), dtype.View[uint32](b), m, n, k)
	case dtype.Int64, dtype.Uint64:
		dotBy(mulAdd[uint64], dtype.View[uint64](z), dtype.View[uint64](a), dtype.View[uint64](b), m, n, k)
	default:
		panic(fmt.Sprintf("op.AddAscending: %s", z.DType()))
	}
}

// Widened is Chain for float32 operands that were widened from d: float16 and the
// 8-bit floats need no look at the data, their products are exact.
func (d *Adder) Widened(from dtype.DType, z, a, b dtype.Buf, m, n, k int) {
	if !d.vector(z, a, b, m, n, k) {
		d.loopsOf(from, z, a, b, m, n, k)
	}
}

// loopsOf is loops for Widened.
func (d *Adder) loopsOf(from dtype.DType, z, a, b dtype.Buf, m, n, k int) {
	if from == dtype.Float16 || from.IsFP8() {
		dotShort(dtype.View[float32](z), dtype.View[float32](a), dtype.View[float32](b), m, n, k)
		return
	}
	d.loops(z, a, b, m, n, k)
}

// dotBy runs the chains of a row of z side by side: one row of b at a time, times
// one element of a.
func dotBy[T dtype.Elem](axpy func(z []T, x T, y []T), z, a, b []T, m, n, k int) {
	for i := range m {
		row := z[i*n : (i+1)*n]
		for l := range k {
			axpy(row, a[i*k+l], b[l*n:(l+1)*n])
		}
	}
}

func mulAdd[T ~uint8 | ~uint16 | ~uint32 | ~uint64](z []T, x T, y []T) {
	y = y[:len(z)]
	for j := range z {
		z[j] += x * y[j]
	}
}

func axpy64(z []float64, x float64, y []float64) {
	y = y[:len(z)]
	for j := range z {
		z[j] = math.FMA(x, y[j], z[j])
	}
}

// dot32 chooses a way to carry out float32's chain that has its bits for the
// operands at hand.
func (d *Adder) dot32(z, a, b []float32, m, n, k int) {
	x, y, w := factsOf(a[:m*k]), factsOf(b[:k*n]), factsOf(z[:m*n])
	switch {
	case exactProducts(x, y):
		dotShort(z, a, b, m, n, k)
	case wideSums(x, y, w, k):
		d.dotWide(z, a, b, m, n, k)
	default:
		dotBy(axpy, z, a, b, m, n, k)
	}
}

// facts are bounds on float32 values: each but zero is an integer below 2^width times
// a power of two, and lies between 2^lo and 2^(hi+1).
type facts struct {
	width, lo, hi int
	odd           bool // some are infinite, NaN or subnormal, which the bounds do not cover
}

func factsOf(v []float32) facts {
	least, most, all := ^uint32(0), uint32(0), uint32(0) // magnitudes; least is one less
	for _, x := range v {
		b := math.Float32bits(x) &^ (1 << 31)
		least, most, all = min(least, b-1), max(most, b), all|b
	}
	if most == 0 {
		return facts{}
	}
	return facts{
		width: 24 - bits.TrailingZeros32(all|1<<23),
		lo:    int((least+1)>>23) - 127,
		hi:    int(most>>23) - 127,
		odd:   least+1 < 1<<23 || most >= 255<<23,
	}
}

// exactProducts reports whether every product of an x and a y is a float32, so that
// an ordinary product and sum round once.
func exactProducts(x, y facts) bool {
	return x.width+y.width <= 24 && !x.odd && !y.odd &&
		x.hi+y.hi+2 <= 127 && finestBit(x, y) >= -149
}

// finestBit is the exponent of the last bit that a product can have.
func finestBit(x, y facts) int { return x.lo - x.width + 1 + y.lo - y.width + 1 }

// wideSums reports whether chains of k products x·y that begin with a w stay where
// float32's grid has 24 bits and does not end: below 2^127, and on a grid no finer
// than that of its subnormals.
func wideSums(x, y, w facts, k int) bool {
	if x.odd || y.odd || k > 1<<22 {
		return false
	}
	terms := 0 // k <= 2^terms
	for 1<<terms < k {
		terms++
	}
	return x.hi+y.hi+2+terms <= 125 && w.hi+1 <= 126 && finestBit(x, y) >= -149
}

// dotShort is the chain where products are exact.
func dotShort(z, a, b []float32, m, n, k int) {
	for i := range m {
		row, l := z[i*n:(i+1)*n], 0
		for ; l+4 <= k; l += 4 {
			x, y := a[i*k+l:i*k+l+4], b[l*n:(l+4)*n]
			short4(row, x[0], x[1], x[2], x[3], y[:n], y[n:2*n], y[2*n:3*n], y[3*n:])
		}
		for ; l < k; l++ {
			short1(row, a[i*k+l], b[l*n:(l+1)*n])
		}
	}
}

func short1(z []float32, x float32, y []float32) {
	y = y[:len(z)]
	for j := range z {
		z[j] += float32(x * y[j])
	}
}

func short4(z []float32, x0, x1, x2, x3 float32, y0, y1, y2, y3 []float32) {
	y0, y1, y2, y3 = y0[:len(z)], y1[:len(z)], y2[:len(z)], y3[:len(z)]
	for j := range z {
		w := z[j] + float32(x0*y0[j])
		w += float32(x1 * y1[j])
		w += float32(x2 * y2[j])
		z[j] = w + float32(x3*y3[j])
	}
}

func axpy(z []float32, x float32, y []float32) {
	y = y[:len(z)]
	for j := range z {
		z[j] = primitive.FMA32(x, y[j], z[j])
	}
}
