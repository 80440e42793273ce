package puzzles

import (
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var exerciseAddStrided = learn.Puzzle{
	Notebook: "01",
	Name:     "addStrided",
	Title:    "A grid of any size",
	Text: `Add x and y, with a grid that has nothing to do with n: instance i does the
blocks i, i + p.Num(0), i + 2·p.Num(0), and so on, where p.Num(0) is how many
instances there are. There are tl.Cdiv(n, BLOCK) blocks.

	out[i] = x[i] + y[i]

A for loop in a kernel is plain Go.

As it stands, each instance does one block.`,
	Start: `
block := p.ID(0)
offs := tl.Arange(0, BLOCK).Add(block * BLOCK)
mask := offs.Lt(n)
u := tl.Load(x.Add(offs), tl.Mask(mask))
v := tl.Load(y.Add(offs), tl.Mask(mask))
tl.Store(out.Add(offs), u.Add(v), tl.Mask(mask))`,
	Hints: []string{
		"Put a loop around all of it: the first block is p.ID(0), and the step is p.Num(0).",
		"for block := p.ID(0); block < tl.Cdiv(n, BLOCK); block += p.Num(0) { … }",
	},
	Lessons: map[check.Kind]string{
		check.Unwritten: "The blocks beyond the first p.Num(0) are nobody's. Who should do block p.Num(0)?",
		check.Race:      "Two instances do the same block: the step from one to the next must be p.Num(0).",
	},
	After:     "Kernels with a grid as large as the machine, whatever the data, are called persistent; notebook 06 has one.",
	Kernel:    addStrided,
	Reference: addStridedReference,
	Cases: []learn.Case{
		on(exec.Grid{2}, whole(1, 0, 10, 20), whole(2, 0, 10, 20), empty(20), num(20), num(4)),
		on(exec.Grid{1}, random(3, 33), random(4, 33), empty(33), num(33), num(8)),
		on(exec.Grid{7}, random(5, 10000), random(6, 10000), empty(10000), num(10000), num(256)),
	},
}

func addStrided(p *tl.Program, x, y, out tl.Ptr, n int, BLOCK tl.Const) {
	for block := p.ID(0); block < tl.Cdiv(n, BLOCK); block += p.Num(0) {
		offs := tl.Arange(0, BLOCK).Add(block * BLOCK)
		mask := offs.Lt(n)
		u := tl.Load(x.Add(offs), tl.Mask(mask))
		v := tl.Load(y.Add(offs), tl.Mask(mask))
		tl.Store(out.Add(offs), u.Add(v), tl.Mask(mask))
	}
}

func addStridedReference(x, y, out *tensor.Tensor, n, BLOCK int) {
	for i := range n {
		out.Set(x.Float(i)+y.Float(i), i)
	}
}
