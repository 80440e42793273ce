package tilelang

import (
	"strconv"
	"strings"
)

// MaxRank is the highest rank of a tile.
const MaxRank = 5

// dims is a shape, or the strides that go with one: up to MaxRank numbers, held by
// value so that a tile is one allocation.
type dims struct {
	n int
	d [MaxRank]int
}

func dimsOf(ns []int) (s dims) {
	s.n = len(ns)
	copy(s.d[:], ns)
	return s
}

func (s dims) slice() []int { return append([]int(nil), s.d[:s.n]...) }

// numel is the number of elements of a shape.
func (s dims) numel() int {
	n := 1
	for _, d := range s.d[:s.n] {
		n *= d
	}
	return n
}

// dense is the row-major strides of a shape.
func (s dims) dense() (st dims) {
	st.n = s.n
	step := 1
	for i := s.n - 1; i >= 0; i-- {
		st.d[i] = step
		step *= s.d[i]
	}
	return st
}

// coord is the index of the i-th element in row-major order.
func (s dims) coord(i int) []int { return s.place(i).slice() }

func (s dims) place(i int) (at dims) {
	at.n = s.n
	for k := s.n - 1; k >= 0; k-- {
		at.d[k] = i % s.d[k]
		i /= s.d[k]
	}
	return at
}

// String is [16,64], or nothing for a scalar.
func (s dims) String() string {
	if s.n == 0 {
		return ""
	}
	return indexString(s.d[:s.n])
}

func indexString(at []int) string {
	parts := make([]string, len(at))
	for i, d := range at {
		parts[i] = strconv.Itoa(d)
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// broadcast is the shape that x and y broadcast to, as in NumPy: aligned at the
// last dimension, sizes equal or 1.
func (x dims) broadcast(y dims) (z dims, ok bool) {
	if x.n < y.n {
		x, y = y, x
	}
	z = x
	for i := 1; i <= y.n; i++ {
		a, b := x.d[x.n-i], y.d[y.n-i]
		switch {
		case a == b || b == 1:
		case a == 1:
			z.d[x.n-i] = b
		default:
			return z, false
		}
	}
	return z, true
}

// stretch is the strides with which elements of shape s and strides st are read as
// shape to, to which s broadcasts: 0 along repeated dimensions.
func (s dims) stretch(st, to dims) (z dims) {
	z.n = to.n
	for i := 1; i <= s.n; i++ {
		if s.d[s.n-i] != 1 {
			z.d[to.n-i] = st.d[s.n-i]
		}
	}
	return z
}

// drop is s without dimension axis; insert is s with one more.
func (s dims) drop(axis int) dims {
	copy(s.d[axis:], s.d[axis+1:s.n])
	s.n--
	s.d[s.n] = 0
	return s
}

func (s dims) insert(axis, size int) dims {
	copy(s.d[axis+1:], s.d[axis:s.n])
	s.d[axis] = size
	s.n++
	return s
}

// isDense reports whether strides are those of a dense shape; the stride of a
// dimension of size 1 does not matter.
func isDense(shape, strides dims) bool {
	step := 1
	for i := shape.n - 1; i >= 0; i-- {
		if shape.d[i] != 1 && strides.d[i] != step {
			return false
		}
		step *= shape.d[i]
	}
	return true
}
