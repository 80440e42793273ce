package tensor

import (
	"slices"

	"github.com/tiler-go/tiler/tilelang/cast"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor/stride"
)

// Fill stores v, a Go integer, float or bool, into every element, with the rules of
// Full.
func (x *Tensor) Fill(v any) {
	x.must("Fill")
	bits := scalar("Fill", x.d, v)
	switch {
	case x.n == 0:
		return
	case !x.HasGaps():
		x.span().Fill(bits)
	default:
		b := x.st.buf
		x.rows(func(lo, n, step int) {
			if step == 1 {
				b.Slice(lo, lo+n).Fill(bits)
				return
			}
			for i := range n {
				b.SetBits(lo+i*step, bits)
			}
		})
	}
	x.MarkDefined()
}

// rows calls fn for runs of x's elements: n of them from storage index lo, step
// apart.
func (x *Tensor) rows(fn func(lo, n, step int)) {
	l := stride.NewLoop(x.shape, x.strides, x.strides)
	n, step, _ := l.Inner()
	l.Each(func(i, _ int) { fn(x.off+i, n, step) })
}

// CopyFrom stores y's elements into x's. y's shape must be x's or expand to it; its
// values are converted as To does. It is right for views that overlap too: y is
// read before x is written. Elements of y that are undefined make those of x so.
func (x *Tensor) CopyFrom(y *Tensor) {
	x.real("CopyFrom")
	y.real("CopyFrom")
	if !stride.Expands(y.shape, x.shape) {
		fail("CopyFrom: %s does not expand to %s", y.desc(), x.desc())
	}
	if x.n == 0 {
		return
	}
	if x.Overlaps(y) {
		y = y.Clone()
	}
	if y.d != x.d {
		y = y.To(x.d)
	}
	y = y.Expand(x.shape...)
	copyBits(x, y)
	copyDefined(x, y)
}

// copyBits copies between tensors of one shape and width that do not overlap.
func copyBits(x, y *Tensor) {
	l := stride.NewLoop(x.shape, x.strides, y.strides)
	xb, yb := x.span(), y.span()
	switch x.d.Size() {
	case 1:
		stride.Copy(dtype.View[uint8](xb), dtype.View[uint8](yb), l)
	case 2:
		stride.Copy(dtype.View[uint16](xb), dtype.View[uint16](yb), l)
	case 4:
		stride.Copy(dtype.View[uint32](xb), dtype.View[uint32](yb), l)
	default:
		stride.Copy(dtype.View[uint64](xb), dtype.View[uint64](yb), l)
	}
}

// copyDefined makes the elements of x as defined as those of y.
func copyDefined(x, y *Tensor) {
	if !y.Undefined() {
		x.MarkDefined()
		return
	}
	l := stride.NewLoop(x.shape, x.strides, y.strides)
	n, a, b := l.Inner()
	l.Each(func(i, j int) {
		for range n {
			if at := x.off + i; y.st.defined(y.off+j, y.off+j+1) {
				x.st.define(at, at+1)
			} else {
				x.st.undefine(at, at+1)
			}
			i, j = i+a, j+b
		}
	})
}

// Clone is a contiguous copy of x in memory of its own.
func (x *Tensor) Clone() *Tensor {
	checkShape("Clone", x.real("Clone").d, x.shape)
	y := wrap(dtype.Alloc("a tensor", x.d, x.n), slices.Clone(x.shape))
	copyBits(y, x)
	copyDefined(y, x)
	return y
}

// Contiguous is x if IsContiguous, else a Clone.
func (x *Tensor) Contiguous() *Tensor {
	if x.must("Contiguous").IsContiguous() {
		return x
	}
	return x.Clone()
}

// To is x converted to another dtype: a contiguous copy, or x itself if it has that
// dtype. A float is rounded to nearest even; from float to integer is truncated and
// saturates, NaN gives 0; integers wrap; Bool is whether the value is not zero.
func (x *Tensor) To(d dtype.DType) *Tensor {
	x.real("To")
	if d == x.d {
		return x
	}
	checkShape("To", d, x.shape)
	src := x.Contiguous()
	y := wrap(dtype.Alloc("a tensor", d, x.n), slices.Clone(x.shape))
	cast.Convert(y.st.buf, src.span())
	copyDefined(y, src)
	return y
}
