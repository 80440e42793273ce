// Command shrunkmask is a matrix product in blocks with one program number for both
// dimensions of the result: a kernel from a tutorial, carried over to Go line by line
// with the original's names, and with its mistake. Its mask for the inner dimension
// shrinks twice per step, so that sums over more than one block leave products out.
// Nothing is read out of bounds, and nothing fails: only a comparison tells.
package main

import (
	"fmt"
	"os"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func matmul_kernel(p *tl.Program, a_ptr, b_ptr, c_ptr tl.Ptr, M, N, K,
	stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn int,
	BLOCK_M, BLOCK_N, BLOCK_K tl.Const) {
	pid := p.ID(0)
	num_pid_m := tl.Cdiv(M, BLOCK_M)
	num_pid_n := tl.Cdiv(N, BLOCK_N)

	// The group is the whole grid, so group_id is always 0 and programs go down the
	// columns of the result one after the other.
	num_pid_in_group := num_pid_m * num_pid_n
	group_id := pid / num_pid_in_group
	first_pid_m := group_id * num_pid_m
	group_size_m := min(num_pid_m, M-first_pid_m)
	pid_m := first_pid_m + pid%group_size_m
	pid_n := pid % num_pid_in_group / group_size_m

	// Rows and columns beyond the end wrap around: they are computed and not stored.
	offs_am := tl.Arange(0, BLOCK_M).Add(pid_m * BLOCK_M).Mod(M)
	offs_bn := tl.Arange(0, BLOCK_N).Add(pid_n * BLOCK_N).Mod(N)
	offs_k := tl.Arange(0, BLOCK_K)
	a_ptrs := a_ptr.Add(offs_am.Col().Mul(stride_am).Add(offs_k.Row().Mul(stride_ak)))
	b_ptrs := b_ptr.Add(offs_k.Col().Mul(stride_bk).Add(offs_bn.Row().Mul(stride_bn)))

	accumulator := tl.Zeros(tl.Float32, BLOCK_M, BLOCK_N)
	for k := range tl.Cdiv(K, BLOCK_K) {
		// K - k·BLOCK_K elements are left, and offs_k counts them from 0 only in the
		// first step: it is moved on below.
		a := tl.Load(a_ptrs, tl.Mask(offs_k.Row().Lt(K-k*BLOCK_K)), tl.Other(0.0))
		b := tl.Load(b_ptrs, tl.Mask(offs_k.Col().Lt(K-k*BLOCK_K)), tl.Other(0.0))
		accumulator = accumulator.Add(tl.Dot(a, b))
		a_ptrs = a_ptrs.Add(BLOCK_K * stride_ak)
		b_ptrs = b_ptrs.Add(BLOCK_K * stride_bk)
		offs_k = offs_k.Add(BLOCK_K) // the mistake
	}

	c := accumulator
	offs_cm := tl.Arange(0, BLOCK_M).Add(pid_m * BLOCK_M)
	offs_cn := tl.Arange(0, BLOCK_N).Add(pid_n * BLOCK_N)
	c_ptrs := c_ptr.Add(offs_cm.Col().Mul(stride_cm)).Add(offs_cn.Row().Mul(stride_cn))
	c_mask := offs_cm.Col().Lt(M).And(offs_cn.Row().Lt(N))
	tl.Store(c_ptrs, c, tl.Mask(c_mask))
}

// matmul_kernel_fixed is the same without the line that moves offs_k, and without the
// group that groups nothing.
func matmul_kernel_fixed(p *tl.Program, a_ptr, b_ptr, c_ptr tl.Ptr, M, N, K,
	stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn int,
	BLOCK_M, BLOCK_N, BLOCK_K tl.Const) {
	num_pid_m := tl.Cdiv(M, BLOCK_M)
	pid_m := p.ID(0) % num_pid_m
	pid_n := p.ID(0) / num_pid_m

	offs_m := tl.Arange(0, BLOCK_M).Add(pid_m * BLOCK_M)
	offs_n := tl.Arange(0, BLOCK_N).Add(pid_n * BLOCK_N)
	offs_k := tl.Arange(0, BLOCK_K)
	a_ptrs := a_ptr.Add(offs_m.Mod(M).Col().Mul(stride_am).Add(offs_k.Row().Mul(stride_ak)))
	b_ptrs := b_ptr.Add(offs_k.Col().Mul(stride_bk).Add(offs_n.Mod(N).Row().Mul(stride_bn)))

	accumulator := tl.Zeros(tl.Float32, BLOCK_M, BLOCK_N)
	for k := range tl.Cdiv(K, BLOCK_K) {
		a := tl.Load(a_ptrs, tl.Mask(offs_k.Row().Lt(K-k*BLOCK_K)), tl.Other(0.0))
		b := tl.Load(b_ptrs, tl.Mask(offs_k.Col().Lt(K-k*BLOCK_K)), tl.Other(0.0))
		accumulator = accumulator.Add(tl.Dot(a, b))
		a_ptrs = a_ptrs.Add(BLOCK_K * stride_ak)
		b_ptrs = b_ptrs.Add(BLOCK_K * stride_bk)
	}

	c_ptrs := c_ptr.Add(offs_m.Col().Mul(stride_cm)).Add(offs_n.Row().Mul(stride_cn))
	c_mask := offs_m.Col().Lt(M).And(offs_n.Row().Lt(N))
	tl.Store(c_ptrs, accumulator, tl.Mask(c_mask))
}

// matmul launches a kernel on a and b, of any strides, in blocks of the given sizes.
func matmul(kernel *exec.Kernel, a, b *tensor.Tensor, BLOCK_M, BLOCK_N, BLOCK_K int) (*tensor.Tensor, error) {
	M, K, N := a.Dim(0), a.Dim(1), b.Dim(1)
	c := tensor.Empty(tl.Float32, M, N)
	grid := exec.GridFn(func(META exec.Meta) exec.Grid {
		return exec.Grid{tl.Cdiv(M, META["BLOCK_M"]) * tl.Cdiv(N, META["BLOCK_N"])}
	})
	err := kernel.Launch(grid, a, b, c, M, N, K,
		a.Stride(0), a.Stride(1), b.Stride(0), b.Stride(1), c.Stride(0), c.Stride(1),
		BLOCK_M, BLOCK_N, BLOCK_K)
	return c, err
}

// included is how many of K products a kernel adds up: the product of matrices of
// ones.
func included(kernel *exec.Kernel, K int) (float64, error) {
	c, err := matmul(kernel, tensor.Ones(tl.Float32, 3, K), tensor.Ones(tl.Float32, K, 5), 4, 8, 64)
	return c.Float(0, 0), err
}

// reference is the product in float64, rounded to float32.
func reference(a, b *tensor.Tensor) *tensor.Tensor {
	M, K, N := a.Dim(0), a.Dim(1), b.Dim(1)
	x, y, sums := a.Floats(), b.Floats(), make([]float64, M*N)
	for i := range M {
		for k := range K {
			for j := range N {
				sums[i*N+j] += float64(x[i*K+k] * y[k*N+j])
			}
		}
	}
	return tensor.From(sums, M, N).To(tl.Float32)
}

// asKernel is reference with a kernel's parameters, for a check to compare with.
func asKernel(a, b, c *tensor.Tensor, M, N, K,
	stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn int,
	BLOCK_M, BLOCK_N, BLOCK_K int) {
	c.CopyFrom(reference(a, b))
}

func run() error {
	fmt.Println("   K  as written  fixed")
	for _, K := range []int{1, 64, 65, 128, 192, 256, 512, 1000} {
		wrong, err := included(exec.New(matmul_kernel).Against(asKernel), K)
		if err != nil {
			return err
		}
		right, err := included(exec.New(matmul_kernel_fixed).Against(asKernel), K)
		if err != nil {
			return err
		}
		fmt.Printf("%4d %11v %6v\n", K, wrong, right)
	}
	a, b := tensor.Rand(0, tl.Float32, 512, 256), tensor.Rand(1, tl.Float32, 256, 512)
	expected := reference(a, b)
	for _, k := range []struct {
		name   string
		kernel *exec.Kernel
	}{
		{"matmul_kernel", exec.New(matmul_kernel)},
		{"matmul_kernel_fixed", exec.New(matmul_kernel_fixed)},
	} {
		c, err := matmul(k.kernel, a, b, 128, 256, 64)
		if err != nil {
			return err
		}
		r := tensor.AllClose(c, expected, tensor.Tolerance{Rel: 1e-5, Abs: 1e-3})
		fmt.Printf("%s on (512,256)·(256,512): %d of %d elements are wrong\n", k.name, r.Mismatches, r.Total)
	}
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
