package puzzles

import (
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var exerciseBiasRelu = learn.Puzzle{
	Notebook: "03",
	Name:     "biasRelu",
	Title:    "An epilogue",
	Text: `Add a bias vector to the product, one number for each column, and apply
max(v, 0), which is called ReLU, before it is stored.

	out[i,j] = max(x[i,0]·y[0,j] + … + x[i,K-1]·y[K-1,j] + bias[j], 0)

What is done to a block of results while it is still in the kernel is called an
epilogue. tl.Maximum is the greater of each two elements.

As it stands, the kernel only multiplies.`,
	Start: `
i := tl.Arange(0, BM).Add(p.ID(0) * BM).Col()
j := tl.Arange(0, BN).Add(p.ID(1) * BN).Row()
acc := tl.Zeros(tl.Float32, BM, BN)
for at := 0; at < K; at += BK {
	k := tl.Arange(0, BK).Add(at)
	kr, kc := k.Row(), k.Col()
	u := tl.Load(x.Add(i.Mul(K).Add(kr)), tl.Mask(i.Lt(M).And(kr.Lt(K))), tl.Other(0))
	v := tl.Load(y.Add(kc.Mul(N).Add(j)), tl.Mask(kc.Lt(K).And(j.Lt(N))), tl.Other(0))
	acc = acc.Add(tl.Dot(u, v))
}
tl.Store(out.Add(i.Mul(N).Add(j)), acc, tl.Mask(i.Lt(M).And(j.Lt(N))))`,
	Hints: []string{
		"tl.Load(bias + j, tl.Mask(j < N)) is a row, and broadcasts over the rows of acc.",
		"tl.Maximum(acc + b, 0) is what is stored; in a file: tl.Maximum(acc.Add(b), 0).",
	},
	Lessons: map[check.Kind]string{
		check.Reference:   "Is the bias added before negative sums become 0?",
		check.OutOfBounds: "The columns that do not exist have no bias: mask that load, too.",
	},
	After:     "Fused like this, bias and ReLU cost next to nothing. As kernels of their own they would read and write the whole result twice.",
	Kernel:    biasRelu,
	Reference: biasReluReference,
	Cases: []learn.Case{
		on(exec.Grid{2, 2}, whole(1, -3, 4, 6, 5), whole(2, -3, 4, 5, 7), whole(3, -9, 10, 7), empty(6, 7), num(6), num(7), num(5), num(4), num(4), num(4)),
		on(exec.Grid{1, 1}, random(4, 8, 8), random(5, 8, 8), random(6, 8), empty(8, 8), num(8), num(8), num(8), num(8), num(8), num(8)),
		on(exec.Grid{3, 2}, random(7, 70, 100), random(8, 100, 60), random(9, 60), empty(70, 60), num(70), num(60), num(100), num(32), num(32), num(16)),
	},
}

func biasRelu(p *tl.Program, x, y, bias, out tl.Ptr, M, N, K int, BM, BN, BK tl.Const) {
	i := tl.Arange(0, BM).Add(p.ID(0) * BM).Col()
	j := tl.Arange(0, BN).Add(p.ID(1) * BN).Row()
	acc := tl.Zeros(tl.Float32, BM, BN)
	for at := 0; at < K; at += BK {
		k := tl.Arange(0, BK).Add(at)
		kr, kc := k.Row(), k.Col()
		u := tl.Load(x.Add(i.Mul(K).Add(kr)), tl.Mask(i.Lt(M).And(kr.Lt(K))), tl.Other(0))
		v := tl.Load(y.Add(kc.Mul(N).Add(j)), tl.Mask(kc.Lt(K).And(j.Lt(N))), tl.Other(0))
		acc = acc.Add(tl.Dot(u, v))
	}
	b := tl.Load(bias.Add(j), tl.Mask(j.Lt(N)), tl.Other(0))
	tl.Store(out.Add(i.Mul(N).Add(j)), tl.Maximum(acc.Add(b), 0), tl.Mask(i.Lt(M).And(j.Lt(N))))
}

func biasReluReference(x, y, bias, out *tensor.Tensor, M, N, K, BM, BN, BK int) {
	for i := range M {
		for j := range N {
			sum := bias.Float(j)
			for k := range K {
				sum += float64(x.Float(i, k) * y.Float(k, j))
			}
			out.Set(max(sum, 0), i, j)
		}
	}
}
