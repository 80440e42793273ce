package puzzles

import (
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var puzzleOuterSum = learn.Puzzle{
	Name:  "outerSum",
	Title: "A column plus a row",
	Text: `Add each of the R elements of x to each of the C elements of y.

	out[i,j] = x[i] + y[j]

A tile may have rows and columns. i[:, None] makes a column of a tile,
j[None, :] a row (i.Col() and j.Row() in a file); a column and a row together
are a grid, with every row's value beside every column's: that is
broadcasting.

Memory has no rows: a matrix lies there row after row, so that the element in
row i and column j of out is C·i + j elements from its beginning.

As it stands, the kernel adds tiles whose shapes do not match.`,
	Start: `
i, j := tl.Arange(0, R), tl.Arange(0, C)
a, b := tl.Load(x.Add(i)), tl.Load(y.Add(j))
tl.Store(out.Add(j), a.Add(b))`,
	Hints: []string{
		"There are two grids to make: one of the sums, one of the offsets in out. Both are a column plus a row.",
		"a[:, None] + b[None, :] is the grid of the sums. For the offsets multiply before you make a column: i*C.",
		"(i * C)[:, None] + j[None, :] at the prompt, i.Mul(C).Col().Add(j.Row()) in a file.",
	},
	Lessons: map[check.Kind]string{
		check.Fault:     "Look at the shapes: only sizes that are equal, or 1, go together. A column has shape [R,1], a row [1,C].",
		check.Reference: "Look at out + (the offsets) at the prompt: the picture shows in which order they go through the tensor.",
	},
	After:     "Nearly every kernel on matrices begins with such a grid. Notebook 02 is about nothing else, and at the prompt a pointer plus a grid draws itself: x + i[:, None].",
	Kernel:    outerSum,
	Reference: outerSumReference,
	Cases: []learn.Case{
		on(exec.Grid{1}, whole(1, 0, 10, 3), whole(2, 0, 10, 5), empty(3, 5), num(3), num(5)),
		on(exec.Grid{1}, random(3, 7), random(4, 2), empty(7, 2), num(7), num(2)),
		on(exec.Grid{1}, random(5, 32), random(6, 48), empty(32, 48), num(32), num(48)),
	},
}

func outerSum(p *tl.Program, x, y, out tl.Ptr, R, C tl.Const) {
	i, j := tl.Arange(0, R), tl.Arange(0, C)
	a, b := tl.Load(x.Add(i)), tl.Load(y.Add(j))
	tl.Store(out.Add(i.Mul(C).Col().Add(j.Row())), a.Col().Add(b.Row()))
}

func outerSumReference(x, y, out *tensor.Tensor, R, C int) {
	for i := range R {
		for j := range C {
			out.Set(x.Float(i)+y.Float(j), i, j)
		}
	}
}
