package puzzles

import (
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var puzzleDouble = learn.Puzzle{
	Name:  "double",
	Title: "The ragged end",
	Text: `Double the n elements of x, with a tile of BLOCK lanes.

	out[i] = 2·x[i]

BLOCK is known when the kernel is compiled, n only when it is launched, and
BLOCK may be more than n. A lane without an element must neither read nor
write: a mask says which lanes count. It is a tile of bools, such as offs < n
(offs.Lt(n) in a file), and goes to tl.Load and tl.Store as tl.Mask(…).

As it stands, the kernel runs past the end of x.`,
	Start: `
offs := tl.Arange(0, BLOCK)
v := tl.Load(x.Add(offs))
tl.Store(out.Add(offs), v.Mul(2))`,
	Hints: []string{
		"Look at offs < n at the prompt: true lanes are ■. The mask belongs to the load and to the store.",
		"tl.Load(x + offs, tl.Mask(mask)), and the same at the end of tl.Store.",
	},
	Lessons: map[check.Kind]string{
		check.OutOfBounds: "The tile has BLOCK lanes, the tensor n elements. Only lanes whose offset is below n have an element.",
		check.NotPortable: "A tile has a size that is known when the kernel is compiled. Let it have BLOCK lanes, and mask those beyond n.",
		check.Reference:   "The mask must let through every lane that has an element, and no other.",
	},
	After:     "The last block of nearly every tensor is ragged, and tests with round sizes do not show it. The judge tried other sizes than the one you saw; :check does the same for kernels of your own.",
	Kernel:    double,
	Reference: doubleReference,
	Cases: []learn.Case{
		on(exec.Grid{1}, whole(1, 0, 10, 6), empty(6), num(6), num(8)),
		on(exec.Grid{1}, random(2, 8), empty(8), num(8), num(8)),
		on(exec.Grid{1}, random(3, 1), empty(1), num(1), num(16)),
		on(exec.Grid{1}, random(4, 1000), empty(1000), num(1000), num(1024)),
	},
}

func double(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK)
	mask := offs.Lt(n)
	v := tl.Load(x.Add(offs), tl.Mask(mask))
	tl.Store(out.Add(offs), v.Mul(2), tl.Mask(mask))
}

func doubleReference(x, out *tensor.Tensor, n, BLOCK int) {
	for i := range n {
		out.Set(2*x.Float(i), i)
	}
}
