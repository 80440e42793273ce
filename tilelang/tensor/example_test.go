package tensor_test

import (
	"bytes"
	"fmt"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// The index grid of a 4 × 4 block in a matrix with rows of 8.
func Example() {
	rows := tensor.Arange(dtype.Int32, 0, 32).SliceStep(0, 0, 32, 8) // 0, 8, 16, 24
	grid := tensor.Zeros(dtype.Int32, 4, 4)
	for i := range 4 {
		for j := range 4 {
			grid.Set(rows.Int(i)+j, i, j)
		}
	}
	fmt.Println(grid)
	// Output:
	// tensor([[ 0,  1,  2,  3],
	//         [ 8,  9, 10, 11],
	//         [16, 17, 18, 19],
	//         [24, 25, 26, 27]])
}

func ExampleFrom() {
	data := []float32{1, 2, 3, 4, 5, 6}
	x := tensor.From(data, 2, 3) // no copy
	x.T().Set(0.5, 2, 0)         // row 2 of the transpose is column 2 of x
	fmt.Println(x)
	fmt.Println(data)
	// Output:
	// tensor([[1.0000, 2.0000, 0.5000],
	//         [4.0000, 5.0000, 6.0000]])
	// [1 2 0.5 4 5 6]
}

func ExampleRandn() {
	fmt.Println(tensor.Randn(42, dtype.Float16, 2, 4))
	// Output:
	// tensor([[ 0.2433, -0.9932, -0.9683, -1.6641],
	//         [ 2.0703, -0.7222, -0.5850, -1.0244]], dtype=float16)
}

func ExampleTensor_Contains() {
	m := tensor.Zeros(dtype.Float32, 4, 8)
	left := m.Slice(1, 0, 5) // columns 0 to 4: three elements of each row are not in it
	fmt.Println(left.Span(), left.HasGaps())
	fmt.Println(left.Contains(6), left.IndexOf(9))
	fmt.Println(left.Overlaps(m.Slice(1, 5, 8)))
	// Output:
	// 29 true
	// false [1 1]
	// false
}

func ExampleTensor_Undefined() {
	out := tensor.Empty(dtype.Float32, 2, 2)
	out.Select(0, 0).Fill(1)
	fmt.Println(out.Undefined(), out.IsDefinedAt(1), out.IsDefinedAt(2))
	out.Select(0, 1).Fill(2)
	fmt.Println(out.Undefined())
	// Output:
	// true true false
	// false
}

func ExampleAllClose() {
	want := tensor.Randn(1, dtype.Float32, 32, 32)
	got := want.Clone()
	fmt.Println(tensor.AllClose(got, want))
	got.Set(7, 3, 4)
	r := tensor.AllClose(got, want)
	fmt.Println(r.OK, r.Mismatches, r.Index)
	fmt.Println(tensor.AllClose(got, want.T().To(dtype.Float16)))
	// Output:
	// all 1024 elements equal
	// false 1 [3 4]
	// not compared: got is f32[32,32], want is f16[32,32]: the dtypes differ
}

func ExampleReport() {
	got := tensor.From([]float32{1, 2.01, 3})
	want := tensor.From([]float32{1, 2, 3})
	fmt.Println(tensor.AllClose(got, want))
	// Output:
	// 1 of 3 elements differ by more than rel 0.0001, abs 0.0001
	// worst at [1]: got 2.01, want 2 (absolute error 0.01, relative 0.005)
}

func ExampleReadNpyAs() {
	x := tensor.Full(dtype.BFloat16, 1.5, 2)
	var file bytes.Buffer
	if err := tensor.WriteNpy(&file, x); err != nil {
		fmt.Println(err)
	}
	raw, _ := tensor.ReadNpy(bytes.NewReader(file.Bytes()))
	y, _ := tensor.ReadNpyAs(&file, dtype.BFloat16)
	fmt.Println(raw)
	fmt.Println(y)
	// Output:
	// tensor([16320, 16320], dtype=uint16)
	// tensor([1.5000, 1.5000], dtype=bfloat16)
}

func ExampleFormatValues() {
	mask := []string{"T", "T", ".", "T", ".", "."}
	text := tensor.FormatValues([]int{2, 3}, func(i int) tensor.Value {
		return tensor.TextValue(mask[i])
	}, tensor.FormatOptions{})
	fmt.Println(text)
	// Output:
	// [[T, T, .],
	//  [T, ., .]]
}
