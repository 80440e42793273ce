package check_test

import (
	"math"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Products as they are published: plain, split, grouped, quantised, routed; convolutions.

var faultyProducts = []kase{
	{name: "a product whose last block of K is not masked", vary: true, kernel: func(p *tl.Program, a, b, c tl.Ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn int, BM, BN, BK tl.Const) {
		rm, rn, rk := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, BN).Add(p.ID(1)*BN), tl.Arange(0, BK)
		am, bn := rm.Mod(M), rn.Mod(N)
		acc := tl.Zeros(tl.Float32, BM, BN)
		for k := 0; k < K; k += BK {
			kk := rk.Add(k)
			pa, pb := a.Add(am.Col().Mul(stride_am)).Add(kk.Row().Mul(stride_ak)), b.Add(kk.Col().Mul(stride_bk)).Add(bn.Row().Mul(stride_bn))
			x := tl.Load(pa) // want: out-of-bounds "past the end of a"; wrong-row "past the end of its row"
			y := tl.Load(pb) // want: out-of-bounds "past the end of b"
			acc = acc.Add(tl.Dot(x, y))
		}
		tl.Store(c.Add(rm.Col().Mul(stride_cm)).Add(rn.Row().Mul(stride_cn)), acc, tl.Mask(rm.Col().Lt(M).And(rn.Row().Lt(N))))
	}, grid: exec.Grid{2, 2}, args: args(randn(1, 32, 40), randn(2, 40, 32), empty(32, 32), 32, 32, 40, 40, 1, 32, 1, 32, 1, 16, 16, 16)},

	{name: "a result masked by its rows twice", vary: true, kernel: func(p *tl.Program, a, c tl.Ptr, M, N int, B tl.Const) {
		rm, rn := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, B).Add(p.ID(1)*B)
		m := rm.Col().Lt(M).And(rn.Row().Lt(N))
		v := tl.Load(a.Add(rm.Col().Mul(N)).Add(rn.Row()), tl.Mask(m), tl.Other(0))
		tl.Store(c.Add(rm.Col().Mul(N)).Add(rn.Row()), v.Mul(2), tl.Mask(rm.Col().Lt(M).And(rn.Row().Lt(M)))) // want: unwritten "of c are never written"
	}, grid: exec.Grid{2, 2}, args: args(randn(1, 32, 32), empty(32, 32), 32, 32, 16)},

	{name: "parts of K stored", vary: true, kernel: func(p *tl.Program, a, b, c tl.Ptr, M, N, K int, B, SPLIT_K tl.Const) {
		rm, rn, rk := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, B).Add(p.ID(1)*B), tl.Arange(0, SPLIT_K).Add(p.ID(2)*SPLIT_K)
		x := tl.Load(a.Add(rm.Col().Mul(K)).Add(rk.Row()), tl.Mask(rm.Col().Lt(M).And(rk.Row().Lt(K))), tl.Other(0))
		y := tl.Load(b.Add(rk.Col().Mul(N)).Add(rn.Row()), tl.Mask(rk.Col().Lt(K).And(rn.Row().Lt(N))), tl.Other(0))
		at, m := c.Add(rm.Col().Mul(N)).Add(rn.Row()), rm.Col().Lt(M).And(rn.Row().Lt(N))
		tl.Store(at, tl.Dot(x, y), tl.Mask(m)) // want: race "writes c"
	}, grid: exec.Grid{2, 2, 3}, args: args(randn(1, 32, 48), randn(2, 48, 32), zeros(32, 32), 32, 32, 48, 16, 16)},

	{name: "parts of K added to what was never written", vary: true, kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		tl.AtomicAdd(out, tl.Sum(tl.Load(x.Add(offs), tl.Mask(offs.Lt(n)), tl.Other(0)))) // want: undefined "in out is updated but was never written"
	}, grid: exec.Grid{3}, args: args(randn(1, 48), empty(1), 48, 16)},

	{name: "weights of another expert", vary: true, kernel: func(p *tl.Program, x, w, expert, y tl.Ptr, stride_we int, D tl.Const) {
		d := tl.Arange(0, D)
		e := tl.Load(expert.Add(p.ID(0)))
		v := tl.Load(x.Add(p.ID(0) * D).Add(d))
		ws := tl.Load(w.Add(e.Mul(D)).Add(d.Col().Mul(D)).Add(d.Row()))
		tl.Store(y.Add(p.ID(0)*D).Add(d), tl.Sum(v.Col().Mul(ws), tl.Axis(0))) // want: reference "of y differ"
	}, grid: exec.Grid{6}, args: args(randn(1, 6, 16), randn(2, 3, 16, 16), ints(2, 0, 1, 2, 1, 0), empty(6, 16), 256, 16), ref: expertsRef},

	{name: "scales of groups, by elements", vary: true, kernel: func(p *tl.Program, qw, scales, out tl.Ptr, K, N, G int, BN tl.Const) {
		k, n := tl.Arange(0, 64), tl.Arange(0, BN).Add(p.ID(0)*BN)
		m := k.Col().Lt(K).And(n.Row().Lt(N))
		packed := tl.Load(qw.Add(k.Col().FloorDiv(8).Mul(N)).Add(n.Row()), tl.Mask(m), tl.Other(0))
		v := packed.Shr(k.Col().Mod(8).Mul(4)).And(15).Sub(8)
		s := tl.Load(scales.Add(k.Col().Mul(N)).Add(n.Row()), tl.Mask(m), tl.Other(0)) // want: out-of-bounds "past the end of scales"
		tl.Store(out.Add(k.Col().Mul(N)).Add(n.Row()), v.To(tl.Float32).Mul(s), tl.Mask(m))
	}, grid: exec.Grid{2}, args: args(tensor.RandInt(1, tl.Int32, 0, 1<<30, 8, 32), randn(2, 4, 32), empty(64, 32), 64, 32, 16, 16)},

	{name: "an int8 product stored in int8", vary: true, kernel: func(p *tl.Program, a, c tl.Ptr, B tl.Const) {
		i := tl.Arange(0, B)
		at := i.Col().Mul(B).Add(i.Row())
		x := tl.Load(a.Add(at))
		tl.Store(c.Add(at), tl.Dot(x, x)) // want: note overflow "do not fit int8, the first is 1600"
	}, grid: exec.Grid{1}, args: args(tensor.Full(tl.Int8, 10, 16, 16), tensor.Empty(tl.Int8, 16, 16), 16)},

	{name: "tokens that pad a block", vary: true, kernel: func(p *tl.Program, ids, x, y tl.Ptr, tokens int, BM, D tl.Const) {
		t, d := tl.Load(ids.Add(tl.Arange(0, BM)).Add(p.ID(0)*BM)), tl.Arange(0, D)
		at := t.Col().Mul(D).Add(d.Row())
		v := tl.Load(x.Add(at))       // want: out-of-bounds "past the end of x"
		tl.Store(y.Add(at), v.Mul(2)) // want: out-of-bounds "past the end of y"
	}, grid: exec.Grid{2}, args: args(ints(0, 4, 2, 6, 1, 3, 6, 6), randn(1, 6, 16), zeros(6, 16), 6, 4, 16)},

	{name: "experts of one token added without atomics", vary: true, kernel: func(p *tl.Program, ids, x, y tl.Ptr, D tl.Const) {
		d := tl.Arange(0, D)
		at := y.Add(tl.Load(ids.Add(p.ID(0))).Mul(D)).Add(d)
		v := tl.Load(x.Add(p.ID(0) * D).Add(d))
		tl.Store(at, tl.Load(at).Add(v)) // want: race "reads y"; race "writes y"
	}, grid: exec.Grid{8}, args: args(ints(0, 0, 1, 1, 2, 2, 3, 3), randn(1, 8, 16), zeros(4, 16), 16)},

	{name: "a fix-up that does not wait", vary: true, kernel: func(p *tl.Program, x, partial, locks, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		v := tl.Load(x.Add(p.ID(0) * B).Add(offs))
		if p.ID(0) == 1 {
			tl.Store(partial.Add(offs), v) // want: race "which program .0. reads"
			tl.AtomicXchg(locks, 1)
			return
		}
		tl.Store(out.Add(offs), v.Add(tl.Load(partial.Add(offs))))
	}, grid: exec.Grid{2}, args: args(randn(1, 32), zeros(16), tensor.Zeros(tl.Int32, 1), empty(16), 16)},

	{name: "a bias by rows", vary: true, kernel: func(p *tl.Program, x, bias, y tl.Ptr, M, N int, B tl.Const) {
		rm, rn := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, B).Add(p.ID(1)*B)
		m := rm.Col().Lt(M).And(rn.Row().Lt(N))
		bv := tl.Load(bias.Add(rn), tl.Mask(rn.Lt(N)), tl.Other(0)) // want: out-of-bounds "past the end of bias"
		tl.Store(y.Add(rm.Col().Mul(N)).Add(rn.Row()), tl.Load(x.Add(rm.Col().Mul(N)).Add(rn.Row()), tl.Mask(m), tl.Other(0)).Add(bv.Row()), tl.Mask(m))
	}, grid: exec.Grid{2, 3}, args: args(randn(1, 32, 48), randn(2, 32), empty(32, 48), 32, 48, 16)},

	{name: "the rows' bias for columns, of a square", vary: true, kernel: func(p *tl.Program, x, bias, y tl.Ptr, M, N int, B tl.Const) {
		rm, rn := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, B).Add(p.ID(1)*B)
		m := rm.Col().Lt(M).And(rn.Row().Lt(N))
		bv := tl.Load(bias.Add(rm), tl.Mask(rm.Lt(M)), tl.Other(0)).Col()
		tl.Store(y.Add(rm.Col().Mul(N)).Add(rn.Row()), tl.Load(x.Add(rm.Col().Mul(N)).Add(rn.Row()), tl.Mask(m), tl.Other(0)).Add(bv), tl.Mask(m)) // want: reference "of y differ"
	}, grid: exec.Grid{2, 2}, args: args(randn(1, 24, 24), randn(2, 24), empty(24, 24), 24, 24, 16), ref: biasRef},

	{name: "persistent programs that leave the last tiles", vary: true, kernel: func(p *tl.Program, x, y tl.Ptr, M, N int, BM, BN tl.Const) {
		tn := N / BN
		for tile := p.ID(0); tile < tl.Cdiv(M, BM)*tn; tile += p.Num(0) {
			rm, rn := tl.Arange(0, BM).Add(tile/tn*BM), tl.Arange(0, BN).Add(tile%tn*BN)
			m := rm.Col().Lt(M).And(rn.Row().Lt(N))
			at := rm.Col().Mul(N).Add(rn.Row())
			tl.Store(y.Add(at), tl.Load(x.Add(at), tl.Mask(m), tl.Other(0)).Mul(2), tl.Mask(m)) // want: unwritten "of y are never written"
		}
	}, grid: exec.Grid{3}, args: args(randn(1, 64, 64), empty(64, 64), 64, 64, 16, 16)},

	{name: "groups of tiles without the last group's size", vary: true, kernel: func(p *tl.Program, x, y tl.Ptr, M, N int, B, GROUP tl.Const) {
		pm, pn := tl.Cdiv(M, B), tl.Cdiv(N, B)
		width := GROUP * pn
		first := p.ID(0) / width * GROUP
		size := GROUP
		_ = pm
		rm := tl.Arange(0, B).Add((first + p.ID(0)%width%size) * B)
		rn := tl.Arange(0, B).Add(p.ID(0) % width / size * B)
		m := rm.Col().Lt(M).And(rn.Row().Lt(N))
		at := rm.Col().Mul(N).Add(rn.Row())
		tl.Store(y.Add(at), tl.Load(x.Add(at), tl.Mask(m), tl.Other(0)).Mul(2), tl.Mask(m)) // want: unwritten "of y are never written"
	}, grid: exec.Grid{12}, args: args(randn(1, 48, 64), empty(48, 64), 48, 64, 16, 2)},

	{name: "a causal convolution that looks before the beginning", vary: true, kernel: func(p *tl.Program, x, w, y tl.Ptr, T int, BT, W tl.Const) {
		t := tl.Arange(0, BT).Add(p.ID(0) * BT)
		acc := tl.Zeros(tl.Float32, BT)
		for k := range W {
			at := t.Add(k - W + 1)
			m := at.Lt(T)
			acc = acc.Add(tl.Load(x.Add(p.ID(1)*T).Add(at), tl.Mask(m), tl.Other(0)).Mul(tl.Load(w.Add(p.ID(1)*W + k)))) // want: out-of-bounds "before"
		}
		tl.Store(y.Add(p.ID(1)*T).Add(t), acc, tl.Mask(t.Lt(T)))
	}, grid: exec.Grid{2, 3}, args: args(randn(1, 3, 30), randn(2, 3, 4), empty(3, 30), 30, 16, 4)},

	{name: "padding of rows only", vary: true, kernel: func(p *tl.Program, x, y tl.Ptr, H, W int, B tl.Const) {
		i, j := tl.Arange(0, B).Col(), tl.Arange(0, B).Row()
		in := i.Lt(H).And(j.Lt(W))
		acc := tl.Zeros(tl.Float32, B, B)
		for dh := -1; dh <= 1; dh++ {
			for dw := -1; dw <= 1; dw++ {
				h, w := i.Add(dh), j.Add(dw)
				m := in.And(h.Ge(0)).And(h.Lt(H))
				acc = acc.Add(tl.Load(x.Add(h.Mul(W)).Add(w), tl.Mask(m), tl.Other(0))) // want: wrong-row "x"; out-of-bounds "x"
			}
		}
		tl.Store(y.Add(i.Mul(W)).Add(j), acc, tl.Mask(in))
	}, grid: exec.Grid{1}, args: args(randn(1, 10, 12), empty(10, 12), 10, 12, 16)},

	{name: "channels without their batch", vary: true, kernel: func(p *tl.Program, x, w, y tl.Ptr, C, T int, B tl.Const) {
		c, b := p.ID(0), p.ID(1)
		t := tl.Arange(0, B)
		m := t.Lt(T)
		v := tl.Load(x.Add(c*T).Add(t), tl.Mask(m), tl.Other(0))
		tl.Store(y.Add((b*C+c)*T).Add(t), v.Mul(tl.Load(w.Add(c))), tl.Mask(m)) // want: reference "of y differ"
	}, grid: exec.Grid{4, 2}, args: args(randn(1, 2, 4, 20), randn(2, 4), empty(2, 4, 20), 4, 20, 32), ref: channelsRef},

	{name: "a maximum of windows over zeros", vary: true, kernel: func(p *tl.Program, x, y tl.Ptr, n, m int, B tl.Const) {
		o := tl.Arange(0, B).Add(p.ID(0) * B)
		top := tl.Full(tl.Float32, math.Inf(-1), B)
		for k := range 2 {
			i := o.Mul(2).Add(k)
			top = tl.Maximum(top, tl.Load(x.Add(i), tl.Mask(i.Lt(n)), tl.Other(0)))
		}
		tl.Store(y.Add(o), top, tl.Mask(o.Lt(m))) // want: reference "of y differ"
	}, grid: exec.Grid{2}, args: args(random(33), empty(17), 33, 17, 16), ref: poolRef},

	{name: "a transpose on the grid of its input", vary: true, kernel: func(p *tl.Program, x, y tl.Ptr, M, N int, B tl.Const) {
		i, j := tl.Arange(0, B).Add(p.ID(1)*B), tl.Arange(0, B).Add(p.ID(0)*B)
		m := i.Col().Lt(M).And(j.Row().Lt(N))
		v := tl.Load(x.Add(i.Col().Mul(N)).Add(j.Row()), tl.Mask(m), tl.Other(0))
		tl.Store(y.Add(j.Col().Mul(M)).Add(i.Row()), v.T(), tl.Mask(m.T())) // want: unwritten "of y are never written"
	}, grid: exec.Grid{2, 3}, args: args(randn(1, 32, 48), empty(48, 32), 32, 48, 16)},

	{name: "the strides of before the transpose", vary: true, kernel: func(p *tl.Program, x, y tl.Ptr, M, N, sm, sn int, B tl.Const) {
		i, j := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, B).Add(p.ID(1)*B)
		m := i.Col().Lt(M).And(j.Row().Lt(N))
		v := tl.Load(x.Add(i.Col().Mul(sm)).Add(j.Row().Mul(sn)), tl.Mask(m), tl.Other(0)) // want: strides "walks x by strides 24,1, and x has strides 1,24"
		tl.Store(y.Add(i.Col().Mul(N)).Add(j.Row()), v.Mul(2), tl.Mask(m))
	}, grid: exec.Grid{2, 2}, args: args(randn(1, 24, 24).T(), empty(24, 24), 24, 24, 24, 1, 16)},
}

