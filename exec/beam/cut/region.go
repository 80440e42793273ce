package cut

import "fmt"

// A Region is elements of a tensor: Rows × Cols of them, of which row r begins at Off + r·Stride. What is contiguous
// has one row. The zero Region is empty.
type Region struct {
	Off, Rows, Cols, Stride int
}

// flat is the elements lo to hi-1.
func flat(lo, hi int) Region {
	if hi <= lo {
		return Region{}
	}
	return Region{Off: lo, Rows: 1, Cols: hi - lo, Stride: hi - lo}
}

// rect is rows r0 to r1-1 of a tensor whose rows have row elements, and of them columns c0 to c1-1.
func rect(r0, r1, c0, c1, row int) Region {
	if r1 <= r0 || c1 <= c0 {
		return Region{}
	}
	if c1-c0 == row || r1-r0 == 1 {
		return flat(r0*row+c0, (r1-1)*row+c1)
	}
	return Region{Off: r0*row + c0, Rows: r1 - r0, Cols: c1 - c0, Stride: row}
}

// Empty reports whether there is nothing in it.
func (r Region) Empty() bool { return r.Rows == 0 }

// Len is the number of elements.
func (r Region) Len() int { return r.Rows * r.Cols }

// Span is the number of elements from the first to the last.
func (r Region) Span() int {
	if r.Empty() {
		return 0
	}
	return (r.Rows-1)*r.Stride + r.Cols
}

func (r Region) end() int { return r.Off + r.Span() }

// Bytes is about how much memory a region takes that is laid out as in its tensor, where pages that nothing is in
// take none.
func (r Region) Bytes(size int) int {
	const page = 4096
	if r.Rows <= 1 {
		return r.Len() * size
	}
	if r.Stride*size%page == 0 { // each row begins with a page
		return r.Rows * ((r.Cols*size + page - 1) / page * page)
	}
	return min(r.Span()*size, r.Rows*(r.Cols*size+page))
}

// grid is r as a rectangle of rows of a length, ok is false if it is none.
func (r Region) grid(row int) (r0, r1, c0, c1 int, ok bool) {
	r0, c0 = r.Off/row, r.Off%row
	switch {
	case r.Rows > 1:
		return r0, r0 + r.Rows, c0, c0 + r.Cols, r.Stride == row && c0+r.Cols <= row
	case c0+r.Cols <= row:
		return r0, r0 + 1, c0, c0 + r.Cols, true
	case c0 == 0 && r.Cols%row == 0:
		return r0, r0 + r.Cols/row, 0, row, true
	}
	return 0, 0, 0, 0, false
}

// union is the smallest region that holds both, of a tensor whose rows have row elements.
func union(a, b Region, row int) Region {
	if a.Empty() {
		return b
	}
	if b.Empty() {
		return a
	}
	a0, a1, ac, ad, ok := a.grid(row)
	b0, b1, bc, bd, too := b.grid(row)
	hull := flat(min(a.Off, b.Off), max(a.end(), b.end()))
	if !ok || !too {
		return hull
	}
	z := rect(min(a0, b0), max(a1, b1), min(ac, bc), max(ad, bd), row)
	if z.Len() < hull.Len() {
		return z
	}
	return hull
}

// meet reports whether two regions may have an element in common.
func meet(a, b Region, row int) bool {
	if a.Empty() || b.Empty() || a.Off >= b.end() || b.Off >= a.end() {
		return false
	}
	a0, a1, ac, ad, ok := a.grid(row)
	b0, b1, bc, bd, too := b.grid(row)
	return !ok || !too || a0 < b1 && b0 < a1 && ac < bd && bc < ad
}

// String is the region in words, with rows if it has several.
func (r Region) String() string {
	switch {
	case r.Empty():
		return "nothing"
	case r.Rows == 1:
		return fmt.Sprintf("elements %d to %d", r.Off, r.end()-1)
	}
	return fmt.Sprintf("%d rows of %d elements from %d on, %d apart", r.Rows, r.Cols, r.Off, r.Stride)
}
