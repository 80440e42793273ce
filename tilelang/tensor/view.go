package tensor

import (
	"slices"

	"github.com/tiler-go/tiler/tilelang/tensor/stride"
)

// Slice is the elements lo to hi (exclusive) of one dimension: a view. A negative
// dim counts from the last.
func (x *Tensor) Slice(dim, lo, hi int) *Tensor { return x.slice("Slice", dim, lo, hi, 1) }

// SliceStep is every step-th element from lo to hi (exclusive) of one dimension: a
// view. step is at least 1.
func (x *Tensor) SliceStep(dim, lo, hi, step int) *Tensor {
	return x.slice("SliceStep", dim, lo, hi, step)
}

func (x *Tensor) slice(op string, dim, lo, hi, step int) *Tensor {
	k := x.dim(op, dim)
	if lo < 0 || hi < lo || hi > x.shape[k] {
		fail("%s: [%d:%d] is outside dimension %d of %s", op, lo, hi, k, x.desc())
	}
	if step < 1 {
		fail("%s: step %d: it must be at least 1", op, step)
	}
	shape, strides := slices.Clone(x.shape), slices.Clone(x.strides)
	off := x.off + lo*strides[k]
	shape[k] = hi - lo
	if step > 1 {
		shape[k] = (hi - lo) / step
		if (hi-lo)%step != 0 {
			shape[k]++
		}
		if shape[k] <= 1 {
			step = 1 // the stride of a single element is never followed
		}
		strides[k] *= step
	}
	return x.view(shape, strides, off)
}

// Select is element i of one dimension, which goes away: a view.
func (x *Tensor) Select(dim, i int) *Tensor {
	k := x.dim("Select", dim)
	if i < 0 || i >= x.shape[k] {
		fail("Select: index %d is outside dimension %d of %s", i, k, x.desc())
	}
	return x.view(without(x.shape, k), without(x.strides, k), x.off+i*x.strides[k])
}

func without(v []int, k int) []int { return slices.Delete(slices.Clone(v), k, k+1) }

// Transpose is x with two dimensions exchanged: a view.
func (x *Tensor) Transpose(i, j int) *Tensor {
	i, j = x.dim("Transpose", i), x.dim("Transpose", j)
	shape, strides := slices.Clone(x.shape), slices.Clone(x.strides)
	shape[i], shape[j] = shape[j], shape[i]
	strides[i], strides[j] = strides[j], strides[i]
	return x.view(shape, strides, x.off)
}

// T is x with its last two dimensions exchanged: a view.
func (x *Tensor) T() *Tensor {
	if len(x.must("T").shape) < 2 {
		fail("T: %s has fewer than 2 dimensions", x.desc())
	}
	return x.Transpose(-2, -1)
}

// Permute is x with its dimensions in another order, each named once: a view.
func (x *Tensor) Permute(order ...int) *Tensor {
	x.must("Permute")
	if len(order) != len(x.shape) {
		fail("Permute: order %s does not name the %d dimensions of %s", dims(order), len(x.shape), x.desc())
	}
	shape, strides := make([]int, len(order)), make([]int, len(order))
	var seen [MaxRank]bool
	for k, d := range order {
		d = x.dim("Permute", d)
		if seen[d] {
			fail("Permute: order %s names a dimension of %s twice", dims(order), x.desc())
		}
		seen[d] = true
		shape[k], strides[k] = x.shape[d], x.strides[d]
	}
	return x.view(shape, strides, x.off)
}

// Reshape is x's elements, in row-major order, in another shape of as many elements;
// one dimension may be -1 and is inferred. It is a view and never copies: where
// the strides do not allow one it fails, and Contiguous().Reshape(…) works.
func (x *Tensor) Reshape(shape ...int) *Tensor {
	x.must("Reshape")
	shape = infer("Reshape", x.n, shape, x.desc)
	strides, ok := stride.Reshape(x.shape, x.strides, shape, x.n)
	if !ok {
		fail("Reshape: no view of %s with strides %s has shape %s: call Contiguous() first",
			x.desc(), dims(x.strides), dims(shape))
	}
	return x.view(shape, strides, x.off)
}

// infer checks that shape has n elements and fills in a -1.
func infer(op string, n int, asked []int, what func() string) []int {
	shape := slices.Clone(asked)
	open := slices.Index(shape, -1)
	if open >= 0 {
		shape[open] = 1
	}
	if e := stride.Check(shape); e != "" {
		fail("%s: shape %s has %s", op, dims(asked), e)
	}
	have := stride.Len(shape)
	if open >= 0 {
		if have == 0 || n%have != 0 {
			fail("%s: no size for -1 in %s makes it %d elements, those of %s", op, dims(asked), n, what())
		}
		shape[open] = n / have
		return shape
	}
	if have != n {
		fail("%s: shape %s has %d elements, %s has %d", op, dims(asked), have, what(), n)
	}
	return shape
}

