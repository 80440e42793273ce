package puzzles

import (
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
)

var exerciseMaskedMatmul = learn.Puzzle{
	Notebook: "04",
	Name:     "maskedMatmul",
	Title:    "Both masks",
	Text: `This is the kernel of the notebook, a little shorter. Make it read what there
is, and nothing else.

	out = x·y

As it stands, each load compares one of its two indices.`,
	Start: `
i := tl.Arange(0, BM).Add(p.ID(0) * BM).Col()
j := tl.Arange(0, BN).Add(p.ID(1) * BN).Row()
acc := tl.Zeros(tl.Float32, BM, BN)
for at := 0; at < K; at += BK {
	k := tl.Arange(0, BK).Add(at)
	kr, kc := k.Row(), k.Col()
	u := tl.Load(x.Add(i.Mul(K).Add(kr)), tl.Mask(kr.Lt(K)), tl.Other(0))
	v := tl.Load(y.Add(kc.Mul(N).Add(j)), tl.Mask(kc.Lt(K)), tl.Other(0))
	acc = acc.Add(tl.Dot(u, v))
}
tl.Store(out.Add(i.Mul(N).Add(j)), acc, tl.Mask(i.Lt(M).And(j.Lt(N))))`,
	Hints: []string{
		"A row of x exists if i < M, a column of y if j < N.",
		"(i < M) & (kr < K) for x, and (kc < K) & (j < N) for y; in a file: i.Lt(M).And(kr.Lt(K)).",
	},
	Lessons: map[check.Kind]string{
		check.WrongRow:    "These lanes are inside the tensor, but in the wrong row: a GPU would not notice. Each index must be compared with its own size.",
		check.OutOfBounds: "The result is right all the same, since these rows are not stored. On a GPU nobody notices until the memory behind belongs to somebody else. Each index must be compared with its own size.",
	},
	After:     "A mask that compares every index with its own size is right for all sizes. From here on :promote makes it fast.",
	Kernel:    maskedMatmul,
	Reference: matmulReference,
	Cases: []learn.Case{
		on(exec.Grid{2, 2}, whole(1, 0, 4, 5, 8), whole(2, 0, 4, 8, 6), empty(5, 6), num(5), num(6), num(8), num(4), num(4), num(4)),
		on(exec.Grid{1, 2}, whole(3, 0, 4, 4, 5), whole(4, 0, 4, 5, 7), empty(4, 7), num(4), num(7), num(5), num(4), num(4), num(4)),
		on(exec.Grid{3, 2}, random(5, 70, 100), random(6, 100, 60), empty(70, 60), num(70), num(60), num(100), num(32), num(32), num(16)),
	},
}

func maskedMatmul(p *tl.Program, x, y, out tl.Ptr, M, N, K int, BM, BN, BK tl.Const) {
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
	tl.Store(out.Add(i.Mul(N).Add(j)), acc, tl.Mask(i.Lt(M).And(j.Lt(N))))
}
