package puzzles

import (
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var exerciseEverySecond = learn.Puzzle{
	Notebook: "02",
	Name:     "everySecond",
	Title:    "Every second column",
	Text: `Take the columns 0, 2, 4, … of x, a matrix of rows × 2·cols elements. out has
rows × cols. Instance (p.ID(0), p.ID(1)) does a block of BX × BY of out.

	out[i,j] = x[i,2j]

As it stands, the kernel takes the first columns, and takes a row of x for as
long as one of out.`,
	Start: `
i := tl.Arange(0, BX).Add(p.ID(0) * BX)
j := tl.Arange(0, BY).Add(p.ID(1) * BY)
mask := i.Col().Lt(rows).And(j.Row().Lt(cols))
v := tl.Load(x.Add(i.Mul(cols).Col().Add(j.Row())), tl.Mask(mask))
tl.Store(out.Add(i.Mul(cols).Col().Add(j.Row())), v, tl.Mask(mask))`,
	Hints: []string{
		"Element (i, 2j) of x is element number i·(2·cols) + 2·j.",
		"(i*2*cols)[:, None] + (j*2)[None, :]; in a file: i.Mul(2*cols).Col().Add(j.Mul(2).Row()).",
	},
	Lessons: map[check.Kind]string{
		check.Reference:   "A row of x is 2·cols elements long, and the columns are two apart.",
		check.OutOfBounds: "The numbers of elements of x run to rows·2·cols; which of them did you mean?",
	},
	After:     "The mask did not change: it says which elements of out exist. Whoever reads with a step of two wastes half of what memory brings, here and on a GPU.",
	Sizes:     map[string]string{"cols": ""}, // x has twice as many
	Kernel:    everySecond,
	Reference: everySecondReference,
	Cases: []learn.Case{
		on(exec.Grid{2, 1}, whole(1, 0, 10, 5, 6), empty(5, 3), num(5), num(3), num(4), num(4)),
		on(exec.Grid{1, 2}, random(2, 4, 16), empty(4, 8), num(4), num(8), num(4), num(4)),
		on(exec.Grid{4, 3}, random(3, 100, 260), empty(100, 130), num(100), num(130), num(32), num(64)),
	},
}

func everySecond(p *tl.Program, x, out tl.Ptr, rows, cols int, BX, BY tl.Const) {
	i := tl.Arange(0, BX).Add(p.ID(0) * BX)
	j := tl.Arange(0, BY).Add(p.ID(1) * BY)
	mask := i.Col().Lt(rows).And(j.Row().Lt(cols))
	v := tl.Load(x.Add(i.Mul(2*cols).Col().Add(j.Mul(2).Row())), tl.Mask(mask))
	tl.Store(out.Add(i.Mul(cols).Col().Add(j.Row())), v, tl.Mask(mask))
}

func everySecondReference(x, out *tensor.Tensor, rows, cols, BX, BY int) {
	for i := range rows {
		for j := range cols {
			out.Set(x.Float(i, 2*j), i, j)
		}
	}
}
