package check_test

import (
	"math"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Attention as it is published: forward, backward, decoding, paged and ragged.

var faultyHeads = []kase{
	{name: "keys beyond the end count", vary: true, kernel: func(p *tl.Program, Q, K, V, Out tl.Ptr, N_CTX int, sm_scale float64, BLOCK_M, BLOCK_N, D tl.Const) {
		base := p.ID(1) * N_CTX * D
		offs_m, offs_d := tl.Arange(0, BLOCK_M).Add(p.ID(0)*BLOCK_M), tl.Arange(0, D)
		rows := offs_m.Col().Lt(N_CTX)
		q := tl.Load(Q.Add(base).Add(offs_m.Col().Mul(D)).Add(offs_d.Row()), tl.Mask(rows), tl.Other(0))
		m_i, l_i, acc := tl.Full(tl.Float32, math.Inf(-1), BLOCK_M), tl.Zeros(tl.Float32, BLOCK_M), tl.Zeros(tl.Float32, BLOCK_M, D)
		for start_n := 0; start_n < N_CTX; start_n += BLOCK_N {
			offs_n := tl.Arange(0, BLOCK_N).Add(start_n)
			at := offs_n.Col().Mul(D).Add(offs_d.Row()).Add(base)
			k := tl.Load(K.Add(at), tl.Mask(offs_n.Col().Lt(N_CTX)), tl.Other(0))
			v := tl.Load(V.Add(at), tl.Mask(offs_n.Col().Lt(N_CTX)), tl.Other(0))
			qk := tl.Dot(q, k.T()).Mul(sm_scale)
			m_new := tl.Maximum(m_i, tl.Max(qk, tl.Axis(1)))
			pr := tl.Exp(qk.Sub(m_new.Col()))
			alpha := tl.Exp(m_i.Sub(m_new))
			l_i = l_i.Mul(alpha).Add(tl.Sum(pr, tl.Axis(1)))
			acc = acc.Mul(alpha.Col()).Add(tl.Dot(pr, v))
			m_i = m_new
		}
		tl.Store(Out.Add(base).Add(offs_m.Col().Mul(D)).Add(offs_d.Row()), acc.Div(l_i.Col()), tl.Mask(rows)) // want: reference "of Out differ"
	}, grid: exec.Grid{2, 2}, args: args(randn(1, 2, 20, 16), randn(2, 2, 20, 16), randn(3, 2, 20, 16), empty(2, 20, 16), 20, 0.25, 16, 16, 16), ref: attentionRef},

	{name: "a causal mask that leaves out the diagonal", vary: true, kernel: func(p *tl.Program, q, k, v, o tl.Ptr, T int, BN, BM, D tl.Const) {
		i, j, d := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, BN), tl.Arange(0, D)
		at := j.Col().Mul(D).Add(d.Row())
		qs := tl.Load(q.Add(i.Col().Mul(D)).Add(d.Row()), tl.Mask(i.Col().Lt(T)), tl.Other(0))
		ks, vs := tl.Load(k.Add(at), tl.Mask(j.Col().Lt(T)), tl.Other(0)), tl.Load(v.Add(at), tl.Mask(j.Col().Lt(T)), tl.Other(0))
		s := tl.Where(i.Col().Gt(j.Row()), tl.Dot(qs, ks.T()), math.Inf(-1))
		e := tl.Exp(s.Sub(tl.Max(s, tl.Axis(1), tl.KeepDims)))
		out := tl.Dot(e.Div(tl.Sum(e, tl.Axis(1), tl.KeepDims)), vs)
		tl.Store(o.Add(i.Col().Mul(D)).Add(d.Row()), out, tl.Mask(i.Col().Lt(T))) // want: note not-finite "NaN is stored in o"
	}, grid: exec.Grid{2}, args: args(randn(1, 20, 16), randn(2, 20, 16), randn(3, 20, 16), empty(20, 16), 20, 32, 16, 16)},

	{name: "keys of grouped heads by the query's head", vary: true, kernel: func(p *tl.Program, q, k, out tl.Ptr, H, HK, stride_qb, stride_qh, stride_kb, stride_kh, T int, BM, D tl.Const) {
		b, h := p.ID(1)/H, p.ID(1)%H
		i, d, j := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, D), tl.Arange(0, 16)
		hk := h
		qs := tl.Load(q.Add(b*stride_qb+h*stride_qh).Add(i.Col().Mul(D).Add(d.Row())), tl.Mask(i.Col().Lt(T)), tl.Other(0))
		ks := tl.Load(k.Add(b*stride_kb+hk*stride_kh).Add(j.Col().Mul(D).Add(d.Row())), tl.Mask(j.Col().Lt(T)), tl.Other(0)) // want: out-of-bounds "past the end of k"
		s := tl.Where(j.Row().Lt(T), tl.Dot(qs, ks.T()), math.Inf(-1))
		tl.Store(out.Add((b*H+h)*T).Add(i), tl.Max(s, tl.Axis(1)), tl.Mask(i.Lt(T)))
	}, grid: exec.Grid{2, 8}, args: args(randn(1, 2, 4, 16, 16), randn(2, 2, 2, 16, 16), empty(2, 4, 16), 4, 2, 1024, 256, 512, 256, 16, 8, 16)},

	{name: "logsumexps of all heads in one row", vary: true, kernel: func(p *tl.Program, s, L tl.Ptr, T int, BM, BN tl.Const) {
		i, j := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, BN)
		v := tl.Load(s.Add(p.ID(1)*T*BN).Add(i.Col().Mul(BN)).Add(j.Row()), tl.Mask(i.Col().Lt(T)), tl.Other(0))
		tl.Store(L.Add(i), tl.Log(tl.Sum(tl.Exp(v), tl.Axis(1))), tl.Mask(i.Lt(T))) // want: race "writes L"
	}, grid: exec.Grid{3, 4}, args: args(randn(1, 4, 40, 16), empty(4, 40), 40, 16, 16)},

	{name: "gradients of queries added by all blocks of keys", vary: true, kernel: func(p *tl.Program, do, k, dq tl.Ptr, T int, BM, BN, D tl.Const) {
		i, j, d := tl.Arange(0, BM), tl.Arange(0, BN).Add(p.ID(0)*BN), tl.Arange(0, D)
		rows := i.Col().Lt(T)
		g := tl.Load(do.Add(i.Col().Mul(D)).Add(d.Row()), tl.Mask(rows), tl.Other(0))
		ks := tl.Load(k.Add(j.Col().Mul(D)).Add(d.Row()), tl.Mask(j.Col().Lt(T)), tl.Other(0))
		part := tl.Dot(tl.Dot(g, ks.T()), ks)
		at := dq.Add(i.Col().Mul(D)).Add(d.Row())
		tl.Store(at, tl.Load(at, tl.Mask(rows), tl.Other(0)).Add(part), tl.Mask(rows)) // want: race "reads dq"; race "writes dq"
	}, grid: exec.Grid{3}, args: args(randn(1, 40, 16), randn(2, 40, 16), zeros(40, 16), 40, 64, 16, 16)},

	{name: "products of rows, unmasked", vary: true, kernel: func(p *tl.Program, o, do, delta tl.Ptr, M int, BLOCK, D tl.Const) {
		i, d := tl.Arange(0, BLOCK).Add(p.ID(0)*BLOCK), tl.Arange(0, D)
		at := i.Col().Mul(D).Add(d.Row())
		a, b := tl.Load(o.Add(at)), tl.Load(do.Add(at))      // want: out-of-bounds "past the end of o"; out-of-bounds "past the end of do"
		tl.Store(delta.Add(i), tl.Sum(a.Mul(b), tl.Axis(1))) // want: out-of-bounds "past the end of delta"
	}, grid: exec.Grid{4}, args: args(randn(1, 64, 16), randn(2, 64, 16), empty(64), 64, 16, 16)},

	{name: "splits that nobody has written", vary: true, kernel: func(p *tl.Program, mid, lens, out tl.Ptr, splits, chunk int, D tl.Const) {
		d := tl.Arange(0, D)
		n := tl.Load(lens.Add(p.ID(0))).Int()
		acc := tl.Zeros(tl.Float32, D)
		for s := range splits {
			if n > s*chunk {
				acc = acc.Add(tl.Load(mid.Add((p.ID(0)*splits + s) * D).Add(d)))
			}
		}
		tl.Store(out.Add(p.ID(0)*D).Add(d), acc) // want: undefined "is stored in out"
	}, grid: exec.Grid{3}, args: args(empty(3, 4, 16), ints(64, 20, 33), empty(3, 16), 4, 16, 16)},

	{name: "pages beyond a sequence", vary: true, kernel: func(p *tl.Program, table, lens, cache, out tl.Ptr, pages int, PAGE, D tl.Const) {
		n := tl.Load(lens.Add(p.ID(0))).Int()
		i, d := tl.Arange(0, PAGE), tl.Arange(0, D)
		acc := tl.Zeros(tl.Float32, D)
		for b := range pages {
			page := tl.Load(table.Add(p.ID(0)*pages + b))
			rows := i.Add(b * PAGE).Lt(n).Or(i.Lt(1))
			at := page.Mul(PAGE).Add(i).Col().Mul(D).Add(d.Row())
			acc = acc.Add(tl.Sum(tl.Load(cache.Add(at), tl.Mask(rows.Col()), tl.Other(0)), tl.Axis(0))) // want: out-of-bounds "before"
		}
		tl.Store(out.Add(p.ID(0)*D).Add(d), acc)
	}, grid: exec.Grid{2}, args: args(ints(5, 2, 0, 1, -1, -1), ints(40, 10), randn(1, 6, 16, 16), empty(2, 16), 3, 16, 16)},

	{name: "sequences that write into the next", vary: true, kernel: func(p *tl.Program, x, cu, y tl.Ptr, BLOCK, D tl.Const) {
		begin, end := tl.Load(cu.Add(p.ID(1))).Int(), tl.Load(cu.Add(p.ID(1)+1)).Int()
		if p.ID(0)*BLOCK >= end-begin {
			return
		}
		i, d := tl.Arange(0, BLOCK).Add(p.ID(0)*BLOCK+begin), tl.Arange(0, D)
		m := i.Col().Lt(37)
		at := i.Col().Mul(D).Add(d.Row())
		tl.Store(y.Add(at), tl.Load(x.Add(at), tl.Mask(m)).Mul(2), tl.Mask(m)) // want: note race "the same value"
	}, grid: exec.Grid{2, 3}, args: args(randn(1, 37, 16), ints(0, 20, 25, 37), empty(37, 16), 16, 16)},

	{name: "slots that are padded", vary: true, kernel: func(p *tl.Program, key, slots, cache tl.Ptr, stride int, D tl.Const) {
		slot := tl.Load(slots.Add(p.ID(0)))
		d := tl.Arange(0, D)
		tl.Store(cache.Add(slot.Mul(stride)).Add(d), tl.Load(key.Add(p.ID(0)*stride).Add(d))) // want: out-of-bounds "before"
	}, grid: exec.Grid{5}, args: args(randn(1, 5, 16), tensor.From([]int64{7, 2, 9, -1, -1}), zeros(12, 16), 16, 16)},

	{name: "a block pointer that checks its columns only", vary: true, kernel: func(p *tl.Program, x, y tl.Ptr, T int, BT, BD tl.Const) {
		src := tl.MakeBlockPtr(x, []int{T, BD}, []int{BD, 1}, []int{p.ID(0) * BT, 0}, []int{BT, BD}, []int{1, 0})
		dst := tl.MakeBlockPtr(y, []int{T, BD}, []int{BD, 1}, []int{p.ID(0) * BT, 0}, []int{BT, BD}, []int{1, 0})
		v := src.Load(tl.BoundaryCheck(1), tl.PadZero) // want: out-of-bounds "past the end of x"
		dst.Store(v.Mul(2), tl.BoundaryCheck(1))       // want: out-of-bounds "past the end of y"
	}, grid: exec.Grid{2}, args: args(randn(1, 20, 16), empty(20, 16), 20, 16, 16)},

	{name: "a product over a block without padding", vary: true, kernel: func(p *tl.Program, k, y tl.Ptr, T int, BT, BD tl.Const) {
		src := tl.MakeBlockPtr(k, []int{T, BD}, []int{BD, 1}, []int{p.ID(0) * BT, 0}, []int{BT, BD}, []int{1, 0})
		v := src.Load(tl.BoundaryCheck(0))
		dst := tl.MakeBlockPtr(y.Add(p.ID(0)*BD*BD), []int{BD, BD}, []int{BD, 1}, []int{0, 0}, []int{BD, BD}, []int{1, 0})
		dst.Store(tl.Dot(v.T(), v)) // want: undefined "is stored in y"
	}, grid: exec.Grid{2}, args: args(randn(1, 20, 16), empty(2, 16, 16), 20, 16, 16)},

	{name: "a descriptor of a transposed shape", vary: true, kernel: func(p *tl.Program, x, y tl.Ptr, M, N int, BM, BN tl.Const) {
		src := tl.MakeDesc(x, []int{M, N}, []int{N, 1}, []int{BM, BN})
		dst := tl.MakeDesc(y, []int{N, M}, []int{N, 1}, []int{BM, BN})
		dst.Store(src.Load(p.ID(0)*BM, p.ID(1)*BN).Mul(2), p.ID(0)*BM, p.ID(1)*BN) // want: out-of-bounds "past the end of y"
	}, grid: exec.Grid{2, 3}, args: args(randn(1, 20, 40), empty(20, 40), 20, 40, 16, 16)},

	{name: "strides of a contiguous tensor for a permuted one", vary: true, kernel: func(p *tl.Program, q, out tl.Ptr, stride_h, stride_t, T int, BT, D tl.Const) {
		i, d := tl.Arange(0, BT).Add(p.ID(0)*BT), tl.Arange(0, D)
		m := i.Col().Lt(T)
		v := tl.Load(q.Add(p.ID(1)*stride_h).Add(i.Col().Mul(stride_t)).Add(d.Row()), tl.Mask(m), tl.Other(0)) // want: strides "walks q by strides 16,1, and it has strides 16,32,1"
		tl.Store(out.Add(p.ID(1)*T*D).Add(i.Col().Mul(D)).Add(d.Row()), v.Mul(2), tl.Mask(m))
	}, grid: exec.Grid{2, 2}, args: args(randn(1, 16, 2, 16).Permute(1, 0, 2), empty(2, 16, 16), 256, 16, 16, 16, 16)},

	{name: "a sliding window of one too many", vary: true, kernel: func(p *tl.Program, s, out tl.Ptr, T, WINDOW int, B tl.Const) {
		i, j := tl.Arange(0, B).Col(), tl.Arange(0, B).Row()
		in := i.Lt(T).And(j.Lt(T))
		v := tl.Load(s.Add(i.Mul(T)).Add(j), tl.Mask(in), tl.Other(0))
		keep := j.Le(i).And(i.Sub(j).Le(WINDOW))
		tl.Store(out.Add(i.Mul(T)).Add(j), tl.Where(keep, v, 0.0), tl.Mask(in)) // want: reference "of out differ"
	}, grid: exec.Grid{1}, args: args(randn(1, 12, 12), empty(12, 12), 12, 4, 16), ref: windowRef},

	{name: "rotated by rows of a batch", vary: true, kernel: func(p *tl.Program, x, cos, sin, y tl.Ptr, T, D int, HALF tl.Const) {
		row := p.ID(0)
		d := tl.Arange(0, HALF)
		at := row * (D / 2)
		c, s := tl.Load(cos.Add(at).Add(d)), tl.Load(sin.Add(at).Add(d)) // want: out-of-bounds "past the end of cos"; out-of-bounds "past the end of sin"
		a, b := tl.Load(x.Add(row*D).Add(d)), tl.Load(x.Add(row*D).Add(d).Add(D/2))
		tl.Store(y.Add(row*D).Add(d), a.Mul(c).Sub(b.Mul(s)))
		tl.Store(y.Add(row*D).Add(d).Add(D/2), b.Mul(c).Add(a.Mul(s)))
	}, grid: exec.Grid{12}, args: args(randn(1, 12, 32), randn(2, 6, 16), randn(3, 6, 16), empty(12, 32), 6, 32, 16)},

	{name: "the second half begins behind the block", vary: true, kernel: func(p *tl.Program, x, y tl.Ptr, D int, BLOCK tl.Const) {
		h := D / 2
		d := tl.Arange(0, BLOCK)
		m := d.Lt(h)
		second := BLOCK
		a := tl.Load(x.Add(p.ID(0)*D).Add(d), tl.Mask(m), tl.Other(0))
		b := tl.Load(x.Add(p.ID(0)*D+second).Add(d), tl.Mask(m), tl.Other(0)) // want: out-of-bounds "past the end of x"
		tl.Store(y.Add(p.ID(0)*D).Add(d), b.Neg(), tl.Mask(m))
		tl.Store(y.Add(p.ID(0)*D+h).Add(d), a, tl.Mask(m))
	}, grid: exec.Grid{5}, args: args(randn(1, 5, 24), empty(5, 24), 24, 16)},

	{name: "rotated in place by both halves", vary: true, kernel: func(p *tl.Program, x tl.Ptr, HALF tl.Const) {
		d := tl.Arange(0, HALF)
		row := x.Add(p.ID(0) * 2 * HALF)
		mine, other := row.Add(p.ID(1)*HALF).Add(d), row.Add((1-p.ID(1))*HALF).Add(d)
		tl.Store(mine, tl.Load(mine).Sub(tl.Load(other))) // want: race "reads x"; race "writes x"
	}, grid: exec.Grid{4, 2}, args: args(randn(1, 4, 32), 16)},

	{name: "positions of 32 bits in a cache of 20 GB", vary: true, kernel: func(p *tl.Program, slots, cache, out tl.Ptr, stride int, D tl.Const) {
		d := tl.Arange(0, D)
		slot := tl.Load(slots.Add(p.ID(0)))
		at := slot.Mul(stride) // want: overflow "Tile.Mul overflows int32"
		tl.Store(out.Add(p.ID(0)*D).Add(d), tl.Load(cache.Add(at).Add(d)))
	}, grid: exec.Grid{4}, args: args(tensor.From([]int32{3, 1200000, 7, 1}), tensor.Virtual(tl.Float16, 1300000, 8, 512), tensor.Virtual(tl.Float16, 4, 512), 4096, 512)},
}

