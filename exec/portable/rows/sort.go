package rows

import "github.com/tiler-go/tiler/tilelang/dtype"

// A Sorter sorts rows of n elements, of which the first keep are results.
type Sorter struct {
	elements
	bytes   int // of keys
	n, keep int
	flip    uint64 // of keys, for a descending order
}

// NewSorter sorts elements of type d.
func NewSorter(d dtype.DType, n, keep int, descending bool) *Sorter {
	s := &Sorter{elements: elementsBySize[d.Size()](d), bytes: d.Size(), n: n, keep: keep}
	if descending {
		s.flip = ^s.flip >> (64 - 8*s.bytes)
	}
	return s
}

// A SortRoom is a row being sorted.
type SortRoom struct{ order, spare []keyed }

// NewSortRoom is room for rows of up to n elements.
func NewSortRoom(n int) SortRoom { return SortRoom{make([]keyed, n), make([]keyed, n)} }

// Run sorts the rows of x; from, unless it is nil, is where in its row each result was.
func (s *Sorter) Run(r *SortRoom, z dtype.Buf, from []int32, x dtype.Buf) {
	for lo, at := 0, 0; lo < x.Len(); lo, at = lo+s.n, at+s.keep {
		row, spare := r.order[:s.n], r.spare[:s.n]
		s.keys(row, x, lo, s.flip)
		best := radixSort(row, spare, s.bytes)[:s.keep]
		s.pick(z, x, at, lo, best)
		if from != nil {
			for k, e := range best {
				from[at+k] = e.from
			}
		}
	}
}

// keyed is an element of a row being sorted: a number in the order of the values, and
// where the element came from.
type keyed struct {
	key  uint64
	from int32
}

// sortKey maps elements to unsigned numbers of as many bits in the order of their values, the
// same for -0 and +0. NaNs come last and are equal.
func sortKey(d dtype.DType) func(bits uint64) uint64 {
	sign := uint64(1) << (8*d.Size() - 1)
	all := sign<<1 - 1
	nan := func(bits uint64) bool { v := dtype.ToFloat(d, bits); return v != v }
	if d == dtype.Float32 {
		nan = func(bits uint64) bool { return bits&^sign > 0xff<<23 }
	}
	switch {
	case d.IsFloat():
		return func(bits uint64) uint64 {
			switch {
			case nan(bits):
				return all
			case bits == sign:
				return sign
			case bits&sign != 0:
				return bits ^ all
			}
			return bits | sign
		}
	case d.IsSigned():
		return func(bits uint64) uint64 { return bits ^ sign }
	}
	return func(bits uint64) uint64 { return bits }
}

// elements are the parts of sorting that depend on a type's size.
type elements struct {
	keys func(row []keyed, x dtype.Buf, lo int, flip uint64) // of elements from lo on
	pick func(z, x dtype.Buf, at, lo int, row []keyed)       // elements of a row, from lo on, to at
}

// elementsOf is those of a type whose elements are as large as T.
func elementsOf[T uint8 | uint16 | uint32 | uint64](d dtype.DType) elements {
	key := sortKey(d)
	return elements{
		func(row []keyed, x dtype.Buf, lo int, flip uint64) {
			for k, v := range dtype.View[T](x)[lo:][:len(row)] {
				row[k] = keyed{key(uint64(v)) ^ flip, int32(k)}
			}
		},
		func(z, x dtype.Buf, at, lo int, row []keyed) {
			to, from := dtype.View[T](z)[at:][:len(row)], dtype.View[T](x)[lo:]
			for k, e := range row {
				to[k] = from[e.from]
			}
		},
	}
}

// elementsBySize are elementsOf for types of 1, 2, 4 and 8 bytes.
var elementsBySize = map[int]func(dtype.DType) elements{
	1: elementsOf[uint8], 2: elementsOf[uint16], 4: elementsOf[uint32], 8: elementsOf[uint64],
}

// radixSort sorts x stably by keys of so many bytes, with the help of y, and returns the one of the
// two that the result is in.
func radixSort(x, y []keyed, bytes int) []keyed {
	const few = 48 // are sorted by insertion
	if len(x) <= few {
		for i := 1; i < len(x); i++ {
			e, k := x[i], i
			for ; k > 0 && x[k-1].key > e.key; k-- {
				x[k] = x[k-1]
			}
			x[k] = e
		}
		return x
	}
	for shift := 0; shift < 8*bytes; shift += 8 {
		var at [256]int32
		for _, e := range x {
			at[uint8(e.key>>shift)]++
		}
		if int(at[uint8(x[0].key>>shift)]) == len(x) {
			continue
		}
		sum := int32(0)
		for i, n := range at {
			at[i], sum = sum, sum+n
		}
		for _, e := range x {
			k := uint8(e.key >> shift)
			y[at[k]] = e
			at[k]++
		}
		x, y = y, x
	}
	return x
}
