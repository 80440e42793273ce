package puzzles

import (
	"math"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var exerciseLogSoftmax = learn.Puzzle{
	Notebook: "06",
	Name:     "logSoftmax",
	Title:    "Log-softmax",
	Text: `The logarithm of softmax, which losses are made of. Program p.ID(0) does row
p.ID(0), which fits a block.

	out[i,j] = x[i,j] - m - log(exp(x[i,0]-m) + … + exp(x[i,cols-1]-m))

m is the greatest element of the row. The logarithm of the quotient would do as
well, were it not that a small quotient becomes 0, and its logarithm infinite.

As it stands, the kernel takes that logarithm.`,
	Start: `
offs := tl.Arange(0, BLOCK)
mask := offs.Lt(cols)
row, to := x.Add(p.ID(0)*cols), out.Add(p.ID(0)*cols)
v := tl.Load(row.Add(offs), tl.Mask(mask), tl.Other(math.Inf(-1)))
e := tl.Exp(v.Sub(tl.Max(v, tl.Axis(0))))
tl.Store(to.Add(offs), tl.Log(e.Div(tl.Sum(e, tl.Axis(0)))), tl.Mask(mask))`,
	Hints: []string{
		"Do not divide: the logarithm of a quotient is a difference of logarithms, and that of exp(v - m) is v - m.",
		"With w := v - m: w - tl.Log(tl.Sum(tl.Exp(w), tl.Axis(0))).",
	},
	Lessons: map[check.Kind]string{
		check.Reference: "Which quotients are too small for a float32? The logarithm of 0 is -Inf.",
	},
	After:     "Fused, it is also more exact than its two parts.",
	Kernel:    logSoftmax,
	Reference: logSoftmaxReference,
	Cases: []learn.Case{
		on(exec.Grid{2}, whole(1, -200, 200, 2, 6), empty(2, 6), num(6), num(8)),
		on(exec.Grid{3}, random(2, 3, 8), empty(3, 8), num(8), num(8)),
		on(exec.Grid{8}, random(3, 8, 1000), empty(8, 1000), num(1000), num(1024)),
	},
}

func logSoftmax(p *tl.Program, x, out tl.Ptr, cols int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK)
	mask := offs.Lt(cols)
	row, to := x.Add(p.ID(0)*cols), out.Add(p.ID(0)*cols)
	v := tl.Load(row.Add(offs), tl.Mask(mask), tl.Other(math.Inf(-1)))
	w := v.Sub(tl.Max(v, tl.Axis(0)))
	tl.Store(to.Add(offs), w.Sub(tl.Log(tl.Sum(tl.Exp(w), tl.Axis(0)))), tl.Mask(mask))
}

func logSoftmaxReference(x, out *tensor.Tensor, cols, BLOCK int) {
	for i := range x.Dim(0) {
		m, sum := math.Inf(-1), 0.0
		for j := range cols {
			m = max(m, x.Float(i, j))
		}
		for j := range cols {
			sum += math.Exp(x.Float(i, j) - m)
		}
		for j := range cols {
			out.Set(x.Float(i, j)-m-math.Log(sum), i, j)
		}
	}
}
