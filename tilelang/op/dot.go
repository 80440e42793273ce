package op

import (
	"fmt"
	"math"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// DotChain adds the product of a (m×k) and b (k×n), dense and row-major, to z (m×n):
// z[i,j] = fma(a[i,l], b[l,j], z[i,j]) for l = 0 ... k-1 in that order. All have one
// element type: a wide float, or an integer, which wraps.
func DotChain(z, a, b dtype.Buf, m, n, k int) {
	switch z.DType() {
	case dtype.Float32:
		dot32(dtype.View[float32](z), dtype.View[float32](a), dtype.View[float32](b), m, n, k)
	case dtype.Float64:
		dotBy(fma64, dtype.View[float64](z), dtype.View[float64](a), dtype.View[float64](b), m, n, k)
	case dtype.Int32, dtype.Uint32:
		dotBy(mulAdd[uint32], dtype.View[uint32](z), dtype.View[uint32](a), dtype.View[uint32](b), m, n, k)
	case dtype.Int64, dtype.Uint64:
		dotBy(mulAdd[uint64], dtype.View[uint64](z), dtype.View[uint64](a), dtype.View[uint64](b), m, n, k)
	default:
		panic(fmt.Sprintf("op.DotChain: %s", z.DType()))
	}
}

// dotBy runs the chains of a row of z side by side: one row of b at a time, times
// one element of a.
func dotBy[T dtype.Elem](fma func(z, x, y, w []T), z, a, b []T, m, n, k int) {
	splat := make([]T, n)
	for i := range m {
		row := z[i*n : (i+1)*n]
		for l := range k {
			v := a[i*k+l]
			for j := range splat {
				splat[j] = v
			}
			fma(row, splat, b[l*n:(l+1)*n], row)
		}
	}
}

func mulAdd[T unsigned](z, x, y, w []T) {
	for i := range z {
		z[i] = x[i]*y[i] + w[i]
	}
}

// dot32 is dotBy for float32, with the scalar factor in a register and two steps of
// the chain at a time.
func dot32(z, a, b []float32, m, n, k int) {
	for i := range m {
		row := z[i*n : (i+1)*n]
		l := 0
		for ; l+1 < k; l += 2 {
			axpy2(row, float64(a[i*k+l]), b[l*n:(l+1)*n], float64(a[i*k+l+1]), b[(l+1)*n:(l+2)*n])
		}
		if l < k {
			axpy(row, a[i*k+l], b[l*n:(l+1)*n])
		}
	}
}

func axpy(z []float32, x float32, y []float32) {
	y = y[:len(z)]
	for j := range z {
		z[j] = FMA32(x, y[j], z[j])
	}
}

// axpy2 is two fused steps per element; see FMA32 for the test of the fast path.
func axpy2(z []float32, x0 float64, y0 []float32, x1 float64, y1 []float32) {
	y0, y1 = y0[:len(z)], y1[:len(z)]
	for j := range z {
		w := z[j]
		s := x0*float64(y0[j]) + float64(w)
		b := math.Float64bits(s)
		if b&0x1fffffff == 0x10000000 || b<<1 < (1023-126)<<53 {
			w = FMA32(float32(x0), y0[j], w)
		} else {
			w = float32(s)
		}
		s = x1*float64(y1[j]) + float64(w)
		b = math.Float64bits(s)
		if b&0x1fffffff == 0x10000000 || b<<1 < (1023-126)<<53 {
			z[j] = FMA32(float32(x1), y1[j], w)
		} else {
			z[j] = float32(s)
		}
	}
}
