package puzzles

import (
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var exerciseDiagonal = learn.Puzzle{
	Notebook: "02",
	Name:     "diagonal",
	Title:    "The diagonal",
	Text: `Write the diagonal of x, a matrix of n × n elements, to out. A tile of one
dimension is enough.

	out[i] = x[i,i]

As it stands, the kernel takes the first column.`,
	Start: `
i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
mask := i.Lt(n)
v := tl.Load(x.Add(i.Mul(n)), tl.Mask(mask))
tl.Store(out.Add(i), v, tl.Mask(mask))`,
	Hints: []string{
		"Element (i, j) of x is element number n·i + j. What is it for j = i?",
		"i * (n + 1); in a file: i.Mul(n + 1).",
	},
	Lessons: map[check.Kind]string{
		check.Reference: "From one element of the diagonal to the next it is a row and a column.",
	},
	After:     "Pointers need not be a grid: any tile of element numbers will do.",
	Kernel:    diagonal,
	Reference: diagonalReference,
	Cases: []learn.Case{
		on(exec.Grid{2}, whole(1, 0, 10, 6, 6), empty(6), num(6), num(4)),
		on(exec.Grid{1}, random(2, 8, 8), empty(8), num(8), num(8)),
		on(exec.Grid{4}, random(3, 100, 100), empty(100), num(100), num(32)),
	},
}

func diagonal(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {
	i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	mask := i.Lt(n)
	v := tl.Load(x.Add(i.Mul(n+1)), tl.Mask(mask))
	tl.Store(out.Add(i), v, tl.Mask(mask))
}

func diagonalReference(x, out *tensor.Tensor, n, BLOCK int) {
	for i := range n {
		out.Set(x.Float(i, i), i)
	}
}
