// Code generated from the kernels of examples/ by the tests of this package; DO NOT EDIT.

package kernels

import (
	"math"

	tl "github.com/tiler-go/tiler/tilelang"
)

// Example_attention_attention is attention of examples/attention.
func Example_attention_attention(p *tl.Program, q, k, v, out tl.Ptr, n int, scale float64, CAUSAL bool, HEAD, BLOCK_M, BLOCK_N tl.Const) {
	first := p.ID(1) * n * HEAD
	rows := tl.Arange(0, BLOCK_M).Add(p.ID(0) * BLOCK_M)
	dims := tl.Arange(0, HEAD)
	rowOffs := rows.Col().Mul(HEAD).Add(dims.Row()).Add(first)
	queries := tl.Load(q.Add(rowOffs), tl.Mask(rows.Col().Lt(n)), tl.Other(0))

	highest := tl.Full(tl.Float32, math.Inf(-1), BLOCK_M)
	total := tl.Zeros(tl.Float32, BLOCK_M)
	acc := tl.Zeros(tl.Float32, BLOCK_M, HEAD)
	end := n
	if CAUSAL {
		end = min(n, (p.ID(0)+1)*BLOCK_M)
	}
	for start := 0; start < end; start += BLOCK_N {
		keys := tl.Arange(0, BLOCK_N).Add(start)
		keyT := tl.Load(k.Add(dims.Col().Add(keys.Row().Mul(HEAD)).Add(first)), tl.Mask(keys.Row().Lt(n)), tl.Other(0))
		scores := tl.Dot(queries, keyT).Mul(scale)
		visible := keys.Row().Lt(n)
		if CAUSAL {
			visible = visible.And(keys.Row().Le(rows.Col()))
		}
		scores = tl.Where(visible, scores, math.Inf(-1))

		before := highest
		highest = tl.Maximum(highest, tl.Max(scores, tl.Axis(1)))
		weights := tl.Exp2(scores.Sub(highest.Col()))
		shrink := tl.Exp2(before.Sub(highest))
		total = total.Mul(shrink).Add(tl.Sum(weights, tl.Axis(1)))

		values := tl.Load(v.Add(keys.Col().Mul(HEAD).Add(dims.Row()).Add(first)), tl.Mask(keys.Col().Lt(n)), tl.Other(0))
		acc = acc.Mul(shrink.Col()).Add(tl.Dot(weights.To(values.DType()), values))
	}
	tl.Store(out.Add(rowOffs), acc.Div(total.Col()), tl.Mask(rows.Col().Lt(n)))
}

