package strided

import (
	"slices"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// numbers is a buffer of 0, 1, ...
func numbers(n int) dtype.Buf {
	b := dtype.NewBuf(dtype.Int32, n)
	for i := range dtype.View[int32](b) {
		dtype.View[int32](b)[i] = int32(i)
	}
	return b
}

// TestArrangements: a nest that copies a transposed tile, and a gather and a line from any of its lanes on,
// say the same.
func TestArrangements(t *testing.T) {
	x, s, stride := numbers(12), shape.Of(4, 3), shape.Of(1, 4)
	all := dtype.NewBuf(dtype.Int32, 12)
	var nest Nest
	nest.Add(4, 3, 1)
	nest.Add(3, 1, 4)
	nest.Copy(all, x)
	want := dtype.View[int32](all)
	if !slices.Equal(want, []int32{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}) {
		t.Fatalf("the nest copies %v", want)
	}
	line := Line{Step: [shape.MaxRank]int64{1, 4}}
	if lo, hi := line.Ends(s); lo != 0 || hi != 11 {
		t.Errorf("ends %d and %d, want 0 and 11", lo, hi)
	}
	for lo := range 12 {
		z := dtype.NewBuf(dtype.Int32, 12-lo)
		if Gather(z, x, s, 0, &stride, lo); !slices.Equal(dtype.View[int32](z), want[lo:]) {
			t.Errorf("gathered from %d on: %v, want %v", lo, dtype.View[int32](z), want[lo:])
		}
		if line.Ramp(z, s, lo); !slices.Equal(dtype.View[int32](z), want[lo:]) {
			t.Errorf("ramp from %d on: %v, want %v", lo, dtype.View[int32](z), want[lo:])
		}
	}
}

// TestBox marks the inside of a rectangle.
func TestBox(t *testing.T) {
	z := make([]uint8, 7)
	FillBox(z, shape.Of(3, 3), &[shape.MaxRank]int{1, 1}, &[shape.MaxRank]int{3, 2}, 2)
	if want := []uint8{0, 0, 1, 0, 0, 1, 0}; !slices.Equal(z, want) {
		t.Errorf("got %v, want %v", z, want)
	}
}

// TestLanes: the first active lane outside is told, and what is no bool becomes one.
func TestLanes(t *testing.T) {
	z, mem := dtype.NewBuf(dtype.Int32, 3), numbers(4)
	if bad := LoadLanes(z, mem, []int64{3, 9, 4}, []uint8{1, 0, 1}); bad != 2 {
		t.Errorf("the first outside is %d, want 2", bad)
	}
	if bad := StoreLanes(mem, nil, z, []int64{0, 1, -1}, nil); bad != 2 {
		t.Errorf("the first outside is %d, want 2", bad)
	}
	if k := FirstOutside(2, 3, 5, 9); k != 3 {
		t.Errorf("the first outside is %d, want 3", k)
	}
	b := []byte{0, 1, 7}
	if Normalise(b); !slices.Equal(b, []byte{0, 1, 1}) {
		t.Errorf("got %v", b)
	}
}
