package affine

import (
	"math"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// LowerOnes reports whether x is a square of 1 where no column is after the row, and +0 elsewhere, by which prefix sums
// are written as products.
func LowerOnes(x *ir.Value) bool {
	for x.Op == op.Cast && x.Type.D.IsFloat() && x.Args[0].Type.D.IsFloat() {
		x = x.Args[0]
	}
	if s := x.Type.Shape; s.N != 2 || s.D[0] != s.D[1] || !x.Type.D.IsFloat() {
		return false
	}
	var in *ir.Value
	switch {
	case x.Op == op.Cast && x.Args[0].Type.D == dtype.Bool:
		in = x.Args[0]
	case x.Op == op.Where && repeatsNumber(x.Args[1], 1) && repeatsNumber(x.Args[2], 0):
		in = x.Args[0]
	}
	if in == nil || in.Op != op.Ge && in.Op != op.Le {
		return false
	}
	row, col := in.Args[0], in.Args[1]
	if in.Op == op.Le {
		row, col = col, row
	}
	i := numbersAlong(row, 0)
	return i != nil && i == numbersAlong(col, 1)
}

// repeatsNumber reports whether all elements of x are a number, and not -0.
func repeatsNumber(x *ir.Value, n float64) bool {
	c := RepeatedConst(x)
	if c == nil {
		return false
	}
	have := dtype.ToFloat(c.Type.D, c.Bits)
	return have == n && !math.Signbit(have)
}

// numbersAlong is ascending numbers that x has along a dimension of two, and across it the same; nil if it has none.
func numbersAlong(x *ir.Value, dim int) *ir.Value {
	if x.Op != op.Broadcast || x.Args[0].Op != op.Reshape {
		return nil
	}
	line := x.Args[0]
	if n := line.Args[0]; n.Op == op.Arange && line.Type.Shape.N == 2 && line.Type.Shape.D[1-dim] == 1 {
		return n
	}
	return nil
}
