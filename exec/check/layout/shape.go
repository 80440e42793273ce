package layout

import "slices"

// IndexOf is the index of the i-th element of a shape in row-major order.
func IndexOf(shape []int, i int) []int {
	at := make([]int, len(shape))
	for d := len(shape) - 1; d >= 0; d-- {
		at[d] = i % shape[d]
		i /= shape[d]
	}
	return at
}

// Slices is the dimensions along which there are indices of which all elements are blank.
func Slices(shape []int, blank []bool) (dims []int) {
	for d, n := range shape {
		all := make([]bool, n)
		for i := range all {
			all[i] = true
		}
		inner := 1
		for _, m := range shape[d+1:] {
			inner *= m
		}
		for i, b := range blank {
			if !b {
				all[i/inner%n] = false
			}
		}
		if slices.Contains(all, true) {
			dims = append(dims, d)
		}
	}
	return dims
}

// Injective reports whether tiles of these strides have no address twice, for sure.
func Injective(shape, strides []int) bool {
	type axis struct{ size, stride int }
	var axes []axis
	for k, n := range shape {
		if n > 1 {
			axes = append(axes, axis{n, max(strides[k], -strides[k])})
		}
	}
	slices.SortFunc(axes, func(a, b axis) int { return a.stride - b.stride })
	reach := 0
	for _, x := range axes {
		if x.stride <= reach {
			return false
		}
		reach += (x.size - 1) * x.stride
	}
	return true
}
