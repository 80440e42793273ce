package stride

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// at is the offset of element i in row-major order.
func at(shape, strides []int, i int) (off int) {
	for k, n := range Index(shape, i) {
		off += n * strides[k]
	}
	return off
}

// randomView is a small shape and strides, of which some are 0 and some those of a transposed view.
func randomView(r *rand.Rand) (shape, strides []int) {
	shape = make([]int, r.IntN(5))
	for k := range shape {
		shape[k] = 1 + r.IntN(4)
	}
	strides = RowMajor(shape)
	for k := range strides {
		switch r.IntN(4) {
		case 0:
			strides[k] = 0
		case 1:
			j := r.IntN(len(shape))
			shape[k], shape[j] = shape[j], shape[k]
			strides[k], strides[j] = strides[j], strides[k]
		case 2:
			strides[k] *= 2
		}
	}
	return shape, strides
}

// TestLoop: the offsets are those of each index, one after the other.
func TestLoop(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		shape, a := randomView(r)
		b := RowMajor(shape)
		l := NewLoop(shape, a, b)
		n, stepA, stepB := l.Inner()
		i := 0
		l.Each(func(x, y int) {
			for range n {
				if want, next := at(shape, a, i), at(shape, b, i); x != want || y != next {
					t.Fatalf("%v with strides %v, %v: element %d is at %d, %d, want %d, %d", shape, a, b, i, x, y, want, next)
				}
				i, x, y = i+1, x+stepA, y+stepB
			}
		})
		if i != Len(shape) {
			t.Fatalf("%v with strides %v: %d elements", shape, a, i)
		}
	}
}

// TestCopy copies views into dense memory: the ways of Copy are chosen by the strides.
func TestCopy(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		shape, strides := randomView(r)
		src := make([]int, Span(shape, strides))
		for i := range src {
			src[i] = 1 + i
		}
		dst := make([]int, Len(shape))
		Copy(dst, src, NewLoop(shape, RowMajor(shape), strides))
		for i, got := range dst {
			if want := src[at(shape, strides, i)]; got != want {
				t.Fatalf("%v with strides %v: element %d is %d, want %d", shape, strides, i, got, want)
			}
		}
	}
}

// TestReshape: a view in another shape has the same elements in the same order.
func TestReshape(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	views := 0
	for range 5000 {
		shape, strides := randomView(r)
		to := slices.Clone(shape)
		if len(to) > 1 { // two dimensions become one, and one two
			to = append(to[:len(to)-2], to[len(to)-2]*to[len(to)-1])
		}
		if n := len(to); n > 0 && to[0]%2 == 0 {
			to = append([]int{2, to[0] / 2}, to[1:]...)
		}
		got, ok := Reshape(shape, strides, to, Len(shape))
		if !ok {
			continue
		}
		views++
		for i := range Len(shape) {
			if at(to, got, i) != at(shape, strides, i) {
				t.Fatalf("%v with strides %v as %v: strides %v", shape, strides, to, got)
			}
		}
	}
	if views < 1000 {
		t.Errorf("%d of 5000 reshapes are views", views)
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		shape []int
		want  string
	}{
		{nil, ""},
		{[]int{0, 3}, ""},
		{[]int{2, -1}, "a negative dimension"},
		{[]int{1, 1, 1, 1, 1, 1, 1, 1, 1}, "more than 8 dimensions"},
		{[]int{0, math.MaxInt/2 + 1, 2}, "too many elements"},
	} {
		if got := Check(c.shape); got != c.want {
			t.Errorf("%v: got %q, want %q", c.shape, got, c.want)
		}
	}
}
