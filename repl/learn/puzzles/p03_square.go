package puzzles

import (
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var puzzleSquare = learn.Puzzle{
	Name:  "square",
	Title: "Many programs",
	Text: `Square the n elements of x, of which there are more than BLOCK.

	out[i] = x[i]·x[i]

A launch calls the kernel once for each program of a grid: in any order, on
many cores at once. Here the grid has as many programs as there are blocks.
p.ID(0) is a program's number, from 0; the programs divide the work among
themselves by it.

As it stands, each program does the first block.`,
	Start: `
offs := tl.Arange(0, BLOCK)
mask := offs.Lt(n)
v := tl.Load(x.Add(offs), tl.Mask(mask))
tl.Store(out.Add(offs), v.Mul(v), tl.Mask(mask))`,
	Hints: []string{
		"Program 0 does the elements 0 to BLOCK-1. Which one does program 1 begin with? And program p.ID(0)?",
		"offs := p.ID(0)*BLOCK + tl.Arange(0, BLOCK) at the prompt; tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK) in a file. The mask does not change.",
	},
	Lessons: map[check.Kind]string{
		check.Race:      "Two programs met at one element: each must have elements of its own. p.ID(0) is what tells them apart.",
		check.Unwritten: "All programs do the same block: each must have elements of its own. p.ID(0) is what tells them apart.",
		check.DeadLanes: "The grid has a program for each block: each must do its own.",
	},
	After:     "A grid is all the parallelism there is: no threads, no locks, and the same on two cores as on a GPU. :pid 2 of 4 makes you a program; then type the lines of the kernel, one by one.",
	Kernel:    square,
	Reference: squareReference,
	Cases: []learn.Case{
		on(exec.Grid{4}, whole(1, 0, 10, 14), empty(14), num(14), num(4)),
		on(exec.Grid{1}, random(2, 16), empty(16), num(16), num(16)),
		on(exec.Grid{3}, random(3, 33), empty(33), num(33), num(16)),
		on(exec.Grid{20}, random(4, 5000), empty(5000), num(5000), num(256)),
	},
}

func square(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	mask := offs.Lt(n)
	v := tl.Load(x.Add(offs), tl.Mask(mask))
	tl.Store(out.Add(offs), v.Mul(v), tl.Mask(mask))
}

func squareReference(x, out *tensor.Tensor, n, BLOCK int) {
	for i := range n {
		out.Set(x.Float(i)*x.Float(i), i)
	}
}
