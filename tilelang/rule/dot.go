package rule

import (
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// Widened32 is the type in which narrow integers are summed: 32 bits, Bool as unsigned.
func Widened32(d dtype.DType) dtype.DType {
	if d.IsInt() && d.Bits() < 32 {
		return dtype.Int32.WithSign(d.IsSigned())
	}
	return d
}

// Extremum32 is the type of Max and Min: narrow integers become int32, narrow floats float32.
func Extremum32(d dtype.DType) dtype.DType {
	if d.IsInt() && d.Bits() < 32 {
		return dtype.Int32
	}
	return d.Compute()
}

// DotSums is the dtype that a product of x and y adds up in, and has unless another is asked for.
func DotSums(x, y Type) (dtype.DType, *diag.Diagnostic) {
	switch {
	case x.D.IsPointer() || y.D.IsPointer():
		return 0, wrong("%s and %s: a pointer", x, y).Fix("load the elements first")
	case x.D != y.D && !(x.D.IsFP8() && y.D.IsFP8()):
		return 0, DifferInDType(x, y)
	case x.D.IsFloat():
		return x.D.Compute(), nil
	}
	return Widened32(x.D), nil
}

// DotAs checks the dtype that As asks for: products of float16 or fp8 may also be
// float16.
func DotAs(x, y Type, sums, asked dtype.DType) *diag.Diagnostic {
	if asked == sums || asked == dtype.Float16 && (x.D == dtype.Float16 || x.D.IsFP8()) {
		return nil
	}
	return wrong("%s and %s: As(%s), but they accumulate in %s", x, y, asked, sums).Fix("convert the result: tl.Dot(a, b).To(...)")
}

// DotShape is the shape of the product of [M,K] and [K,N], or of batches of them.
func DotShape(x, y Type) (z shape.Shape, d *diag.Diagnostic) {
	n := x.Shape.N
	if n != y.Shape.N || n != 2 && n != 3 {
		return z, wrong("%s and %s: both must be matrices, or batches of them", x, y).Fix("turn a vector into a matrix with Row or Col")
	}
	if k, l := x.Shape.D[n-1], y.Shape.D[n-2]; k != l {
		f := wrong("%s and %s: inner sizes differ: %d and %d", x, y, k, l)
		switch {
		case k == y.Shape.D[n-1]:
			return z, f.Fix("transpose the right operand: y.T()")
		case l == x.Shape.D[n-2]:
			return z, f.Fix("transpose the left operand: x.T()")
		}
		return z, f.Fix("the left operand's columns must match the right operand's rows: load both with the same block size")
	}
	if n == 3 && x.Shape.D[0] != y.Shape.D[0] {
		return z, wrong("%s and %s differ in the number of batches", x, y).Fix("repeat the single one with BroadcastTo")
	}
	return x.Shape.With(n-1, y.Shape.D[n-1]), nil
}

// DotAcc checks the accumulator of a product of type z.
func DotAcc(x, y, acc, z Type) *diag.Diagnostic {
	if acc == z {
		return nil
	}
	return wrong("the accumulator is %s, want %s", acc, z).Note("the operands are %s and %s", x, y).
		Fix("make it with tl.Zeros(tl.%s, ...), or give As", GoName(z.D))
}
