package exec_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Three kernels as they are found in tutorials, and what is wrong with them.

func dotBias(p *tl.Program, output_ptr, x_ptr, y_ptr, z_ptr tl.Ptr, A, B, C tl.Const) {
	bidx := tl.Arange(0, A)
	cidx := tl.Arange(0, B)
	didx := tl.Arange(0, C)
	X := tl.Load(x_ptr.Add(bidx.Col().Mul(B).Add(cidx.Row())))
	Y := tl.Load(y_ptr.Add(cidx.Col().Mul(C).Add(didx.Row())))
	Z := tl.Load(z_ptr.Add(bidx.Col().Mul(C).Add(didx.Row())))
	ret := tl.Dot(X, Y).Add(Z)
	oidx := bidx.Col().Mul(C).Add(didx.Row())
	tl.Store(output_ptr.Add(oidx), ret)
}

func blockMatmul(p *tl.Program, x_ptr, y_ptr, output_ptr tl.Ptr, x_rows, x_cols, y_rows, y_cols int, BLOCK_SIZE_X, BLOCK_SIZE_Y, BLOCK_SIZE_K tl.Const) {
	x_pid := p.ID(0)
	y_pid := p.ID(1)
	x_row_start := x_pid * BLOCK_SIZE_X * x_cols
	y_col_start := y_pid * BLOCK_SIZE_Y
	x_offsets := tl.Arange(0, BLOCK_SIZE_X).Mul(x_cols).Add(x_row_start)
	y_offsets := tl.Arange(0, BLOCK_SIZE_Y).Add(y_col_start)
	k_offsets := tl.Arange(0, BLOCK_SIZE_K)
	x_ptrs := x_ptr.Add(x_offsets.Col().Add(k_offsets.Row()))
	y_ptrs := y_ptr.Add(k_offsets.Col().Mul(y_cols).Add(y_offsets.Row()))
	accumulator := tl.Zeros(tl.Float32, BLOCK_SIZE_X, BLOCK_SIZE_Y)
	for k := range tl.Cdiv(x_cols, BLOCK_SIZE_K) {
		a := tl.Load(x_ptrs, tl.Mask(k_offsets.Row().Lt(x_cols-k*BLOCK_SIZE_K)), tl.Other(0.0))
		b := tl.Load(y_ptrs, tl.Mask(k_offsets.Col().Lt(y_rows-k*BLOCK_SIZE_K)), tl.Other(0.0))
		accumulator = accumulator.Add(tl.Dot(a, b))
		x_ptrs = x_ptrs.Add(BLOCK_SIZE_K)
		y_ptrs = y_ptrs.Add(BLOCK_SIZE_K * y_cols)
	}
	output := accumulator.To(tl.Float16)
	output_x_rows := tl.Arange(0, BLOCK_SIZE_X).Add(x_pid * BLOCK_SIZE_X)
	output_y_offsets := tl.Arange(0, BLOCK_SIZE_Y).Add(y_pid * BLOCK_SIZE_Y)
	output_ptrs := output_ptr.Add(output_x_rows.Col().Mul(y_cols).Add(output_y_offsets.Row()))
	output_mask := output_x_rows.Col().Lt(x_rows).And(output_y_offsets.Row().Lt(y_cols))
	tl.Store(output_ptrs, output, tl.Mask(output_mask))
}

func twiceMaskedMatmul(p *tl.Program, a_ptr, b_ptr, c_ptr tl.Ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn int, BLOCK_M, BLOCK_N, BLOCK_K tl.Const) {
	maskedMatmul(p, a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn, BLOCK_M, BLOCK_N, BLOCK_K, BLOCK_K)
}

func fixedMatmul(p *tl.Program, a_ptr, b_ptr, c_ptr tl.Ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn int, BLOCK_M, BLOCK_N, BLOCK_K tl.Const) {
	maskedMatmul(p, a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn, BLOCK_M, BLOCK_N, BLOCK_K, 0)
}

