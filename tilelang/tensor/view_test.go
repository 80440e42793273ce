package tensor

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor/stride"
)

// offsetsOf is the storage indices of x's elements in row-major order, by definition.
func offsetsOf(x *Tensor) []int {
	out := make([]int, 0, x.n)
	for i := range x.n {
		off := x.off
		for k, j := range stride.Index(x.shape, i) {
			off += j * x.strides[k]
		}
		out = append(out, off)
	}
	return out
}

// randomView is a random view of a fresh contiguous tensor.
func randomView(r *rand.Rand) *Tensor {
	shape := make([]int, 1+r.IntN(4))
	for k := range shape {
		shape[k] = 1 + r.IntN(5)
	}
	x := Arange(dtype.Int32, 0, stride.Len(shape)).Reshape(shape...)
	for range r.IntN(5) {
		x = randomStep(r, x)
	}
	return x
}

func randomStep(r *rand.Rand, x *Tensor) *Tensor {
	rank := x.Rank()
	if rank == 0 {
		return x.Unsqueeze(0)
	}
	k := r.IntN(rank)
	switch r.IntN(8) {
	case 0:
		return x.Transpose(k, r.IntN(rank))
	case 1:
		lo := r.IntN(x.Dim(k) + 1)
		return x.Slice(k, lo, lo+r.IntN(x.Dim(k)-lo+1))
	case 2:
		return x.SliceStep(k, r.IntN(x.Dim(k)+1)/2, x.Dim(k), 1+r.IntN(3))
	case 3:
		if x.Dim(k) > 0 {
			return x.Select(k, r.IntN(x.Dim(k)))
		}
	case 4:
		if rank < 5 {
			return x.Unsqueeze(r.IntN(rank + 1))
		}
	case 5:
		if x.Dim(k) == 1 {
			shape := x.Shape()
			shape[k] = 1 + r.IntN(3)
			return x.Expand(shape...)
		}
	case 6:
		return x.Permute(r.Perm(rank)...)
	}
	return x.Squeeze()
}

// TestViewFacts compares every question about a view with a count of its elements.
func TestViewFacts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		x := randomView(r)
		offs := offsetsOf(x)
		checkFacts(t, x, offs)
		ints := x.Ints() // the elements of the base are their own offsets
		if !slices.Equal(ints, offs) {
			t.Fatalf("%s strides %v: elements %v at %v", x.desc(), x.strides, ints, offs)
		}
		c := x.Contiguous()
		if !c.IsContiguous() || !slices.Equal(c.Ints(), offs) || !Equal(x, c) {
			t.Fatalf("%s strides %v: contiguous %v", x.desc(), x.strides, c)
		}
	}
}

func checkFacts(t *testing.T, x *Tensor, offs []int) {
	t.Helper()
	span, isElement := 0, map[int]bool{}
	for _, off := range offs {
		span = max(span, off-x.off+1)
		isElement[off-x.off] = true
	}
	name := fmt.Sprintf("%s strides %v", x.desc(), x.strides)
	if x.Span() != span || x.Buf().Len() != span {
		t.Fatalf("%s: span %d, buf %d, want %d", name, x.Span(), x.Buf().Len(), span)
	}
	if x.HasGaps() != (len(isElement) < span) {
		t.Fatalf("%s: gaps %v", name, x.HasGaps())
	}
	for off := -2; off < span+3; off++ {
		if x.Contains(off) != isElement[off] {
			t.Fatalf("%s: contains %d is %v", name, off, x.Contains(off))
		}
		idx := x.IndexOf(off)
		if (idx != nil) != isElement[off] {
			t.Fatalf("%s: index of %d is %v", name, off, idx)
		}
		if idx != nil && x.index("test", idx)-x.off != off {
			t.Fatalf("%s: index of %d is %v", name, off, idx)
		}
	}
	contiguous := true
	for i, off := range offs {
		contiguous = contiguous && off == x.off+i
	}
	if x.IsContiguous() != contiguous {
		t.Fatalf("%s: contiguous %v", name, x.IsContiguous())
	}
}

