// Package lattice is sets of sums: where the elements of a view lie in memory.
package lattice

import (
	"cmp"
	"slices"
)

// An Axis is N multiples of a step, from 0 on: a dimension and its stride.
type Axis struct{ N, Step int }

// A Set is the sums of one multiple of each of some axes.
type Set struct {
	axes axes
	runs []int
}

// New is the set that any axes span.
func New(list ...Axis) *Set {
	s := &Set{axes: fewest(list)}
	if s.axes.haveGaps() {
		s.runs = s.axes.runs()
	}
	return s
}

// Has reports whether a number is in the set.
func (s *Set) Has(n int) bool { return n >= 0 && s.axes.has(n, nil) }

// HasGaps reports whether some number up to the largest is not in the set.
func (s *Set) HasGaps() bool { return s.runs != nil }

// Runs says which numbers up to the largest are in a set with gaps, as pairs of a period and a length, the
// longest period first: those whose remainder by the first period is less than the first length, that
// remainder's by the second one less than the second, and so on. They end with a 0. Where steps are shorter
// than what they step over, the only length is 0, and Has is to be asked. The result, which is nil for a set
// without gaps, is not to be changed.
func (s *Set) Runs() []int { return s.runs }

// Alike reports whether HasRows says the same of two sets, either of which may be nil.
func (s *Set) Alike(t *Set) bool {
	return s == t || s != nil && t != nil && slices.Equal(s.runs, t.runs)
}

// HasRows reports whether the numbers first + i·row + j·col, none of them beyond the largest, are known to be
// in the set for all i below rows and j below cols. No step is negative.
func (s *Set) HasRows(first, row, col, rows, cols int) bool {
	down, across := row*(rows-1), col*(cols-1)
	for r := s.runs; len(r) > 1; r = r[2:] {
		if first %= r[0]; row%r[0] == 0 { // the same in all rows
			down = 0
		}
		if col%r[0] == 0 {
			across = 0
		}
		if first+down+across >= r[1] {
			return false
		}
	}
	return true
}

// Index is multiples of the axes, of each one, that add up to n: nil if there are none.
func Index(list []Axis, n int) []int {
	var all axes
	var of []int
	for k, a := range list {
		if a.N > 1 && a.Step > 0 {
			all, of = append(all, axis{n: a.N, step: a.Step}), append(of, k)
		}
	}
	slices.SortStableFunc(of, func(i, j int) int { return cmp.Compare(list[j].Step, list[i].Step) })
	slices.SortStableFunc(all, byStep)
	all.link()
	i := make([]int, len(all))
	if n < 0 || !all.has(n, i) {
		return nil
	}
	index := make([]int, len(list))
	for k, d := range of {
		index[d] = i[k]
	}
	return index
}
