package puzzles

import (
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var puzzleScaleRelu = learn.Puzzle{
	Name:  "scaleRelu",
	Title: "Fusion",
	Text: `Scale each column of the matrix x by its weight, add its bias, and replace
what is negative by 0.

	out[i,j] = max(0, x[i,j]·w[j] + b[j])

Three operations, and yet one kernel: x is read once, out written once, and
what comes between never sees memory. w and b have one element for each
column, so they are loaded as rows. tl.Where(cond, a, b) chooses lane by
lane; there is no if for tiles.

As it stands, the kernel copies.`,
	Start: `
i := tl.Arange(0, BR).Add(p.ID(0) * BR)
j := tl.Arange(0, BC).Add(p.ID(1) * BC)
mask := i.Col().Lt(rows).And(j.Row().Lt(cols))
at := i.Mul(cols).Col().Add(j.Row())
v := tl.Load(x.Add(at), tl.Mask(mask))
tl.Store(out.Add(at), v, tl.Mask(mask))`,
	Hints: []string{
		"Load w and b with the columns' offsets j and a mask of their own, j < cols.",
		"The row of weights is tl.Load(w + j, tl.Mask(j < cols))[None, :]. v times that, plus the row of biases, is what to choose from.",
		"tl.Where(v > 0, v, 0) at the prompt, tl.Where(v.Gt(0), v, 0) in a file, where v is the sum and not x.",
	},
	Lessons: map[check.Kind]string{
		check.OutOfBounds: "w and b have cols elements, and the last block of columns may be ragged: their loads need a mask, too.",
		check.Reference:   "What is compared with 0 is the scaled and shifted value. Its weight and its bias are those of the column, not of the row.",
	},
	After:     "Operations on elements cost little, and the way to memory much: fusing them is what tile languages are for. tiler bench -quick shows both limits of your machine.",
	Kernel:    scaleRelu,
	Reference: scaleReluReference,
	Cases: []learn.Case{
		on(exec.Grid{2, 2}, whole(1, -5, 6, 5, 6), whole(2, -3, 4, 6), whole(3, -3, 4, 6), empty(5, 6), num(5), num(6), num(4), num(4)),
		on(exec.Grid{1, 2}, random(4, 3, 9), random(5, 9), random(6, 9), empty(3, 9), num(3), num(9), num(4), num(8)),
		on(exec.Grid{3, 1}, random(7, 9, 3), random(8, 3), random(9, 3), empty(9, 3), num(9), num(3), num(4), num(8)),
		on(exec.Grid{3, 3}, random(10, 90, 150), random(11, 150), random(12, 150), empty(90, 150), num(90), num(150), num(32), num(64)),
	},
}

func scaleRelu(p *tl.Program, x, w, b, out tl.Ptr, rows, cols int, BR, BC tl.Const) {
	i := tl.Arange(0, BR).Add(p.ID(0) * BR)
	j := tl.Arange(0, BC).Add(p.ID(1) * BC)
	mask := i.Col().Lt(rows).And(j.Row().Lt(cols))
	at := i.Mul(cols).Col().Add(j.Row())
	v := tl.Load(x.Add(at), tl.Mask(mask))
	weight := tl.Load(w.Add(j), tl.Mask(j.Lt(cols)))
	bias := tl.Load(b.Add(j), tl.Mask(j.Lt(cols)))
	v = v.Mul(weight.Row()).Add(bias.Row())
	tl.Store(out.Add(at), tl.Where(v.Gt(0), v, 0), tl.Mask(mask))
}

func scaleReluReference(x, w, b, out *tensor.Tensor, rows, cols, BR, BC int) {
	for i := range rows {
		for j := range cols {
			out.Set(max(0, float64(x.Float(i, j)*w.Float(j))+b.Float(j)), i, j)
		}
	}
}
