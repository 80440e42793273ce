// Command bias is a small matrix product with a bias, whole matrices in one
// program: a Triton kernel with its test bench, carried over to Go line by line. The
// names are those of the original.
//
//	output[i,j] = Σk x[i,k]·y[k,j] + z[i,j]
//
// x is (A, B), y is (B, C); z and output are (A, C). There is one program and no mask:
// the block is the matrix, so A, B and C are compile-time constants and the tensors
// must have exactly those shapes.
package main

import (
	"fmt"
	"os"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func triton_dot_2_Bias(p *tl.Program, output_ptr, x_ptr, y_ptr, z_ptr tl.Ptr, A, B, C tl.Const) {
	bidx := tl.Arange(0, A) // rows of x and of the result
	cidx := tl.Arange(0, B) // columns of x, rows of y
	didx := tl.Arange(0, C) // columns of y and of the result

	// Element (i, j) of a row-major matrix with n columns lies at i·n + j. A column of
	// row starts plus a row of column numbers broadcasts to the grid of all elements.
	Xidx := bidx.Col().Mul(B).Add(cidx.Row())
	Yidx := cidx.Col().Mul(C).Add(didx.Row())
	Zidx := bidx.Col().Mul(C).Add(didx.Row())

	X := tl.Load(x_ptr.Add(Xidx))
	Y := tl.Load(y_ptr.Add(Yidx))
	Z := tl.Load(z_ptr.Add(Zidx))

	// A product plus a tile is one chain of fused steps that begins with the tile:
	// nothing is rounded between the two.
	ret := tl.Dot(X, Y).Add(Z)

	oidx := bidx.Col().Mul(C).Add(didx.Row())
	tl.Store(output_ptr.Add(oidx), ret) // float32 is rounded to the output's dtype here
}

// torch_dot_Bias is the reference: a matrix product in float32, rounded to the dtype of
// its operands as a library would return it, plus the bias.
func torch_dot_Bias(x0, x1, bias *tensor.Tensor) *tensor.Tensor {
	rows, inner, cols := x0.Dim(0), x0.Dim(1), x1.Dim(1)
	product := tensor.Zeros(x0.DType(), rows, cols)
	for i := range rows {
		for j := range cols {
			sum := float32(0)
			for k := range inner {
				sum += float32(float32(x0.Float(i, k)) * float32(x1.Float(k, j)))
			}
			product.Set(sum, i, j)
		}
	}
	res := tensor.Zeros(tl.Float32, rows, cols)
	for i := range rows {
		for j := range cols {
			res.Set(float32(product.Float(i, j))+float32(bias.Float(i, j)), i, j)
		}
	}
	return res
}

// get_torch_typename maps the name of a dtype to the dtype.
func get_torch_typename(dtype string) (tl.DType, error) {
	switch dtype {
	case "float32":
		return tl.Float32, nil
	case "int32":
		return tl.Int32, nil
	case "int64":
		return tl.Int64, nil
	case "float16":
		return tl.Float16, nil
	case "int16":
		return tl.Int16, nil
	case "int8":
		return tl.Int8, nil
	case "bool":
		return tl.Bool, nil
	case "bfloat16":
		return tl.BFloat16, nil
	}
	return tl.Invalid, fmt.Errorf("invalid parameter \"dtype\" is found: %s", dtype)
}

// generate_tensor is random data in the range usual for a dtype: normal for floats,
// small counts for integers.
func generate_tensor(seed int, shape []int, dtype string) (*tensor.Tensor, error) {
	d, err := get_torch_typename(dtype)
	switch {
	case err != nil:
		return nil, err
	case d == tl.Bool:
		return tensor.RandInt(seed, d, 0, 2, shape...), nil
	case d == tl.Int8:
		return tensor.RandInt(seed, d, 0, 127, shape...), nil
	case d.IsFloat():
		return tensor.Randn(seed, d, shape...), nil
	}
	return tensor.RandInt(seed, d, 0, 2000, shape...), nil
}

// validate_cmp compares a result with its reference, within the tolerance of the dtype
// for floats and exactly for everything else.
func validate_cmp(dtype string, y_cal, y_ref *tensor.Tensor) error {
	var allowed tensor.Tolerance // equality
	switch dtype {
	case "float16", "bfloat16":
		allowed = tensor.Tolerance{Rel: 1e-3, Abs: 1e-3}
	case "float32":
		allowed = tensor.Tolerance{Rel: 1e-4, Abs: 1e-4}
	case "int32", "int64", "int16", "int8", "bool":
	default:
		return fmt.Errorf("invalid parameter \"dtype\" is found: %s", dtype)
	}
	if report := tensor.AllClose(y_cal, y_ref, allowed); !report.OK {
		return fmt.Errorf("%s", report)
	}
	return nil
}

// testlist is the sizes (A, B, C) that the test runs, typelist the dtypes.
var (
	testlist = [][3]int{{16, 16, 16}}
	typelist = []string{"float16"}
)

// test_dot_2_Bias runs the kernel on random data of a dtype and compares it with the
// reference. The bias is float32, or int32 beside integers.
func test_dot_2_Bias(sigtype string, A, B, C int) error {
	dtype, err := get_torch_typename(sigtype)
	if err != nil {
		return err
	}
	biasType := "float32"
	if dtype.IsInt() && dtype != tl.Bool {
		biasType = "int32"
	}
	x0, err0 := generate_tensor(0, []int{A, B}, sigtype)
	x1, err1 := generate_tensor(1, []int{B, C}, sigtype)
	bias, err2 := generate_tensor(2, []int{A, C}, biasType)
	for _, err := range []error{err0, err1, err2} {
		if err != nil {
			return err
		}
	}
	wide0, wide1 := x0, x1
	if dtype.IsInt() { // the reference sums integers as float32, exact up to 2^24
		wide0, wide1 = x0.To(tl.Float32), x1.To(tl.Float32)
	}
	ans := torch_dot_Bias(wide0, wide1, bias).To(dtype)

	output := tensor.Zeros(dtype, A, C)
	if err := exec.New(triton_dot_2_Bias).Launch(exec.Grid{1, 1, 1}, output, x0, x1, bias, A, B, C); err != nil {
		return err
	}
	if err := validate_cmp(sigtype, output, ans); err != nil {
		return err
	}
	fmt.Printf("Test matmul with dtype=%s, shape=(%d,%d,%d) PASSED!\n", sigtype, A, B, C)
	return nil
}

func main() {
	for _, size := range testlist {
		for _, sigtype := range typelist {
			if err := test_dot_2_Bias(sigtype, size[0], size[1], size[2]); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
	}
}
