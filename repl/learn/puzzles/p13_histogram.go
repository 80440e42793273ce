package puzzles

import (
	"fmt"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var puzzleHistogram = learn.Puzzle{
	Name:  "histogram",
	Title: "A race",
	Text: `Count how often each of the numbers 0 to BINS-1 occurs among the n elements
of x, which are int32. counts begins as zeros.

	counts[b] = how many i have x[i] = b

tl.Histogram(v, BINS, tl.Mask(mask)) counts within a tile. But the programs
of the grid share one counts: each reads it, adds its own, and writes it
back. If another did the same in between, its work is lost. That is a race,
and it need not show: on most days the results are right.

tl.AtomicAdd(ptr, v) reads, adds and writes in one go. It returns what was
there.

As it stands, the kernel races.`,
	Start: `
offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
mask := offs.Lt(n)
v := tl.Load(x.Add(offs), tl.Mask(mask), tl.Other(0))
h := tl.Histogram(v, BINS, tl.Mask(mask))
at := counts.Add(tl.Arange(0, BINS))
tl.Store(at, tl.Load(at).Add(h))`,
	Hints: []string{
		"The last line is the race: a load and a store of what other programs load and store as well.",
		"tl.AtomicAdd(at, h) takes the place of both.",
	},
	Lessons: map[check.Kind]string{
		check.Race:      "Between this program's load and its store another one may have stored. An atomic leaves no in-between.",
		check.Reference: "The masked lanes of the last block load Other's value, and Histogram counts them unless it has the mask, too.",
		check.Undefined: "The masked lanes of the last block are counted as well, unless Histogram has the mask, too.",
	},
	After:     "Integers can be added in any order. Floats cannot, bit for bit: where that matters each program stores its own part, and a second launch adds them up. examples/layernorm adds with atomics.",
	Kernel:    histogram,
	Reference: histogramReference,
	Cases: []learn.Case{
		on(exec.Grid{3}, indices(1, 4, 10), counters(4), num(10), num(4), num(4)),
		on(exec.Grid{1}, indices(2, 3, 8), counters(3), num(8), num(8), num(3)),
		on(exec.Grid{10}, indices(3, 16, 5000), counters(16), num(5000), num(512), num(16)),
	},
}

// indices is random numbers of int32 below a limit.
func indices(seed, below int, shape ...int) learn.Arg {
	return shaped(fmt.Sprintf("RandInt(%d, tl.Int32, 0, %d", seed, below), shape, func() *tensor.Tensor { return tensor.RandInt(seed, tl.Int32, 0, below, shape...) })
}

// counters is zeros of int32.
func counters(n int) learn.Arg {
	return shaped("Zeros(tl.Int32", []int{n}, func() *tensor.Tensor { return tensor.Zeros(tl.Int32, n) })
}

func histogram(p *tl.Program, x, counts tl.Ptr, n int, BLOCK, BINS tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	mask := offs.Lt(n)
	v := tl.Load(x.Add(offs), tl.Mask(mask), tl.Other(0))
	h := tl.Histogram(v, BINS, tl.Mask(mask))
	tl.AtomicAdd(counts.Add(tl.Arange(0, BINS)), h)
}

func histogramReference(x, counts *tensor.Tensor, n, BLOCK, BINS int) {
	for i := range n {
		b := x.Int(i)
		counts.Set(counts.Int(b)+1, b)
	}
}
