package puzzles

import (
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var exerciseMatmulT = learn.Puzzle{
	Notebook: "04",
	Name:     "matmulT",
	Title:    "Y transposed",
	Text: `Let y be given as its transpose: yt has N rows and K columns, and element (k, j)
of y is element (j, k) of yt. Nothing has to be copied.

	out[i,j] = x[i,0]·yt[j,0] + … + x[i,K-1]·yt[j,K-1]

As it stands, the kernel takes yt for y.`,
	Start: `
i := tl.Arange(0, BM).Add(p.ID(0) * BM).Col()
j := tl.Arange(0, BN).Add(p.ID(1) * BN).Row()
acc := tl.Zeros(tl.Float32, BM, BN)
for at := 0; at < K; at += BK {
	k := tl.Arange(0, BK).Add(at)
	kr, kc := k.Row(), k.Col()
	u := tl.Load(x.Add(i.Mul(K).Add(kr)), tl.Mask(i.Lt(M).And(kr.Lt(K))), tl.Other(0))
	v := tl.Load(yt.Add(kc.Mul(N).Add(j)), tl.Mask(kc.Lt(K).And(j.Lt(N))), tl.Other(0))
	acc = acc.Add(tl.Dot(u, v))
}
tl.Store(out.Add(i.Mul(N).Add(j)), acc, tl.Mask(i.Lt(M).And(j.Lt(N))))`,
	Hints: []string{
		"Lane (k, j) of the tile stays what it is, with its mask. Only its address changes.",
		"Row j of yt begins at j·K: yt + (j*K + kc); in a file: yt.Add(j.Mul(K).Add(kc)).",
	},
	Lessons: map[check.Kind]string{
		check.Reference:   "Which element of yt is element (k, j) of y?",
		check.WrongRow:    "A row of yt is K elements long.",
		check.OutOfBounds: "A row of yt is K elements long.",
	},
	After:     "Only pointers changed. With both strides as parameters one kernel serves for both: notebook 05 has one.",
	Kernel:    matmulT,
	Reference: matmulTReference,
	Cases: []learn.Case{
		on(exec.Grid{2, 2}, whole(1, 0, 4, 5, 8), whole(2, 0, 4, 6, 8), empty(5, 6), num(5), num(6), num(8), num(4), num(4), num(4)),
		on(exec.Grid{1, 1}, random(3, 8, 8), random(4, 8, 8), empty(8, 8), num(8), num(8), num(8), num(8), num(8), num(8)),
		on(exec.Grid{3, 2}, random(5, 70, 100), random(6, 60, 100), empty(70, 60), num(70), num(60), num(100), num(32), num(32), num(16)),
	},
}

func matmulT(p *tl.Program, x, yt, out tl.Ptr, M, N, K int, BM, BN, BK tl.Const) {
	i := tl.Arange(0, BM).Add(p.ID(0) * BM).Col()
	j := tl.Arange(0, BN).Add(p.ID(1) * BN).Row()
	acc := tl.Zeros(tl.Float32, BM, BN)
	for at := 0; at < K; at += BK {
		k := tl.Arange(0, BK).Add(at)
		kr, kc := k.Row(), k.Col()
		u := tl.Load(x.Add(i.Mul(K).Add(kr)), tl.Mask(i.Lt(M).And(kr.Lt(K))), tl.Other(0))
		v := tl.Load(yt.Add(j.Mul(K).Add(kc)), tl.Mask(kc.Lt(K).And(j.Lt(N))), tl.Other(0))
		acc = acc.Add(tl.Dot(u, v))
	}
	tl.Store(out.Add(i.Mul(N).Add(j)), acc, tl.Mask(i.Lt(M).And(j.Lt(N))))
}

func matmulTReference(x, yt, out *tensor.Tensor, M, N, K, BM, BN, BK int) {
	for i := range M {
		for j := range N {
			sum := 0.0
			for k := range K {
				sum += float64(x.Float(i, k) * yt.Float(j, k))
			}
			out.Set(sum, i, j)
		}
	}
}