// TestOddStrides is membership for strides that no slicing makes.
func TestOddStrides(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	base := Arange(dtype.Int32, 0, 1000)
	var views []*Tensor
	for range 1500 {
		shape := make([]int, 1+r.IntN(4))
		strides := make([]int, len(shape))
		span := 0
		for k := range shape {
			shape[k], strides[k] = 1+r.IntN(4), r.IntN(40)
			span += (shape[k] - 1) * strides[k]
		}
		x := base.AsStrided(shape, strides, r.IntN(1000-span))
		checkFacts(t, x, offsetsOf(x))
		views = append(views, x)
	}
	both := 0
	for i := 1; i < len(views); i++ {
		x, y := views[i-1], views[i]
		want := false
		ys := offsetsOf(y)
		for _, off := range offsetsOf(x) {
			want = want || slices.Contains(ys, off)
		}
		if x.Overlaps(y) != want || y.Overlaps(x) != want {
			t.Fatalf("%s strides %v from %d, %s strides %v from %d: overlap %v", x.desc(), x.strides, x.off, y.desc(), y.strides, y.off, !want)
		}
		if want {
			both++
		}
	}
	if both < 50 || both > 1450 {
		t.Errorf("%d of 1499 pairs overlap: not a test", both)
	}
}

// TestHardStrides is that membership ends soon where every step leaves many choices
// and none is right.
func TestHardStrides(t *testing.T) {
	shape := []int{50, 50, 50, 50, 50, 50, 50, 50}
	strides := []int{1009, 1013, 1019, 1021, 1031, 1033, 1039, 1049}
	x := Zeros(dtype.Int8, 500_000).AsStrided(shape, strides, 0)
	for _, off := range []int{1, 1008, 1010, 5000, 100_000, 200_001, x.Span() - 2, x.Span() - 5000} {
		in := x.Contains(off)
		if idx := x.IndexOf(off); in != (idx != nil) {
			t.Errorf("%d: %v, %v", off, in, idx)
		}
	}
	if !x.Contains(200_001) || x.Contains(x.Span()-2) {
		t.Error("wrong")
	}
}

func TestOverlapsByAddress(t *testing.T) {
	data := make([]int32, 64)
	x, y := From(data[:40]), From(data[32:])
	halves := FromBits(dtype.Float16, make([]uint16, 8))
	tests := []struct {
		name string
		x, y *Tensor
		want bool
	}{
		{"two slices of one array", x, y, true},
		{"ends touch", From(data[:32]), y, false},
		{"even and odd elements", x.SliceStep(0, 0, 40, 2), x.SliceStep(0, 1, 40, 2), false},
		{"even and odd by address", x.SliceStep(0, 0, 40, 2), From(data[1:]).SliceStep(0, 0, 39, 2), false},
		{"even and even by address", x.SliceStep(0, 0, 40, 2), From(data[2:]).SliceStep(0, 0, 39, 2), true},
		{"columns", From(data, 8, 8).Slice(1, 0, 3), From(data, 8, 8).Slice(1, 3, 6), false},
		{"columns in common", From(data, 8, 8).Slice(1, 0, 4), From(data, 8, 8).Slice(1, 3, 6), true},
		{"row and column", From(data, 8, 8).Select(0, 3), From(data, 8, 8).Select(1, 3), true},
		{"itself", x, x, true},
		{"bitcast", halves, halves.Bitcast(dtype.Int16), true},
		{"empty", x.Slice(0, 3, 3), x, false},
		{"elsewhere", Zeros(dtype.Int32, 4), x, false},
	}
	for _, c := range tests {
		if c.x.Overlaps(c.y) != c.want || c.y.Overlaps(c.x) != c.want {
			t.Errorf("%s: want %v", c.name, c.want)
		}
	}
	if x.Storage() == y.Storage() || x.Storage() != x.Slice(0, 3, 4).Storage() {
		t.Error("storages are not what they should be")
	}
	if s := x.Storage(); s.Len() != 40 || s.Bytes() != 160 || s.Buf().Len() != 40 || y.Storage().Base() != s.Base()+128 {
		t.Errorf("%d %d", s.Len(), s.Bytes())
	}
}

// TestReshape compares with a copy's elements, and with whether one step per
// dimension can exist at all.
func TestReshape(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	views, refused := 0, 0
	for range 3000 {
		x := randomView(r)
		shape := randomFactors(r, x.n)
		strides, ok := stride.Reshape(x.shape, x.strides, shape, x.n)
		if ok != stridesExist(offsetsOf(x), shape) {
			t.Fatalf("%s strides %v to %v: %v", x.desc(), x.strides, shape, ok)
		}
		if !ok {
			refused++
			continue
		}
		views++
		y := x.view(shape, strides, x.off)
		if !slices.Equal(offsetsOf(x), offsetsOf(y)) {
			t.Fatalf("%s strides %v to %v: strides %v", x.desc(), x.strides, shape, strides)
		}
	}
	if views < 500 || refused < 100 {
		t.Errorf("%d views, %d refused: not a test", views, refused)
	}
}

