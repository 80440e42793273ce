// Package layout knows shapes, strides and numbers of elements alone: it tells rows of a tensor, and draws tiles.
package layout

import (
	"cmp"
	"slices"
)

// The rows of a tensor of more than two dimensions are often taken one after the other, as if they were those of one
// matrix: a block of them goes beyond the end of a dimension, and means to. Then the blocks of all programs are all
// rows, and each is in one of them; where rows of the next matrix are taken by mistake, two blocks share some.

// Rows is the rows that tiles have at a site: each from its first active row to its last.
type Rows struct {
	Total int64 // of the tensor
	list  []span
}

type span struct{ begin, end int64 }

// maxSpans is how many are remembered.
const maxSpans = 1 << 14

// Sweep reports whether the spans follow one another, from the first row to the last.
func (r *Rows) Sweep() bool {
	if len(r.list) >= maxSpans {
		return false
	}
	slices.SortFunc(r.list, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end))
	})
	r.list = slices.Compact(r.list)
	at := int64(0)
	for _, s := range r.list {
		if s.begin != at {
			return false
		}
		at = s.end
	}
	return at == r.Total
}

// Add remembers the rows of a tile.
func (r *Rows) Add(begin, end int64) {
	s := span{begin, end}
	if n := len(r.list); n < maxSpans && (n == 0 || r.list[n-1] != s) {
		r.list = append(r.list, s)
	}
}
