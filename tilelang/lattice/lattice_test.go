package lattice

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// members is the sums of one multiple of each axis, by counting.
func members(list []Axis) map[int]bool {
	in := map[int]bool{0: true}
	for _, a := range list {
		more := map[int]bool{}
		for n := range in {
			for i := range a.N {
				more[n+i*a.Step] = true
			}
		}
		in = more
	}
	return in
}

// randomAxes is a few, most of them as views of matrices have them.
func randomAxes(r *rand.Rand) []Axis {
	list, step := []Axis{}, 1+r.IntN(4)/3
	for range 1 + r.IntN(4) {
		a := Axis{1 + r.IntN(5), step}
		list = append(list, a)
		step = a.N*a.Step + r.IntN(3)*r.IntN(4)
		if r.IntN(8) == 0 {
			step = 1 + r.IntN(9)
		}
	}
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// inRuns says whether a number is in runs; known is false where they do not tell.
func inRuns(runs []int, n int) (in, known bool) {
	for len(runs) > 1 {
		if runs[1] == 0 {
			return false, false
		}
		if n %= runs[0]; n >= runs[1] {
			return false, true
		}
		runs = runs[2:]
	}
	return true, true
}

// TestSets compares what is said of sets with a count of their members.
func TestSets(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	told, rows := 0, 0
	for range 5000 {
		list := randomAxes(r)
		s, want := New(list...), members(list)
		last := 0
		for n := range want {
			last = max(last, n)
		}
		if s.HasGaps() != (len(want) < last+1) {
			t.Fatalf("%v: gaps %v", list, s.HasGaps())
		}
		for n := -2; n < last+3; n++ {
			if s.Has(n) != want[n] {
				t.Fatalf("%v: has %d: %v", list, n, s.Has(n))
			}
			if in, known := inRuns(s.Runs(), n); n >= 0 && n <= last && known {
				if told++; in != want[n] {
					t.Fatalf("%v: %d in the runs %v: %v", list, n, s.Runs(), in)
				}
			}
			index := Index(list, n)
			sum := 0
			for i, m := range index {
				sum += m * list[i].Step
			}
			if (index != nil) != want[n] || index != nil && sum != n {
				t.Fatalf("%v: the index of %d is %v", list, n, index)
			}
		}
		if hasRows(t, r, s, list, want, last) {
			rows++
		}
	}
	if told < 10000 || rows < 300 {
		t.Errorf("runs told of %d numbers, and %d matrices are in their sets", told, rows)
	}
}

// hasRows asks for a matrix of a set's steps, and others: what is not in the set must not be said to be.
func hasRows(t *testing.T, r *rand.Rand, s *Set, list []Axis, want map[int]bool, last int) bool {
	steps := []int{1, 2, 3, list[0].Step, list[len(list)-1].Step}
	first, row, col, m, n := r.IntN(last+1), steps[r.IntN(5)], steps[r.IntN(5)], 1+r.IntN(4), 1+r.IntN(4)
	if first+row*(m-1)+col*(n-1) > last {
		return false
	}
	got := s.HasRows(first, row, col, m, n)
	for i := range m * n {
		if at := first + i/n*row + i%n*col; got && !want[at] {
			t.Fatalf("%v: has %d × %d numbers from %d on, %d and %d apart, but %d is none", list, m, n, first, row, col, at)
		}
	}
	return got && s.HasGaps()
}

// TestRuns: rows of a wider matrix, every other element, a part of each head of packed rows, and steps that say nothing.
func TestRuns(t *testing.T) {
	for _, c := range []struct {
		list []Axis
		want []int
		rows bool // a matrix of two times two elements of the first two axes is in the set
	}{
		{[]Axis{{6, 20}, {20, 1}}, nil, true},
		{[]Axis{{6, 20}, {7, 1}}, []int{20, 7, 0}, true},
		{[]Axis{{7, 1}, {6, 20}}, []int{20, 7, 0}, true},
		{[]Axis{{60, 2}, {1, 9}}, []int{2, 1, 0}, false},
		{[]Axis{{3, 4}, {2, 1}, {6, 20}}, []int{20, 10, 4, 2, 0}, true},
		{[]Axis{{6, 20}, {3, 4}, {4, 1}}, []int{20, 12, 0}, true},
		{[]Axis{{4, 3}, {4, 5}}, []int{1, 0, 0}, false},
	} {
		s := New(c.list...)
		if got := s.Runs(); !slices.Equal(got, c.want) {
			t.Errorf("%v: runs %v, want %v", c.list, got, c.want)
		}
		if got := s.HasRows(0, c.list[0].Step, c.list[1].Step, 2, 2); got != c.rows {
			t.Errorf("%v: has two rows of two: %v", c.list, got)
		}
	}
}
