// Package stride is the arithmetic of views: which shapes there can be, the strides of one without gaps, those with
// which a reshape is a view, and the walk over the elements that a shape and strides name. A stride is the distance in
// elements between neighbours along a dimension, and never negative. The package knows no dtype and no tensor.
package stride

import (
	"math"
	"math/bits"
)

// MaxRank is the largest number of dimensions.
const MaxRank = 8

// MaxBytes bounds the memory of one array: more than that is a mistake in a shape.
const MaxBytes = 1 << 46

// Check is what is wrong with a shape, empty if nothing is. A product that overflows
// is wrong even if another dimension is 0: the strides would overflow.
func Check(shape []int) string {
	if len(shape) > MaxRank {
		return "more than 8 dimensions"
	}
	n := uint64(1)
	for _, s := range shape {
		if s < 0 {
			return "a negative dimension"
		}
		hi, lo := bits.Mul64(n, uint64(max(s, 1)))
		if hi != 0 || lo > math.MaxInt {
			return "too many elements"
		}
		n = lo
	}
	return ""
}

// Len is the number of elements of a shape that has been checked.
func Len(shape []int) int {
	n := 1
	for _, s := range shape {
		n *= s
	}
	return n
}

// RowMajor is the strides of a shape whose elements lie one after the other in row-major order.
func RowMajor(shape []int) []int {
	strides := make([]int, len(shape))
	step := 1
	for i := len(shape) - 1; i >= 0; i-- {
		strides[i] = step
		step *= max(shape[i], 1)
	}
	return strides
}

// Dense reports whether elements lie one after the other in row-major order; there is at least one.
func Dense(shape, strides []int) bool {
	step := 1
	for k := len(shape) - 1; k >= 0; k-- {
		if shape[k] != 1 && strides[k] != step {
			return false
		}
		step *= shape[k]
	}
	return true
}

// Span is the distance from the first element to the last, plus 1; there is at least one.
func Span(shape, strides []int) int {
	span := 1
	for k, n := range shape {
		span += (n - 1) * strides[k]
	}
	return span
}

// Reshape is the strides with which a view of the old shape and strides has
// the new shape, of as many elements: n. Old dimensions that one step walks through evenly form a group;
// the new dimensions must divide each group exactly.
func Reshape(old, oldStrides, shape []int, n int) ([]int, bool) {
	strides := RowMajor(shape)
	if n == 0 {
		return strides, true
	}
	k := len(shape) - 1
	for d := len(old) - 1; d >= 0; {
		size, step := old[d], oldStrides[d]
		for d--; d >= 0 && (old[d] == 1 || size == 1 || oldStrides[d] == size*step); d-- {
			if size == 1 {
				step = oldStrides[d]
			}
			size *= old[d]
		}
		for ; k >= 0 && (size > 1 || shape[k] == 1); k-- {
			if size%shape[k] != 0 {
				return nil, false
			}
			strides[k] = step
			step *= shape[k]
			size /= shape[k]
		}
	}
	return strides, true
}

// Expands reports whether elements of shape from, repeated, have shape to: sizes are equal or 1, from the last on.
func Expands(from, to []int) bool {
	if len(from) > len(to) {
		return false
	}
	to = to[len(to)-len(from):]
	for k, n := range from {
		if n != to[k] && n != 1 {
			return false
		}
	}
	return true
}

// Index is the index of element i in row-major order.
func Index(shape []int, i int) []int {
	idx := make([]int, len(shape))
	for k := len(shape) - 1; k >= 0; k-- {
		idx[k] = i % shape[k]
		i /= shape[k]
	}
	return idx
}
