package tensor

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// TestTo: values are converted, and nothing is copied that has the type already.
func TestTo(t *testing.T) {
	x := From([]float32{1.5, -2, 300})
	if y := x.To(dtype.Int8); y.String() != "tensor([  1,  -2, 127], dtype=int8)" {
		t.Errorf("got %v", y)
	}
	if x.To(dtype.Float32) != x {
		t.Error("To copies")
	}
}

// TestCopyFrom writes through random views and compares all memory.
func TestCopyFrom(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 2000 {
		x := randomView(r)
		if n := len(slices.Compact(slices.Sorted(slices.Values(offsetsOf(x))))); n != x.n {
			continue // a repeated element has no single value
		}
		want := Data[int32](From(x.st.int32s()).Clone())
		src := Arange(dtype.Int16, 1000, 1000+x.n).Reshape(x.shape...)
		for i, off := range offsetsOf(x) {
			want[off] = int32(1000 + i)
		}
		x.CopyFrom(src)
		if !slices.Equal(x.st.int32s(), want) {
			t.Fatalf("%s strides %v: got %v, want %v", x.desc(), x.strides, x.st.int32s(), want)
		}
		for _, off := range offsetsOf(x) {
			want[off] = 7
		}
		if x.Fill(7); !slices.Equal(x.st.int32s(), want) {
			t.Fatalf("%s strides %v: filled %v, want %v", x.desc(), x.strides, x.st.int32s(), want)
		}
	}
}

func (s *Storage) int32s() []int32 { return dtype.View[int32](s.buf) }

func TestCopyOverlapping(t *testing.T) {
	x := Arange(dtype.Int32, 0, 6)
	x.Slice(0, 1, 6).CopyFrom(x.Slice(0, 0, 5))
	if got := fmt.Sprint(x.Ints()); got != "[0 0 1 2 3 4]" {
		t.Error(got)
	}
	m := Arange(dtype.Int32, 0, 9).Reshape(3, 3)
	m.CopyFrom(m.T())
	if got := fmt.Sprint(m.Ints()); got != "[0 3 6 1 4 7 2 5 8]" {
		t.Error(got)
	}
	m.CopyFrom(From([]float64{1.9, -1.9, 300}))
	if got := fmt.Sprint(m.Ints()); got != "[1 -1 300 1 -1 300 1 -1 300]" {
		t.Error(got)
	}
	Zeros(dtype.Int8, 0, 3).CopyFrom(Zeros(dtype.Int8, 3))
	Zeros(dtype.Int8, 0, 3).Fill(1)
}

// TestTransposedCopy covers the blocked loop, with ragged edges.
func TestTransposedCopy(t *testing.T) {
	for _, d := range []dtype.DType{dtype.Int8, dtype.Int16, dtype.Int32, dtype.Float64} {
		x := RandInt(1, d, 0, 100, 3, 70, 45)
		y := x.T().Contiguous()
		for i := range 3 {
			for j := range 45 {
				for k := range 70 {
					if x.Int(i, k, j) != y.Int(i, j, k) {
						t.Fatalf("%s: differs at %d %d %d", d, i, j, k)
					}
				}
			}
		}
	}
}

func TestDefined(t *testing.T) {
	for _, d := range dtype.All() {
		x := Empty(d, 3)
		if !x.Undefined() || x.Clone().Undefined() != true {
			t.Errorf("%s: Empty is defined", d)
		}
		if f := x.Float(0); d.IsFloat() && f == f || !d.IsFloat() && f != float64(d.MaxInt()) {
			t.Errorf("%s: starts as %v", d, f)
		}
	}
	x := Empty(dtype.Float32, 10, 20)
	x.Set(1, 3, 4)
	if !x.IsDefinedAt(64) || x.IsDefinedAt(63) || x.IsDefinedAt(65) || !x.Undefined() || x.Slice(0, 3, 4).Slice(1, 4, 5).Undefined() {
		t.Error("Set")
	}
	x.Slice(1, 2, 5).Fill(2)
	if x.Slice(1, 2, 5).Undefined() || !x.Slice(1, 1, 5).Undefined() || !x.Slice(1, 2, 6).Undefined() || x.IsDefinedAt(25) || !x.IsDefinedAt(24) {
		t.Error("Fill")
	}
	y := x.T().Clone()
	if !y.Undefined() || y.Slice(0, 2, 5).Undefined() || y.IsDefinedAt(0) || !y.IsDefinedAt(20) {
		t.Error("Clone does not carry what is defined")
	}
	if z := x.To(dtype.Float16); !z.Undefined() || z.Slice(1, 2, 5).Undefined() {
		t.Error("To does not carry what is defined")
	}
	full := Zeros(dtype.Float32, 10, 20)
	full.CopyFrom(x)
	if !full.Undefined() || full.Slice(1, 2, 5).Undefined() {
		t.Error("CopyFrom of undefined elements")
	}
	x.CopyFrom(Zeros(dtype.Float32, 10, 20))
	if x.Undefined() || !x.Storage().Defined() || x.Storage().written.Load() != nil {
		t.Error("CopyFrom")
	}
	if Zeros(dtype.Int8, 2).Undefined() || Empty(dtype.Int8, 0).Undefined() || !Zeros(dtype.Int8, 2).IsDefinedAt(1) {
		t.Error("Zeros")
	}
}

func TestMarkDefined(t *testing.T) {
	x := Empty(dtype.Int32, 300)
	for i := 0; i < 300; i += 2 {
		x.MarkDefinedAt(i)
	}
	even := x.SliceStep(0, 0, 300, 2)
	if even.Undefined() || !x.SliceStep(0, 1, 300, 2).Undefined() {
		t.Error("MarkDefinedAt")
	}
	x.Buf()
	if !x.Undefined() {
		t.Error("Buf marks")
	}
	x.SliceStep(0, 1, 300, 2).MarkDefined()
	if x.Undefined() || x.st.written.Load() != nil {
		t.Error("MarkDefined with gaps")
	}
	y := Empty(dtype.Int32, 300)
	y.Slice(0, 10, 200).MarkDefined()
	if y.Slice(0, 10, 200).Undefined() || !y.Slice(0, 9, 200).Undefined() || !y.Slice(0, 10, 201).Undefined() {
		t.Error("MarkDefined of a range")
	}
	Data[int32](y.Slice(0, 200, 300))
	if y.Slice(0, 10, 300).Undefined() || !y.Undefined() {
		t.Error("Data does not mark, or marks too much")
	}
	y.Raw()
	if y.Undefined() {
		t.Error("Raw does not mark")
	}
	z := Empty(dtype.Int32, 4096)
	done := make(chan bool)
	for w := range 4 {
		go func() {
			for i := w; i < 4096; i += 4 {
				z.MarkDefinedAt(i)
			}
			done <- true
		}()
	}
	for range 4 {
		<-done
	}
	if z.Undefined() {
		t.Error("marks from several goroutines get lost")
	}
}
