package rows

import (
	"math"
	"slices"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// floats is a buffer of values.
func floats(x ...float32) dtype.Buf {
	b := dtype.NewBuf(dtype.Float32, len(x))
	copy(dtype.View[float32](b), x)
	return b
}

// TestSort: zeros are equal, NaNs come last, or first if descending, and equal elements keep their order.
func TestSort(t *testing.T) {
	nan, negative := float32(math.NaN()), float32(math.Copysign(0, -1))
	x := floats(0, nan, negative, -1, 2, nan)
	for _, c := range []struct {
		keep       int
		descending bool
		from       []int32
	}{
		{6, false, []int32{3, 0, 2, 4, 1, 5}},
		{3, true, []int32{1, 5, 4}},
	} {
		s, room := NewSorter(dtype.Float32, 6, c.keep, c.descending), NewSortRoom(6)
		z, from := dtype.NewBuf(dtype.Float32, c.keep), make([]int32, c.keep)
		s.Run(&room, z, from, x)
		if !slices.Equal(from, c.from) {
			t.Errorf("descending %v: elements %v, want %v", c.descending, from, c.from)
		}
		for i, k := range from {
			if z.Bits(i) != x.Bits(int(k)) {
				t.Errorf("element %d is %#x, want that of %d, %#x", i, z.Bits(i), k, x.Bits(int(k)))
			}
		}
	}
}

// TestSortLong sorts rows by their digits.
func TestSortLong(t *testing.T) {
	const n = 300
	x, z := dtype.NewBuf(dtype.Int32, 2*n), dtype.NewBuf(dtype.Int32, 2*n)
	in := dtype.View[int32](x)
	for i := range in {
		in[i] = int32(i*7919%1009) - 500
	}
	room := NewSortRoom(n)
	NewSorter(dtype.Int32, n, n, false).Run(&room, z, nil, x)
	for row := range 2 {
		want := slices.Sorted(slices.Values(in[row*n : (row+1)*n]))
		if got := dtype.View[int32](z)[row*n : (row+1)*n]; !slices.Equal(got, want) {
			t.Errorf("row %d: got %v, want %v", row, got, want)
		}
	}
}

// TestRows: a sum combines partial results in pairs, and a scan runs from either end.
func TestRows(t *testing.T) {
	var row []float32
	for i := range 40 {
		row = append(row, float32(i))
	}
	z := floats(0)
	if ReducerOf(op.Sum, dtype.Float32)(z, floats(row...), len(row)); dtype.View[float32](z)[0] != 780 {
		t.Errorf("sum is %v, want 780", dtype.View[float32](z)[0])
	}
	x, out := floats(1, 2, 3, 4, 5, 6), floats(make([]float32, 6)...)
	for reverse, want := range map[bool][]float32{false: {1, 3, 6, 4, 9, 15}, true: {6, 5, 3, 15, 11, 6}} {
		ScanOf(op.CumSum, dtype.Float32)(out, x, 3, reverse)
		if got := dtype.View[float32](out); !slices.Equal(got, want) {
			t.Errorf("reverse %v: got %v, want %v", reverse, got, want)
		}
	}
}