func maskedMatmul(p *tl.Program, a_ptr, b_ptr, c_ptr tl.Ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn, BLOCK_M, BLOCK_N, BLOCK_K, move int) {
	pid_m := p.ID(0) % tl.Cdiv(M, BLOCK_M)
	pid_n := p.ID(0) / tl.Cdiv(M, BLOCK_M)
	offs_am := tl.Arange(0, BLOCK_M).Add(pid_m * BLOCK_M).Mod(M)
	offs_bn := tl.Arange(0, BLOCK_N).Add(pid_n * BLOCK_N).Mod(N)
	offs_k := tl.Arange(0, BLOCK_K)
	a_ptrs := a_ptr.Add(offs_am.Col().Mul(stride_am).Add(offs_k.Row().Mul(stride_ak)))
	b_ptrs := b_ptr.Add(offs_k.Col().Mul(stride_bk).Add(offs_bn.Row().Mul(stride_bn)))
	accumulator := tl.Zeros(tl.Float32, BLOCK_M, BLOCK_N)
	for k := range tl.Cdiv(K, BLOCK_K) {
		a := tl.Load(a_ptrs, tl.Mask(offs_k.Row().Lt(K-k*BLOCK_K)), tl.Other(0.0))
		b := tl.Load(b_ptrs, tl.Mask(offs_k.Col().Lt(K-k*BLOCK_K)), tl.Other(0.0))
		accumulator = accumulator.Add(tl.Dot(a, b))
		a_ptrs = a_ptrs.Add(BLOCK_K * stride_ak)
		b_ptrs = b_ptrs.Add(BLOCK_K * stride_bk)
		offs_k = offs_k.Add(move)
	}
	offs_cm := tl.Arange(0, BLOCK_M).Add(pid_m * BLOCK_M)
	offs_cn := tl.Arange(0, BLOCK_N).Add(pid_n * BLOCK_N)
	c_ptrs := c_ptr.Add(offs_cm.Col().Mul(stride_cm)).Add(offs_cn.Row().Mul(stride_cn))
	tl.Store(c_ptrs, accumulator, tl.Mask(offs_cm.Col().Lt(M).And(offs_cn.Row().Lt(N))))
}

// matmulInto is the product of x and y in out, for references.
func matmulInto(x, y, out *tensor.Tensor) {
	rows, inner, cols := x.Dim(0), x.Dim(1), y.Dim(1)
	a, b, sums := x.Floats(), y.Floats(), make([]float64, rows*cols)
	for i := range rows {
		for k := range inner {
			for j := range cols {
				sums[i*cols+j] += float64(a[i*inner+k] * b[k*cols+j])
			}
		}
	}
	out.CopyFrom(tensor.From(sums, rows, cols).To(out.DType()))
}

// lanes adds up the lanes of findings of a kind about a tensor.
func lanes(r *exec.Report, k check.Kind, tensor string) (n int) {
	for _, f := range r.Of(k) {
		if f.Tensor == tensor {
			n += f.Lanes
		}
	}
	return n
}

// only is options without variations.
var only = exec.Options{Check: exec.CheckOptions{NoVariations: true, Budget: time.Hour}}

func TestOobMatmul(t *testing.T) {
	for _, s := range []struct {
		rows, inner, cols           int
		xOut, xFar, yOut, yFar, row int
	}{
		{32, 64, 32, 0, 0, 0, 0, 0},
		{33, 64, 32, 1920, 960, 0, 0, 0},
		{32, 64, 33, 0, 0, 30, 15, 1890},
		{100, 100, 100, 8400, 1200, 84, 12, 8316},
		{17, 33, 5, 495, 495, 36, 11, 690},
		{1, 1, 1, 15, 15, 15, 15, 0},
	} {
		x, y := tensor.Rand(1, tl.Float16, s.rows, s.inner), tensor.Rand(2, tl.Float16, s.inner, s.cols)
		out := tensor.Zeros(tl.Float32, s.rows, s.cols)
		r, err := exec.New(blockMatmul, only).Check(exec.Grid{tl.Cdiv(s.rows, 16), tl.Cdiv(s.cols, 16)}, x, y, out, s.rows, s.inner, s.inner, s.cols, 16, 16, 32)
		if r == nil {
			t.Fatal(err)
		}
		if n := lanes(r, check.OutOfBounds, "x_ptr"); n != s.xOut {
			t.Errorf("%+v: %d lanes of x outside", s, n)
		}
		if n := lanes(r, check.OutOfBounds, "y_ptr"); n != s.yOut {
			t.Errorf("%+v: %d lanes of y outside", s, n)
		}
		if n := lanes(r, check.WrongRow, "y_ptr"); n != s.row {
			t.Errorf("%+v: %d lanes of y in a wrong row", s, n)
		}
		for _, f := range r.Of(check.OutOfBounds) {
			if want := map[string]int{"x_ptr": s.xFar, "y_ptr": s.yFar}[f.Tensor]; f.Furthest != want {
				t.Errorf("%+v: %s: %d past the end, want %d", s, f.Tensor, f.Furthest, want)
			}
		}
		for _, f := range r.Of(check.WrongRow) {
			if f.Severity != check.Note {
				t.Errorf("%+v: reads that reach no output are %s", s, f.Severity)
			}
		}
		fails := s.xOut+s.yOut > 0
		if r.OK == fails || (err != nil) != fails || r.Count(check.Error) != len(r.Of(check.OutOfBounds)) {
			t.Errorf("%+v: %v\n%s", s, err, r)
		}
	}
}

