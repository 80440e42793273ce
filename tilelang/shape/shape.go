// Package shape holds the sizes of a tile, and what moves them about: broadcasting,
// dropping and inserting axes, the strides of dense elements. It knows no elements and
// no dtypes, and everyone may use it.
package shape

import (
	"strconv"
	"strings"
)

// MaxRank is the highest rank of a tile.
const MaxRank = 5

// A Shape is a tile's sizes, or the strides that go with them; a scalar has none. It is
// comparable, and held by value so that a tile is one allocation. Numbers past N are 0.
type Shape struct {
	N int
	D [MaxRank]int
}

// Of is the shape with the given sizes.
func Of(sizes ...int) (s Shape) {
	s.N = len(sizes)
	copy(s.D[:], sizes)
	return s
}

// Dims is the sizes.
func (s Shape) Dims() []int { return append([]int(nil), s.D[:s.N]...) }

// Len is the number of elements.
func (s Shape) Len() int {
	n := 1
	for _, d := range s.D[:s.N] {
		n *= d
	}
	return n
}

// Dense is the strides of a shape's elements in row-major order without gaps.
func (s Shape) Dense() (st Shape) {
	st.N = s.N
	step := 1
	for i := s.N - 1; i >= 0; i-- {
		st.D[i] = step
		step *= s.D[i]
	}
	return st
}

// IsDense reports whether strides are those of s without gaps; the stride of an axis of
// size 1 does not matter.
func (s Shape) IsDense(strides Shape) bool {
	step := 1
	for i := s.N - 1; i >= 0; i-- {
		if s.D[i] != 1 && strides.D[i] != step {
			return false
		}
		step *= s.D[i]
	}
	return true
}

// Place is the index of the i-th element in row-major order.
func (s Shape) Place(i int) (at Shape) {
	at.N = s.N
	for k := s.N - 1; k >= 0; k-- {
		at.D[k] = i % s.D[k]
		i /= s.D[k]
	}
	return at
}

// String is [16,64], or nothing for a scalar.
func (s Shape) String() string {
	if s.N == 0 {
		return ""
	}
	return Index(s.D[:s.N])
}

// Index is numbers as messages write an index or a shape: [16,64].
func Index(at []int) string {
	parts := make([]string, len(at))
	for i, d := range at {
		parts[i] = strconv.Itoa(d)
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// Tuple is numbers as Python writes a tuple: (3,) and (0, 3).
func Tuple(at []int) string {
	s := Index(at)
	s = strings.ReplaceAll(s[1:len(s)-1], ",", ", ")
	if len(at) == 1 {
		s += ","
	}
	return "(" + s + ")"
}

// Broadcast is the shape that x and y broadcast to, as in NumPy: aligned at the last
// axis, sizes equal or 1.
func (x Shape) Broadcast(y Shape) (z Shape, ok bool) {
	if x.N < y.N {
		x, y = y, x
	}
	z = x
	for i := 1; i <= y.N; i++ {
		a, b := x.D[x.N-i], y.D[y.N-i]
		switch {
		case a == b || b == 1:
		case a == 1:
			z.D[x.N-i] = b
		default:
			return z, false
		}
	}
	return z, true
}

// BroadcastsTo reports whether x repeated along axes of size 1 is z.
func (x Shape) BroadcastsTo(z Shape) bool {
	to, ok := x.Broadcast(z)
	return ok && to == z
}

// Stretch is the strides with which elements of shape s and strides st are read as
// shape to, to which s broadcasts: 0 along repeated axes.
func (s Shape) Stretch(st, to Shape) (z Shape) {
	z.N = to.N
	for i := 1; i <= s.N; i++ {
		if s.D[s.N-i] != 1 {
			z.D[to.N-i] = st.D[s.N-i]
		}
	}
	return z
}

// Drop is s without an axis.
func (s Shape) Drop(axis int) Shape {
	copy(s.D[axis:], s.D[axis+1:s.N])
	s.N--
	s.D[s.N] = 0
	return s
}

// Insert is s with one more axis, of size d.
func (s Shape) Insert(axis, d int) Shape {
	copy(s.D[axis+1:], s.D[axis:s.N])
	s.D[axis] = d
	s.N++
	return s
}

// With is s with size d on an axis.
func (s Shape) With(axis, d int) Shape { s.D[axis] = d; return s }

// Permute is s with its axes reordered: axis i of the result is axis axes[i] of s. It is
// false unless each axis is named once.
func (s Shape) Permute(axes []int) (z Shape, ok bool) {
	if len(axes) != s.N {
		return z, false
	}
	z.N = s.N
	seen := 0
	for i, a := range axes {
		if a < 0 || a >= s.N || seen>>a&1 == 1 {
			return z, false
		}
		seen |= 1 << a
		z.D[i] = s.D[a]
	}
	return z, true
}
