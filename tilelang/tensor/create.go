package tensor

import (
	"math"
	"slices"

	"github.com/tiler-go/tiler/tilelang/cast"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor/stride"
)

// alloc is a new contiguous tensor of zeros.
func alloc(op string, d dtype.DType, shape []int) *Tensor {
	checkShape(op, d, shape)
	return wrap(dtype.Alloc("a tensor", d, stride.Len(shape)), slices.Clone(shape))
}

// wrap is a contiguous tensor over b, whose length is that of shape.
func wrap(b dtype.Buf, shape []int) *Tensor {
	return &Tensor{st: newStorage(b), d: b.DType(), shape: shape, strides: stride.RowMajor(shape), n: b.Len()}
}

// Zeros is a tensor of zeros. Without a shape it has rank 0: one element.
func Zeros(d dtype.DType, shape ...int) *Tensor { return alloc("Zeros", d, shape) }

// Ones is a tensor of ones.
func Ones(d dtype.DType, shape ...int) *Tensor {
	x := alloc("Ones", d, shape)
	x.st.buf.Fill(dtype.FromInt(d, 1, false))
	return x
}

// Full is a tensor whose elements are all v: any Go integer, float or bool. A number
// is rounded to a float dtype; an integer dtype takes only the whole numbers in its
// range, and Bool only true, false, 1 and 0.
func Full(d dtype.DType, v any, shape ...int) *Tensor {
	x := alloc("Full", d, shape)
	x.st.buf.Fill(scalar("Full", d, v))
	return x
}

// Empty is a tensor whose memory counts as never written: Undefined reports true
// until everything has been, and a check of a kernel reports what reads it. So that
// a mistake shows in the values too, and the same way each time, floats start as NaN
// and integers as the largest value.
func Empty(d dtype.DType, shape ...int) *Tensor {
	x := alloc("Empty", d, shape)
	if d.IsFloat() {
		x.st.buf.Fill(dtype.FromFloat(d, math.NaN()))
	} else {
		x.st.buf.Fill(d.MaxInt())
	}
	x.st.written.Store(&bitset{})
	return x
}

// Arange is the numbers lo to hi (exclusive) in order. They must be values of d if d
// is an integer dtype, and are rounded if it is a float.
func Arange(d dtype.DType, lo, hi int) *Tensor {
	if hi < lo || hi-lo < 0 {
		fail("Arange: no numbers from %d to %d", lo, hi)
	}
	x := alloc("Arange", d, []int{hi - lo})
	if hi > lo {
		checkFits("Arange", d, lo, hi-1)
	}
	cast.Fill(x.st.buf, dtype.Int64, func(i int) int64 { return int64(lo + i) })
	return x
}

// checkFits fails unless lo to hi are values of the integer dtype d.
func checkFits(op string, d dtype.DType, lo, hi int) {
	if !d.IsFloat() && (!d.FitsInt(int64(lo)) || !d.FitsInt(int64(hi))) {
		fail("%s: %d to %d are not all values of %s", op, lo, hi, d)
	}
}
