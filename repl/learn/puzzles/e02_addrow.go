package puzzles

import (
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var exerciseAddRow = learn.Puzzle{
	Notebook: "02",
	Name:     "addRow",
	Title:    "A row for all rows",
	Text: `Add the vector v of cols elements to each row of x.

	out[i,j] = x[i,j] + v[j]

Load v once per instance, and let it broadcast.

As it stands, the kernel masks only the rows.`,
	Start: `
i := tl.Arange(0, BX).Add(p.ID(0) * BX)
j := tl.Arange(0, BY).Add(p.ID(1) * BY)
offs := i.Mul(cols).Col().Add(j.Row())
mask := i.Col().Lt(rows)
u := tl.Load(x.Add(offs), tl.Mask(mask))
w := tl.Load(v.Add(j))
tl.Store(out.Add(offs), u.Add(w.Row()), tl.Mask(mask))`,
	Hints: []string{
		"Three accesses, two masks: v has only columns.",
		"mask := (i[:, None] < rows) & (j[None, :] < cols), and tl.Mask(j < cols) for v; in a file: i.Col().Lt(rows).And(j.Row().Lt(cols)).",
	},
	Lessons: map[check.Kind]string{
		check.WrongRow:    "These lanes are inside the tensor, but in the wrong row: a GPU would not notice. Each index must be compared with its own size.",
		check.OutOfBounds: "Columns that do not exist are read from v. What is their mask?",
	},
	After:     "This is the bias of a layer, as in notebook 03.",
	Kernel:    addRow,
	Reference: addRowReference,
	Cases: []learn.Case{
		on(exec.Grid{2, 2}, whole(1, 0, 10, 6, 7), whole(2, 0, 10, 7), empty(6, 7), num(6), num(7), num(4), num(4)),
		on(exec.Grid{1, 1}, random(3, 4, 4), random(4, 4), empty(4, 4), num(4), num(4), num(4), num(4)),
		on(exec.Grid{4, 3}, random(5, 100, 130), random(6, 130), empty(100, 130), num(100), num(130), num(32), num(64)),
	},
}

func addRow(p *tl.Program, x, v, out tl.Ptr, rows, cols int, BX, BY tl.Const) {
	i := tl.Arange(0, BX).Add(p.ID(0) * BX)
	j := tl.Arange(0, BY).Add(p.ID(1) * BY)
	offs := i.Mul(cols).Col().Add(j.Row())
	mask := i.Col().Lt(rows).And(j.Row().Lt(cols))
	u := tl.Load(x.Add(offs), tl.Mask(mask))
	w := tl.Load(v.Add(j), tl.Mask(j.Lt(cols)))
	tl.Store(out.Add(offs), u.Add(w.Row()), tl.Mask(mask))
}

func addRowReference(x, v, out *tensor.Tensor, rows, cols, BX, BY int) {
	for i := range rows {
		for j := range cols {
			out.Set(x.Float(i, j)+v.Float(j), i, j)
		}
	}
}