// Flatten is x as one dimension, in row-major order: a view, or a failure as for
// Reshape.
func (x *Tensor) Flatten() *Tensor { return x.Reshape(x.must("Flatten").n) }

// Expand is x repeated to a larger shape: a view. Dimensions of size 1 grow, with
// stride 0, and new ones are added in front; -1 keeps a size. Elements of the
// result that are the same memory change together.
func (x *Tensor) Expand(shape ...int) *Tensor {
	x.must("Expand")
	shape = slices.Clone(shape)
	added := len(shape) - len(x.shape)
	if added < 0 {
		fail("Expand: shape %s has fewer dimensions than %s", dims(shape), x.desc())
	}
	strides := make([]int, len(shape))
	for k := range shape {
		d := k - added
		switch {
		case d < 0:
		case shape[k] == -1 || shape[k] == x.shape[d]:
			shape[k], strides[k] = x.shape[d], x.strides[d]
		case x.shape[d] != 1:
			fail("Expand: dimension %d of %s cannot become %d: only size 1 grows", d, x.desc(), shape[k])
		}
	}
	if e := stride.Check(shape); e != "" {
		fail("Expand: shape %s has %s", dims(shape), e)
	}
	return x.view(shape, strides, x.off)
}

// Squeeze is x without the given dimensions, which must have size 1, or without all
// such dimensions if none is given: a view.
func (x *Tensor) Squeeze(dim ...int) *Tensor {
	x.must("Squeeze")
	var drop [MaxRank]bool
	for _, d := range dim {
		k := x.dim("Squeeze", d)
		if x.shape[k] != 1 {
			fail("Squeeze: dimension %d of %s has not size 1", k, x.desc())
		}
		drop[k] = true
	}
	var shape, strides []int
	for k, n := range x.shape {
		if !drop[k] && (len(dim) > 0 || n != 1) {
			shape, strides = append(shape, n), append(strides, x.strides[k])
		}
	}
	return x.view(shape, strides, x.off)
}

// Unsqueeze is x with a dimension of size 1 inserted, so that it becomes dimension
// dim of the result: a view.
func (x *Tensor) Unsqueeze(dim int) *Tensor {
	rank := len(x.must("Unsqueeze").shape)
	k := dim
	if k < 0 {
		k += rank + 1
	}
	if k < 0 || k > rank || rank == MaxRank {
		fail("Unsqueeze: %s has no place for a dimension %d", x.desc(), dim)
	}
	step := 1
	if k < rank {
		step = x.strides[k] * max(x.shape[k], 1)
	}
	return x.view(slices.Insert(slices.Clone(x.shape), k, 1), slices.Insert(slices.Clone(x.strides), k, step), x.off)
}

// AsStrided is the elements off + Σ i[k]·strides[k] of x's memory, counted from x's
// first element: a view. All of them must lie within x's Span.
func (x *Tensor) AsStrided(shape, strides []int, off int) *Tensor {
	x.must("AsStrided")
	if e := stride.Check(shape); e != "" {
		fail("AsStrided: shape %s has %s", dims(shape), e)
	}
	if len(strides) != len(shape) || len(strides) > 0 && slices.Min(strides) < 0 {
		fail("AsStrided: strides %s for shape %s: one per dimension, none negative", dims(strides), dims(shape))
	}
	if off < 0 {
		fail("AsStrided: offset %d is negative", off)
	}
	last, span := off, x.Span()
	for k, n := range shape {
		if n > 1 && strides[k] > 0 {
			if (n-1) > span/strides[k] || last > span {
				last = span
				break
			}
			last += (n - 1) * strides[k]
		}
	}
	if stride.Len(shape) > 0 && last >= span {
		fail("AsStrided: shape %s with strides %s from %d leaves the span of %s, %d elements",
			dims(shape), dims(strides), off, x.desc(), span)
	}
	return x.view(slices.Clone(shape), slices.Clone(strides), x.off+off)
}

// IsContiguous reports whether x's elements lie one after the other in row-major
// order.
func (x *Tensor) IsContiguous() bool {
	return x.must("IsContiguous").n == 0 || stride.Dense(x.shape, x.strides)
}
