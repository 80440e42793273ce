package puzzles

import (
	"math"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var puzzleAttention = learn.Puzzle{
	Name:  "attention",
	Title: "Flash attention",
	Text: `Each row of q asks all rows of k how much they matter to it, and takes that
much of the rows of v. All rows have D elements; q and out have rows of them,
k and v keys.

	score[i,j] = scale·(q[i,0]·k[j,0] + … + q[i,D-1]·k[j,D-1])
	w          = softmax(score[i,:])
	out[i,:]   = w[0]·v[0,:] + w[1]·v[1,:] + …

Nobody has room for all scores. So a program holds BQ rows of q, goes through
k and v once, BK rows at a time, and keeps three accumulators: the greatest
score so far, the sum of exponentials, and the weighted sum of rows of v.
When a greater score comes, both sums shrink. All of it you have done before.

tl.Max and tl.Sum of a BQ × BK tile take tl.Axis(1), one number for each row
of q. tl.Dot wants k as D × BK: load it so, or tl.Trans it. Keys beyond the
last one must have the score math.Inf(-1).

As it stands, the kernel adds up the rows of v by their scores, without
softmax.`,
	Start: `
i, d := tl.Arange(0, BQ).Add(p.ID(0)*BQ), tl.Arange(0, D)
Q := tl.Load(q.Add(i.Mul(D).Col().Add(d.Row())), tl.Mask(i.Col().Lt(rows)), tl.Other(0))
acc := tl.Zeros(tl.Float32, BQ, D)
for at := 0; at < keys; at += BK {
	j := tl.Arange(0, BK).Add(at)
	block := j.Mul(D).Col().Add(d.Row())
	K := tl.Load(k.Add(block), tl.Mask(j.Col().Lt(keys)), tl.Other(0))
	V := tl.Load(v.Add(block), tl.Mask(j.Col().Lt(keys)), tl.Other(0))
	score := tl.Dot(Q, tl.Trans(K)).Mul(scale)
	acc = acc.Add(tl.Dot(score, V))
}
tl.Store(out.Add(i.Mul(D).Col().Add(d.Row())), acc, tl.Mask(i.Col().Lt(rows)))`,
	Hints: []string{
		"Write puzzle 10, logSumExp, with a column for what was one number: m and sum have BQ lanes, and m[:, None] stands beside a tile of BQ × BK or BQ × D.",
		"score = tl.Where(j[None, :] < keys, score, math.Inf(-1)); next := tl.Maximum(m, tl.Max(score, tl.Axis(1))); w := tl.Exp(score - next[:, None]); fade := tl.Exp(m - next).",
		"sum = sum*fade + tl.Sum(w, tl.Axis(1)); acc = acc*fade[:, None] + tl.Dot(w, V); m = next. After the loop acc is divided by sum[:, None].",
	},
	Lessons: map[check.Kind]string{
		check.Reference: "Do the keys beyond the last one count? Do sum and acc both shrink when a greater score comes? Is acc divided in the end?",
	},
	After:     "That is the kernel that made large language models fast, and you have written it. examples/attention has it with heads and batches, and tiler bench attention measures it. What comes next is a kernel of your own: :check, :promote, :bench and :asm are there for it.",
	Kernel:    attention,
	Reference: attentionReference,
	Cases: []learn.Case{
		on(exec.Grid{2}, whole(1, -2, 3, 3, 4), whole(2, -2, 3, 5, 4), whole(3, 0, 10, 5, 4), empty(3, 4), num(3), num(5), num(0.5), num(2), num(4), num(4)),
		on(exec.Grid{1}, whole(4, 5, 9, 4, 3), whole(5, -9, 9, 9, 3), random(6, 9, 3), empty(4, 3), num(4), num(9), num(1.0), num(4), num(2), num(3)),
		on(exec.Grid{2}, whole(7, -9, -4, 5, 2), whole(8, 5, 9, 3, 2), random(9, 3, 2), empty(5, 2), num(5), num(3), num(2.0), num(4), num(8), num(2)),
		on(exec.Grid{4}, random(10, 60, 16), random(11, 90, 16), random(12, 90, 16), empty(60, 16), num(60), num(90), num(0.25), num(16), num(32), num(16)),
	},
}

func attention(p *tl.Program, q, k, v, out tl.Ptr, rows, keys int, scale float64, BQ, BK, D tl.Const) {
	i, d := tl.Arange(0, BQ).Add(p.ID(0)*BQ), tl.Arange(0, D)
	Q := tl.Load(q.Add(i.Mul(D).Col().Add(d.Row())), tl.Mask(i.Col().Lt(rows)), tl.Other(0))
	m, sum := tl.Full(tl.Float32, math.Inf(-1), BQ), tl.Zeros(tl.Float32, BQ)
	acc := tl.Zeros(tl.Float32, BQ, D)
	for at := 0; at < keys; at += BK {
		j := tl.Arange(0, BK).Add(at)
		block := j.Mul(D).Col().Add(d.Row())
		K := tl.Load(k.Add(block), tl.Mask(j.Col().Lt(keys)), tl.Other(0))
		V := tl.Load(v.Add(block), tl.Mask(j.Col().Lt(keys)), tl.Other(0))
		score := tl.Where(j.Row().Lt(keys), tl.Dot(Q, tl.Trans(K)).Mul(scale), math.Inf(-1))
		next := tl.Maximum(m, tl.Max(score, tl.Axis(1)))
		w, fade := tl.Exp(score.Sub(next.Col())), tl.Exp(m.Sub(next))
		sum = sum.Mul(fade).Add(tl.Sum(w, tl.Axis(1)))
		acc = acc.Mul(fade.Col()).Add(tl.Dot(w, V))
		m = next
	}
	tl.Store(out.Add(i.Mul(D).Col().Add(d.Row())), acc.Div(sum.Col()), tl.Mask(i.Col().Lt(rows)))
}

func attentionReference(q, k, v, out *tensor.Tensor, rows, keys int, scale float64, BQ, BK, D int) {
	for i := range rows {
		m, sum, acc := math.Inf(-1), 0.0, make([]float64, D)
		scores := make([]float64, keys)
		for j := range keys {
			for d := range D {
				scores[j] += float64(scale * q.Float(i, d) * k.Float(j, d))
			}
			m = max(m, scores[j])
		}
		for j, s := range scores {
			w := math.Exp(s - m)
			sum += w
			for d := range D {
				acc[d] += float64(w * v.Float(j, d))
			}
		}
		for d := range D {
			out.Set(acc[d]/sum, i, d)
		}
	}
}