func TestShrunkMask(t *testing.T) {
	a, b := tensor.Rand(0, tl.Float32, 512, 256), tensor.Rand(1, tl.Float32, 256, 512)
	ref := func(a, b, c *tensor.Tensor, _, _, _, _, _, _, _, _, _, _, _, _ int) { matmulInto(a, b, c) }
	run := func(kernel any) (*exec.Report, error) {
		return exec.New(kernel, only).Against(ref).Check(exec.Grid{64}, a, b, tensor.Empty(tl.Float32, 512, 512), 512, 512, 256, 256, 1, 512, 1, 512, 1, 64, 64, 64)
	}
	r, err := run(twiceMaskedMatmul)
	if err == nil || len(r.Of(check.Reference)) != 1 || r.Count(check.Error) != 1 {
		t.Errorf("as written: %v\n%s", err, r)
	}
	dead := r.Of(check.DeadLanes)
	if len(dead) != 2 || !strings.Contains(dead[0].Msg, "iterations 2 and 3 of 4: 0 of 64 lanes active") {
		t.Errorf("dead lanes: %+v", dead)
	}
	if r, err := run(fixedMatmul); err != nil || len(r.Findings) != 0 {
		t.Errorf("put right: %v\n%s", err, r)
	}
}

func TestBias(t *testing.T) {
	const n = 16
	x, y, z := tensor.Randn(1, tl.Float16, n, n), tensor.Randn(2, tl.Float16, n, n), tensor.Randn(3, tl.Float32, n, n)
	k := exec.New(dotBias, only)
	out := tensor.Empty(tl.Float16, n, n)
	if r, err := k.Check(exec.Grid{1}, out, x, y, z, n, n, n); err != nil || !r.OK || len(r.Findings) != 0 {
		t.Errorf("one program: %v\n%s", err, r)
	}
	if out.Undefined() {
		t.Error("a clean check did not commit its output")
	}
	out = tensor.Empty(tl.Float16, n, n)
	r, err := k.Check(exec.Grid{2, 1, 1}, out, x, y, z, n, n, n)
	races := r.Of(check.Race)
	if err != nil || len(races) != 1 || races[0].Lanes != n*n || races[0].Tensor != "output_ptr" || races[0].Severity != check.Note {
		t.Errorf("two programs that store the same: %v\n%s", err, r)
	}
}

func BenchmarkCheck(b *testing.B) {
	const n = 128
	x, y, out := tensor.Rand(1, tl.Float32, n, n), tensor.Rand(2, tl.Float32, n, n), tensor.Zeros(tl.Float32, n, n)
	args := []any{x, y, out, n, n, n, n, 16, 16, 32}
	k := exec.New(blockMatmul, only)
	b.Run("oobmatmul/128", func(b *testing.B) {
		for b.Loop() {
			if _, err := k.Check(exec.Grid{n / 16, n / 16}, args...); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("oobmatmul/128/unchecked", func(b *testing.B) {
		for b.Loop() {
			if err := k.Launch(exec.Grid{n / 16, n / 16}, args...); err != nil {
				b.Fatal(err)
			}
		}
	})
}
