package cut

import (
	"cmp"
	"slices"
)

// perRow is how much of a file is read in the time in which a disk finds a row that does not lie behind the last one.
const perRow = 64 << 10

// order puts pieces in the order of axes in which a Loader reads least: a product's pieces go down the columns that one
// block of b is for. They stay as they are if no order is better.
func (p *Program) order(pieces []Piece) []Piece {
	best, least := pieces, p.reads(pieces)
	for _, axes := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		try := slices.Clone(pieces)
		slices.SortStableFunc(try, func(x, y Piece) int {
			return cmp.Or(cmp.Compare(x.From[axes[0]], y.From[axes[0]]), cmp.Compare(x.From[axes[1]], y.From[axes[1]]),
				cmp.Compare(x.From[axes[2]], y.From[axes[2]]))
		})
		if n := p.reads(try); n < least {
			best, least = try, n
		}
	}
	return best
}

// reads is about how many bytes a Loader reads, and what it takes to find them.
func (p *Program) reads(pieces []Piece) (n int) {
	stores := p.Stores()
	for i, q := range pieces {
		for arg, r := range q.Need {
			x := p.Launch.Args[arg].Tensor
			if x == nil || i > 0 && !stores[arg] && pieces[i-1].Need[arg] == r {
				continue
			}
			n += r.Len()*x.Type().Size() + r.Rows*perRow
		}
	}
	return n
}
