package launch

import "testing"

// TestExplain: a number of a grid is what one product makes it. Blocks of a block go into
// a product only if nothing else explains the number.
func TestExplain(t *testing.T) {
	size := quantity{was: 128, is: 37}
	blocks, fewer := quantity{was: 8, is: 3}, quantity{was: 4, is: 2}
	ofBlock := quantity{was: 2, is: 2, loose: true}
	for _, c := range []struct {
		name string
		n    int
		qs   []quantity
		is   int
		ok   bool
	}{
		{"blocks of a size", 8, []quantity{size, blocks}, 3, true},
		{"and of a block, by chance", 8, []quantity{size, blocks, fewer, ofBlock}, 3, true},
		{"blocks of a block alone", 2, []quantity{size, blocks, ofBlock}, 2, true},
		{"times another number", 16, []quantity{blocks, ofBlock}, 6, true},
		{"either of two", 8, []quantity{blocks, {was: 8, is: 8}}, 0, false},
		{"nothing", 7, []quantity{size, blocks}, 0, false},
	} {
		if is, ok := explain(c.n, c.qs); ok != c.ok || ok && is != c.is {
			t.Errorf("%s: %d becomes %d, %t; want %d, %t", c.name, c.n, is, ok, c.is, c.ok)
		}
	}
}
