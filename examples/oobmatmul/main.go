// Command oobmatmul is a matrix product in blocks: one program per block of the result,
// which walks along the inner dimension a block at a time. It is a Triton kernel carried
// over to Go line by line, with the original's names, and with what the original does not
// say: for sizes that are no multiples of the block it reads beyond both matrices.
//
// As a picture, for one program:
//
//	for k in steps of BLOCK_SIZE_K
//	    accumulator += dot(X[its rows, k...], Y[k..., its columns])
//	output[its rows, its columns] = accumulator
package main

import (
	"fmt"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func matmul_kernel(p *tl.Program, x_ptr, y_ptr, output_ptr tl.Ptr, x_rows, x_cols, y_rows, y_cols int,
	BLOCK_SIZE_X, BLOCK_SIZE_Y, BLOCK_SIZE_K tl.Const) {
	x_pid := p.ID(0)
	y_pid := p.ID(1)

	// Where this program's rows of X and its columns of Y begin. Going down a row
	// means going on by a whole row's length.
	x_row_start := x_pid * BLOCK_SIZE_X * x_cols
	y_col_start := y_pid * BLOCK_SIZE_Y

	x_offsets := tl.Arange(0, BLOCK_SIZE_X).Mul(x_cols).Add(x_row_start)
	y_offsets := tl.Arange(0, BLOCK_SIZE_Y).Add(y_col_start)
	k_offsets := tl.Arange(0, BLOCK_SIZE_K)

	// A column of row starts plus a row of column numbers: the pointers to a block.
	x_ptrs := x_ptr.Add(x_offsets.Col().Add(k_offsets.Row()))
	y_ptrs := y_ptr.Add(k_offsets.Col().Mul(y_cols).Add(y_offsets.Row()))

	accumulator := tl.Zeros(tl.Float32, BLOCK_SIZE_X, BLOCK_SIZE_Y)
	for k := range tl.Cdiv(x_cols, BLOCK_SIZE_K) {
		// Only the inner dimension is masked. The rows of X and the columns of Y are
		// not: the last block reads what lies beyond them.
		a := tl.Load(x_ptrs, tl.Mask(k_offsets.Row().Lt(x_cols-k*BLOCK_SIZE_K)), tl.Other(0.0))
		b := tl.Load(y_ptrs, tl.Mask(k_offsets.Col().Lt(y_rows-k*BLOCK_SIZE_K)), tl.Other(0.0))

		result := tl.Dot(a, b)
		accumulator = accumulator.Add(result)

		// On to the next columns of X, and to the next rows of Y.
		x_ptrs = x_ptrs.Add(BLOCK_SIZE_K)
		y_ptrs = y_ptrs.Add(BLOCK_SIZE_K * y_cols)
	}

	output := accumulator.To(tl.Float16)

	output_x_start := x_pid * BLOCK_SIZE_X
	output_y_start := y_pid * BLOCK_SIZE_Y
	output_x_rows := tl.Arange(0, BLOCK_SIZE_X).Add(output_x_start)
	output_x_offsets := tl.Arange(0, BLOCK_SIZE_X).Add(output_x_start)
	output_y_offsets := tl.Arange(0, BLOCK_SIZE_Y).Add(output_y_start)
	output_ptrs := output_ptr.Add(output_x_offsets.Col().Mul(y_cols).Add(output_y_offsets.Row()))

	output_mask := output_x_rows.Col().Lt(x_rows).And(output_y_offsets.Row().Lt(y_cols))
	tl.Store(output_ptrs, output, tl.Mask(output_mask))
}

// matmul_kernel_masked is the same with the two masks that were missing: a row of X
// and a column of Y are read only if they exist.
func matmul_kernel_masked(p *tl.Program, x_ptr, y_ptr, output_ptr tl.Ptr, x_rows, x_cols, y_rows, y_cols int,
	BLOCK_SIZE_X, BLOCK_SIZE_Y, BLOCK_SIZE_K tl.Const) {
	rows := tl.Arange(0, BLOCK_SIZE_X).Add(p.ID(0) * BLOCK_SIZE_X)
	cols := tl.Arange(0, BLOCK_SIZE_Y).Add(p.ID(1) * BLOCK_SIZE_Y)
	k_offsets := tl.Arange(0, BLOCK_SIZE_K)
	x_ptrs := x_ptr.Add(rows.Col().Mul(x_cols).Add(k_offsets.Row()))
	y_ptrs := y_ptr.Add(k_offsets.Col().Mul(y_cols).Add(cols.Row()))
	row_exists, col_exists := rows.Col().Lt(x_rows), cols.Row().Lt(y_cols)

	accumulator := tl.Zeros(tl.Float32, BLOCK_SIZE_X, BLOCK_SIZE_Y)
	for k := range tl.Cdiv(x_cols, BLOCK_SIZE_K) {
		a := tl.Load(x_ptrs, tl.Mask(row_exists.And(k_offsets.Row().Lt(x_cols-k*BLOCK_SIZE_K))), tl.Other(0.0))
		b := tl.Load(y_ptrs, tl.Mask(k_offsets.Col().Lt(y_rows-k*BLOCK_SIZE_K).And(col_exists)), tl.Other(0.0))
		accumulator = accumulator.Add(tl.Dot(a, b))
		x_ptrs = x_ptrs.Add(BLOCK_SIZE_K)
		y_ptrs = y_ptrs.Add(BLOCK_SIZE_K * y_cols)
	}
	output_ptrs := output_ptr.Add(rows.Col().Mul(y_cols).Add(cols.Row()))
	tl.Store(output_ptrs, accumulator.To(tl.Float16), tl.Mask(row_exists.And(col_exists)))
}

// matmul launches a kernel over as many blocks as cover the result.
func matmul(kernel *exec.Kernel, X, Y *tensor.Tensor) (*tensor.Tensor, error) {
	x_rows, x_cols := X.Dim(0), X.Dim(1)
	y_rows, y_cols := Y.Dim(0), Y.Dim(1)
	output := tensor.Zeros(tl.Float32, x_rows, y_cols)

	const BLOCK_SIZE_X, BLOCK_SIZE_Y, BLOCK_SIZE_K = 16, 16, 32
	grid := exec.GridFn(func(meta exec.Meta) exec.Grid {
		return exec.Grid{tl.Cdiv(x_rows, meta["BLOCK_SIZE_X"]), tl.Cdiv(y_cols, meta["BLOCK_SIZE_Y"])}
	})
	err := kernel.Launch(grid, X, Y, output, x_rows, x_cols, y_rows, y_cols, BLOCK_SIZE_X, BLOCK_SIZE_Y, BLOCK_SIZE_K)
	return output, err
}

// reference is the product in float64, rounded to float16.
func reference(X, Y *tensor.Tensor) *tensor.Tensor {
	output := tensor.Zeros(tl.Float16, X.Dim(0), Y.Dim(1))
	for i := range X.Dim(0) {
		for j := range Y.Dim(1) {
			sum := 0.0
			for k := range X.Dim(1) {
				sum += float64(X.Float(i, k) * Y.Float(k, j))
			}
			output.Set(sum, i, j)
		}
	}
	return output
}

// compare prints how a kernel fares on random matrices of a size.
func compare(name string, kernel *exec.Kernel, rows, inner, cols int) {
	fmt.Printf("%s on (%d,%d)·(%d,%d): ", name, rows, inner, inner, cols)
	x, y := tensor.Rand(0, tl.Float16, rows, inner), tensor.Rand(1, tl.Float16, inner, cols)
	output, err := matmul(kernel, x, y)
	if err != nil {
		fmt.Println(err)
		return
	}
	// The result is float16 in a float32 tensor: compare values, not dtypes.
	r := tensor.AllClose(output, reference(x, y), tensor.Tolerance{Rel: 1e-3, Abs: 1e-3, AnyDType: true})
	fmt.Printf("%d of %d elements are wrong\n", r.Mismatches, r.Total)
	if rows == 32 {
		fmt.Println(reference(x, y).Slice(0, 0, 5).Slice(1, 0, 5))
		fmt.Println(output.Slice(0, 0, 5).Slice(1, 0, 5))
	}
}

func main() {
	// Where the elements of a 4×4 block lie in an 8×8 matrix.
	a := tl.Arange(0, 4).Mul(8).Reshape(4, 1)
	b := tl.Arange(0, 4).Reshape(1, 4)
	fmt.Println(a.Add(b))

	compare("matmul_kernel", exec.New(matmul_kernel), 32, 64, 32)
	compare("matmul_kernel", exec.New(matmul_kernel), 33, 70, 17)
	compare("matmul_kernel_masked", exec.New(matmul_kernel_masked), 33, 70, 17)
}