// Example_bias_triton_dot_2_Bias is triton_dot_2_Bias of examples/bias.
func Example_bias_triton_dot_2_Bias(p *tl.Program, output_ptr, x_ptr, y_ptr, z_ptr tl.Ptr, A, B, C tl.Const) {
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

// Example_dropout_seededDropout is seededDropout of examples/dropout.
func Example_dropout_seededDropout(p *tl.Program, x, out tl.Ptr, n int, rate float64, seed int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	mask := offs.Lt(n)
	v := tl.Load(x.Add(offs), tl.Mask(mask))
	keep := tl.Rand(seed, offs).Gt(rate)
	tl.Store(out.Add(offs), tl.Where(keep, v.Div(1-rate), 0.0), tl.Mask(mask))
}

// Example_int4_dequantised is dequantised of examples/int4.
func Example_int4_dequantised(p *tl.Program, a, words, scales, out tl.Ptr, M, N, K int, GROUP, BM, BN, BK tl.Const) {
	rows := tl.Arange(0, BM).Add(p.ID(0) * BM)
	cols := tl.Arange(0, BN).Add(p.ID(1) * BN)
	acc := tl.Zeros(tl.Float32, BM, BN)
	for i := range tl.Cdiv(K, BK) {
		k := tl.Arange(0, BK).Add(i * BK)
		inA := rows.Col().Lt(M).And(k.Row().Lt(K))
		x := tl.Load(a.Add(rows.Col().Mul(K).Add(k.Row())), tl.Mask(inA), tl.Other(0))
		inB := tl.Mask(k.Col().Lt(K).And(cols.Row().Lt(N)))
		word := tl.Load(words.Add(k.FloorDiv(8).Col().Mul(N).Add(cols.Row())), inB, tl.Other(0))
		scale := tl.Load(scales.Add(k.FloorDiv(GROUP).Col().Mul(N).Add(cols.Row())), inB, tl.Other(0))
		weight := word.Shr(k.Mod(8).Mul(4).Col()).And(15).Sub(8)
		acc = acc.Add(tl.Dot(x, weight.To(tl.Float32).Mul(scale)))
	}
	inOut := rows.Col().Lt(M).And(cols.Row().Lt(N))
	tl.Store(out.Add(rows.Col().Mul(N).Add(cols.Row())), acc, tl.Mask(inOut))
}

// Example_layernorm_forward is forward of examples/layernorm.
func Example_layernorm_forward(p *tl.Program, x, w, b, y, means, rstds tl.Ptr, cols int, eps float64, BLOCK tl.Const) {
	row := p.ID(0)
	offs := tl.Arange(0, BLOCK)
	mask := offs.Lt(cols)
	v := tl.Load(x.Add(row*cols).Add(offs), tl.Mask(mask), tl.Other(0))
	mean := tl.Sum(v, tl.Axis(0)).Div(float64(cols))
	d := tl.Where(mask, v.Sub(mean), 0.0)
	rstd := tl.Rsqrt(tl.Sum(d.Mul(d), tl.Axis(0)).Div(float64(cols)).Add(eps))
	weight := tl.Load(w.Add(offs), tl.Mask(mask))
	bias := tl.Load(b.Add(offs), tl.Mask(mask))
	tl.Store(y.Add(row*cols).Add(offs), d.Mul(rstd).Mul(weight).Add(bias), tl.Mask(mask))
	tl.Store(means.Add(row), mean)
	tl.Store(rstds.Add(row), rstd)
}

// Example_layernorm_backward is backward of examples/layernorm.
func Example_layernorm_backward(p *tl.Program, dy, x, w, means, rstds, dx, dw, db tl.Ptr, cols int, BLOCK tl.Const) {
	row := p.ID(0)
	offs := tl.Arange(0, BLOCK)
	mask := offs.Lt(cols)
	grad := tl.Load(dy.Add(row*cols).Add(offs), tl.Mask(mask), tl.Other(0))
	v := tl.Load(x.Add(row*cols).Add(offs), tl.Mask(mask), tl.Other(0))
	weight := tl.Load(w.Add(offs), tl.Mask(mask), tl.Other(0))
	rstd := tl.Load(rstds.Add(row))
	xhat := tl.Where(mask, v.Sub(tl.Load(means.Add(row))).Mul(rstd), 0.0)
	wdy := weight.Mul(grad)
	c1 := tl.Sum(xhat.Mul(wdy), tl.Axis(0)).Div(float64(cols))
	c2 := tl.Sum(wdy, tl.Axis(0)).Div(float64(cols))
	tl.Store(dx.Add(row*cols).Add(offs), wdy.Sub(xhat.Mul(c1).Add(c2)).Mul(rstd), tl.Mask(mask))
	tl.AtomicAdd(dw.Add(offs), grad.Mul(xhat), tl.Mask(mask))
	tl.AtomicAdd(db.Add(offs), grad, tl.Mask(mask))
}

// Example_matmul_matmul is matmul of examples/matmul.
func Example_matmul_matmul(p *tl.Program, a, b, c tl.Ptr, M, N, K, strideAM, strideAK, strideBK, strideBN, strideCM, strideCN int,
	BLOCK_M, BLOCK_N, BLOCK_K, GROUP_M tl.Const, ACTIVATION string) {
	rowBlocks, colBlocks := tl.Cdiv(M, BLOCK_M), tl.Cdiv(N, BLOCK_N)
	blockM, blockN := tl.Swizzle2D(p.ID(0)/colBlocks, p.ID(0)%colBlocks, rowBlocks, colBlocks, GROUP_M)

	rows := tl.Arange(0, BLOCK_M).Add(blockM * BLOCK_M)
	cols := tl.Arange(0, BLOCK_N).Add(blockN * BLOCK_N)
	k := tl.Arange(0, BLOCK_K)
	aPtrs := a.Add(rows.Col().Mul(strideAM).Add(k.Row().Mul(strideAK)))
	bPtrs := b.Add(k.Col().Mul(strideBK).Add(cols.Row().Mul(strideBN)))

	acc := tl.Zeros(tl.Float32, BLOCK_M, BLOCK_N)
	for i := range tl.Cdiv(K, BLOCK_K) {
		left := K - i*BLOCK_K
		x := tl.Load(aPtrs, tl.Mask(rows.Col().Lt(M).And(k.Row().Lt(left))), tl.Other(0))
		y := tl.Load(bPtrs, tl.Mask(k.Col().Lt(left).And(cols.Row().Lt(N))), tl.Other(0))
		acc = acc.Add(tl.Dot(x, y))
		aPtrs = aPtrs.Add(BLOCK_K * strideAK)
		bPtrs = bPtrs.Add(BLOCK_K * strideBK)
	}
	if ACTIVATION == "leaky_relu" {
		acc = tl.Where(acc.Ge(0), acc, acc.Mul(0.01))
	}
	cPtrs := c.Add(rows.Col().Mul(strideCM).Add(cols.Row().Mul(strideCN)))
	tl.Store(cPtrs, acc, tl.Mask(rows.Col().Lt(M).And(cols.Row().Lt(N))))
}

// Example_oobmatmul_matmul_kernel is matmul_kernel of examples/oobmatmul.
func Example_oobmatmul_matmul_kernel(p *tl.Program, x_ptr, y_ptr, output_ptr tl.Ptr, x_rows, x_cols, y_rows, y_cols int,
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

// Example_oobmatmul_matmul_kernel_masked is matmul_kernel_masked of examples/oobmatmul.
func Example_oobmatmul_matmul_kernel_masked(p *tl.Program, x_ptr, y_ptr, output_ptr tl.Ptr, x_rows, x_cols, y_rows, y_cols int,
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

// Example_shrunkmask_matmul_kernel is matmul_kernel of examples/shrunkmask.
func Example_shrunkmask_matmul_kernel(p *tl.Program, a_ptr, b_ptr, c_ptr tl.Ptr, M, N, K,
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

// Example_shrunkmask_matmul_kernel_fixed is matmul_kernel_fixed of examples/shrunkmask.
func Example_shrunkmask_matmul_kernel_fixed(p *tl.Program, a_ptr, b_ptr, c_ptr tl.Ptr, M, N, K,
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

// Example_softmax_softmaxRows is softmaxRows of examples/softmax.
func Example_softmax_softmaxRows(p *tl.Program, x, out tl.Ptr, rows, cols, stride int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK)
	mask := offs.Lt(cols)
	for row := p.ID(0); row < rows; row += p.Num(0) {
		v := tl.Load(x.Add(row*stride).Add(offs), tl.Mask(mask), tl.Other(math.Inf(-1)))
		e := tl.Exp(v.Sub(tl.Max(v, tl.Axis(0))))
		tl.Store(out.Add(row*stride).Add(offs), e.Div(tl.Sum(e, tl.Axis(0))), tl.Mask(mask))
	}
}

// Example_vecadd_add is add of examples/vecadd.
func Example_vecadd_add(p *tl.Program, x, y, out tl.Ptr, n int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	mask := offs.Lt(n)
	a := tl.Load(x.Add(offs), tl.Mask(mask))
	b := tl.Load(y.Add(offs), tl.Mask(mask))
	tl.Store(out.Add(offs), a.Add(b), tl.Mask(mask))
}
