package puzzles

import (
	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var puzzleRowSums = learn.Puzzle{
	Name:  "rowSums",
	Title: "Long rows",
	Text: `Add up each row of x. Program p.ID(0) does row p.ID(0), which may be much
longer than BLOCK.

	out[i] = x[i,0] + x[i,1] + … + x[i,cols-1]

So the program goes through its row block by block. Scalar code is plain Go:
a for loop, an int that counts columns. A tile that lives from block to
block, an accumulator, begins as tl.Zeros(tl.Float32, BLOCK), and tl.Sum(v,
tl.Axis(0)) makes one number of a tile at the end.

What a masked lane loads is nothing at all, unless tl.Other(0) says what it
is to be. Lanes that are added up had better have a value.

As it stands, the kernel adds up the first block.`,
	Start: `
row := x.Add(p.ID(0) * cols)
offs := tl.Arange(0, BLOCK)
v := tl.Load(row.Add(offs), tl.Mask(offs.Lt(cols)))
tl.Store(out.Add(p.ID(0)), tl.Sum(v, tl.Axis(0)))`,
	Hints: []string{
		"for k := 0; k < cols; k += BLOCK { … }: in the loop load the block that begins at column k, and add it to the accumulator.",
		"The lanes that count are those with offs < cols-k; give the load tl.Other(0), which changes no sum.",
		"acc += v at the prompt, acc = acc.Add(v) in a file. tl.Sum comes once, after the loop.",
	},
	Lessons: map[check.Kind]string{
		check.Undefined: "A masked lane is in the sum as well: tl.Other(0) makes it one that does no harm.",
		check.Reference: "The row goes on after its first block.",
		check.WrongRow:  "The last block of a row is ragged: offs < cols-k keeps it out of the next row.",
	},
	After:     "The accumulator stays in registers: one add for BLOCK elements, and the lanes meet only at the end. In which order a sum is made is part of the language: every engine gives the same bits.",
	Kernel:    rowSums,
	Reference: rowSumsReference,
	Cases: []learn.Case{
		on(exec.Grid{3}, whole(1, 0, 10, 3, 10), empty(3), num(10), num(4)),
		on(exec.Grid{2}, whole(2, -9, 10, 2, 16), empty(2), num(16), num(8)),
		on(exec.Grid{4}, whole(3, -9, 10, 4, 3), empty(4), num(3), num(8)),
		on(exec.Grid{8}, whole(4, -9, 10, 8, 3000), empty(8), num(3000), num(256)),
	},
}

func rowSums(p *tl.Program, x, out tl.Ptr, cols int, BLOCK tl.Const) {
	row := x.Add(p.ID(0) * cols)
	offs := tl.Arange(0, BLOCK)
	acc := tl.Zeros(tl.Float32, BLOCK)
	for k := 0; k < cols; k += BLOCK {
		acc = acc.Add(tl.Load(row.Add(k).Add(offs), tl.Mask(offs.Lt(cols-k)), tl.Other(0)))
	}
	tl.Store(out.Add(p.ID(0)), tl.Sum(acc, tl.Axis(0)))
}

func rowSumsReference(x, out *tensor.Tensor, cols, BLOCK int) {
	for i := range out.Dim(0) {
		sum := 0.0
		for j := range cols {
			sum += x.Float(i, j)
		}
		out.Set(sum, i)
	}
}
