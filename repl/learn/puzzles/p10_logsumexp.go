package puzzles

import (
	"math"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var puzzleLogSumExp = learn.Puzzle{
	Name:  "logSumExp",
	Title: "One pass",
	Text: `The logarithm of the sum of each row's exponentials, and every element is to
be read only once.

	out[i] = log(exp(x[i,0]) + … + exp(x[i,cols-1]))

The trick of softmax is needed again: with the row's greatest element m it is
m + log(exp(x[i,0]-m) + …). But when the sum begins, m is not known yet.

So take the greatest element so far. When a later block has a greater one,
the sum so far was made with too small an m, and is too large by the factor
exp(new m - old m): multiply it by exp(old m - new m), and go on.

As it stands, the kernel is right, but reads everything twice.`,
	Start: `
row := x.Add(p.ID(0) * cols)
offs := tl.Arange(0, BLOCK)
m := tl.Full(tl.Float32, math.Inf(-1))
for k := 0; k < cols; k += BLOCK {
	v := tl.Load(row.Add(k).Add(offs), tl.Mask(offs.Lt(cols-k)), tl.Other(math.Inf(-1)))
	m = tl.Maximum(m, tl.Max(v, tl.Axis(0)))
}
sum := tl.Zeros(tl.Float32)
for k := 0; k < cols; k += BLOCK {
	v := tl.Load(row.Add(k).Add(offs), tl.Mask(offs.Lt(cols-k)), tl.Other(math.Inf(-1)))
	sum = sum.Add(tl.Sum(tl.Exp(v.Sub(m)), tl.Axis(0)))
}
tl.Store(out.Add(p.ID(0)), m.Add(tl.Log(sum)))`,
	Hints: []string{
		"One loop with two accumulators, m and sum. For each block there is first a new m, then a new sum.",
		"next := tl.Maximum(m, tl.Max(v, tl.Axis(0))). The old sum counts tl.Exp(m - next) times.",
		"sum = sum*tl.Exp(m-next) + tl.Sum(tl.Exp(v-next), tl.Axis(0)), and then m = next.",
	},
	Lessons: map[check.Kind]string{
		learn.ReadAgain: "One loop is enough: m and sum can grow together.",
		check.Reference: "Does the sum so far change when a greater element comes? Which m was it made with?",
	},
	After:     "This is called online softmax. It is what makes flash attention possible, the last of these puzzles; notebook 06 ends with it.",
	Kernel:    logSumExp,
	Reference: logSumExpReference,
	Once:      true,
	Cases: []learn.Case{
		on(exec.Grid{2}, whole(1, 0, 5, 2, 6), empty(2), num(6), num(4)),
		on(exec.Grid{3}, whole(2, 150, 200, 3, 9), empty(3), num(9), num(4)),
		on(exec.Grid{2}, whole(3, -200, -150, 2, 8), empty(2), num(8), num(8)),
		on(exec.Grid{8}, random(4, 8, 2000), empty(8), num(2000), num(256)),
	},
}

func logSumExp(p *tl.Program, x, out tl.Ptr, cols int, BLOCK tl.Const) {
	row := x.Add(p.ID(0) * cols)
	offs := tl.Arange(0, BLOCK)
	m, sum := tl.Full(tl.Float32, math.Inf(-1)), tl.Zeros(tl.Float32)
	for k := 0; k < cols; k += BLOCK {
		v := tl.Load(row.Add(k).Add(offs), tl.Mask(offs.Lt(cols-k)), tl.Other(math.Inf(-1)))
		next := tl.Maximum(m, tl.Max(v, tl.Axis(0)))
		sum = sum.Mul(tl.Exp(m.Sub(next))).Add(tl.Sum(tl.Exp(v.Sub(next)), tl.Axis(0)))
		m = next
	}
	tl.Store(out.Add(p.ID(0)), m.Add(tl.Log(sum)))
}

func logSumExpReference(x, out *tensor.Tensor, cols, BLOCK int) {
	for i := range x.Dim(0) {
		m, sum := math.Inf(-1), 0.0
		for j := range cols {
			m = max(m, x.Float(i, j))
		}
		for j := range cols {
			sum += math.Exp(x.Float(i, j) - m)
		}
		out.Set(m+math.Log(sum), i)
	}
}
