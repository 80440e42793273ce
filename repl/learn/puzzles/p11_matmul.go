package puzzles

import (
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var puzzleMatmul = learn.Puzzle{
	Name:  "matmul",
	Title: "A product of matrices",
	Text: `Multiply a (M rows, K columns) by b (K rows, N columns).

	out[i,j] = a[i,0]·b[0,j] + … + a[i,K-1]·b[K-1,j]

Each program does a block of BM rows and BN columns of out. It goes along K
in steps of BK: tl.Dot(A, B) is the product of a tile of BM × BK by one of BK
× BN, and an accumulator of BM × BN adds them up.

There are three sizes to compare, and each index has its own.

As it stands, the kernel takes the first step only, and its masks forget two
sizes.`,
	Start: `
i := tl.Arange(0, BM).Add(p.ID(0) * BM)
j := tl.Arange(0, BN).Add(p.ID(1) * BN)
k := tl.Arange(0, BK)
A := tl.Load(a.Add(i.Mul(K).Col().Add(k.Row())), tl.Mask(k.Row().Lt(K)), tl.Other(0))
B := tl.Load(b.Add(k.Mul(N).Col().Add(j.Row())), tl.Mask(k.Col().Lt(K)), tl.Other(0))
tl.Store(out.Add(i.Mul(N).Col().Add(j.Row())), tl.Dot(A, B), tl.Mask(i.Col().Lt(M).And(j.Row().Lt(N))))`,
	Hints: []string{
		"for at := 0; at < K; at += BK: in the loop k is tl.Arange(0, BK) + at, and so are the addresses and masks that come from it.",
		"A's lanes are there if i < M and k < K, B's if k < K and j < N. The others load 0, which adds nothing.",
		"acc := tl.Zeros(tl.Float32, BM, BN) before the loop, acc += tl.Dot(A, B) in it (acc = acc.Add(…) in a file), and acc is what is stored.",
	},
	Lessons: map[check.Kind]string{
		check.OutOfBounds: "A lane is outside if any of its indices is: compare rows with M, columns with N, and steps with K, wherever they occur.",
		check.WrongRow:    "The row's end is no end of memory: compare every index with its own size.",
		check.Undefined:   "Lanes beyond K are multiplied and added, too: tl.Other(0) for both operands.",
		check.Reference:   "All of K must be added up, in steps of BK.",
	},
	After:     "Compiled, the loop keeps acc in vector registers and packs A and B for them; tiler bench matmul compares that with the best libraries. examples/matmul has grouping and activations.",
	Kernel:    matmul,
	Reference: matmulReference,
	Cases: []learn.Case{
		on(exec.Grid{2, 2}, whole(1, 0, 4, 5, 6), whole(2, 0, 4, 6, 7), empty(5, 7), num(5), num(7), num(6), num(4), num(4), num(4)),
		on(exec.Grid{1, 2}, whole(3, -3, 4, 3, 9), whole(4, -3, 4, 9, 11), empty(3, 11), num(3), num(11), num(9), num(4), num(8), num(2)),
		on(exec.Grid{3, 1}, whole(5, -3, 4, 9, 3), whole(6, -3, 4, 3, 2), empty(9, 2), num(9), num(2), num(3), num(4), num(4), num(8)),
		on(exec.Grid{3, 2}, random(7, 70, 100), random(8, 100, 60), empty(70, 60), num(70), num(60), num(100), num(32), num(32), num(32)),
	},
}

func matmul(p *tl.Program, a, b, out tl.Ptr, M, N, K int, BM, BN, BK tl.Const) {
	i := tl.Arange(0, BM).Add(p.ID(0) * BM)
	j := tl.Arange(0, BN).Add(p.ID(1) * BN)
	acc := tl.Zeros(tl.Float32, BM, BN)
	for at := 0; at < K; at += BK {
		k := tl.Arange(0, BK).Add(at)
		A := tl.Load(a.Add(i.Mul(K).Col().Add(k.Row())), tl.Mask(i.Col().Lt(M).And(k.Row().Lt(K))), tl.Other(0))
		B := tl.Load(b.Add(k.Mul(N).Col().Add(j.Row())), tl.Mask(k.Col().Lt(K).And(j.Row().Lt(N))), tl.Other(0))
		acc = acc.Add(tl.Dot(A, B))
	}
	tl.Store(out.Add(i.Mul(N).Col().Add(j.Row())), acc, tl.Mask(i.Col().Lt(M).And(j.Row().Lt(N))))
}

func matmulReference(a, b, out *tensor.Tensor, M, N, K, BM, BN, BK int) {
	for i := range M {
		for j := range N {
			sum := 0.0
			for k := range K {
				sum += float64(a.Float(i, k) * b.Float(k, j))
			}
			out.Set(sum, i, j)
		}
	}
}
