package puzzles

import (
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var puzzleOuterProduct = learn.Puzzle{
	Name:  "outerProduct",
	Title: "Two masks",
	Text: `x has rows elements, and y has cols. Multiply each of x by each of y.

	out[i,j] = x[i]·y[j]

The grid has two axes: program (p.ID(0), p.ID(1)) does a block of BR rows and
BC columns. Rows and columns both have a ragged end. What lies right of the
last column is not outside the tensor: it is the beginning of the next row.

As it stands, the kernel masks only the rows.`,
	Start: `
i := tl.Arange(0, BR).Add(p.ID(0) * BR)
j := tl.Arange(0, BC).Add(p.ID(1) * BC)
a := tl.Load(x.Add(i), tl.Mask(i.Lt(rows)))
b := tl.Load(y.Add(j), tl.Mask(j.Lt(cols)))
mask := i.Col().Lt(rows)
tl.Store(out.Add(i.Mul(cols).Col().Add(j.Row())), a.Col().Mul(b.Row()), tl.Mask(mask))`,
	Hints: []string{
		"A lane counts if its row is below rows and its column is below cols: a column of bools and a row of bools.",
		"(i[:, None] < rows) & (j[None, :] < cols): mind the parentheses, & binds tighter than <. In a file: i.Col().Lt(rows).And(j.Row().Lt(cols)).",
	},
	Lessons: map[check.Kind]string{
		check.WrongRow:  "These lanes are inside the tensor, but in the wrong row: a GPU would not notice. Each index must be compared with its own size.",
		check.Unwritten: "Programs divide both axes: p.ID(0) those of the rows, p.ID(1) those of the columns.",
		check.Race:      "Programs divide both axes: p.ID(0) those of the rows, p.ID(1) those of the columns.",
	},
	After:     "The wrong row is the most common bug in tutorial kernels, and the hardest to see: examples/oobmatmul has two of them, and notebook 04 looks at them.",
	Kernel:    outerProduct,
	Reference: outerProductReference,
	Cases: []learn.Case{
		on(exec.Grid{2, 2}, whole(1, 1, 10, 5), whole(2, 1, 10, 6), empty(5, 6), num(5), num(6), num(4), num(4)),
		on(exec.Grid{1, 3}, random(3, 2), random(4, 17), empty(2, 17), num(2), num(17), num(4), num(8)),
		on(exec.Grid{3, 1}, random(5, 17), random(6, 2), empty(17, 2), num(17), num(2), num(8), num(4)),
		on(exec.Grid{4, 3}, random(7, 100), random(8, 130), empty(100, 130), num(100), num(130), num(32), num(64)),
	},
}

func outerProduct(p *tl.Program, x, y, out tl.Ptr, rows, cols int, BR, BC tl.Const) {
	i := tl.Arange(0, BR).Add(p.ID(0) * BR)
	j := tl.Arange(0, BC).Add(p.ID(1) * BC)
	a := tl.Load(x.Add(i), tl.Mask(i.Lt(rows)))
	b := tl.Load(y.Add(j), tl.Mask(j.Lt(cols)))
	mask := i.Col().Lt(rows).And(j.Row().Lt(cols))
	tl.Store(out.Add(i.Mul(cols).Col().Add(j.Row())), a.Col().Mul(b.Row()), tl.Mask(mask))
}

func outerProductReference(x, y, out *tensor.Tensor, rows, cols, BR, BC int) {
	for i := range rows {
		for j := range cols {
			out.Set(x.Float(i)*y.Float(j), i, j)
		}
	}
}
