package puzzles

import (
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var puzzleReluBackward = learn.Puzzle{
	Name:  "reluBackward",
	Title: "Backward, through a transposed view",
	Text: `The gradient of what replaces negative numbers by 0: it passes where x is
positive, and nowhere else.

	dx[i,j] = dy[i,j] if x[i,j] > 0, else 0

dy and dx lie row after row. x is a view: a part of a larger matrix,
transposed. Its element (i,j) is i·xRow + j·xCol elements from its beginning,
and the strides xRow and xCol are parameters. Nothing is copied to transpose
a matrix; only the strides change places.

As it stands, the kernel reads x as if it lay row after row.`,
	Start: `
i := tl.Arange(0, BR).Add(p.ID(0) * BR)
j := tl.Arange(0, BC).Add(p.ID(1) * BC)
mask := i.Col().Lt(rows).And(j.Row().Lt(cols))
at := i.Mul(cols).Col().Add(j.Row())
v := tl.Load(x.Add(at), tl.Mask(mask))
g := tl.Load(dy.Add(at), tl.Mask(mask))
tl.Store(dx.Add(at), tl.Where(v.Gt(0), g, 0), tl.Mask(mask))`,
	Hints: []string{
		"x needs a grid of offsets of its own. In that of dy the rows are cols apart, and the columns 1.",
		"x + ((i * xRow)[:, None] + (j * xCol)[None, :]) at the prompt, x.Add(i.Mul(xRow).Col().Add(j.Mul(xCol).Row())) in a file.",
	},
	Lessons: map[check.Kind]string{
		check.OutOfBounds: "x is a view, with gaps between its elements: what lies there belongs to somebody else. Its strides say where its own are.",
		check.WrongRow:    "x has strides of its own: xRow from row to row, xCol from column to column.",
		check.Reference:   "x has strides of its own: xRow from row to row, xCol from column to column.",
	},
	After:     "Kernels that take strides work on any view: slices, transposes, heads of attention. x.Strides() tells them, and examples/matmul has three tensors' worth.",
	Kernel:    reluBackward,
	Reference: reluBackwardReference,
	Cases: []learn.Case{
		on(exec.Grid{2, 2}, transposed(1, 6, 9, 5), whole(2, 1, 10, 5, 6), empty(5, 6), num(5), num(6), num(1), num(9), num(4), num(4)),
		on(exec.Grid{1, 3}, transposed(3, 10, 8, 3), whole(4, 1, 10, 3, 10), empty(3, 10), num(3), num(10), num(1), num(8), num(4), num(4)),
		on(exec.Grid{2, 1}, leading(5, 7, 8, 5), random(6, 7, 5), empty(7, 5), num(7), num(5), num(8), num(1), num(4), num(8)),
		on(exec.Grid{3, 3}, transposed(7, 150, 97, 90), random(8, 90, 150), empty(90, 150), num(90), num(150), num(1), num(97), num(32), num(64)),
	},
	Sizes: map[string]string{"xRow": "", "xCol": ""},
}

// transposed is the transpose of the first columns of a matrix of whole numbers: a view.
func transposed(seed, rows, cols, first int) learn.Arg {
	return then(whole(seed, -5, 6, rows, cols), ".T().Slice(0, 0, "+num(first).Text+")", func(x *tensor.Tensor) *tensor.Tensor { return x.T().Slice(0, 0, first) })
}

// leading is the first columns of a matrix of whole numbers: a view.
func leading(seed, rows, cols, first int) learn.Arg {
	return then(whole(seed, -5, 6, rows, cols), ".Slice(1, 0, "+num(first).Text+")", func(x *tensor.Tensor) *tensor.Tensor { return x.Slice(1, 0, first) })
}

func reluBackward(p *tl.Program, x, dy, dx tl.Ptr, rows, cols, xRow, xCol int, BR, BC tl.Const) {
	i := tl.Arange(0, BR).Add(p.ID(0) * BR)
	j := tl.Arange(0, BC).Add(p.ID(1) * BC)
	mask := i.Col().Lt(rows).And(j.Row().Lt(cols))
	at := i.Mul(cols).Col().Add(j.Row())
	v := tl.Load(x.Add(i.Mul(xRow).Col().Add(j.Mul(xCol).Row())), tl.Mask(mask))
	g := tl.Load(dy.Add(at), tl.Mask(mask))
	tl.Store(dx.Add(at), tl.Where(v.Gt(0), g, 0), tl.Mask(mask))
}

func reluBackwardReference(x, dy, dx *tensor.Tensor, rows, cols, xRow, xCol, BR, BC int) {
	for i := range rows {
		for j := range cols {
			g := 0.0
			if x.Float(i, j) > 0 {
				g = dy.Float(i, j)
			}
			dx.Set(g, i, j)
		}
	}
}
