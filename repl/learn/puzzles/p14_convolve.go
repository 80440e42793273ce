package puzzles

import (
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var puzzleConvolve = learn.Puzzle{
	Name:  "convolve",
	Title: "Windows",
	Text: `Convolve x with the TAPS weights in w. Beyond its n elements x counts as 0.

	out[i] = x[i]·w[0] + x[i+1]·w[1] + … + x[i+TAPS-1]·w[TAPS-1]

Each result looks through a window, and the windows overlap. With a column of
places and a row of taps their sum is all windows at once: a tile of BLOCK ×
TAPS in which most elements of x occur several times. tl.Sum(v, tl.Axis(1))
adds up each row of a tile.

As it stands, the windows of the last places reach beyond x.`,
	Start: `
i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
k := tl.Arange(0, TAPS)
at := i.Col().Add(k.Row())
v := tl.Load(x.Add(at), tl.Mask(i.Col().Lt(n)))
tl.Store(out.Add(i), tl.Sum(v.Mul(tl.Load(w.Add(k)).Row()), tl.Axis(1)), tl.Mask(i.Lt(n)))`,
	Hints: []string{
		"Look at x + (i[:, None] + k[None, :]) at the prompt. Which lanes lie outside: those of some rows, or of a corner?",
		"The place in x is what has to be below n: the whole grid at, not the column i.",
		"tl.Mask(at < n), and an Other: what is the value beyond x said to be?",
	},
	Lessons: map[check.Kind]string{
		check.OutOfBounds: "A place may be inside, and the end of its window not. The mask belongs to the sum of both.",
		check.Undefined:   "The lanes beyond x are added up with the others, and count as 0: tl.Other(0).",
	},
	After:     "Every load here is one of a grid of addresses, so that the same kernel does strides and holes: at can be any tile. In two dimensions there are two windows, and four sizes to compare.",
	Kernel:    convolve,
	Reference: convolveReference,
	Cases: []learn.Case{
		on(exec.Grid{2}, whole(1, 0, 10, 7), whole(2, -1, 3, 3), empty(7), num(7), num(4), num(3)),
		on(exec.Grid{1}, whole(3, 0, 10, 3), whole(4, -3, 4, 5), empty(3), num(3), num(4), num(5)),
		on(exec.Grid{2}, whole(5, 0, 10, 16), whole(6, -3, 4, 1), empty(16), num(16), num(8), num(1)),
		on(exec.Grid{16}, random(7, 2000), random(8, 7), empty(2000), num(2000), num(128), num(7)),
	},
}

func convolve(p *tl.Program, x, w, out tl.Ptr, n int, BLOCK, TAPS tl.Const) {
	i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	k := tl.Arange(0, TAPS)
	at := i.Col().Add(k.Row())
	v := tl.Load(x.Add(at), tl.Mask(at.Lt(n)), tl.Other(0))
	tl.Store(out.Add(i), tl.Sum(v.Mul(tl.Load(w.Add(k)).Row()), tl.Axis(1)), tl.Mask(i.Lt(n)))
}

func convolveReference(x, w, out *tensor.Tensor, n, BLOCK, TAPS int) {
	for i := range n {
		sum := 0.0
		for k := range min(TAPS, n-i) {
			sum += float64(x.Float(i+k) * w.Float(k))
		}
		out.Set(sum, i)
	}
}