var correctHeads = []kase{
	{name: "keys beyond the end count", kernel: func(p *tl.Program, Q, K, V, Out tl.Ptr, N_CTX int, sm_scale float64, BLOCK_M, BLOCK_N, D tl.Const) {
		base := p.ID(1) * N_CTX * D
		offs_m, offs_d := tl.Arange(0, BLOCK_M).Add(p.ID(0)*BLOCK_M), tl.Arange(0, D)
		rows := offs_m.Col().Lt(N_CTX)
		q := tl.Load(Q.Add(base).Add(offs_m.Col().Mul(D)).Add(offs_d.Row()), tl.Mask(rows), tl.Other(0))
		m_i, l_i, acc := tl.Full(tl.Float32, math.Inf(-1), BLOCK_M), tl.Zeros(tl.Float32, BLOCK_M), tl.Zeros(tl.Float32, BLOCK_M, D)
		for start_n := 0; start_n < N_CTX; start_n += BLOCK_N {
			offs_n := tl.Arange(0, BLOCK_N).Add(start_n)
			at := offs_n.Col().Mul(D).Add(offs_d.Row()).Add(base)
			k := tl.Load(K.Add(at), tl.Mask(offs_n.Col().Lt(N_CTX)), tl.Other(0))
			v := tl.Load(V.Add(at), tl.Mask(offs_n.Col().Lt(N_CTX)), tl.Other(0))
			qk := tl.Dot(q, k.T()).Mul(sm_scale)
			qk = tl.Where(offs_n.Row().Lt(N_CTX), qk, math.Inf(-1))
			m_new := tl.Maximum(m_i, tl.Max(qk, tl.Axis(1)))
			pr := tl.Exp(qk.Sub(m_new.Col()))
			alpha := tl.Exp(m_i.Sub(m_new))
			l_i = l_i.Mul(alpha).Add(tl.Sum(pr, tl.Axis(1)))
			acc = acc.Mul(alpha.Col()).Add(tl.Dot(pr, v))
			m_i = m_new
		}
		tl.Store(Out.Add(base).Add(offs_m.Col().Mul(D)).Add(offs_d.Row()), acc.Div(l_i.Col()), tl.Mask(rows))
	}, grid: exec.Grid{2, 2}, args: args(randn(1, 2, 20, 16), randn(2, 2, 20, 16), randn(3, 2, 20, 16), empty(2, 20, 16), 20, 0.25, 16, 16, 16), ref: attentionRef},

	{name: "a causal mask that leaves out the diagonal", kernel: func(p *tl.Program, q, k, v, o tl.Ptr, T int, BN, BM, D tl.Const) {
		i, j, d := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, BN), tl.Arange(0, D)
		at := j.Col().Mul(D).Add(d.Row())
		qs := tl.Load(q.Add(i.Col().Mul(D)).Add(d.Row()), tl.Mask(i.Col().Lt(T)), tl.Other(0))
		ks, vs := tl.Load(k.Add(at), tl.Mask(j.Col().Lt(T)), tl.Other(0)), tl.Load(v.Add(at), tl.Mask(j.Col().Lt(T)), tl.Other(0))
		s := tl.Where(i.Col().Ge(j.Row()), tl.Dot(qs, ks.T()), math.Inf(-1))
		e := tl.Exp(s.Sub(tl.Max(s, tl.Axis(1), tl.KeepDims)))
		out := tl.Dot(e.Div(tl.Sum(e, tl.Axis(1), tl.KeepDims)), vs)
		tl.Store(o.Add(i.Col().Mul(D)).Add(d.Row()), out, tl.Mask(i.Col().Lt(T)))
	}, grid: exec.Grid{2}, args: args(randn(1, 20, 16), randn(2, 20, 16), randn(3, 20, 16), empty(20, 16), 20, 32, 16, 16)},

	{name: "keys of grouped heads by the query's head", kernel: func(p *tl.Program, q, k, out tl.Ptr, H, HK, stride_qb, stride_qh, stride_kb, stride_kh, T int, BM, D tl.Const) {
		b, h := p.ID(1)/H, p.ID(1)%H
		i, d, j := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, D), tl.Arange(0, 16)
		hk := h / (H / HK)
		qs := tl.Load(q.Add(b*stride_qb+h*stride_qh).Add(i.Col().Mul(D).Add(d.Row())), tl.Mask(i.Col().Lt(T)), tl.Other(0))
		ks := tl.Load(k.Add(b*stride_kb+hk*stride_kh).Add(j.Col().Mul(D).Add(d.Row())), tl.Mask(j.Col().Lt(T)), tl.Other(0))
		s := tl.Where(j.Row().Lt(T), tl.Dot(qs, ks.T()), math.Inf(-1))
		tl.Store(out.Add((b*H+h)*T).Add(i), tl.Max(s, tl.Axis(1)), tl.Mask(i.Lt(T)))
	}, grid: exec.Grid{2, 8}, args: args(randn(1, 2, 4, 16, 16), randn(2, 2, 2, 16, 16), empty(2, 4, 16), 4, 2, 1024, 256, 512, 256, 16, 8, 16)},

	{name: "logsumexps of all heads in one row", kernel: func(p *tl.Program, s, L tl.Ptr, T int, BM, BN tl.Const) {
		i, j := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, BN)
		v := tl.Load(s.Add(p.ID(1)*T*BN).Add(i.Col().Mul(BN)).Add(j.Row()), tl.Mask(i.Col().Lt(T)), tl.Other(0))
		tl.Store(L.Add(i.Add(p.ID(1)*T)), tl.Log(tl.Sum(tl.Exp(v), tl.Axis(1))), tl.Mask(i.Lt(T)))
	}, grid: exec.Grid{3, 4}, args: args(randn(1, 4, 40, 16), empty(4, 40), 40, 16, 16)},

	{name: "gradients of queries added by all blocks of keys", kernel: func(p *tl.Program, do, k, dq tl.Ptr, T int, BM, BN, D tl.Const) {
		i, j, d := tl.Arange(0, BM), tl.Arange(0, BN).Add(p.ID(0)*BN), tl.Arange(0, D)
		rows := i.Col().Lt(T)
		g := tl.Load(do.Add(i.Col().Mul(D)).Add(d.Row()), tl.Mask(rows), tl.Other(0))
		ks := tl.Load(k.Add(j.Col().Mul(D)).Add(d.Row()), tl.Mask(j.Col().Lt(T)), tl.Other(0))
		part := tl.Dot(tl.Dot(g, ks.T()), ks)
		at := dq.Add(i.Col().Mul(D)).Add(d.Row())
		tl.AtomicAdd(at, part, tl.Mask(rows))
	}, grid: exec.Grid{3}, args: args(randn(1, 40, 16), randn(2, 40, 16), zeros(40, 16), 40, 64, 16, 16)},

	{name: "products of rows, unmasked", kernel: func(p *tl.Program, o, do, delta tl.Ptr, M int, BLOCK, D tl.Const) {
		i, d := tl.Arange(0, BLOCK).Add(p.ID(0)*BLOCK), tl.Arange(0, D)
		at := i.Col().Mul(D).Add(d.Row())
		m := i.Col().Lt(M)
		a, b := tl.Load(o.Add(at), tl.Mask(m), tl.Other(0)), tl.Load(do.Add(at), tl.Mask(m), tl.Other(0))
		tl.Store(delta.Add(i), tl.Sum(a.Mul(b), tl.Axis(1)), tl.Mask(i.Lt(M)))
	}, grid: exec.Grid{4}, args: args(randn(1, 64, 16), randn(2, 64, 16), empty(64), 64, 16, 16)},

	{name: "splits that nobody has written", kernel: func(p *tl.Program, mid, lens, out tl.Ptr, splits, chunk int, D tl.Const) {
		d := tl.Arange(0, D)
		n := tl.Load(lens.Add(p.ID(0))).Int()
		acc := tl.Zeros(tl.Float32, D)
		for s := range splits {
			if n > s*chunk {
				acc = acc.Add(tl.Load(mid.Add((p.ID(0)*splits + s) * D).Add(d)))
			}
		}
		tl.Store(out.Add(p.ID(0)*D).Add(d), acc)
	}, grid: exec.Grid{3}, args: args(zeros(3, 4, 16), ints(64, 20, 33), empty(3, 16), 4, 16, 16)},

	{name: "pages beyond a sequence", kernel: func(p *tl.Program, table, lens, cache, out tl.Ptr, pages int, PAGE, D tl.Const) {
		n := tl.Load(lens.Add(p.ID(0))).Int()
		i, d := tl.Arange(0, PAGE), tl.Arange(0, D)
		acc := tl.Zeros(tl.Float32, D)
		for b := range tl.Cdiv(n, PAGE) {
			page := tl.Load(table.Add(p.ID(0)*pages + b))
			rows := i.Add(b * PAGE).Lt(n)
			at := page.Mul(PAGE).Add(i).Col().Mul(D).Add(d.Row())
			acc = acc.Add(tl.Sum(tl.Load(cache.Add(at), tl.Mask(rows.Col()), tl.Other(0)), tl.Axis(0)))
		}
		tl.Store(out.Add(p.ID(0)*D).Add(d), acc)
	}, grid: exec.Grid{2}, args: args(ints(5, 2, 0, 1, -1, -1), ints(40, 10), randn(1, 6, 16, 16), empty(2, 16), 3, 16, 16)},

	{name: "sequences that write into the next", kernel: func(p *tl.Program, x, cu, y tl.Ptr, BLOCK, D tl.Const) {
		begin, end := tl.Load(cu.Add(p.ID(1))).Int(), tl.Load(cu.Add(p.ID(1)+1)).Int()
		if p.ID(0)*BLOCK >= end-begin {
			return
		}
		i, d := tl.Arange(0, BLOCK).Add(p.ID(0)*BLOCK+begin), tl.Arange(0, D)
		m := i.Col().Lt(end)
		at := i.Col().Mul(D).Add(d.Row())
		tl.Store(y.Add(at), tl.Load(x.Add(at), tl.Mask(m)).Mul(2), tl.Mask(m))
	}, grid: exec.Grid{2, 3}, args: args(randn(1, 37, 16), ints(0, 20, 25, 37), empty(37, 16), 16, 16)},

	{name: "slots that are padded", kernel: func(p *tl.Program, key, slots, cache tl.Ptr, stride int, D tl.Const) {
		slot := tl.Load(slots.Add(p.ID(0)))
		if slot.Int() < 0 {
			return
		}
		d := tl.Arange(0, D)
		tl.Store(cache.Add(slot.Mul(stride)).Add(d), tl.Load(key.Add(p.ID(0)*stride).Add(d)))
	}, grid: exec.Grid{5}, args: args(randn(1, 5, 16), tensor.From([]int64{7, 2, 9, -1, -1}), zeros(12, 16), 16, 16)},

	{name: "a block pointer that checks its columns only", kernel: func(p *tl.Program, x, y tl.Ptr, T int, BT, BD tl.Const) {
		src := tl.MakeBlockPtr(x, []int{T, BD}, []int{BD, 1}, []int{p.ID(0) * BT, 0}, []int{BT, BD}, []int{1, 0})
		dst := tl.MakeBlockPtr(y, []int{T, BD}, []int{BD, 1}, []int{p.ID(0) * BT, 0}, []int{BT, BD}, []int{1, 0})
		v := src.Load(tl.BoundaryCheck(0), tl.PadZero)
		dst.Store(v.Mul(2), tl.BoundaryCheck(0))
	}, grid: exec.Grid{2}, args: args(randn(1, 20, 16), empty(20, 16), 20, 16, 16)},

	{name: "a product over a block without padding", kernel: func(p *tl.Program, k, y tl.Ptr, T int, BT, BD tl.Const) {
		src := tl.MakeBlockPtr(k, []int{T, BD}, []int{BD, 1}, []int{p.ID(0) * BT, 0}, []int{BT, BD}, []int{1, 0})
		v := src.Load(tl.BoundaryCheck(0), tl.PadZero)
		dst := tl.MakeBlockPtr(y.Add(p.ID(0)*BD*BD), []int{BD, BD}, []int{BD, 1}, []int{0, 0}, []int{BD, BD}, []int{1, 0})
		dst.Store(tl.Dot(v.T(), v))
	}, grid: exec.Grid{2}, args: args(randn(1, 20, 16), empty(2, 16, 16), 20, 16, 16)},

	{name: "a descriptor of a transposed shape", kernel: func(p *tl.Program, x, y tl.Ptr, M, N int, BM, BN tl.Const) {
		src := tl.MakeDesc(x, []int{M, N}, []int{N, 1}, []int{BM, BN})
		dst := tl.MakeDesc(y, []int{M, N}, []int{N, 1}, []int{BM, BN})
		dst.Store(src.Load(p.ID(0)*BM, p.ID(1)*BN).Mul(2), p.ID(0)*BM, p.ID(1)*BN)
	}, grid: exec.Grid{2, 3}, args: args(randn(1, 20, 40), empty(20, 40), 20, 40, 16, 16)},

	{name: "strides of a contiguous tensor for a permuted one", kernel: func(p *tl.Program, q, out tl.Ptr, stride_h, stride_t, T int, BT, D tl.Const) {
		i, d := tl.Arange(0, BT).Add(p.ID(0)*BT), tl.Arange(0, D)
		m := i.Col().Lt(T)
		v := tl.Load(q.Add(p.ID(1)*stride_h).Add(i.Col().Mul(stride_t)).Add(d.Row()), tl.Mask(m), tl.Other(0))
		tl.Store(out.Add(p.ID(1)*T*D).Add(i.Col().Mul(D)).Add(d.Row()), v.Mul(2), tl.Mask(m))
	}, grid: exec.Grid{2, 2}, args: args(randn(1, 16, 2, 16).Permute(1, 0, 2), empty(2, 16, 16), 16, 32, 16, 16, 16)},

	{name: "a sliding window of one too many", kernel: func(p *tl.Program, s, out tl.Ptr, T, WINDOW int, B tl.Const) {
		i, j := tl.Arange(0, B).Col(), tl.Arange(0, B).Row()
		in := i.Lt(T).And(j.Lt(T))
		v := tl.Load(s.Add(i.Mul(T)).Add(j), tl.Mask(in), tl.Other(0))
		keep := j.Le(i).And(i.Sub(j).Lt(WINDOW))
		tl.Store(out.Add(i.Mul(T)).Add(j), tl.Where(keep, v, 0.0), tl.Mask(in))
	}, grid: exec.Grid{1}, args: args(randn(1, 12, 12), empty(12, 12), 12, 4, 16), ref: windowRef},

	{name: "rotated by rows of a batch", kernel: func(p *tl.Program, x, cos, sin, y tl.Ptr, T, D int, HALF tl.Const) {
		row := p.ID(0)
		d := tl.Arange(0, HALF)
		at := row % T * (D / 2)
		c, s := tl.Load(cos.Add(at).Add(d)), tl.Load(sin.Add(at).Add(d))
		a, b := tl.Load(x.Add(row*D).Add(d)), tl.Load(x.Add(row*D).Add(d).Add(D/2))
		tl.Store(y.Add(row*D).Add(d), a.Mul(c).Sub(b.Mul(s)))
		tl.Store(y.Add(row*D).Add(d).Add(D/2), b.Mul(c).Add(a.Mul(s)))
	}, grid: exec.Grid{12}, args: args(randn(1, 12, 32), randn(2, 6, 16), randn(3, 6, 16), empty(12, 32), 6, 32, 16)},

	{name: "the second half begins behind the block", kernel: func(p *tl.Program, x, y tl.Ptr, D int, BLOCK tl.Const) {
		h := D / 2
		d := tl.Arange(0, BLOCK)
		m := d.Lt(h)
		second := h
		a := tl.Load(x.Add(p.ID(0)*D).Add(d), tl.Mask(m), tl.Other(0))
		b := tl.Load(x.Add(p.ID(0)*D+second).Add(d), tl.Mask(m), tl.Other(0))
		tl.Store(y.Add(p.ID(0)*D).Add(d), b.Neg(), tl.Mask(m))
		tl.Store(y.Add(p.ID(0)*D+h).Add(d), a, tl.Mask(m))
	}, grid: exec.Grid{5}, args: args(randn(1, 5, 24), empty(5, 24), 24, 16)},

	{name: "rotated in place by both halves", kernel: func(p *tl.Program, x tl.Ptr, HALF tl.Const) {
		d := tl.Arange(0, HALF)
		row := x.Add(p.ID(0) * 2 * HALF)
		if p.ID(1) == 1 {
			return
		}
		a, b := tl.Load(row.Add(d)), tl.Load(row.Add(HALF).Add(d))
		tl.Store(row.Add(d), a.Sub(b))
		tl.Store(row.Add(HALF).Add(d), b.Sub(a))
	}, grid: exec.Grid{4, 2}, args: args(randn(1, 4, 32), 16)},

	{name: "positions of 32 bits in a cache of 20 GB", kernel: func(p *tl.Program, slots, cache, out tl.Ptr, stride int, D tl.Const) {
		d := tl.Arange(0, D)
		slot := tl.Load(slots.Add(p.ID(0))).To(tl.Int64)
		at := slot.Mul(stride)
		tl.Store(out.Add(p.ID(0)*D).Add(d), tl.Load(cache.Add(at).Add(d)))
	}, grid: exec.Grid{4}, args: args(tensor.From([]int32{3, 1200000, 7, 1}), tensor.Virtual(tl.Float16, 1300000, 8, 512), tensor.Virtual(tl.Float16, 4, 512), 4096, 512)},
}

func attentionRef(q, k, v, out *tensor.Tensor, T int, scale float64, _, _, D int) {
	for h := range q.Dim(0) {
		for i := range T {
			w, sum := make([]float64, T), 0.0
			for j := range T {
				s := 0.0
				for d := range D {
					s += q.Float(h, i, d) * k.Float(h, j, d)
				}
				w[j] = math.Exp(s * scale)
				sum += w[j]
			}
			for d := range D {
				o := 0.0
				for j := range T {
					o += w[j] / sum * v.Float(h, j, d)
				}
				out.Set(o, h, i, d)
			}
		}
	}
}

func windowRef(s, out *tensor.Tensor, T, window, _ int) {
	for i := range T {
		for j := range T {
			v := 0.0
			if j <= i && i-j < window {
				v = s.Float(i, j)
			}
			out.Set(v, i, j)
		}
	}
}

func randn(seed int, shape ...int) *tensor.Tensor { return tensor.Randn(seed, tl.Float32, shape...) }
