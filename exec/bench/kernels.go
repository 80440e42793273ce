package bench

import (
	"math"

	tl "github.com/tiler-go/tiler/tilelang"
)

// The kernels of the suites. They are ordinary kernels: called as Go functions when
// interpreted, and compiled from this file's text by the other engines.

// nothing is what a launch costs.
func nothing(p *tl.Program) {}

// bias is a product with a bias in one program, all of it at once.
func bias(p *tl.Program, out, x, y, z tl.Ptr, A, B, C tl.Const) {
	bidx := tl.Arange(0, A)
	cidx := tl.Arange(0, B)
	didx := tl.Arange(0, C)
	xIdx := bidx.Col().Mul(B).Add(cidx.Row())
	yIdx := cidx.Col().Mul(C).Add(didx.Row())
	zIdx := bidx.Col().Mul(C).Add(didx.Row())
	ret := tl.Dot(tl.Load(x.Add(xIdx)), tl.Load(y.Add(yIdx))).Add(tl.Load(z.Add(zIdx)))
	tl.Store(out.Add(zIdx), ret)
}

// blocks is a product in blocks, one BX × BY block of the result per program. AS is
// what the sum is rounded to before it is stored.
func blocks(p *tl.Program, x, y, out tl.Ptr, xRows, xCols, yRows, yCols int, BX, BY, BK tl.Const, AS tl.DType) {
	xOffs := tl.Arange(0, BX).Mul(xCols).Add(p.ID(0) * BX * xCols)
	yOffs := tl.Arange(0, BY).Add(p.ID(1) * BY)
	k := tl.Arange(0, BK)
	xPtrs := x.Add(xOffs.Col().Add(k.Row()))
	yPtrs := y.Add(k.Col().Mul(yCols).Add(yOffs.Row()))

	acc := tl.Zeros(tl.Float32, BX, BY)
	for i := range tl.Cdiv(xCols, BK) {
		a := tl.Load(xPtrs, tl.Mask(k.Row().Lt(xCols-i*BK)), tl.Other(0.0))
		b := tl.Load(yPtrs, tl.Mask(k.Col().Lt(yRows-i*BK)), tl.Other(0.0))
		acc = acc.Add(tl.Dot(a, b))
		xPtrs = xPtrs.Add(BK)
		yPtrs = yPtrs.Add(BK * yCols)
	}
	rows := tl.Arange(0, BX).Add(p.ID(0) * BX)
	cols := tl.Arange(0, BY).Add(p.ID(1) * BY)
	mask := rows.Col().Lt(xRows).And(cols.Row().Lt(yCols))
	tl.Store(out.Add(rows.Col().Mul(yCols).Add(cols.Row())), acc.To(AS), tl.Mask(mask))
}

// strided is a product in large blocks under one program number, of matrices of any
// strides, rows and columns beyond the end wrapping around.
func strided(p *tl.Program, a, b, c tl.Ptr, M, N, K, strideAM, strideAK, strideBK, strideBN, strideCM, strideCN int, BM, BN, BK tl.Const) {
	blocks := tl.Cdiv(M, BM)
	pidM := p.ID(0) % blocks
	pidN := p.ID(0) / blocks

	rows := tl.Arange(0, BM).Add(pidM * BM)
	cols := tl.Arange(0, BN).Add(pidN * BN)
	k := tl.Arange(0, BK)
	aPtrs := a.Add(rows.Mod(M).Col().Mul(strideAM).Add(k.Row().Mul(strideAK)))
	bPtrs := b.Add(k.Col().Mul(strideBK).Add(cols.Mod(N).Row().Mul(strideBN)))

	acc := tl.Zeros(tl.Float32, BM, BN)
	for i := range tl.Cdiv(K, BK) {
		x := tl.Load(aPtrs, tl.Mask(k.Row().Lt(K-i*BK)), tl.Other(0.0))
		y := tl.Load(bPtrs, tl.Mask(k.Col().Lt(K-i*BK)), tl.Other(0.0))
		acc = acc.Add(tl.Dot(x, y))
		aPtrs = aPtrs.Add(BK * strideAK)
		bPtrs = bPtrs.Add(BK * strideBK)
	}
	mask := rows.Col().Lt(M).And(cols.Row().Lt(N))
	tl.Store(c.Add(rows.Col().Mul(strideCM)).Add(cols.Row().Mul(strideCN)), acc, tl.Mask(mask))
}

// products8 is a product of int8 matrices, summed in int32.
func products8(p *tl.Program, x, y, out tl.Ptr, M, N, K int, BM, BN, BK tl.Const) {
	rows := tl.Arange(0, BM).Add(p.ID(0) * BM)
	cols := tl.Arange(0, BN).Add(p.ID(1) * BN)
	k := tl.Arange(0, BK)
	xPtrs := x.Add(rows.Col().Mul(K).Add(k.Row()))
	yPtrs := y.Add(k.Col().Mul(N).Add(cols.Row()))

	acc := tl.Zeros(tl.Int32, BM, BN)
	for i := range tl.Cdiv(K, BK) {
		left := K - i*BK
		a := tl.Load(xPtrs, tl.Mask(rows.Col().Lt(M).And(k.Row().Lt(left))), tl.Other(0))
		b := tl.Load(yPtrs, tl.Mask(k.Col().Lt(left).And(cols.Row().Lt(N))), tl.Other(0))
		acc = acc.Add(tl.Dot(a, b))
		xPtrs = xPtrs.Add(BK)
		yPtrs = yPtrs.Add(BK * N)
	}
	mask := rows.Col().Lt(M).And(cols.Row().Lt(N))
	tl.Store(out.Add(rows.Col().Mul(N).Add(cols.Row())), acc, tl.Mask(mask))
}

