package puzzles

import (
	"math"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/repl/learn"
	tl "github.com/tiler-go/tiler/tilelang"
)

var exerciseOnlineSoftmax = learn.Puzzle{
	Notebook: "06",
	Name:     "onlineSoftmax",
	Title:    "Online softmax",
	Text: `A row that is longer than a block, in two passes instead of three. The first
keeps a running maximum m and a running sum s of exp(v - m). When a block has a
larger maximum m2, what is in s so far was made with the wrong one, and is put
right by a factor:

	s = s·exp(m - m2) + the sum of exp(v - m2) over the block

The second pass writes exp(v - m) / s. m and s are tiles without dimensions.

As it stands, the factor is missing.`,
	Start: `
row, to, offs := x.Add(p.ID(0)*cols), out.Add(p.ID(0)*cols), tl.Arange(0, BLOCK)
m, s := tl.Full(tl.Float32, math.Inf(-1)), tl.Full(tl.Float32, 0.0)
for at := 0; at < cols; at += BLOCK {
	v := tl.Load(row.Add(at).Add(offs), tl.Mask(offs.Lt(cols-at)), tl.Other(math.Inf(-1)))
	m = tl.Maximum(m, tl.Max(v, tl.Axis(0)))
	s = s.Add(tl.Sum(tl.Exp(v.Sub(m)), tl.Axis(0)))
}
for at := 0; at < cols; at += BLOCK {
	v := tl.Load(row.Add(at).Add(offs), tl.Mask(offs.Lt(cols-at)), tl.Other(0))
	tl.Store(to.Add(at).Add(offs), tl.Exp(v.Sub(m)).Div(s), tl.Mask(offs.Lt(cols-at)))
}`,
	Hints: []string{
		"Keep the old maximum until s is put right: m2 := tl.Maximum(m, …), then s, then m = m2.",
		"s = s*tl.Exp(m - m2) + tl.Sum(tl.Exp(v - m2), tl.Axis(0)); in a file: s.Mul(tl.Exp(m.Sub(m2))).Add(…).",
	},
	Lessons: map[check.Kind]string{
		check.Reference: "Do the weights of a row add up to 1? Which rows are right, and where is their greatest element?",
	},
	After:     "exp(-Inf - m2) is 0 in the first step, which clears a sum that is empty anyway. This is the heart of flash attention, puzzle 16.",
	Kernel:    onlineSoftmax,
	Reference: softmaxReference,
	Cases: []learn.Case{
		on(exec.Grid{2}, whole(1, -2, 3, 2, 6), empty(2, 6), num(6), num(4)),
		on(exec.Grid{2}, whole(2, -220, -200, 2, 13), empty(2, 13), num(13), num(4)),
		on(exec.Grid{8}, random(3, 8, 1000), empty(8, 1000), num(1000), num(128)),
	},
}

func onlineSoftmax(p *tl.Program, x, out tl.Ptr, cols int, BLOCK tl.Const) {
	row, to, offs := x.Add(p.ID(0)*cols), out.Add(p.ID(0)*cols), tl.Arange(0, BLOCK)
	m, s := tl.Full(tl.Float32, math.Inf(-1)), tl.Full(tl.Float32, 0.0)
	for at := 0; at < cols; at += BLOCK {
		v := tl.Load(row.Add(at).Add(offs), tl.Mask(offs.Lt(cols-at)), tl.Other(math.Inf(-1)))
		m2 := tl.Maximum(m, tl.Max(v, tl.Axis(0)))
		s = s.Mul(tl.Exp(m.Sub(m2))).Add(tl.Sum(tl.Exp(v.Sub(m2)), tl.Axis(0)))
		m = m2
	}
	for at := 0; at < cols; at += BLOCK {
		v := tl.Load(row.Add(at).Add(offs), tl.Mask(offs.Lt(cols-at)), tl.Other(0))
		tl.Store(to.Add(at).Add(offs), tl.Exp(v.Sub(m)).Div(s), tl.Mask(offs.Lt(cols-at)))
	}
}
