package puzzles

import (
	"math"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var puzzleSoftmax = learn.Puzzle{
	Name:  "softmax",
	Title: "Softmax",
	Text: `Turn each row of x into weights that add up to 1. Program p.ID(0) does row
p.ID(0), in blocks.

	out[i,j] = exp(x[i,j]) / (exp(x[i,0]) + … + exp(x[i,cols-1]))

exp(100) is more than a float32 holds, and infinity divided by infinity is
not a number. So the greatest element m of the row is subtracted first, which
changes no quotient:

	exp(x[i,j]-m) / (exp(x[i,0]-m) + … + exp(x[i,cols-1]-m))

That takes a pass over the row for m, one for the sum, one for the results.
tl.Exp, tl.Max and tl.Maximum are new. Which Other does no harm depends on
what is done with the lane: what is smaller than every number, and its
exponential 0, is math.Inf(-1).

As it stands, the kernel makes two mistakes.`,
	Start: `
row, to := x.Add(p.ID(0)*cols), out.Add(p.ID(0)*cols)
offs := tl.Arange(0, BLOCK)
acc := tl.Zeros(tl.Float32, BLOCK)
for k := 0; k < cols; k += BLOCK {
	acc = acc.Add(tl.Exp(tl.Load(row.Add(k).Add(offs), tl.Mask(offs.Lt(cols-k)), tl.Other(0))))
}
sum := tl.Sum(acc, tl.Axis(0))
for k := 0; k < cols; k += BLOCK {
	e := tl.Exp(tl.Load(row.Add(k).Add(offs), tl.Mask(offs.Lt(cols-k)), tl.Other(0)))
	tl.Store(to.Add(k).Add(offs), e.Div(sum), tl.Mask(offs.Lt(cols-k)))
}`,
	Hints: []string{
		"exp(0) is 1: each masked lane adds 1 to the sum. With tl.Other(math.Inf(-1)) it adds 0.",
		"The pass for the greatest element is like that for the sum: an accumulator that begins as tl.Full(tl.Float32, math.Inf(-1), BLOCK), tl.Maximum instead of +, tl.Max at the end.",
		"m := tl.Max(most, tl.Axis(0)), and tl.Exp(v - m) where it said tl.Exp(v); tl.Exp(v.Sub(m)) in a file.",
	},
	Lessons: map[check.Kind]string{
		check.Reference: "Compare with the formula: does a masked lane add to the sum? Are there rows of large numbers, or of negative ones only?",
		check.Undefined: "A masked lane takes part in maximum and sum: give it an Other that is neutral there.",
	},
	After:     "Three passes read the row three times. Where a row fits a tile it is read once: notebook 06, and examples/softmax. Where it does not, the next puzzle helps.",
	Kernel:    softmax,
	Reference: softmaxReference,
	Cases: []learn.Case{
		on(exec.Grid{2}, whole(1, -2, 3, 2, 6), empty(2, 6), num(6), num(4)),
		on(exec.Grid{2}, whole(2, 200, 220, 2, 8), empty(2, 8), num(8), num(8)),
		on(exec.Grid{2}, whole(3, -220, -200, 2, 5), empty(2, 5), num(5), num(4)),
		on(exec.Grid{8}, random(4, 8, 1000), empty(8, 1000), num(1000), num(256)),
	},
}

func softmax(p *tl.Program, x, out tl.Ptr, cols int, BLOCK tl.Const) {
	row, to := x.Add(p.ID(0)*cols), out.Add(p.ID(0)*cols)
	offs := tl.Arange(0, BLOCK)
	most := tl.Full(tl.Float32, math.Inf(-1), BLOCK)
	for k := 0; k < cols; k += BLOCK {
		v := tl.Load(row.Add(k).Add(offs), tl.Mask(offs.Lt(cols-k)), tl.Other(math.Inf(-1)))
		most = tl.Maximum(most, v)
	}
	m := tl.Max(most, tl.Axis(0))
	acc := tl.Zeros(tl.Float32, BLOCK)
	for k := 0; k < cols; k += BLOCK {
		v := tl.Load(row.Add(k).Add(offs), tl.Mask(offs.Lt(cols-k)), tl.Other(math.Inf(-1)))
		acc = acc.Add(tl.Exp(v.Sub(m)))
	}
	sum := tl.Sum(acc, tl.Axis(0))
	for k := 0; k < cols; k += BLOCK {
		mask := offs.Lt(cols - k)
		v := tl.Load(row.Add(k).Add(offs), tl.Mask(mask))
		tl.Store(to.Add(k).Add(offs), tl.Exp(v.Sub(m)).Div(sum), tl.Mask(mask))
	}
}

func softmaxReference(x, out *tensor.Tensor, cols, BLOCK int) {
	for i := range x.Dim(0) {
		m, sum := math.Inf(-1), 0.0
		for j := range cols {
			m = max(m, x.Float(i, j))
		}
		for j := range cols {
			sum += math.Exp(x.Float(i, j) - m)
		}
		for j := range cols {
			out.Set(math.Exp(x.Float(i, j)-m)/sum, i, j)
		}
	}
}