// products16 is a product of bfloat16 matrices by the hardware's pairs, or by its tiles
// where TILES is 1.
func products16(p *tl.Program, x, y, out tl.Ptr, M, N, K int, BM, BN, BK, TILES tl.Const) {
	rows := tl.Arange(0, BM).Add(p.ID(0) * BM)
	cols := tl.Arange(0, BN).Add(p.ID(1) * BN)
	k := tl.Arange(0, BK)
	xPtrs := x.Add(rows.Col().Mul(K).Add(k.Row()))
	yPtrs := y.Add(k.Col().Mul(N).Add(cols.Row()))

	acc := tl.Zeros(tl.Float32, BM, BN)
	for i := range tl.Cdiv(K, BK) {
		left := K - i*BK
		a := tl.Load(xPtrs, tl.Mask(rows.Col().Lt(M).And(k.Row().Lt(left))), tl.Other(0))
		b := tl.Load(yPtrs, tl.Mask(k.Col().Lt(left).And(cols.Row().Lt(N))), tl.Other(0))
		if TILES == 1 {
			acc = acc.Add(tl.Dot(a, b, tl.BF16Tiles))
		} else {
			acc = acc.Add(tl.Dot(a, b, tl.BF16Pairs))
		}
		xPtrs = xPtrs.Add(BK)
		yPtrs = yPtrs.Add(BK * N)
	}
	mask := rows.Col().Lt(M).And(cols.Row().Lt(N))
	tl.Store(out.Add(rows.Col().Mul(N).Add(cols.Row())), acc, tl.Mask(mask))
}

// softmax is one row per program.
func softmax(p *tl.Program, x, out tl.Ptr, xStride, outStride, cols int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK)
	mask := offs.Lt(cols)
	v := tl.Load(x.Add(p.ID(0)*xStride).Add(offs), tl.Mask(mask), tl.Other(math.Inf(-1)))
	e := tl.Exp(v.Sub(tl.Max(v, tl.Axis(0))))
	tl.Store(out.Add(p.ID(0)*outStride).Add(offs), e.Div(tl.Sum(e, tl.Axis(0))), tl.Mask(mask))
}

// layernorm is one row per program.
func layernorm(p *tl.Program, x, w, b, out tl.Ptr, stride, cols int, eps float64, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK)
	mask := offs.Lt(cols)
	v := tl.Load(x.Add(p.ID(0)*stride).Add(offs), tl.Mask(mask), tl.Other(0))
	mean := tl.Sum(v, tl.Axis(0)).Div(float64(cols))
	d := tl.Where(mask, v.Sub(mean), 0.0)
	rstd := tl.Rsqrt(tl.Sum(d.Mul(d), tl.Axis(0)).Div(float64(cols)).Add(eps))
	weight := tl.Load(w.Add(offs), tl.Mask(mask))
	bias := tl.Load(b.Add(offs), tl.Mask(mask))
	tl.Store(out.Add(p.ID(0)*stride).Add(offs), d.Mul(rstd).Mul(weight).Add(bias), tl.Mask(mask))
}

// add is BLOCK elements per program.
func add(p *tl.Program, x, y, out tl.Ptr, n int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	mask := offs.Lt(n)
	a := tl.Load(x.Add(offs), tl.Mask(mask))
	b := tl.Load(y.Add(offs), tl.Mask(mask))
	tl.Store(out.Add(offs), a.Add(b), tl.Mask(mask))
}

// attention is BM rows of one head per program: flash attention, the forward pass,
// which goes through the keys BN at a time and keeps sums relative to the greatest
// score so far. scale includes log2(e).
func attention(p *tl.Program, q, k, v, out tl.Ptr, n int, scale float64, HEAD, BM, BN tl.Const) {
	first := p.ID(1) * n * HEAD
	rows := tl.Arange(0, BM).Add(p.ID(0) * BM)
	dims := tl.Arange(0, HEAD)
	rowOffs := rows.Col().Mul(HEAD).Add(dims.Row()).Add(first)
	queries := tl.Load(q.Add(rowOffs), tl.Mask(rows.Col().Lt(n)), tl.Other(0))

	highest := tl.Full(tl.Float32, math.Inf(-1), BM)
	total := tl.Zeros(tl.Float32, BM)
	acc := tl.Zeros(tl.Float32, BM, HEAD)
	for start := 0; start < n; start += BN {
		keys := tl.Arange(0, BN).Add(start)
		keyT := tl.Load(k.Add(dims.Col().Add(keys.Row().Mul(HEAD)).Add(first)), tl.Mask(keys.Row().Lt(n)), tl.Other(0))
		scores := tl.Where(keys.Row().Lt(n), tl.Dot(queries, keyT).Mul(scale), math.Inf(-1))
		before := highest
		highest = tl.Maximum(highest, tl.Max(scores, tl.Axis(1)))
		weights := tl.Exp2(scores.Sub(highest.Col()))
		shrink := tl.Exp2(before.Sub(highest))
		total = total.Mul(shrink).Add(tl.Sum(weights, tl.Axis(1)))
		values := tl.Load(v.Add(keys.Col().Mul(HEAD).Add(dims.Row()).Add(first)), tl.Mask(keys.Col().Lt(n)), tl.Other(0))
		acc = acc.Mul(shrink.Col()).Add(tl.Dot(weights, values))
	}
	tl.Store(out.Add(rowOffs), acc.Div(total.Col()), tl.Mask(rows.Col().Lt(n)))
}
