package product

import (
	tl "github.com/tiler-go/tiler/tilelang"
)

// ComputedArgs are arguments of Computed, and ComputedOps its operations: columns of packed numbers with scales of
// groups, of bytes, transposed, by addresses and masks that move on, with scales that a scalar places, or that are
// loaded before the loop, with zero points packed along rows, of numbers that numbers pick, and without a mask beyond
// the end of K; those that are infinite there, also beside an x that is transposed; those that lie outside, that wrap
// round, that differ among programs of the same columns, in a few of them only, by narrow numbers that wrap and by one
// that is not zero, and that are numbered by groups of programs.
const (
	ComputedOps = "packed bytes turned moving placed before zeros picked unmasked infinite across beyond wrapping own" +
		" some one grouped"
	ComputedArgs = "x:M*K w@i32:K*N y@f32:K*N z@f32:M*N M N K BM BN BK OP"
)

// Computed is Blocked where y is computed in the loop, of words and scales.
func Computed(p *tl.Program, x, w, s, z tl.Ptr, M, N, K int, BM, BN, BK tl.Const, OP string) {
	const group = 16
	row, column := p.ID(0), p.ID(1)
	if OP == "grouped" {
		all := tl.Cdiv(N, BN)
		id := row*all + column
		row, column = id%tl.Cdiv(M, BM), id/tl.Cdiv(M, BM)
	}
	m, n, k := tl.Arange(0, BM).Add(row*BM), tl.Arange(0, BN).Add(column*BN), tl.Arange(0, BK)
	acc := tl.Zeros(tl.Float32, BM, BN)
	ws := w.Add(k.FloorDiv(4).Mul(N).Col().Add(n.Row()))
	var once, scales, b tl.Tile
	if OP == "before" {
		once = tl.Load(s.Add(n), tl.Mask(n.Lt(N)), tl.Other(0))
	}
	for i := range tl.Cdiv(K, BK) {
		at := k.Add(i * BK)
		where := m.Mul(K).Col().Add(at.Row())
		if OP == "across" {
			where = m.Col().Add(at.Mul(M).Row())
		}
		a := tl.Load(x.Add(where), tl.Mask(m.Col().Lt(M).And(at.Row().Lt(K))), tl.Other(0))
		inside := at.Col().Lt(K).And(n.Row().Lt(N))
		word := at.FloorDiv(8).Mul(N).Col().Add(n.Row())
		shift := at.Mod(8).Mul(4).Col()
		switch OP {
		case "packed", "zeros", "infinite", "across", "beyond", "wrapping", "grouped":
			scales = tl.Load(s.Add(at.FloorDiv(group).Mul(N).Col().Add(n.Row())), tl.Mask(inside), tl.Other(0))
		}
		switch OP {
		case "bytes":
			b = tl.Load(w.Add(at.Mul(N).Col().Add(n.Row())), tl.Mask(inside), tl.Other(-1)).And(127).To(tl.Float32)
		case "turned":
			y := tl.Load(w.Add(n.Mul(K).Col().Add(at.Row())), tl.Mask(n.Col().Lt(N).And(at.Row().Lt(K))), tl.Other(0))
			b = y.And(15).To(tl.Float32).T()
		case "moving":
			left := K - i*BK
			y := tl.Load(ws, tl.Mask(k.Col().Lt(left).And(n.Row().Lt(N))), tl.Other(0))
			b = y.Shr(k.Mod(4).Mul(8).Col()).And(255).To(tl.Float32)
			ws = ws.Add(BK / 4 * N)
		case "placed":
			y := tl.Load(s.Add(tl.Arange(0, BN).Add(i*BK/group*N+column*BN)), tl.Mask(n.Lt(N)), tl.Other(0))
			b = tl.Load(w.Add(word), tl.Mask(inside), tl.Other(0)).Shr(shift).And(15).To(tl.Float32).Mul(y.Row())
		case "before":
			b = tl.Load(w.Add(word), tl.Mask(inside), tl.Other(0)).Shr(shift).And(15).To(tl.Float32).Mul(once.Row())
		case "zeros":
			zeros := at.FloorDiv(group).Mul(tl.Cdiv(N, 8)).Col().Add(n.FloorDiv(8).Row())
			zero := tl.Load(w.Add(zeros), tl.Mask(inside), tl.Other(0))
			zero = zero.Shr(n.Mod(8).Mul(4).Row()).And(15)
			b = tl.Load(w.Add(word), tl.Mask(inside), tl.Other(0)).Shr(shift).And(15).Sub(zero).To(tl.Float32).Mul(scales)
		case "picked":
			from := tl.Load(w.Add(at), tl.Mask(at.Lt(K)), tl.Other(0)).And(1)
			b = tl.Load(s.Add(tl.Minimum(from, K-1).Mul(N).Col().Add(n.Row())), tl.Mask(inside), tl.Other(0)).Neg()
		case "unmasked":
			y := tl.Load(w.Add(tl.Minimum(at, K-1).Mul(N).Col().Add(n.Mod(N).Row())))
			b = y.And(3).Sub(2).To(tl.Float32).Mul(0.5)
		case "infinite", "across":
			b = tl.Full(tl.Float32, 1, BK, BN).Div(scales)
		case "beyond":
			b = tl.Load(w.Add(word.Add(K*N-tl.Cdiv(K, 16)*N)), tl.Mask(inside), tl.Other(0)).To(tl.Float32).Mul(scales)
		case "wrapping":
			far := at.Mul(1 << 16).Mul(1 << 16).Col()
			b = tl.Load(w.Add(word.Add(far)), tl.Mask(inside), tl.Other(0)).To(tl.Float32).Mul(scales)
		case "own":
			b = tl.Load(w.Add(word), tl.Mask(inside), tl.Other(0)).Shr(shift).And(15).Add(row).To(tl.Float32)
		case "some":
			far := tl.Full(tl.Int32, row, 1, 1)
			far = far.Mul(1 << 30).To(tl.Int64).Sub(far.Mul(1 << 29).To(tl.Int64).Mul(2))
			b = tl.Load(w.Add(word), tl.Mask(inside), tl.Other(0)).Shr(shift).And(15).Add(far).To(tl.Float32)
		case "one":
			other := tl.Full(tl.Bool, row-3, 1, 1).To(tl.Int32)
			b = tl.Load(w.Add(word), tl.Mask(inside), tl.Other(0)).Shr(shift).And(15).Add(other).To(tl.Float32)
		default:
			b = tl.Load(w.Add(word), tl.Mask(inside), tl.Other(0)).Shr(shift).And(15).Sub(8).To(tl.Float32).Mul(scales)
		}
		acc = acc.Add(tl.Dot(a, b.To(a.DType())))
	}
	tl.Store(z.Add(m.Mul(N).Col().Add(n.Row())), acc.Mul(0.5), tl.Mask(m.Col().Lt(M).And(n.Row().Lt(N))))
}
