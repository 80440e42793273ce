package layout

import "testing"

func TestInjective(t *testing.T) {
	for _, c := range []struct {
		shape, strides []int
		want           bool
	}{
		{nil, nil, true}, {[]int{8}, []int{1}, true}, {[]int{8}, []int{0}, false}, {[]int{8}, []int{-2}, true},
		{[]int{4, 4}, []int{4, 1}, true}, {[]int{4, 4}, []int{3, 1}, false}, {[]int{4, 1}, []int{1, 0}, true}, {[]int{2, 3, 4}, []int{1, 8, 2}, true},
	} {
		if got := Injective(c.shape, c.strides); got != c.want {
			t.Errorf("%v %v: %v", c.shape, c.strides, got)
		}
	}
}
