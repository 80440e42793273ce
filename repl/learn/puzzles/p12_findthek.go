package puzzles

import (
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
)

var puzzleFindTheK = learn.Puzzle{
	Name:  "findTheK",
	Title: "Find the K",
	Text: `This product of matrices is in use somewhere. Its author has tested it with K
= 4, and it is right. It is wrong for most other K; for which ones, and why?

It never leaves a tensor, nothing races, no lane is undefined. Find the K by
thought or by trying, and then repair the kernel. One line is enough.

At the prompt :step findTheK walks through it once it is defined. Look at what
happens to k, to left, and to the pointers.`,
	Start: `
i := tl.Arange(0, BM).Add(p.ID(0) * BM)
j := tl.Arange(0, BN).Add(p.ID(1) * BN)
k := tl.Arange(0, BK)
ap := a.Add(i.Mul(K).Col().Add(k.Row()))
bp := b.Add(k.Mul(N).Col().Add(j.Row()))
acc := tl.Zeros(tl.Float32, BM, BN)
for step := range tl.Cdiv(K, BK) {
	left := K - step*BK
	A := tl.Load(ap, tl.Mask(i.Col().Lt(M).And(k.Row().Lt(left))), tl.Other(0))
	B := tl.Load(bp, tl.Mask(k.Col().Lt(left).And(j.Row().Lt(N))), tl.Other(0))
	acc = acc.Add(tl.Dot(A, B))
	ap, bp = ap.Add(BK), bp.Add(BK*N)
	k = k.Add(BK)
}
tl.Store(out.Add(i.Mul(N).Col().Add(j.Row())), acc, tl.Mask(i.Col().Lt(M).And(j.Row().Lt(N))))`,
	Hints: []string{
		"The judge says which iterations load nothing. How many lanes let the masks through in the second one, and how many should they?",
		"left is what is left of K, counted from this step on. k counts from the beginning. A mask compares one with the other.",
		"Leave out k = k.Add(BK): the pointers move by themselves. (Or keep it, and compare k with K.)",
	},
	Lessons: map[check.Kind]string{
		check.Reference: "Only part of each sum is there. What do the masks let through in each iteration?",
	},
	After:     "The mask shrank twice, once on each side of <. It is right as long as K is at most BK, and then it loses about half of every sum. examples/shrunkmask is the original, and notebook 05 its story.",
	Kernel:    findTheK,
	Reference: matmulReference,
	Cases: []learn.Case{
		on(exec.Grid{1, 1}, whole(1, 0, 4, 4, 12), whole(2, 0, 4, 12, 4), empty(4, 4), num(4), num(4), num(12), num(4), num(4), num(4)),
		on(exec.Grid{1, 1}, whole(1, 0, 4, 4, 4), whole(2, 0, 4, 4, 4), empty(4, 4), num(4), num(4), num(4), num(4), num(4), num(4)),
		on(exec.Grid{2, 2}, whole(3, 1, 4, 5, 5), whole(4, 1, 4, 5, 7), empty(5, 7), num(5), num(7), num(5), num(4), num(4), num(4)),
		on(exec.Grid{3, 2}, random(5, 70, 100), random(6, 100, 60), empty(70, 60), num(70), num(60), num(100), num(32), num(32), num(16)),
	},
}

func findTheK(p *tl.Program, a, b, out tl.Ptr, M, N, K int, BM, BN, BK tl.Const) {
	i := tl.Arange(0, BM).Add(p.ID(0) * BM)
	j := tl.Arange(0, BN).Add(p.ID(1) * BN)
	k := tl.Arange(0, BK)
	ap := a.Add(i.Mul(K).Col().Add(k.Row()))
	bp := b.Add(k.Mul(N).Col().Add(j.Row()))
	acc := tl.Zeros(tl.Float32, BM, BN)
	for step := range tl.Cdiv(K, BK) {
		left := K - step*BK
		A := tl.Load(ap, tl.Mask(i.Col().Lt(M).And(k.Row().Lt(left))), tl.Other(0))
		B := tl.Load(bp, tl.Mask(k.Col().Lt(left).And(j.Row().Lt(N))), tl.Other(0))
		acc = acc.Add(tl.Dot(A, B))
		ap, bp = ap.Add(BK), bp.Add(BK*N)
	}
	tl.Store(out.Add(i.Mul(N).Col().Add(j.Row())), acc, tl.Mask(i.Col().Lt(M).And(j.Row().Lt(N))))
}
