package strided

import (
	"math"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// A Line is a formula of elements: start + Σ index·step.
type Line struct {
	Start int64
	Step  [shape.MaxRank]int64
}

// Ends is the least and the greatest element of a line that is small.
func (a *Line) Ends(s shape.Shape) (lo, hi int64) {
	lo, hi = a.Start, a.Start
	for k, d := range s.D[:s.N] {
		if span := a.Step[k] * int64(d-1); span < 0 {
			lo += span
		} else {
			hi += span
		}
	}
	return lo, hi
}

// Small reports whether all elements are so far from the limits of int64 that none wraps.
func (a *Line) Small(s shape.Shape) bool {
	m := math.Abs(float64(a.Start))
	for k, d := range s.D[:s.N] {
		m += math.Abs(float64(a.Step[k])) * float64(d-1)
	}
	return m < 1<<60
}

// At is the element at an index.
func (a *Line) At(index *[shape.MaxRank]int, n int) int64 {
	v := a.Start
	for k := range n {
		v += int64(index[k]) * a.Step[k]
	}
	return v
}

// Ramp fills z with the elements of the line, from lane lo of a shape on.
func (a *Line) Ramp(z dtype.Buf, s shape.Shape, lo int) {
	if z.DType().Size() == 4 {
		rampAs(dtype.View[int32](z), a, s, lo)
	} else {
		rampAs(dtype.View[int64](z), a, s, lo)
	}
}

func rampAs[T int32 | int64](z []T, a *Line, s shape.Shape, lo int) {
	r := RowsFrom(s, lo, len(z))
	step := T(a.Step[max(s.N-1, 0)])
	for at := 0; ; {
		n := r.Run()
		if n == 0 {
			return
		}
		v := T(a.At(&r.At, s.N))
		for i := range z[at : at+n] {
			z[at+i] = v
			v += step
		}
		at += n
		r.Skip(n)
	}
}
