package puzzles

import (
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var puzzleAddTen = learn.Puzzle{
	Name:  "addTen",
	Title: "Ten more",
	Text: `Add 10 to each of the N elements of x.

	out[i] = x[i] + 10

A kernel works on tiles, which are whole blocks of elements. tl.Arange(0, N)
is the tile 0, 1, … N-1. Added to the pointer x it becomes N pointers, one in
each lane; tl.Load reads what they point to, tl.Store writes there. All
arithmetic is on whole tiles: there is no loop.

As it stands, the kernel copies. Run it first, and see what the judge says.`,
	Start: `
offs := tl.Arange(0, N)
v := tl.Load(x.Add(offs))
tl.Store(out.Add(offs), v)`,
	Hints: []string{
		"Between the load and the store v is a tile like any other: 10 can be added to it.",
		"v + 10 at the prompt, v.Add(10) in a file: a number beside a tile counts for every lane.",
	},
	After:     "This is a whole kernel: addresses, loads, arithmetic, stores. :step addTen walks through it at the prompt, a statement at a time.",
	Kernel:    addTen,
	Reference: addTenReference,
	Cases: []learn.Case{
		on(exec.Grid{1}, whole(1, 0, 10, 8), empty(8), num(8)),
		on(exec.Grid{1}, random(2, 13), empty(13), num(13)),
		on(exec.Grid{1}, random(3, 1000), empty(1000), num(1000)),
	},
}

func addTen(p *tl.Program, x, out tl.Ptr, N tl.Const) {
	offs := tl.Arange(0, N)
	v := tl.Load(x.Add(offs))
	tl.Store(out.Add(offs), v.Add(10))
}

func addTenReference(x, out *tensor.Tensor, N int) {
	for i := range N {
		out.Set(x.Float(i)+10, i)
	}
}
