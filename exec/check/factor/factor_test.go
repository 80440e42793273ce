package factor

import "testing"

// TestExplain: a number of a grid is what one product makes it. Blocks of a block go into
// a product only if nothing else explains the number.
func TestExplain(t *testing.T) {
	size := Quantity{Was: 128, Is: 37}
	blocks, fewer := Quantity{Was: 8, Is: 3}, Quantity{Was: 4, Is: 2}
	ofBlock := Quantity{Was: 2, Is: 2, Loose: true}
	for _, c := range []struct {
		name string
		n    int
		qs   []Quantity
		is   int
		ok   bool
	}{
		{"blocks of a size", 8, []Quantity{size, blocks}, 3, true},
		{"and of a block, by chance", 8, []Quantity{size, blocks, fewer, ofBlock}, 3, true},
		{"blocks of a block alone", 2, []Quantity{size, blocks, ofBlock}, 2, true},
		{"times another number", 16, []Quantity{blocks, ofBlock}, 6, true},
		{"either of two", 8, []Quantity{blocks, {Was: 8, Is: 8}}, 0, false},
		{"nothing", 7, []Quantity{size, blocks}, 0, false},
	} {
		if is, ok := Explain(c.n, c.qs); ok != c.ok || ok && is != c.is {
			t.Errorf("%s: %d becomes %d, %t; want %d, %t", c.name, c.n, is, ok, c.is, c.ok)
		}
	}
}
