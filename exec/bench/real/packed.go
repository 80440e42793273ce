package real

import (
	tl "github.com/tiler-go/tiler/tilelang"
)

// Kernels over weights of a few bits, packed into words of int32.

// packedProduct is a times b, whose weights are eight to a word along K: word k/8 holds element k in the bits from
// 4·(k%8) on. Each GROUP of elements along K has a scale for each column.
func packedProduct(p *tl.Program, a, b, scales, out tl.Ptr, M, N, K int, BM, BN, BK, GROUP tl.Const) {
	rows := tl.Arange(0, BM).Add(p.ID(0) * BM)
	cols := tl.Arange(0, BN).Add(p.ID(1) * BN)
	k := tl.Arange(0, BK)
	acc := tl.Zeros(tl.Float32, BM, BN)
	for i := range tl.Cdiv(K, BK) {
		kk := k.Add(i * BK)
		x := tl.Load(a.Add(rows.Col().Mul(K).Add(kk.Row())), tl.Mask(rows.Col().Lt(M).And(kk.Row().Lt(K))), tl.Other(0))
		inside := tl.Mask(kk.Col().Lt(K).And(cols.Row().Lt(N)))
		words := tl.Load(b.Add(kk.FloorDiv(8).Col().Mul(N).Add(cols.Row())), inside, tl.Other(0))
		scale := tl.Load(scales.Add(kk.FloorDiv(GROUP).Col().Mul(N).Add(cols.Row())), inside, tl.Other(0))
		q := words.Shr(kk.Mod(8).Mul(4).Col()).And(15).Sub(8)
		acc = acc.Add(tl.Dot(x, q.To(tl.Float32).Mul(scale)))
	}
	tl.Store(out.Add(rows.Col().Mul(N).Add(cols.Row())), acc, tl.Mask(rows.Col().Lt(M).And(cols.Row().Lt(N))))
}

// packedRow is one row times such weights, as sums.
func packedRow(p *tl.Program, a, b, scales, out tl.Ptr, N, K int, BN, BK, GROUP tl.Const) {
	cols := tl.Arange(0, BN).Add(p.ID(0) * BN)
	k := tl.Arange(0, BK)
	acc := tl.Zeros(tl.Float32, BN)
	for i := range tl.Cdiv(K, BK) {
		kk := k.Add(i * BK)
		x := tl.Load(a.Add(kk), tl.Mask(kk.Lt(K)), tl.Other(0))
		inside := tl.Mask(kk.Col().Lt(K).And(cols.Row().Lt(N)))
		words := tl.Load(b.Add(kk.FloorDiv(8).Col().Mul(N).Add(cols.Row())), inside, tl.Other(0))
		scale := tl.Load(scales.Add(kk.FloorDiv(GROUP).Col().Mul(N).Add(cols.Row())), inside, tl.Other(0))
		q := words.Shr(kk.Mod(8).Mul(4).Col()).And(15).Sub(8)
		acc = acc.Add(tl.Sum(q.To(tl.Float32).Mul(scale).Mul(x.Col()), tl.Axis(0)))
	}
	tl.Store(out.Add(cols), acc, tl.Mask(cols.Lt(N)))
}
