package puzzles

import (
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var exerciseReverse = learn.Puzzle{
	Notebook: "01",
	Name:     "reverse",
	Title:    "Backwards",
	Text: `Write x from its end to its beginning.

	out[i] = x[n-1-i]

Which of the two accesses needs the mask?

As it stands, the kernel copies, and one mask is missing.`,
	Start: `
offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
v := tl.Load(x.Add(offs))
tl.Store(out.Add(offs), v, tl.Mask(offs.Lt(n)))`,
	Hints: []string{
		"The pointers of the load are x + (n - 1 - offs). For offs ≥ n these lie before x.",
		"A mask says which lanes exist, and not which addresses: load and store have the same one, offs < n.",
	},
	Lessons: map[check.Kind]string{
		check.OutOfBounds: "The lanes from n on do not exist, whatever their address is: mask them in the load, too.",
		check.Reference:   "Lane offs of out takes element n - 1 - offs of x.",
	},
	After:     "The mask belongs to the lanes, and not to the addresses. Notebook 02 says that of two dimensions.",
	Kernel:    reverse,
	Reference: reverseReference,
	Cases: []learn.Case{
		on(exec.Grid{3}, whole(1, 0, 10, 10), empty(10), num(10), num(4)),
		on(exec.Grid{1}, random(2, 8), empty(8), num(8), num(8)),
		on(exec.Grid{40}, random(3, 10000), empty(10000), num(10000), num(256)),
	},
}

func reverse(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	mask := offs.Lt(n)
	v := tl.Load(x.Add(tl.Sub(n-1, offs)), tl.Mask(mask))
	tl.Store(out.Add(offs), v, tl.Mask(mask))
}

func reverseReference(x, out *tensor.Tensor, n, BLOCK int) {
	for i := range n {
		out.Set(x.Float(n-1-i), i)
	}
}
