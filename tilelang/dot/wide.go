package dot

import (
	"math"

	"github.com/tiler-go/tiler/tilelang/op/primitive"
)

// The float32 chain in float64 arithmetic. A product of two float32 is exact in
// float64, and the sum is rounded to float32's 24 bits by integer arithmetic on its
// bit pattern: add half of the last place that stays, clear what goes. Two roundings
// differ from one only where the first gives a midpoint of the second's grid: adding
// half there leaves nothing to clear, which is the test. What wideSums excludes,
// overflow and subnormal results, cannot occur.

// panelSize is how many elements of b are widened at a time: they are read again for
// each row of a, from the second-level cache.
const panelSize = 32 << 10

// dotWide carries out the chain a panel of columns at a time.
func (d *Adder) dotWide(z, a, b []float32, m, n, k int) {
	width := max(16, min(n, panelSize/k))
	if need := width * k; cap(d.panel) < need {
		d.panel = make([]float64, need)
	}
	if cap(d.row) < width {
		d.row = make([]float64, width)
	}
	for lo := 0; lo < n; lo += width {
		hi := min(lo+width, n)
		panel, row := d.panel[:(hi-lo)*k], d.row[:hi-lo]
		for l := range k {
			widen(panel[l*(hi-lo):], b[l*n+lo:l*n+hi])
		}
		for i := range m {
			widen(row, z[i*n+lo:i*n+hi])
			wideRow(row, a[i*k:(i+1)*k], panel)
			narrow(z[i*n+lo:i*n+hi], row)
		}
	}
}

func widen(z []float64, x []float32) {
	z = z[:len(x)]
	for i, v := range x {
		z[i] = float64(v)
	}
}

func narrow(z []float32, x []float64) {
	z = z[:len(x)]
	for i, v := range x {
		z[i] = float32(v)
	}
}

// wideRow adds the product of the row x and the panel y to the row z.
func wideRow(z []float64, x []float32, y []float64) {
	n, l := len(z), 0
	for ; l+4 <= len(x); l += 4 {
		x0, x1, x2, x3 := float64(x[l]), float64(x[l+1]), float64(x[l+2]), float64(x[l+3])
		y0, y1, y2, y3 := y[l*n:(l+1)*n], y[(l+1)*n:(l+2)*n], y[(l+2)*n:(l+3)*n], y[(l+3)*n:(l+4)*n]
		for j := 0; ; j++ {
			j += wide4(z[j:], x0, x1, x2, x3, y0[j:], y1[j:], y2[j:], y3[j:])
			if j == n {
				break
			}
			w := step(z[j], x0*y0[j])
			w = step(w, x1*y1[j])
			w = step(w, x2*y2[j])
			z[j] = step(w, x3*y3[j])
		}
	}
	for ; l < len(x); l++ {
		v, row := float64(x[l]), y[l*n:(l+1)*n]
		for j := range z {
			z[j] = step(z[j], v*row[j])
		}
	}
}

// wide4 takes four steps of each chain. It stops before the first element where a
// sum lies at a midpoint, and returns how many it has done.
func wide4(z []float64, x0, x1, x2, x3 float64, y0, y1, y2, y3 []float64) int {
	y0, y1, y2, y3 = y0[:len(z)], y1[:len(z)], y2[:len(z)], y3[:len(z)]
	for j := range z {
		b := math.Float64bits(float64(x0*y0[j])+z[j]) + primitive.HalfLast
		if b&primitive.Dropped == 0 {
			return j
		}
		b = math.Float64bits(float64(x1*y1[j])+math.Float64frombits(b&^primitive.Dropped)) + primitive.HalfLast
		if b&primitive.Dropped == 0 {
			return j
		}
		b = math.Float64bits(float64(x2*y2[j])+math.Float64frombits(b&^primitive.Dropped)) + primitive.HalfLast
		if b&primitive.Dropped == 0 {
			return j
		}
		b = math.Float64bits(float64(x3*y3[j])+math.Float64frombits(b&^primitive.Dropped)) + primitive.HalfLast
		if b&primitive.Dropped == 0 {
			return j
		}
		z[j] = math.Float64frombits(b &^ primitive.Dropped)
	}
	return len(z)
}

// step is one step of a chain, p being the exact product.
func step(w, p float64) float64 {
	b := math.Float64bits(p+w) + primitive.HalfLast
	if b&primitive.Dropped != 0 {
		return math.Float64frombits(b &^ primitive.Dropped)
	}
	return float64(float32(primitive.SumToOdd(p, w)))
}
