package tensor

import (
	"math"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

func TestAllCloseText(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	x := From([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	edit := func(v float32) *Tensor {
		y := x.Clone()
		y.Set(v, 1, 2)
		return y
	}
	tests := []struct {
		name string
		r    Report
		want string
	}{
		{"equal", AllClose(x, x.Clone()), "all 6 elements equal"},
		{"close", AllClose(edit(6.0001), x), "all 6 elements equal within rel 0.0001, abs 0.0001; largest error at [1,2]: got 6.0001, want 6 (absolute error 0.0001, relative 1.67e-05)"},
		{"apart", AllClose(edit(6.5), x), "1 of 6 elements differ by more than rel 0.0001, abs 0.0001\nworst at [1,2]: got 6.5, want 6 (absolute error 0.5, relative 0.0833)"},
		{"exactly", AllClose(edit(6.0001), x, Tolerance{}), "1 of 6 elements differ\nworst at [1,2]: got 6.0001, want 6 (absolute error 0.0001, relative 1.67e-05)"},
		{"nan", AllClose(edit(nan), x), "1 of 6 elements differ by more than rel 0.0001, abs 0.0001\nworst at [1,2]: got NaN, want 6 (absolute error +Inf, relative +Inf)"},
		{"nan wanted", AllClose(x, edit(nan)), "1 of 6 elements differ by more than rel 0.0001, abs 0.0001\nworst at [1,2]: got 6, want NaN (absolute error +Inf, relative +Inf)"},
		{"two nans", AllClose(edit(nan), edit(nan)), "all 6 elements equal"},
		{"two nans differ", AllClose(edit(nan), edit(nan), Tolerance{Rel: 1, NaNDiffers: true}), "1 of 6 elements differ by more than rel 1, abs 0\nworst at [1,2]: got NaN, want NaN (absolute error +Inf, relative +Inf)"},
		{"inf wanted", AllClose(x, edit(inf)), "1 of 6 elements differ by more than rel 0.0001, abs 0.0001\nworst at [1,2]: got 6, want +Inf (absolute error +Inf, relative +Inf)"},
		{"two infs", AllClose(edit(inf), edit(inf)), "all 6 elements equal"},
		{"opposite infs", AllClose(edit(-inf), edit(inf)), "1 of 6 elements differ by more than rel 0.0001, abs 0.0001\nworst at [1,2]: got -Inf, want +Inf (absolute error +Inf, relative +Inf)"},
		{"zero wanted", AllClose(From([]float32{1}), From([]float32{0})), "1 of 1 elements differ by more than rel 0.0001, abs 0.0001\nworst at [0]: got 1, want 0 (absolute error 1, relative +Inf)"},
		{"shapes", AllClose(x, x.T()), "not compared: got is f32[2,3], want is f32[3,2]: the shapes differ"},
		{"ranks", AllClose(x, x.Flatten()), "not compared: got is f32[2,3], want is f32[6]: the shapes differ"},
		{"dtypes", AllClose(x, x.To(dtype.Float16)), "not compared: got is f32[2,3], want is f16[2,3]: the dtypes differ"},
		{"dtypes allowed", AllClose(x.To(dtype.Int8), x.To(dtype.Float16), Tolerance{AnyDType: true}), "all 6 elements equal"},
		{"nil", AllClose(nil, x), "not compared: got is a nil tensor"},
		{"nil wanted", AllClose(x, new(Tensor)), "not compared: want is a nil tensor"},
		{"empty", AllClose(Zeros(dtype.Int8, 0), Zeros(dtype.Int8, 0)), "all 0 elements equal"},
		{"ints", AllClose(From([]int{1, 2}), From([]int{1, 4})), "1 of 2 elements differ\nworst at [1]: got 2, want 4 (absolute error 2, relative 0.5)"},
		{"bools", AllClose(From([]bool{true}), From([]bool{false})), "1 of 1 elements differ\nworst at [0]: got true, want false (absolute error 1, relative +Inf)"},
		{"rank 0", AllClose(Of(1.0), Of(2.0)), "1 of 1 elements differ by more than rel 1e-07, abs 1e-07\nworst at []: got 1, want 2 (absolute error 1, relative 0.5)"},
	}
	for _, c := range tests {
		if got := c.r.String(); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
		if c.r.OK != strings.HasPrefix(c.want, "all") || (c.r.Why != "") != strings.HasPrefix(c.want, "not") {
			t.Errorf("%s: %+v", c.name, c.r)
		}
	}
}

func TestAllCloseWorst(t *testing.T) {
	// The largest error is within the tolerance of a large element; the worst element
	// is the one outside.
	want := From([]float32{1e6, 1, 2, 1e6})
	got := From([]float32{1e6 + 50, 1.01, 2.001, 1e6 + 60})
	r := AllClose(got, want)
	if r.OK || r.Mismatches != 2 || r.Total != 4 || r.Index[0] != 1 || r.Got != float32(1.01) || r.Want != float32(1) {
		t.Errorf("%+v", r)
	}
	if r = AllClose(got, want, Tolerance{Rel: 0.1}); !r.OK || r.Index[0] != 3 || r.AbsErr != 60 {
		t.Errorf("%+v", r)
	}
	// Order does not matter.
	if r = AllClose(From([]float32{1.01, 1e6 + 50}), From([]float32{1, 1e6})); r.Index[0] != 0 || r.Mismatches != 1 {
		t.Errorf("%+v", r)
	}
	x := Arange(dtype.Float32, 0, 3000).Reshape(30, 100)
	y := x.T().Clone()
	y.Set(-1, 99, 29)
	if r = AllClose(y.T(), x); r.Mismatches != 1 || dims(r.Index) != "[29,99]" || r.Got != float32(-1) {
		t.Errorf("%+v", r)
	}
}

// TestDefaultTolerance is that the neighbour of a number is close to it, in every
// float type and at every magnitude.
func TestDefaultTolerance(t *testing.T) {
	for _, d := range []dtype.DType{dtype.Float8E5, dtype.Float8E4NV, dtype.Float16, dtype.BFloat16} {
		for i := range uint64(1)<<(d.Bits()-1) - 1 {
			x, y := Zeros(d), Zeros(d)
			x.st.buf.SetBits(0, i)
			y.st.buf.SetBits(0, i+1)
			if v := y.Float(); v != v || math.IsInf(v, 0) {
				continue
			}
			if r := AllClose(x, y); !r.OK {
				t.Fatalf("%s: %v", d, r)
			}
			if r := AllClose(y, x); !r.OK {
				t.Fatalf("%s: %v", d, r)
			}
		}
	}
	for _, d := range dtype.All() {
		if tol := DefaultTolerance(d); (tol.Rel > 0) != d.IsFloat() || (tol.Abs > 0) != d.IsFloat() {
			t.Errorf("%s: %+v", d, tol)
		}
	}
	if DefaultTolerance(dtype.PointerTo(dtype.Float32)) != (Tolerance{}) || DefaultTolerance(dtype.Invalid) != (Tolerance{}) {
		t.Error("no type has a tolerance")
	}
}

func TestAllCloseInts(t *testing.T) {
	const lo, hi = math.MinInt64, math.MaxInt64
	tests := []struct {
		got, want *Tensor
		err       float64
	}{
		{Full(dtype.Int64, hi), Full(dtype.Int64, hi-1), 1},
		{Full(dtype.Int64, lo), Full(dtype.Int64, hi), 0x1p64},
		{Full(dtype.Int64, hi), Full(dtype.Int64, lo), 0x1p64},
		{Full(dtype.Int64, -3), Full(dtype.Int64, -1), 2},
		{Full(dtype.Uint64, uint64(math.MaxUint64)), Full(dtype.Int64, -1), 0x1p64},
		{Full(dtype.Int64, -1), Full(dtype.Uint64, uint64(math.MaxUint64)), 0x1p64},
		{Full(dtype.Uint64, uint64(math.MaxUint64)), Full(dtype.Uint64, uint64(math.MaxUint64-1)), 1},
		{Full(dtype.Int8, -128), Full(dtype.Uint8, 255), 383},
		{Full(dtype.Int8, 5), Full(dtype.Uint64, 5), 0},
	}
	for _, c := range tests {
		r := AllClose(c.got, c.want, Tolerance{AnyDType: true})
		if r.OK != (c.err == 0) || r.AbsErr != c.err {
			t.Errorf("%v and %v: %+v", c.got, c.want, r)
		}
		if c.err > 0 && c.err < 1e6 && !AllClose(c.got, c.want, Tolerance{AnyDType: true, Abs: c.err}).OK {
			t.Errorf("%v and %v are not close within %v", c.got, c.want, c.err)
		}
	}
	r := AllClose(From([]int{100, 7}), From([]int{101, 7}), Tolerance{Rel: 0.01})
	if !r.OK || r.AbsErr != 1 || r.Index[0] != 0 {
		t.Errorf("%+v", r)
	}
}

func TestEqual(t *testing.T) {
	nan := FromBits(dtype.Float32, []uint32{0x7fc00000, 0xff800001, 0x3f800000})
	other := FromBits(dtype.Float32, []uint32{0x7fc00001, 0x7fc00000, 0x3f800000})
	zero, negative := Full(dtype.Float32, 0.0), Full(dtype.Float32, math.Copysign(0, -1))
	x := Randn(1, dtype.BFloat16, 4, 6)
	tests := []struct {
		name string
		x, y *Tensor
		want bool
	}{
		{"nan by class", nan, other, true},
		{"nan and number", nan, Full(dtype.Float32, 1, 3), false},
		{"zeros", zero, negative, false},
		{"transposed", x.T(), x.T().Clone(), true},
		{"shape", x, x.T(), false},
		{"dtype", x, x.To(dtype.Float32), false},
		{"ints", From([]int{1, 2}), From([]int{1, 3}), false},
		{"nil", nil, x, false},
		{"two nils", nil, nil, false},
	}
	for _, c := range tests {
		if Equal(c.x, c.y) != c.want || Equal(c.y, c.x) != c.want {
			t.Errorf("%s: want %v", c.name, c.want)
		}
	}
}
