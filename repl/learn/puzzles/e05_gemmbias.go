package puzzles

import (
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var exerciseGemmBias = learn.Puzzle{
	Notebook: "05",
	Name:     "gemmBias",
	Title:    "Add a bias vector",
	Text: `Add a bias to the product, one number for each column, before it is stored. This
is the first exercise of the tutorial that the kernel comes from.

	c[i,j] = a[i,0]·b[0,j] + … + a[i,K-1]·b[K-1,j] + bias[j]

a and b have their strides am, ak, bk and bn as parameters; c is contiguous.

As it stands, the bias is added in every step.`,
	Start: `
i := tl.Arange(0, BM).Add(p.ID(0) % tl.Cdiv(M, BM) * BM).Col()
j := tl.Arange(0, BN).Add(p.ID(0) / tl.Cdiv(M, BM) * BN).Row()
k := tl.Arange(0, BK)
as := a.Add(i.Mod(M).Mul(am).Add(k.Mul(ak).Row()))
bs := b.Add(k.Mul(bk).Col().Add(j.Mod(N).Mul(bn)))
acc := tl.Zeros(tl.Float32, BM, BN)
for at := 0; at < K; at += BK {
	u := tl.Load(as, tl.Mask(k.Row().Lt(K-at)), tl.Other(0))
	v := tl.Load(bs, tl.Mask(k.Col().Lt(K-at)), tl.Other(0))
	acc = acc.Add(tl.Dot(u, v))
	acc = acc.Add(tl.Load(bias.Add(j), tl.Mask(j.Lt(N)), tl.Other(0)))
	as, bs = as.Add(BK*ak), bs.Add(BK*bk)
}
tl.Store(c.Add(i.Mul(N).Add(j)), acc, tl.Mask(i.Lt(M).And(j.Lt(N))))`,
	Hints: []string{
		"How many steps are there? The bias is to be added once.",
		"Take it out of the loop: load it after the last step, masked like the columns, and add it as a row.",
	},
	Lessons: map[check.Kind]string{
		check.Reference:   "Compare the difference with the bias: how often is it in the sum?",
		check.OutOfBounds: "The bias has N elements: mask its load by the columns.",
	},
	After:     "What comes after the loop is the epilogue: it costs once per element of the result, and not once per product.",
	Kernel:    gemmBias,
	Reference: gemmBiasReference,
	Cases: []learn.Case{
		on(exec.Grid{4}, whole(1, 0, 4, 6, 10), whole(2, 0, 4, 10, 7), whole(3, 10, 20, 7), empty(6, 7), num(6), num(7), num(10), num(10), num(1), num(7), num(1), num(4), num(4), num(4)),
		on(exec.Grid{1}, then(random(4, 16, 8), ".T()", (*tensor.Tensor).T), random(5, 16, 4), random(6, 4), empty(8, 4), num(8), num(4), num(16), num(1), num(8), num(4), num(1), num(8), num(8), num(8)),
		on(exec.Grid{6}, random(7, 70, 100), random(8, 100, 60), random(9, 60), empty(70, 60), num(70), num(60), num(100), num(100), num(1), num(60), num(1), num(32), num(32), num(16)),
	},
}

func gemmBias(p *tl.Program, a, b, bias, c tl.Ptr, M, N, K, am, ak, bk, bn int,
	BM, BN, BK tl.Const) {
	i := tl.Arange(0, BM).Add(p.ID(0) % tl.Cdiv(M, BM) * BM).Col()
	j := tl.Arange(0, BN).Add(p.ID(0) / tl.Cdiv(M, BM) * BN).Row()
	k := tl.Arange(0, BK)
	as := a.Add(i.Mod(M).Mul(am).Add(k.Mul(ak).Row()))
	bs := b.Add(k.Mul(bk).Col().Add(j.Mod(N).Mul(bn)))
	acc := tl.Zeros(tl.Float32, BM, BN)
	for at := 0; at < K; at += BK {
		u := tl.Load(as, tl.Mask(k.Row().Lt(K-at)), tl.Other(0))
		v := tl.Load(bs, tl.Mask(k.Col().Lt(K-at)), tl.Other(0))
		acc = acc.Add(tl.Dot(u, v))
		as, bs = as.Add(BK*ak), bs.Add(BK*bk)
	}
	acc = acc.Add(tl.Load(bias.Add(j), tl.Mask(j.Lt(N)), tl.Other(0)))
	tl.Store(c.Add(i.Mul(N).Add(j)), acc, tl.Mask(i.Lt(M).And(j.Lt(N))))
}

func gemmBiasReference(a, b, bias, c *tensor.Tensor, M, N, K, am, ak, bk, bn, BM, BN, BK int) {
	for i := range M {
		for j := range N {
			sum := bias.Float(j)
			for k := range K {
				sum += float64(a.Float(i, k) * b.Float(k, j))
			}
			c.Set(sum, i, j)
		}
	}
}
