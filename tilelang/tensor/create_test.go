package tensor

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

func TestCreate(t *testing.T) {
	tests := []struct{ got, want string }{
		{Zeros(dtype.Float32).String(), "tensor(0.)"},
		{Zeros(dtype.Int32, 2, 2).String(), "tensor([[0, 0],\n        [0, 0]])"},
		{Ones(dtype.Float16, 2).String(), "tensor([1., 1.], dtype=float16)"},
		{Ones(dtype.Bool, 2).String(), "tensor([True, True])"},
		{Full(dtype.Float32, 2.5, 2).String(), "tensor([2.5000, 2.5000])"},
		{Full(dtype.Int8, -128, 1).String(), "tensor([-128], dtype=int8)"},
		{Full(dtype.Int64, math.MinInt64, 1).String(), "tensor([-9223372036854775808])"},
		{Full(dtype.Int32, 3.0, 1).String(), "tensor([3])"},
		{Full(dtype.Int64, -0x1p63, 1).String(), "tensor([-9223372036854775808])"},
		{Full(dtype.Uint64, 0x1.8p63, 1).String(), "tensor([13835058055282163712], dtype=uint64)"},
		{Full(dtype.Bool, 1, 1).String(), "tensor([True])"},
		{Full(dtype.Bool, false, 1).String(), "tensor([False])"},
		{Full(dtype.Float32, true, 1).String(), "tensor([1.])"},
		{Full(dtype.Float16, 70000, 1).String(), "tensor([inf], dtype=float16)"},
		{Full(dtype.Float8E4NV, 1e6, 1).String(), "tensor([448.], dtype=float8e4nv)"},
		{Full(dtype.Float32, uint64(math.MaxUint64), 1).String(), "tensor([1.8447e+19])"},
		{Arange(dtype.Int64, -2, 3).String(), "tensor([-2, -1,  0,  1,  2])"},
		{Arange(dtype.Float16, 2048, 2051).String(), "tensor([2048., 2048., 2050.], dtype=float16)"},
		{Arange(dtype.Int8, 5, 5).String(), "tensor([], dtype=int8)"},
		{Arange(dtype.Bool, 0, 2).String(), "tensor([False,  True])"},
		{Of(3.5).String(), "tensor(3.5000, dtype=float64)"},
		{Of(float32(3)).String(), "tensor(3.)"},
		{Of([][]int32{{1, 2}, {3, 4}}).String(), "tensor([[1, 2],\n        [3, 4]])"},
		{Of([2][1]bool{{true}, {false}}).String(), "tensor([[ True],\n        [False]])"},
		{Of([][]float32{}).String(), "tensor([], size=(0, 0))"},
		{Of([]int32{1, 2, 3, 4}, 2, -1).String(), "tensor([[1, 2],\n        [3, 4]])"},
		{Of([][]int32{{1, 2}, {3, 4}}, 4).String(), "tensor([1, 2, 3, 4])"},
		{From([]float32(nil)).String(), "tensor([])"},
		{FromBits(dtype.BFloat16, BFloat16s([]float32{1, 0.5})).String(), "tensor([1.0000, 0.5000], dtype=bfloat16)"},
		{FromBits(dtype.Float8E5, []uint8{0x3c, 0x40}, 2, 1).String(), "tensor([[1.],\n        [2.]], dtype=float8e5)"},
		{FromBits(dtype.Float32, []uint32{0x3f800000}).String(), "tensor([1.])"},
	}
	for _, c := range tests {
		if c.got != c.want {
			t.Errorf("got  %s\nwant %s", c.got, c.want)
		}
	}
	if n := Arange(dtype.Int64, 0, 3000); n.Int(2999) != 2999 || n.Int(512) != 512 {
		t.Error("Arange over more than a chunk")
	}
}

type celsius float32

// checkFrom is that From uses the memory, and Data gives it back.
func checkFrom[T Elem](t *testing.T, d dtype.DType, data []T) {
	t.Helper()
	x := From(data, 1, len(data))
	if x.DType() != d || fmt.Sprint(x.Shape()) != fmt.Sprint([]int{1, len(data)}) {
		t.Errorf("%T: %s", data, x.desc())
	}
	back := Data[T](x)
	if &back[0] != &data[0] || len(back) != len(data) {
		t.Errorf("%T: Data is other memory", data)
	}
	x.Set(1, 0, 1)
	if fmt.Sprint(data[1]) != "1" && fmt.Sprint(data[1]) != "true" {
		t.Errorf("%T: Set is not seen: %v", data, data)
	}
	if got := fmt.Sprintf("%T", x.Raw()); got != "[]"+rawTypes[d].String() {
		t.Errorf("Raw of %s is %s", x.desc(), got)
	}
}

