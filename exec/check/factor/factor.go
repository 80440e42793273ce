// Package factor explains a number as a product of others, and says what it becomes when these change: the grid of a
// launch is made of its sizes, and of how many blocks they have.
package factor

import "slices"

// A Quantity is a number before and after a change. One that is loose counts by itself, and in a product only if there is
// no other: blocks of a block, say.
type Quantity struct {
	Was, Is int
	Loose   bool
}

// Explain is what a number becomes that is a product of at most three quantities. There
// is no answer if there is no such product, or if two of them become different numbers.
func Explain(n int, qs []Quantity) (is int, ok bool) {
	tight := slices.DeleteFunc(slices.Clone(qs), func(q Quantity) bool { return q.Loose && q.Was != n })
	if is, found := product(n, tight); found != none {
		return is, found == one
	}
	is, found := product(n, qs)
	return is, found == one
}

// How many numbers a product may become.
const (
	none = iota
	one
	several
)

// product is what the products of at most three quantities that are n become.
func product(n int, qs []Quantity) (is, found int) {
	agree := func(v int) {
		switch {
		case found == none:
			is, found = v, one
		case is != v:
			found = several
		}
	}
	if n == 1 {
		agree(1)
	}
	for i, a := range qs {
		if a.Was == n {
			agree(a.Is)
		}
		if a.Was < 2 || n%a.Was != 0 {
			continue
		}
		for j, b := range qs[i:] {
			if b.Was < 2 {
				continue
			}
			if a.Was*b.Was == n {
				agree(a.Is * b.Is)
			}
			if n%(a.Was*b.Was) != 0 {
				continue
			}
			for _, c := range qs[i+j:] {
				if c.Was > 1 && a.Was*b.Was*c.Was == n {
					agree(a.Is * b.Is * c.Is)
				}
			}
		}
	}
	return is, found
}
