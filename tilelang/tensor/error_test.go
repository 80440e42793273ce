package tensor

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// failure is the text of the Error that fn panics with.
func failure(t *testing.T, name string, fn func()) (text string) {
	t.Helper()
	defer func() {
		t.Helper()
		r := recover()
		e, ok := r.(Error)
		if !ok {
			t.Errorf("%s: panic with %T %v, want an Error", name, r, r)
			return
		}
		text = e.Error()
	}()
	fn()
	return ""
}

type failCase struct {
	want string // the whole text
	fn   func()
}

func runFails(t *testing.T, cases []failCase) {
	t.Helper()
	for _, c := range cases {
		if got := failure(t, c.want, c.fn); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestCreateFails(t *testing.T) {
	const f32 = dtype.Float32
	runFails(t, []failCase{
		{"tensor.Zeros: invalid is not an element type", func() { Zeros(dtype.Invalid, 2) }},
		{"tensor.Zeros: invalid is not an element type", func() { Zeros(dtype.DType(63), 2) }},
		{"tensor.Zeros: *float32 is not an element type", func() { Zeros(dtype.PointerTo(f32), 2) }},
		{"tensor.Zeros: shape [2,-1] has a negative dimension", func() { Zeros(f32, 2, -1) }},
		{"tensor.Zeros: shape [1,1,1,1,1,1,1,1,1] has more than 8 dimensions", func() { Zeros(f32, 1, 1, 1, 1, 1, 1, 1, 1, 1) }},
		{"tensor.Zeros: shape [4611686018427387904,4] has too many elements", func() { Zeros(f32, 1<<62, 4) }},
		{"tensor.Zeros: shape [0,4611686018427387904,4] has too many elements", func() { Zeros(f32, 0, 1<<62, 4) }},
		{"tensor.Ones: f32[4611686018427387904] is too large for memory", func() { Ones(f32, 1<<62) }},
		{"tensor.Empty: f64[35184372088832] is too large for memory", func() { Empty(dtype.Float64, 1<<45) }},
		{"tensor.Full: 300 is not a value of int8", func() { Full(dtype.Int8, 300, 2) }},
		{"tensor.Full: -1 is not a value of uint32", func() { Full(dtype.Uint32, -1) }},
		{"tensor.Full: 200 is not a value of int8", func() { Full(dtype.Int8, uint8(200)) }},
		{"tensor.Full: 2 is not a value of bool", func() { Full(dtype.Bool, 2) }},
		{"tensor.Full: 1.5 is not a value of int32", func() { Full(dtype.Int32, 1.5) }},
		{"tensor.Full: NaN is not a value of int64", func() { Full(dtype.Int64, math.NaN()) }},
		{"tensor.Full: 9.223372036854776e+18 is not a value of int64", func() { Full(dtype.Int64, 0x1p63) }},
		{"tensor.Full: 1.8446744073709552e+19 is not a value of uint64", func() { Full(dtype.Uint64, 0x1p64) }},
		{"tensor.Full: a string is not a number or bool", func() { Full(f32, "1") }},
		{"tensor.Full: a <nil> is not a number or bool", func() { Full(f32, nil) }},
		{"tensor.Full: a complex128 is not a number or bool", func() { Full(f32, 1i) }},
		{"tensor.Arange: no numbers from 3 to 2", func() { Arange(f32, 3, 2) }},
		{"tensor.Arange: no numbers from -9223372036854775808 to 1", func() { Arange(f32, math.MinInt, 1) }},
		{"tensor.Arange: 0 to 128 are not all values of int8", func() { Arange(dtype.Int8, 0, 129) }},
		{"tensor.Arange: -1 to 2 are not all values of uint8", func() { Arange(dtype.Uint8, -1, 3) }},
		{"tensor.Rand: int32 is not a float type: use RandInt", func() { Rand(1, dtype.Int32, 2) }},
		{"tensor.Randn: bool is not a float type: use RandInt", func() { Randn(1, dtype.Bool, 2) }},
		{"tensor.RandInt: no numbers from 2 to 2", func() { RandInt(1, dtype.Int32, 2, 2) }},
		{"tensor.RandInt: 0 to 255 are not all values of int8", func() { RandInt(1, dtype.Int8, 0, 256) }},
		{"tensor.Generate: invalid is not an element type", func() { Generate(1, dtype.Invalid) }},
		{"tensor.Generate: *int32 is not an element type", func() { Generate(1, dtype.PointerTo(dtype.Int32)) }},
		{"tensor.From: shape [2,2] has 4 elements, the slice of 3 elements has 3", func() { From([]int{1, 2, 3}, 2, 2) }},
		{"tensor.From: no size for -1 in [2,-1] makes it 3 elements, those of the slice of 3 elements", func() { From([]int{1, 2, 3}, 2, -1) }},
		{"tensor.From: shape [3,-2] has a negative dimension", func() { From([]int{1, 2, 3}, 3, -2) }},
		{"tensor.From: shape [-1,-1] has a negative dimension", func() { From([]int{1, 2, 3}, -1, -1) }},
		{"tensor.Of: no data: nil", func() { Of(nil) }},
		{"tensor.Of: a map[int]int is not numbers or bools", func() { Of(map[int]int{}) }},
		{"tensor.Of: a []string is not numbers or bools", func() { Of([]string{"a"}) }},
		{"tensor.Of: a *tensor.Tensor is not numbers or bools", func() { Of(Zeros(f32)) }},
		{"tensor.Of: a [][][][][][][][][]int is not numbers or bools", func() { Of([][][][][][][][][]int{}) }},
		{"tensor.Of: the lengths of the []int differ within dimension 1: 2 and 1", func() { Of([][]int{{1, 2}, {3}}) }},
		{"tensor.Of: the lengths of the []int differ within dimension 1: 0 and 1", func() { Of([][]int{{}, {3}}) }},
		{"tensor.FromBits: a []int16 does not hold bits of float16", func() { FromBits(dtype.Float16, []int16{1}) }},
		{"tensor.FromBits: a []uint8 does not hold bits of float16", func() { FromBits(dtype.Float16, []uint8{1}) }},
		{"tensor.FromBits: a int is not a slice of unsigned integers", func() { FromBits(dtype.Float16, 1) }},
		{"tensor.FromBits: a <nil> is not a slice of unsigned integers", func() { FromBits(dtype.Float16, nil) }},
		{"tensor.FromBits: a []string does not hold bits of int64", func() { FromBits(dtype.Int64, []string{}) }},
		{"tensor.FromBits: bool is not a type made from bits", func() { FromBits(dtype.Bool, []uint8{1}) }},
		{"tensor.FromBits: invalid is not a type made from bits", func() { FromBits(dtype.Invalid, []uint8{1}) }},
	})
}

func TestAccessFails(t *testing.T) {
	x := Arange(dtype.Float32, 0, 6).Reshape(2, 3)
	half := Full(dtype.Float32, 0.5)
	big := Full(dtype.Uint64, uint64(math.MaxUint64), 1)
	runFails(t, []failCase{
		{"tensor.At: index [2,0] is outside f32[2,3]", func() { x.At(2, 0) }},
		{"tensor.Float: index [0,-1] is outside f32[2,3]", func() { x.Float(0, -1) }},
		{"tensor.Int: index [1] for f32[2,3], which has 2 dimensions", func() { x.Int(1) }},
		{"tensor.Bool: index [] for f32[2,3], which has 2 dimensions", func() { x.Bool() }},
		{"tensor.Set: index [0,0,0] for f32[2,3], which has 2 dimensions", func() { x.Set(1, 0, 0, 0) }},
		{"tensor.Set: a []int is not a number or bool", func() { x.Set([]int{1}, 0, 0) }},
		{"tensor.Set: 1.5 is not a value of uint64", func() { big.Set(1.5, 0) }},
		{"tensor.At: index [0] is outside f32[0]", func() { Zeros(dtype.Float32, 0).At(0) }},
		{"tensor.Int: element [] of f32[] is 0.5", func() { half.Int() }},
		{"tensor.Int: element [0] of u64[1] is 18446744073709551615", func() { big.Int(0) }},
		{"tensor.Ints: element [0] of u64[1] is 18446744073709551615", func() { big.Ints() }},
		{"tensor.Ints: element [] of f32[] is 0.5", func() { half.Ints() }},
		{"tensor.Data: elements of f32[2,3] are float32 in Go, not float64", func() { Data[float64](x) }},
		{"tensor.Data: elements of f32[2,3] are float32 in Go, not uint32", func() { Data[uint32](x) }},
		{"tensor.Data: elements of u64[1] are uint64 in Go, not int", func() { Data[int](big) }},
		{"tensor.Data: f32[3,2] with strides [1,3] is not contiguous: call Contiguous() first, which copies", func() { Data[float32](x.T()) }},
		{"tensor.Raw: f32[3,2] with strides [1,3] is not contiguous: call Contiguous() first, which copies", func() { x.T().Raw() }},
		{"tensor.Fill: 0.5 is not a value of uint64", func() { big.Fill(0.5) }},
		{"tensor.CopyFrom: f32[3,2] does not expand to f32[2,3]", func() { x.CopyFrom(x.T()) }},
		{"tensor.CopyFrom: f32[2,3] does not expand to f32[]", func() { half.CopyFrom(x) }},
		{"tensor.To: *float32 is not an element type", func() { x.To(dtype.PointerTo(dtype.Float32)) }},
		{"tensor.Bitcast: the bits of f32[2,3] are not those of float16", func() { x.Bitcast(dtype.Float16) }},
		{"tensor.Bitcast: the bits of u64[1] are not those of *float32", func() { big.Bitcast(dtype.PointerTo(dtype.Float32)) }},
		{"tensor.Bitcast: the bits of u8[1] are not those of bool", func() { Zeros(dtype.Uint8, 1).Bitcast(dtype.Bool) }},
		{"tensor.Clone: i8[4611686018427387904] is too large for memory", func() { Zeros(dtype.Int8).Expand(1 << 62).Clone() }},
		{"tensor.MarkDefinedAt: offset 6 is outside the span of f32[2,3], 6 elements", func() { x.MarkDefinedAt(6) }},
		{"tensor.IsDefinedAt: offset -1 is outside the span of f32[2,3], 6 elements", func() { x.IsDefinedAt(-1) }},
	})
}

func TestViewFails(t *testing.T) {
	x := Arange(dtype.Int32, 0, 6).Reshape(2, 3)
	deep := x.Reshape(1, 1, 1, 1, 1, 1, 2, 3)
	runFails(t, []failCase{
		{"tensor.Dim: i32[2,3] has no dimension 2", func() { x.Dim(2) }},
		{"tensor.Stride: i32[2,3] has no dimension -3", func() { x.Stride(-3) }},
		{"tensor.Slice: i32[2,3] has no dimension 2", func() { x.Slice(2, 0, 1) }},
		{"tensor.Slice: [0:4] is outside dimension 1 of i32[2,3]", func() { x.Slice(1, 0, 4) }},
		{"tensor.Slice: [-1:2] is outside dimension 1 of i32[2,3]", func() { x.Slice(1, -1, 2) }},
		{"tensor.Slice: [2:1] is outside dimension 1 of i32[2,3]", func() { x.Slice(1, 2, 1) }},
		{"tensor.SliceStep: step 0: it must be at least 1", func() { x.SliceStep(1, 0, 3, 0) }},
		{"tensor.SliceStep: step -1: it must be at least 1", func() { x.SliceStep(1, 0, 3, -1) }},
		{"tensor.Select: index 2 is outside dimension 0 of i32[2,3]", func() { x.Select(0, 2) }},
		{"tensor.Select: index -1 is outside dimension 0 of i32[2,3]", func() { x.Select(0, -1) }},
		{"tensor.Select: i32[] has no dimension 0", func() { Zeros(dtype.Int32).Select(0, 0) }},
		{"tensor.Transpose: i32[2,3] has no dimension 2", func() { x.Transpose(0, 2) }},
		{"tensor.T: i32[2] has fewer than 2 dimensions", func() { x.Select(1, 0).T() }},
		{"tensor.Permute: order [0] does not name the 2 dimensions of i32[2,3]", func() { x.Permute(0) }},
		{"tensor.Permute: order [0,-2] names a dimension of i32[2,3] twice", func() { x.Permute(0, -2) }},
		{"tensor.Permute: i32[2,3] has no dimension 5", func() { x.Permute(0, 5) }},
		{"tensor.Reshape: shape [4] has 4 elements, i32[2,3] has 6", func() { x.Reshape(4) }},
		{"tensor.Reshape: no size for -1 in [4,-1] makes it 6 elements, those of i32[2,3]", func() { x.Reshape(4, -1) }},
		{"tensor.Reshape: no size for -1 in [0,-1] makes it 0 elements, those of i32[0,3]", func() { x.Slice(0, 0, 0).Reshape(0, -1) }},
		{"tensor.Reshape: shape [6,-2] has a negative dimension", func() { x.Reshape(6, -2) }},
		{"tensor.Reshape: no view of i32[3,2] with strides [1,3] has shape [6]: call Contiguous() first", func() { x.T().Reshape(6) }},
		{"tensor.Reshape: no view of i32[3,2] with strides [1,3] has shape [6]: call Contiguous() first", func() { x.T().Flatten() }},
		{"tensor.Expand: shape [3] has fewer dimensions than i32[2,3]", func() { x.Expand(3) }},
		{"tensor.Expand: dimension 0 of i32[2,3] cannot become 4: only size 1 grows", func() { x.Expand(4, 3) }},
		{"tensor.Expand: shape [-1,2,3] has a negative dimension", func() { x.Expand(-1, 2, 3) }},
		{"tensor.Expand: shape [4611686018427387904,2,3] has too many elements", func() { x.Expand(1<<62, 2, 3) }},
		{"tensor.Expand: shape [1,1,1,1,1,1,1,2,3] has more than 8 dimensions", func() { x.Expand(1, 1, 1, 1, 1, 1, 1, 2, 3) }},
		{"tensor.Squeeze: dimension 1 of i32[2,3] has not size 1", func() { x.Squeeze(-1) }},
		{"tensor.Squeeze: i32[2,3] has no dimension 2", func() { x.Squeeze(2) }},
		{"tensor.Unsqueeze: i32[2,3] has no place for a dimension 3", func() { x.Unsqueeze(3) }},
		{"tensor.Unsqueeze: i32[2,3] has no place for a dimension -4", func() { x.Unsqueeze(-4) }},
		{"tensor.Unsqueeze: i32[1,1,1,1,1,1,2,3] has no place for a dimension 0", func() { deep.Unsqueeze(0) }},
		{"tensor.AsStrided: strides [1] for shape [2,2]: one per dimension, none negative", func() { x.AsStrided([]int{2, 2}, []int{1}, 0) }},
		{"tensor.AsStrided: strides [-1] for shape [2]: one per dimension, none negative", func() { x.AsStrided([]int{2}, []int{-1}, 1) }},
		{"tensor.AsStrided: offset -1 is negative", func() { x.AsStrided([]int{2}, []int{1}, -1) }},
		{"tensor.AsStrided: shape [-2] has a negative dimension", func() { x.AsStrided([]int{-2}, []int{1}, 0) }},
		{"tensor.AsStrided: shape [2,2] with strides [5,1] from 0 leaves the span of i32[2,3], 6 elements", func() { x.AsStrided([]int{2, 2}, []int{5, 1}, 0) }},
		{"tensor.AsStrided: shape [4] with strides [4611686018427387904] from 0 leaves the span of i32[2,3], 6 elements", func() { x.AsStrided([]int{4}, []int{1 << 62}, 0) }},
		{"tensor.AsStrided: shape [2] with strides [1] from 9223372036854775807 leaves the span of i32[2,3], 6 elements", func() { x.AsStrided([]int{2}, []int{1}, math.MaxInt) }},
		{"tensor.AsStrided: shape [] with strides [] from 6 leaves the span of i32[2,3], 6 elements", func() { x.AsStrided(nil, nil, 6) }},
	})
}

// TestNilFails is that every method of a nil tensor, and of the zero value, says so.
func TestNilFails(t *testing.T) {
	good := Zeros(dtype.Int32, 1)
	methods := map[string]func(x *Tensor){
		"DType": func(x *Tensor) { x.DType() }, "Shape": func(x *Tensor) { x.Shape() }, "Strides": func(x *Tensor) { x.Strides() },
		"Rank": func(x *Tensor) { x.Rank() }, "Len": func(x *Tensor) { x.Len() }, "Dim": func(x *Tensor) { x.Dim(0) },
		"Stride": func(x *Tensor) { x.Stride(0) }, "Offset": func(x *Tensor) { x.Offset() }, "Storage": func(x *Tensor) { x.Storage() },
		"Buf": func(x *Tensor) { x.Buf() }, "Span": func(x *Tensor) { x.Span() }, "HasGaps": func(x *Tensor) { x.HasGaps() },
		"Contains": func(x *Tensor) { x.Contains(0) }, "IndexOf": func(x *Tensor) { x.IndexOf(0) }, "Overlaps": func(x *Tensor) { x.Overlaps(good) },
		"At": func(x *Tensor) { x.At() }, "Float": func(x *Tensor) { x.Float() }, "Int": func(x *Tensor) { x.Int() }, "Bool": func(x *Tensor) { x.Bool() },
		"Set": func(x *Tensor) { x.Set(1) }, "Floats": func(x *Tensor) { x.Floats() }, "Ints": func(x *Tensor) { x.Ints() },
		"Data": func(x *Tensor) { Data[int32](x) }, "Raw": func(x *Tensor) { x.Raw() }, "Fill": func(x *Tensor) { x.Fill(1) },
		"CopyFrom": func(x *Tensor) { good.CopyFrom(x) }, "CopyFrom to": func(x *Tensor) { x.CopyFrom(good) }, "Clone": func(x *Tensor) { x.Clone() },
		"Contiguous": func(x *Tensor) { x.Contiguous() }, "To": func(x *Tensor) { x.To(dtype.Int8) }, "Bitcast": func(x *Tensor) { x.Bitcast(dtype.Int8) },
		"Slice": func(x *Tensor) { x.Slice(0, 0, 1) }, "SliceStep": func(x *Tensor) { x.SliceStep(0, 0, 1, 1) }, "Select": func(x *Tensor) { x.Select(0, 0) },
		"Transpose": func(x *Tensor) { x.Transpose(0, 0) }, "T": func(x *Tensor) { x.T() }, "Permute": func(x *Tensor) { x.Permute() },
		"Reshape": func(x *Tensor) { x.Reshape() }, "Flatten": func(x *Tensor) { x.Flatten() }, "Expand": func(x *Tensor) { x.Expand() },
		"Squeeze": func(x *Tensor) { x.Squeeze() }, "Unsqueeze": func(x *Tensor) { x.Unsqueeze(0) }, "AsStrided": func(x *Tensor) { x.AsStrided(nil, nil, 0) },
		"IsContiguous": func(x *Tensor) { x.IsContiguous() }, "Undefined": func(x *Tensor) { x.Undefined() }, "MarkDefined": func(x *Tensor) { x.MarkDefined() },
		"MarkDefinedAt": func(x *Tensor) { x.MarkDefinedAt(0) }, "IsDefinedAt": func(x *Tensor) { x.IsDefinedAt(0) },
		"Format": func(x *Tensor) { x.Format(FormatOptions{}) }, "WriteNpy": func(x *Tensor) { _ = WriteNpy(new(bytes.Buffer), x) },
	}
	for name, call := range methods {
		for _, x := range []*Tensor{nil, {}} {
			op, _, _ := strings.Cut(name, " ")
			got := failure(t, name, func() { call(x) })
			if want := "tensor." + op + " of a nil tensor: make one with Zeros, From, Randn, …"; got != want {
				t.Errorf("%s: got %s", name, got)
			}
		}
	}
	var err error = Error("X: y")
	if e := Error(""); !errors.As(err, &e) || e.Error() != "tensor.X: y" {
		t.Error("Error is no error")
	}
}
