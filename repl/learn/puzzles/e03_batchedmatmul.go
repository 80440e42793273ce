package puzzles

import (
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var exerciseBatchedMatmul = learn.Puzzle{
	Notebook: "03",
	Name:     "batchedMatmul",
	Title:    "A batch",
	Text: `x is a batch of matrices, of shape (batches, M, K), and so is out, of shape
(batches, M, N). All are multiplied by the same y.

	out[b] = x[b]·y

The grid has a third axis: p.ID(0) is the number of the matrix, p.ID(1) and
p.ID(2) are those of the block.

As it stands, every instance works on the first matrix.`,
	Start: `
i := tl.Arange(0, BM).Add(p.ID(1) * BM).Col()
j := tl.Arange(0, BN).Add(p.ID(2) * BN).Row()
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
		"Matrix b of x begins M·K elements after matrix b-1, and that of out M·N elements.",
		"x + p.ID(0)*M*K in place of x, and out + p.ID(0)*M*N in place of out; in a file: x.Add(p.ID(0) * M * K).",
	},
	Lessons: map[check.Kind]string{
		check.Race:      "All matrices of the batch are stored in the same place.",
		check.Unwritten: "Only the first matrix of out is written: where does the next one begin?",
		check.Reference: "Which matrix of x is multiplied?",
	},
	After:     "Three numbers of an instance are as good as one: they only say which part of the data is its own.",
	Kernel:    batchedMatmul,
	Reference: batchedMatmulReference,
	Cases: []learn.Case{
		on(exec.Grid{2, 2, 1}, whole(1, 0, 4, 2, 5, 6), whole(2, 0, 4, 6, 3), empty(2, 5, 3), num(5), num(3), num(6), num(4), num(4), num(4)),
		on(exec.Grid{3, 1, 1}, random(3, 3, 4, 4), random(4, 4, 4), empty(3, 4, 4), num(4), num(4), num(4), num(4), num(4), num(4)),
		on(exec.Grid{5, 2, 2}, random(5, 5, 40, 70), random(6, 70, 33), empty(5, 40, 33), num(40), num(33), num(70), num(32), num(32), num(32)),
	},
}

func batchedMatmul(p *tl.Program, x, y, out tl.Ptr, M, N, K int, BM, BN, BK tl.Const) {
	i := tl.Arange(0, BM).Add(p.ID(1) * BM).Col()
	j := tl.Arange(0, BN).Add(p.ID(2) * BN).Row()
	xb, outb := x.Add(p.ID(0)*M*K), out.Add(p.ID(0)*M*N)
	acc := tl.Zeros(tl.Float32, BM, BN)
	for at := 0; at < K; at += BK {
		k := tl.Arange(0, BK).Add(at)
		kr, kc := k.Row(), k.Col()
		u := tl.Load(xb.Add(i.Mul(K).Add(kr)), tl.Mask(i.Lt(M).And(kr.Lt(K))), tl.Other(0))
		v := tl.Load(y.Add(kc.Mul(N).Add(j)), tl.Mask(kc.Lt(K).And(j.Lt(N))), tl.Other(0))
		acc = acc.Add(tl.Dot(u, v))
	}
	tl.Store(outb.Add(i.Mul(N).Add(j)), acc, tl.Mask(i.Lt(M).And(j.Lt(N))))
}

func batchedMatmulReference(x, y, out *tensor.Tensor, M, N, K, BM, BN, BK int) {
	for b := range x.Dim(0) {
		for i := range M {
			for j := range N {
				sum := 0.0
				for k := range K {
					sum += float64(x.Float(b, i, k) * y.Float(k, j))
				}
				out.Set(sum, b, i, j)
			}
		}
	}
}
