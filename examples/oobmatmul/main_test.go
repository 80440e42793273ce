package main

import (
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func Example() {
	main()
	// Output:
	// tile([[ 0,  1,  2,  3],
	//       [ 8,  9, 10, 11],
	//       [16, 17, 18, 19],
	//       [24, 25, 26, 27]])
	// matmul_kernel on (32,64)·(64,32): 0 of 1024 elements are wrong
	// tensor([[18.9531, 15.9922, 17.2969, 16.1719, 17.6406],
	//         [18.3281, 14.7188, 17.0625, 16.1875, 16.8750],
	//         [16.6562, 15.6562, 16.2500, 17.8906, 16.4531],
	//         [18.6406, 15.7734, 17.3906, 15.8594, 18.2500],
	//         [16.9062, 12.9375, 15.8281, 14.8125, 15.1094]], dtype=float16)
	// tensor([[18.9531, 15.9922, 17.2969, 16.1719, 17.6406],
	//         [18.3281, 14.7188, 17.0625, 16.1875, 16.8750],
	//         [16.6562, 15.6562, 16.2500, 17.8906, 16.4531],
	//         [18.6406, 15.7734, 17.3906, 15.8594, 18.2500],
	//         [16.9062, 12.9375, 15.8281, 14.8125, 15.1094]])
	// matmul_kernel on (33,70)·(70,17): main.go:43: tl.Load: out of bounds: lane [1,0] of [16,32] is x_ptr[33,0], 1 element past the end of x_ptr
	// 	in program (2,0) of grid (3,2) of kernel matmul_kernel
	// 	x_ptr is f16[33,70]
	// 	480 of 512 active lanes lie outside
	// 	fix: the mask lets these lanes through: compare every index with its own size
	// matmul_kernel_masked on (33,70)·(70,17): 0 of 561 elements are wrong
}

// TestRaggedSizes: as written the kernel fails exactly where a row count of X or a
// column count of Y is no multiple of its block and there is memory beyond to read;
// with both masks it is right for every size.
func TestRaggedSizes(t *testing.T) {
	within := tensor.Tolerance{Rel: 1e-3, Abs: 1e-3, AnyDType: true}
	for _, s := range []struct {
		rows, inner, cols int
		fails             string
	}{
		{16, 32, 16, ""}, {48, 33, 32, ""}, {32, 1, 64, ""},
		{33, 64, 32, "x_ptr[33,0]"},
		{32, 64, 33, "y_ptr[64,0]"},
		{17, 33, 5, "y_ptr[33,0]"},
		{1, 1, 1, "x_ptr[1,0]"},
	} {
		x, y := tensor.Rand(3, tl.Float16, s.rows, s.inner), tensor.Rand(4, tl.Float16, s.inner, s.cols)
		want := reference(x, y)
		got, err := matmul(exec.New(matmul_kernel), x, y)
		switch {
		case s.fails == "" && err != nil, s.fails != "" && (err == nil || !strings.Contains(err.Error(), s.fails)):
			t.Errorf("%+v: as written: %v", s, err)
		case err == nil && !tensor.AllClose(got, want, within).OK:
			t.Errorf("%+v: as written: %s", s, tensor.AllClose(got, want, within))
		}
		got, err = matmul(exec.New(matmul_kernel_masked), x, y)
		if err != nil || !tensor.AllClose(got, want, within).OK {
			t.Errorf("%+v: masked: %v, %s", s, err, tensor.AllClose(got, want, within))
		}
	}
}

// As written the kernel is right where its blocks fit; with masks everywhere.
func TestPromotes(t *testing.T) {
	for _, test := range []struct {
		kernel     any
		rows, cols int
	}{{matmul_kernel, 32, 64}, {matmul_kernel_masked, 33, 50}} {
		x, y := tensor.Rand(1, tl.Float32, test.rows, 64), tensor.Rand(2, tl.Float32, 64, test.cols)
		out := tensor.Empty(tl.Float16, test.rows, test.cols)
		grid := exec.Grid{tl.Cdiv(test.rows, 16), tl.Cdiv(test.cols, 16)}
		args := []any{x, y, out, test.rows, 64, 64, test.cols, 16, 16, 32}
		k := exec.New(test.kernel, exec.Options{Memory: "off"})
		if rep, err := k.Promote(grid, args...); err != nil || !rep.Promoted {
			t.Fatal(err, rep)
		}
		if err := k.Launch(grid, args...); err != nil || k.State().Engine == "interpreted" {
			t.Error(err, k.State())
		}
	}
}
