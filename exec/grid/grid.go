// Package grid is the sizes of a launch, one to three axes, and the places of its programs.
package grid

import (
	"fmt"
	"math"
	"slices"
)

// An Extent is a checked grid: three sizes and their product.
type Extent struct {
	Axes  int
	Num   [3]int
	Total int
}

// Measure checks sizes, into e: to copy what has just been written word by word stalls a core.
func (e *Extent) Measure(sizes []int) error {
	if len(sizes) < 1 || len(sizes) > 3 {
		return fmt.Errorf("a grid of %d axes, want 1 to 3", len(sizes))
	}
	e.Axes, e.Num, e.Total = len(sizes), [3]int{1, 1, 1}, 1
	for i, n := range sizes {
		if n < 0 {
			return fmt.Errorf("grid %v: axis %d is negative", sizes, i)
		}
		if n > math.MaxInt32 {
			return fmt.Errorf("grid %v: axis %d is over 2147483647, the largest int32", sizes, i)
		}
		if n > 0 && e.Total > math.MaxInt/n {
			return fmt.Errorf("grid %v has more programs than can be counted", sizes)
		}
		e.Num[i] = n
		e.Total *= n
	}
	return nil
}

// ID is the program with the given number; the first axis runs fastest, as on a GPU.
func (e Extent) ID(i int) [3]int {
	return [3]int{i % e.Num[0], i / e.Num[0] % e.Num[1], i / e.Num[0] / e.Num[1]}
}

// Number is the program at a place in the grid.
func (e Extent) Number(at []int) (i int) {
	for a := len(at) - 1; a >= 0; a-- {
		i = i*e.Num[a] + at[a]
	}
	return i
}

// Holds reports whether there is a program at a place.
func (e Extent) Holds(at []int) bool {
	ok := len(at) == e.Axes
	for a := range at {
		ok = ok && at[a] >= 0 && at[a] < e.Num[a]
	}
	return ok
}

// Sizes is the grid as a list.
func (e Extent) Sizes() []int { return slices.Clone(e.Num[:e.Axes]) }

// String is the grid as messages show it: (2,3).
func (e Extent) String() string { return Tuple(e.Num[:e.Axes]) }

// Tuple is a place, or sizes, as messages show them.
func Tuple(ns []int) string {
	s := "("
	for i, n := range ns {
		if i > 0 {
			s += ","
		}
		s += fmt.Sprint(n)
	}
	return s + ")"
}