// randomFactors is a shape of n elements.
func randomFactors(r *rand.Rand, n int) []int {
	if n == 0 {
		return []int{r.IntN(3), 0}
	}
	shape := []int{}
	for n > 1 && len(shape) < 4 {
		f := 1 + r.IntN(n)
		if n%f == 0 {
			shape = append(shape, f)
			n /= f
		}
	}
	return append(shape, n)
}

// stridesExist reports whether elements at these offsets are a view of this shape.
func stridesExist(offs, shape []int) bool {
	inner := stride.RowMajor(shape)
	for i, off := range offs {
		want := offs[0]
		for k, j := range stride.Index(shape, i) {
			if j > 0 {
				want += j * (offs[inner[k]] - offs[0])
			}
		}
		if off != want {
			return false
		}
	}
	return true
}

func TestViews(t *testing.T) {
	x := Arange(dtype.Int32, 0, 24).Reshape(2, 3, 4)
	tests := []struct {
		name string
		y    *Tensor
		want string
	}{
		{"slice", x.Slice(1, 1, 3), "[2,2,4] [12,4,1] 4"},
		{"slice from the end", x.Slice(-1, 1, 2), "[2,3,1] [12,4,1] 1"},
		{"step", x.SliceStep(2, 0, 4, 3), "[2,3,2] [12,4,3] 0"},
		{"step over all", x.SliceStep(2, 1, 4, 1<<62), "[2,3,1] [12,4,1] 1"},
		{"select", x.Select(0, 1), "[3,4] [4,1] 12"},
		{"transpose", x.Transpose(0, 2), "[4,3,2] [1,4,12] 0"},
		{"T", x.T(), "[2,4,3] [12,1,4] 0"},
		{"permute", x.Permute(2, 0, -2), "[4,2,3] [1,12,4] 0"},
		{"reshape", x.Reshape(6, -1), "[6,4] [4,1] 0"},
		{"flatten", x.Flatten(), "[24] [1] 0"},
		{"expand", x.Slice(0, 0, 1).Expand(3, 5, -1, 4), "[3,5,3,4] [0,0,4,1] 0"},
		{"squeeze", x.Slice(1, 2, 3).Squeeze(), "[2,4] [12,1] 8"},
		{"squeeze one", x.Slice(1, 2, 3).Slice(0, 0, 1).Squeeze(1), "[1,4] [12,1] 8"},
		{"unsqueeze", x.Unsqueeze(1), "[2,1,3,4] [12,12,4,1] 0"},
		{"unsqueeze last", x.Unsqueeze(-1), "[2,3,4,1] [12,4,1,1] 0"},
		{"strided", x.AsStrided([]int{3, 3}, []int{1, 1}, 5), "[3,3] [1,1] 5"},
		{"strided at the end", x.AsStrided([]int{2, 2}, []int{22, 1}, 0), "[2,2] [22,1] 0"},
		{"empty", x.Slice(0, 1, 1), "[0,3,4] [12,4,1] 0"},
		{"rank 0", Full(dtype.Int8, 3).Reshape(1, 1), "[1,1] [1,1] 0"},
		{"to rank 0", x.Slice(0, 0, 1).Slice(1, 0, 1).Slice(2, 3, 4).Reshape(), "[] [] 3"},
	}
	for _, c := range tests {
		if got := fmt.Sprintf("%s %s %d", dims(c.y.Shape()), dims(c.y.Strides()), c.y.Offset()); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
		if c.y.Storage() != x.Storage() && !strings.HasPrefix(c.name, "rank") {
			t.Errorf("%s: not a view", c.name)
		}
	}
	x.T().Set(-1, 0, 3, 2)
	if x.Int(0, 2, 3) != -1 || x.Dim(-1) != 4 || x.Stride(0) != 12 || x.Rank() != 3 || x.Len() != 24 {
		t.Error("writing through a view is not seen")
	}
	x.Shape()[0], x.Strides()[0] = 7, 7
	if x.Dim(0) != 2 || x.Stride(0) != 12 {
		t.Error("Shape or Strides is not a copy")
	}
}
