package layout

import "testing"

// TestSweep: blocks that follow one another, in any order and more than once, up to the last row.
func TestSweep(t *testing.T) {
	for _, x := range []struct {
		spans [][2]int64
		want  bool
	}{
		{[][2]int64{{0, 4}, {4, 8}, {8, 10}}, true},
		{[][2]int64{{8, 10}, {0, 4}, {4, 8}, {0, 4}}, true},
		{[][2]int64{{0, 4}, {4, 8}}, false},
		{[][2]int64{{0, 4}, {5, 9}, {9, 10}}, false},
		{[][2]int64{{0, 8}, {5, 10}}, false},
		{nil, false},
	} {
		r := &Rows{Total: 10}
		for _, s := range x.spans {
			r.Add(s[0], s[1])
		}
		if got := r.Sweep(); got != x.want {
			t.Errorf("%v: got %v", x.spans, got)
		}
	}
}
