package tensor_test

import (
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func TestCopiesShareAsOriginals(t *testing.T) {
	s := []float32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	a, b := tensor.From(s[:8], 8), tensor.From(s[4:], 6) // two storages over one slice
	row := tensor.From(s, 2, 5).Select(0, 1)             // a view
	alone := tensor.Zeros(dtype.Float32, 3)
	c := tensor.Copies(a, b, row, alone, a)
	for i, x := range []*tensor.Tensor{a, b, row, alone, a} {
		if !tensor.Equal(c[i], x) {
			t.Errorf("copy %d is not equal to its original", i)
		}
	}
	c[0].Set(float32(100), 6)
	if got := c[1].At(2); got != float64(100) && got != float32(100) {
		t.Errorf("an element of two copies is %v in the second, want 100", got)
	}
	if got := c[2].At(1); got != float64(100) && got != float32(100) {
		t.Errorf("the same element is %v in the view, want 100", got)
	}
	if s[6] != 6 {
		t.Errorf("the original changed to %v", s[6])
	}
	if c[3].Overlaps(c[0]) || !c[0].Overlaps(c[1]) || !c[0].Overlaps(c[4]) {
		t.Error("copies overlap otherwise than the originals")
	}
}

func TestCopiesKeepWhatIsUndefined(t *testing.T) {
	x := tensor.Empty(dtype.Float32, 70)
	if c := tensor.Copies(x); !c[0].Undefined() {
		t.Error("the copy of memory that was never written is defined")
	}
	x.MarkDefinedAt(65)
	c := tensor.Copies(x)[0]
	if !c.IsDefinedAt(65) || c.IsDefinedAt(64) {
		t.Error("the copy is defined elsewhere")
	}
	if tensor.Copies(tensor.Zeros(dtype.Int8, 0))[0].Len() != 0 {
		t.Error("the copy of an empty tensor is not empty")
	}
}