var correctProducts = []kase{
	{name: "a product whose last block of K is not masked", kernel: func(p *tl.Program, a, b, c tl.Ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn int, BM, BN, BK tl.Const) {
		rm, rn, rk := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, BN).Add(p.ID(1)*BN), tl.Arange(0, BK)
		am, bn := rm.Mod(M), rn.Mod(N)
		acc := tl.Zeros(tl.Float32, BM, BN)
		for k := 0; k < K; k += BK {
			kk := rk.Add(k)
			pa, pb := a.Add(am.Col().Mul(stride_am)).Add(kk.Row().Mul(stride_ak)), b.Add(kk.Col().Mul(stride_bk)).Add(bn.Row().Mul(stride_bn))
			x := tl.Load(pa, tl.Mask(kk.Row().Lt(K)), tl.Other(0))
			y := tl.Load(pb, tl.Mask(kk.Col().Lt(K)), tl.Other(0))
			acc = acc.Add(tl.Dot(x, y))
		}
		tl.Store(c.Add(rm.Col().Mul(stride_cm)).Add(rn.Row().Mul(stride_cn)), acc, tl.Mask(rm.Col().Lt(M).And(rn.Row().Lt(N))))
	}, grid: exec.Grid{2, 2}, args: args(randn(1, 32, 40), randn(2, 40, 32), empty(32, 32), 32, 32, 40, 40, 1, 32, 1, 32, 1, 16, 16, 16)},

	{name: "a result masked by its rows twice", kernel: func(p *tl.Program, a, c tl.Ptr, M, N int, B tl.Const) {
		rm, rn := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, B).Add(p.ID(1)*B)
		m := rm.Col().Lt(M).And(rn.Row().Lt(N))
		v := tl.Load(a.Add(rm.Col().Mul(N)).Add(rn.Row()), tl.Mask(m), tl.Other(0))
		tl.Store(c.Add(rm.Col().Mul(N)).Add(rn.Row()), v.Mul(2), tl.Mask(rm.Col().Lt(M).And(rn.Row().Lt(N))))
	}, grid: exec.Grid{2, 2}, args: args(randn(1, 32, 32), empty(32, 32), 32, 32, 16)},

	{name: "parts of K stored", kernel: func(p *tl.Program, a, b, c tl.Ptr, M, N, K int, B, SPLIT_K tl.Const) {
		rm, rn, rk := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, B).Add(p.ID(1)*B), tl.Arange(0, SPLIT_K).Add(p.ID(2)*SPLIT_K)
		x := tl.Load(a.Add(rm.Col().Mul(K)).Add(rk.Row()), tl.Mask(rm.Col().Lt(M).And(rk.Row().Lt(K))), tl.Other(0))
		y := tl.Load(b.Add(rk.Col().Mul(N)).Add(rn.Row()), tl.Mask(rk.Col().Lt(K).And(rn.Row().Lt(N))), tl.Other(0))
		at, m := c.Add(rm.Col().Mul(N)).Add(rn.Row()), rm.Col().Lt(M).And(rn.Row().Lt(N))
		tl.AtomicAdd(at, tl.Dot(x, y), tl.Mask(m))
	}, grid: exec.Grid{2, 2, 3}, args: args(randn(1, 32, 48), randn(2, 48, 32), zeros(32, 32), 32, 32, 48, 16, 16)},

	{name: "parts of K added to what was never written", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		tl.AtomicAdd(out, tl.Sum(tl.Load(x.Add(offs), tl.Mask(offs.Lt(n)), tl.Other(0))))
	}, grid: exec.Grid{3}, args: args(randn(1, 48), zeros(1), 48, 16)},

	{name: "weights of another expert", kernel: func(p *tl.Program, x, w, expert, y tl.Ptr, stride_we int, D tl.Const) {
		d := tl.Arange(0, D)
		e := tl.Load(expert.Add(p.ID(0)))
		v := tl.Load(x.Add(p.ID(0) * D).Add(d))
		ws := tl.Load(w.Add(e.Mul(stride_we)).Add(d.Col().Mul(D)).Add(d.Row()))
		tl.Store(y.Add(p.ID(0)*D).Add(d), tl.Sum(v.Col().Mul(ws), tl.Axis(0)))
	}, grid: exec.Grid{6}, args: args(randn(1, 6, 16), randn(2, 3, 16, 16), ints(2, 0, 1, 2, 1, 0), empty(6, 16), 256, 16), ref: expertsRef},

	{name: "scales of groups, by elements", kernel: func(p *tl.Program, qw, scales, out tl.Ptr, K, N, G int, BN tl.Const) {
		k, n := tl.Arange(0, 64), tl.Arange(0, BN).Add(p.ID(0)*BN)
		m := k.Col().Lt(K).And(n.Row().Lt(N))
		packed := tl.Load(qw.Add(k.Col().FloorDiv(8).Mul(N)).Add(n.Row()), tl.Mask(m), tl.Other(0))
		v := packed.Shr(k.Col().Mod(8).Mul(4)).And(15).Sub(8)
		s := tl.Load(scales.Add(k.Col().FloorDiv(G).Mul(N)).Add(n.Row()), tl.Mask(m), tl.Other(0))
		tl.Store(out.Add(k.Col().Mul(N)).Add(n.Row()), v.To(tl.Float32).Mul(s), tl.Mask(m))
	}, grid: exec.Grid{2}, args: args(tensor.RandInt(1, tl.Int32, 0, 1<<30, 8, 32), randn(2, 4, 32), empty(64, 32), 64, 32, 16, 16)},

	{name: "an int8 product stored in int8", kernel: func(p *tl.Program, a, c tl.Ptr, B tl.Const) {
		i := tl.Arange(0, B)
		at := i.Col().Mul(B).Add(i.Row())
		x := tl.Load(a.Add(at))
		tl.Store(c.Add(at), tl.Dot(x, x))
	}, grid: exec.Grid{1}, args: args(tensor.Full(tl.Int8, 10, 16, 16), tensor.Empty(tl.Int32, 16, 16), 16)},

	{name: "tokens that pad a block", kernel: func(p *tl.Program, ids, x, y tl.Ptr, tokens int, BM, D tl.Const) {
		t, d := tl.Load(ids.Add(tl.Arange(0, BM)).Add(p.ID(0)*BM)), tl.Arange(0, D)
		at := t.Col().Mul(D).Add(d.Row())
		m := t.Col().Lt(tokens)
		tl.Store(y.Add(at), tl.Load(x.Add(at), tl.Mask(m), tl.Other(0)).Mul(2), tl.Mask(m))
	}, grid: exec.Grid{2}, args: args(ints(0, 4, 2, 6, 1, 3, 6, 6), randn(1, 6, 16), zeros(6, 16), 6, 4, 16)},

	{name: "experts of one token added without atomics", kernel: func(p *tl.Program, ids, x, y tl.Ptr, D tl.Const) {
		d := tl.Arange(0, D)
		at := y.Add(tl.Load(ids.Add(p.ID(0))).Mul(D)).Add(d)
		v := tl.Load(x.Add(p.ID(0) * D).Add(d))
		tl.AtomicAdd(at, v)
	}, grid: exec.Grid{8}, args: args(ints(0, 0, 1, 1, 2, 2, 3, 3), randn(1, 8, 16), zeros(4, 16), 16)},

	{name: "a fix-up that does not wait", kernel: func(p *tl.Program, x, partial, locks, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		v := tl.Load(x.Add(p.ID(0) * B).Add(offs))
		if p.ID(0) == 1 {
			tl.Store(partial.Add(offs), v)
			tl.AtomicXchg(locks, 1)
			return
		}
		for tl.AtomicCAS(locks, 1, 1).Int() != 1 {
		}
		tl.Store(out.Add(offs), v.Add(tl.Load(partial.Add(offs))))
	}, grid: exec.Grid{2}, args: args(randn(1, 32), zeros(16), tensor.Zeros(tl.Int32, 1), empty(16), 16)},

	{name: "a bias by rows", kernel: func(p *tl.Program, x, bias, y tl.Ptr, M, N int, B tl.Const) {
		rm, rn := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, B).Add(p.ID(1)*B)
		m := rm.Col().Lt(M).And(rn.Row().Lt(N))
		bv := tl.Load(bias.Add(rn), tl.Mask(rn.Lt(N)), tl.Other(0))
		tl.Store(y.Add(rm.Col().Mul(N)).Add(rn.Row()), tl.Load(x.Add(rm.Col().Mul(N)).Add(rn.Row()), tl.Mask(m), tl.Other(0)).Add(bv.Row()), tl.Mask(m))
	}, grid: exec.Grid{2, 3}, args: args(randn(1, 32, 48), randn(2, 48), empty(32, 48), 32, 48, 16)},

	{name: "the rows' bias for columns, of a square", kernel: func(p *tl.Program, x, bias, y tl.Ptr, M, N int, B tl.Const) {
		rm, rn := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, B).Add(p.ID(1)*B)
		m := rm.Col().Lt(M).And(rn.Row().Lt(N))
		bv := tl.Load(bias.Add(rn), tl.Mask(rn.Lt(N)), tl.Other(0)).Row()
		tl.Store(y.Add(rm.Col().Mul(N)).Add(rn.Row()), tl.Load(x.Add(rm.Col().Mul(N)).Add(rn.Row()), tl.Mask(m), tl.Other(0)).Add(bv), tl.Mask(m))
	}, grid: exec.Grid{2, 2}, args: args(randn(1, 24, 24), randn(2, 24), empty(24, 24), 24, 24, 16), ref: biasRef},

	{name: "persistent programs that leave the last tiles", kernel: func(p *tl.Program, x, y tl.Ptr, M, N int, BM, BN tl.Const) {
		tn := tl.Cdiv(N, BN)
		for tile := p.ID(0); tile < tl.Cdiv(M, BM)*tn; tile += p.Num(0) {
			rm, rn := tl.Arange(0, BM).Add(tile/tn*BM), tl.Arange(0, BN).Add(tile%tn*BN)
			m := rm.Col().Lt(M).And(rn.Row().Lt(N))
			at := rm.Col().Mul(N).Add(rn.Row())
			tl.Store(y.Add(at), tl.Load(x.Add(at), tl.Mask(m), tl.Other(0)).Mul(2), tl.Mask(m))
		}
	}, grid: exec.Grid{3}, args: args(randn(1, 64, 64), empty(64, 64), 64, 64, 16, 16)},

	{name: "groups of tiles without the last group's size", kernel: func(p *tl.Program, x, y tl.Ptr, M, N int, B, GROUP tl.Const) {
		pm, pn := tl.Cdiv(M, B), tl.Cdiv(N, B)
		width := GROUP * pn
		first := p.ID(0) / width * GROUP
		size := min(pm-first, GROUP)
		_ = pm
		rm := tl.Arange(0, B).Add((first + p.ID(0)%width%size) * B)
		rn := tl.Arange(0, B).Add(p.ID(0) % width / size * B)
		m := rm.Col().Lt(M).And(rn.Row().Lt(N))
		at := rm.Col().Mul(N).Add(rn.Row())
		tl.Store(y.Add(at), tl.Load(x.Add(at), tl.Mask(m), tl.Other(0)).Mul(2), tl.Mask(m))
	}, grid: exec.Grid{12}, args: args(randn(1, 48, 64), empty(48, 64), 48, 64, 16, 2)},

	{name: "a causal convolution that looks before the beginning", kernel: func(p *tl.Program, x, w, y tl.Ptr, T int, BT, W tl.Const) {
		t := tl.Arange(0, BT).Add(p.ID(0) * BT)
		acc := tl.Zeros(tl.Float32, BT)
		for k := range W {
			at := t.Add(k - W + 1)
			m := at.Lt(T).And(at.Ge(0))
			acc = acc.Add(tl.Load(x.Add(p.ID(1)*T).Add(at), tl.Mask(m), tl.Other(0)).Mul(tl.Load(w.Add(p.ID(1)*W + k))))
		}
		tl.Store(y.Add(p.ID(1)*T).Add(t), acc, tl.Mask(t.Lt(T)))
	}, grid: exec.Grid{2, 3}, args: args(randn(1, 3, 30), randn(2, 3, 4), empty(3, 30), 30, 16, 4)},

	{name: "padding of rows only", kernel: func(p *tl.Program, x, y tl.Ptr, H, W int, B tl.Const) {
		i, j := tl.Arange(0, B).Col(), tl.Arange(0, B).Row()
		in := i.Lt(H).And(j.Lt(W))
		acc := tl.Zeros(tl.Float32, B, B)
		for dh := -1; dh <= 1; dh++ {
			for dw := -1; dw <= 1; dw++ {
				h, w := i.Add(dh), j.Add(dw)
				m := in.And(h.Ge(0)).And(h.Lt(H)).And(w.Ge(0)).And(w.Lt(W))
				acc = acc.Add(tl.Load(x.Add(h.Mul(W)).Add(w), tl.Mask(m), tl.Other(0)))
			}
		}
		tl.Store(y.Add(i.Mul(W)).Add(j), acc, tl.Mask(in))
	}, grid: exec.Grid{1}, args: args(randn(1, 10, 12), empty(10, 12), 10, 12, 16)},

	{name: "channels without their batch", kernel: func(p *tl.Program, x, w, y tl.Ptr, C, T int, B tl.Const) {
		c, b := p.ID(0), p.ID(1)
		t := tl.Arange(0, B)
		m := t.Lt(T)
		v := tl.Load(x.Add((b*C+c)*T).Add(t), tl.Mask(m), tl.Other(0))
		tl.Store(y.Add((b*C+c)*T).Add(t), v.Mul(tl.Load(w.Add(c))), tl.Mask(m))
	}, grid: exec.Grid{4, 2}, args: args(randn(1, 2, 4, 20), randn(2, 4), empty(2, 4, 20), 4, 20, 32), ref: channelsRef},

	{name: "a maximum of windows over zeros", kernel: func(p *tl.Program, x, y tl.Ptr, n, m int, B tl.Const) {
		o := tl.Arange(0, B).Add(p.ID(0) * B)
		top := tl.Full(tl.Float32, math.Inf(-1), B)
		for k := range 2 {
			i := o.Mul(2).Add(k)
			top = tl.Maximum(top, tl.Load(x.Add(i), tl.Mask(i.Lt(n)), tl.Other(math.Inf(-1))))
		}
		tl.Store(y.Add(o), top, tl.Mask(o.Lt(m)))
	}, grid: exec.Grid{2}, args: args(random(33), empty(17), 33, 17, 16), ref: poolRef},

	{name: "a transpose on the grid of its input", kernel: func(p *tl.Program, x, y tl.Ptr, M, N int, B tl.Const) {
		i, j := tl.Arange(0, B).Add(p.ID(1)*B), tl.Arange(0, B).Add(p.ID(0)*B)
		m := i.Col().Lt(M).And(j.Row().Lt(N))
		v := tl.Load(x.Add(i.Col().Mul(N)).Add(j.Row()), tl.Mask(m), tl.Other(0))
		tl.Store(y.Add(j.Col().Mul(M)).Add(i.Row()), v.T(), tl.Mask(m.T()))
	}, grid: exec.Grid{3, 2}, args: args(randn(1, 32, 48), empty(48, 32), 32, 48, 16)},

	{name: "the strides of before the transpose", kernel: func(p *tl.Program, x, y tl.Ptr, M, N, sm, sn int, B tl.Const) {
		i, j := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, B).Add(p.ID(1)*B)
		m := i.Col().Lt(M).And(j.Row().Lt(N))
		v := tl.Load(x.Add(i.Col().Mul(sm)).Add(j.Row().Mul(sn)), tl.Mask(m), tl.Other(0))
		tl.Store(y.Add(i.Col().Mul(N)).Add(j.Row()), v.Mul(2), tl.Mask(m))
	}, grid: exec.Grid{2, 2}, args: args(randn(1, 24, 24).T(), empty(24, 24), 24, 24, 1, 24, 16)},
}

func expertsRef(x, w, expert, y *tensor.Tensor, _, D int) {
	for t := range x.Dim(0) {
		for n := range D {
			sum := 0.0
			for d := range D {
				sum += x.Float(t, d) * w.Float(int(expert.Float(t)), d, n)
			}
			y.Set(sum, t, n)
		}
	}
}

func biasRef(x, bias, y *tensor.Tensor, M, N, _ int) {
	for i := range M {
		for j := range N {
			y.Set(x.Float(i, j)+bias.Float(j), i, j)
		}
	}
}

func channelsRef(x, w, y *tensor.Tensor, C, T, _ int) {
	for b := range x.Dim(0) {
		for c := range C {
			for t := range T {
				y.Set(x.Float(b, c, t)*w.Float(c), b, c, t)
			}
		}
	}
}

func poolRef(x, y *tensor.Tensor, n, m, _ int) {
	for o := range m {
		v := x.Float(2 * o)
		if 2*o+1 < n {
			v = max(v, x.Float(2*o+1))
		}
		y.Set(v, o)
	}
}
