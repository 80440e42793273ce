package puzzles

import (
	"fmt"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var puzzleInt4Matmul = learn.Puzzle{
	Name:  "int4Matmul",
	Title: "Four bits",
	Text: `Multiply x (M rows, K columns) by weights of which two share a byte, as large
language models keep them.

	W[k,j]   = scale[j]·(q[k,j] - 8), where q is a number of four bits
	out[i,j] = x[i,0]·W[0,j] + … + x[i,K-1]·W[K-1,j]

q has K/2 rows of N bytes (K is even): the number for k is in row k/2, in the
four low bits if k is even, and in the four high ones if it is odd.

Integer tiles have k / 2 as k.FloorDiv(2) (the / of tiles makes a float), k %
2, and v >> s and v & 15 (v.Shr(s), v.And(15)), where s may be a tile of its
own. v.To(tl.Float32) makes floats of integers.

As it stands, the kernel takes the bytes for the weights.`,
	Start: `
i := tl.Arange(0, BM).Add(p.ID(0) * BM)
j := tl.Arange(0, BN).Add(p.ID(1) * BN)
acc := tl.Zeros(tl.Float32, BM, BN)
for at := 0; at < K; at += BK {
	k := tl.Arange(0, BK).Add(at)
	X := tl.Load(x.Add(i.Mul(K).Col().Add(k.Row())), tl.Mask(i.Col().Lt(M).And(k.Row().Lt(K))), tl.Other(0))
	bytes := tl.Load(q.Add(k.FloorDiv(2).Mul(N).Col().Add(j.Row())), tl.Mask(k.Col().Lt(K).And(j.Row().Lt(N))), tl.Other(0))
	acc = acc.Add(tl.Dot(X, bytes.To(tl.Float32)))
}
tl.Store(out.Add(i.Mul(N).Col().Add(j.Row())), acc, tl.Mask(i.Col().Lt(M).And(j.Row().Lt(N))))`,
	Hints: []string{
		"A byte is shifted by 0 bits for an even k, and by 4 for an odd one; of what is left only the low four bits count.",
		"The shift is a column: ((k % 2) * 4)[:, None]. Then & 15, then to float, then minus 8.",
		"All of a column has one scale, so it can wait until after the loop: acc times the row of scales, loaded with a mask of its own.",
	},
	Lessons: map[check.Kind]string{
		check.Reference:   "Three things make a weight of a byte: the right four bits, minus 8, and the scale of its column.",
		check.OutOfBounds: "scale has N elements, and the last block of columns may be ragged: its load needs a mask, too.",
	},
	After:     "The weights are an eighth of what float32 takes, and for a model that waits for memory that is nearly the time, too: unpacking costs a few instructions on a tile that is there already.",
	Kernel:    int4Matmul,
	Reference: int4MatmulReference,
	Cases: []learn.Case{
		on(exec.Grid{1, 2}, whole(1, 0, 4, 2, 6), nibbles(2, 3, 5), whole(3, 1, 4, 5), empty(2, 5), num(2), num(5), num(6), num(4), num(4), num(4)),
		on(exec.Grid{2, 1}, whole(4, -3, 4, 5, 2), nibbles(5, 1, 3), whole(6, 1, 4, 3), empty(5, 3), num(5), num(3), num(2), num(4), num(4), num(8)),
		on(exec.Grid{2, 2}, random(7, 45, 80), nibbles(8, 40, 50), random(9, 50), empty(45, 50), num(45), num(50), num(80), num(32), num(32), num(32)),
	},
	Sizes: map[string]string{"K": ""},
}

// nibbles is random bytes.
func nibbles(seed int, shape ...int) learn.Arg {
	return shaped(fmt.Sprintf("RandInt(%d, tl.Uint8, 0, 256", seed), shape, func() *tensor.Tensor { return tensor.RandInt(seed, tl.Uint8, 0, 256, shape...) })
}

func int4Matmul(p *tl.Program, x, q, scale, out tl.Ptr, M, N, K int, BM, BN, BK tl.Const) {
	i := tl.Arange(0, BM).Add(p.ID(0) * BM)
	j := tl.Arange(0, BN).Add(p.ID(1) * BN)
	acc := tl.Zeros(tl.Float32, BM, BN)
	for at := 0; at < K; at += BK {
		k := tl.Arange(0, BK).Add(at)
		X := tl.Load(x.Add(i.Mul(K).Col().Add(k.Row())), tl.Mask(i.Col().Lt(M).And(k.Row().Lt(K))), tl.Other(0))
		bytes := tl.Load(q.Add(k.FloorDiv(2).Mul(N).Col().Add(j.Row())), tl.Mask(k.Col().Lt(K).And(j.Row().Lt(N))), tl.Other(0))
		W := bytes.Shr(k.Mod(2).Mul(4).Col()).And(15).To(tl.Float32).Sub(8)
		acc = acc.Add(tl.Dot(X, W))
	}
	s := tl.Load(scale.Add(j), tl.Mask(j.Lt(N)))
	tl.Store(out.Add(i.Mul(N).Col().Add(j.Row())), acc.Mul(s.Row()), tl.Mask(i.Col().Lt(M).And(j.Row().Lt(N))))
}

func int4MatmulReference(x, q, scale, out *tensor.Tensor, M, N, K, BM, BN, BK int) {
	for i := range M {
		for j := range N {
			sum := 0.0
			for k := range K {
				bits := q.Int(k/2, j) >> (4 * (k % 2)) & 15
				sum += float64(x.Float(i, k) * float64(bits-8))
			}
			out.Set(sum*scale.Float(j), i, j)
		}
	}
}
