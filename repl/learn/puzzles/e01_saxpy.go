package puzzles

import (
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var exerciseSaxpy = learn.Puzzle{
	Notebook: "01",
	Name:     "saxpy",
	Title:    "A scalar",
	Text: `Multiply x by the number a, and add y.

	out[i] = a·x[i] + y[i]

A parameter a of type float64 is plain Go, and so is a * v with a tile v: the
number gets the dtype of the tile that it meets.

As it stands, the kernel adds, and does not multiply.`,
	Start: `
offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
mask := offs.Lt(n)
u := tl.Load(x.Add(offs), tl.Mask(mask))
v := tl.Load(y.Add(offs), tl.Mask(mask))
tl.Store(out.Add(offs), u.Add(v), tl.Mask(mask))`,
	Hints: []string{
		"Only the last line changes.",
		"u * a + v; in a file: u.Mul(a).Add(v).",
	},
	Lessons: map[check.Kind]string{
		check.Reference: "Compare an element of out with a·x + y.",
	},
	After:     "This is axpy, of the oldest library of kernels there is.",
	Kernel:    saxpy,
	Reference: saxpyReference,
	Cases: []learn.Case{
		on(exec.Grid{3}, num(2.5), whole(1, 0, 10, 10), whole(2, 0, 10, 10), empty(10), num(10), num(4)),
		on(exec.Grid{1}, num(-1.0), random(3, 8), random(4, 8), empty(8), num(8), num(8)),
		on(exec.Grid{10}, num(0.5), random(5, 10000), random(6, 10000), empty(10000), num(10000), num(1024)),
	},
}

func saxpy(p *tl.Program, a float64, x, y, out tl.Ptr, n int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	mask := offs.Lt(n)
	u := tl.Load(x.Add(offs), tl.Mask(mask))
	v := tl.Load(y.Add(offs), tl.Mask(mask))
	tl.Store(out.Add(offs), u.Mul(a).Add(v), tl.Mask(mask))
}

func saxpyReference(a float64, x, y, out *tensor.Tensor, n, BLOCK int) {
	for i := range n {
		out.Set(a*x.Float(i)+y.Float(i), i)
	}
}