func TestFrom(t *testing.T) {
	checkFrom(t, dtype.Bool, make([]bool, 3))
	checkFrom(t, dtype.Int8, make([]int8, 3))
	checkFrom(t, dtype.Int16, make([]int16, 3))
	checkFrom(t, dtype.Int32, make([]int32, 3))
	checkFrom(t, dtype.Int64, make([]int64, 3))
	checkFrom(t, dtype.Uint8, make([]uint8, 3))
	checkFrom(t, dtype.Uint16, make([]uint16, 3))
	checkFrom(t, dtype.Uint32, make([]uint32, 3))
	checkFrom(t, dtype.Uint64, make([]uint64, 3))
	checkFrom(t, dtype.Float32, make([]float32, 3))
	checkFrom(t, dtype.Float64, make([]float64, 3))
	checkFrom(t, dtype.Float32, make([]celsius, 3))
	checkFrom(t, dtype.IntBits(strconv.IntSize), make([]int, 3))
	checkFrom(t, dtype.IntBits(strconv.IntSize).WithSign(false), make([]uint, 3))
	if Data[int16](Zeros(dtype.Int16, 0)) == nil && len(Data[int16](Zeros(dtype.Int16, 0))) != 0 {
		t.Error("Data of nothing")
	}
	h := Data[uint16](Full(dtype.Float16, 1, 2))
	if h[0] != 0x3c00 {
		t.Errorf("%x", h)
	}
	for name, d := range dtype.All() {
		if rawTypes[d] == nil || int(rawTypes[d].Size()) != d.Size() || d.IsFloat() == (ranges[d] > 0) {
			t.Errorf("tables lack %s (%d)", d, name)
		}
		if Zeros(d, 3).Len() != 3 {
			t.Error(d)
		}
	}
}

func TestAligned(t *testing.T) {
	if dtype.Fenced() != dtype.NoFence {
		t.Skip("buffers end at fences, wherever they begin")
	}
	for _, x := range []*Tensor{Zeros(dtype.Float32, 33), Randn(1, dtype.Float16, 100), Zeros(dtype.Int8, 7, 11).T().Clone()} {
		if x.Storage().Base()%dtype.Align != 0 {
			t.Errorf("%s at %x", x.desc(), x.Storage().Base())
		}
	}
}

func TestAccess(t *testing.T) {
	for _, d := range dtype.All() {
		x := Zeros(d, 2, 2)
		x.Set(1, 1, 0)
		if x.Float(1, 0) != 1 || x.Int(1, 0) != 1 || !x.Bool(1, 0) || x.Bool(0, 1) {
			t.Errorf("%s: %v", d, x)
		}
		want := fmt.Sprintf("%T", x.At(1, 0))
		switch {
		case d.IsNarrow():
			if want != "float32" {
				t.Errorf("%s: At gives %s", d, want)
			}
		case want != rawTypes[d].String():
			t.Errorf("%s: At gives %s", d, want)
		}
		if got := x.T().Floats(); !slices.Equal(got, []float64{0, 1, 0, 0}) {
			t.Errorf("%s: floats %v", d, got)
		}
		if got := x.T().Ints(); !slices.Equal(got, []int{0, 1, 0, 0}) {
			t.Errorf("%s: ints %v", d, got)
		}
	}
	if v := Full(dtype.Uint64, uint64(math.MaxUint64)); v.At() != uint64(math.MaxUint64) || v.Float() != 0x1p64 || v.Floats()[0] != 0x1p64 {
		t.Errorf("%v", v)
	}
	if v := Full(dtype.Int8, -3); v.At() != int8(-3) || v.Float() != -3 || v.Int() != -3 {
		t.Errorf("%v", v)
	}
	if v := Full(dtype.Float64, -0x1p63); v.Int() != math.MinInt64 {
		t.Errorf("%v", v.Int())
	}
	n := Full(dtype.Float32, math.NaN())
	if f := n.Float(); f == f || !n.Bool() {
		t.Error("NaN")
	}
}

func TestBits(t *testing.T) {
	v := []float32{0, 1, -2.5, 65504, 1e-8}
	if got := fmt.Sprint(FromFloat16s(Float16s(v))); got != "[0 1 -2.5 65504 0]" {
		t.Error(got)
	}
	if got := fmt.Sprint(FromBFloat16s(BFloat16s(v))); got != "[0 1 -2.5 65536 1.0011718e-08]" {
		t.Error(got)
	}
	x := Full(dtype.Float32, 1, 2)
	if y := x.Bitcast(dtype.Int32); y.Int(0) != 0x3f800000 || y.Storage() != x.Storage() || y.Buf().DType() != dtype.Int32 || y.Clone().DType() != dtype.Int32 {
		t.Errorf("%v", y)
	}
	if y := Full(dtype.Bool, true, 2).Bitcast(dtype.Uint8); y.Int(1) != 1 {
		t.Errorf("%v", y)
	}
}
