package puzzles

import (
	"math"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var exerciseCausalSoftmax = learn.Puzzle{
	Notebook: "06",
	Name:     "causalSoftmax",
	Title:    "A causal mask",
	Text: `In attention, row i may only look at the columns up to i: those after it get the
weight 0. x has n rows and n columns.

	out[i,j] = exp(x[i,j]) / (exp(x[i,0]) + … + exp(x[i,i])), 0 for j > i

As it stands, the lanes after the diagonal are masked off in the load and in the
store, as if they did not exist.`,
	Start: `
i, offs := p.ID(0), tl.Arange(0, BLOCK)
mask := offs.Le(i)
v := tl.Load(x.Add(i*n).Add(offs), tl.Mask(mask), tl.Other(math.Inf(-1)))
e := tl.Exp(v.Sub(tl.Max(v, tl.Axis(0))))
tl.Store(out.Add(i*n).Add(offs), e.Div(tl.Sum(e, tl.Axis(0))), tl.Mask(mask))`,
	Hints: []string{
		"Two masks with two meanings: which lanes exist, and which count. A lane that exists must be stored, also if it is 0.",
		"Load and store those that exist, offs < n. In between, tl.Where(offs <= i, v, math.Inf(-1)) makes those that do not count -Inf; in a file: offs.Le(i).",
	},
	Lessons: map[check.Kind]string{
		check.Unwritten:   "The columns after the diagonal exist: they are to be 0.",
		check.Reference:   "A weight of 0 must be written, too.",
		check.OutOfBounds: "Which lanes exist?",
	},
	After:     "The heart of a decoder: puzzle 16 goes on to flash attention.",
	Sizes:     map[string]string{"n": ""}, // a row fits a block
	Kernel:    causalSoftmax,
	Reference: causalSoftmaxReference,
	Cases: []learn.Case{
		on(exec.Grid{5}, whole(1, -2, 3, 5, 5), empty(5, 5), num(5), num(8)),
		on(exec.Grid{8}, random(2, 8, 8), empty(8, 8), num(8), num(8)),
		on(exec.Grid{100}, random(3, 100, 100), empty(100, 100), num(100), num(128)),
	},
}

func causalSoftmax(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {
	i, offs := p.ID(0), tl.Arange(0, BLOCK)
	mask := offs.Lt(n)
	v := tl.Load(x.Add(i*n).Add(offs), tl.Mask(mask), tl.Other(math.Inf(-1)))
	v = tl.Where(offs.Le(i), v, math.Inf(-1))
	e := tl.Exp(v.Sub(tl.Max(v, tl.Axis(0))))
	tl.Store(out.Add(i*n).Add(offs), e.Div(tl.Sum(e, tl.Axis(0))), tl.Mask(mask))
}

func causalSoftmaxReference(x, out *tensor.Tensor, n, BLOCK int) {
	for i := range x.Dim(0) {
		m, sum := math.Inf(-1), 0.0
		for j := range i + 1 {
			m = max(m, x.Float(i, j))
		}
		for j := range i + 1 {
			sum += math.Exp(x.Float(i, j) - m)
		}
		for j := range i + 1 {
			out.Set(math.Exp(x.Float(i, j)-m)/sum, i, j)
		}
		for j := i + 1; j < n; j++ {
			out.Set(0, i, j)
		}
	}
}
