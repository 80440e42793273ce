package nest

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
)

// Rows that are split: what a mask lets through of a row, other than the loop's own domain, is mostly an interval of
// it, such as all but a margin. Rounds that lie in the intervals of all masks have code of their own, without masks.

// bodies is the code of a nest's rounds.
type bodies struct {
	full   *lir.Seq // of whole blocks
	bypass *lir.Seq // of these, with non-temporal stores, or where the nest's Whole holds
	inner  *lir.Seq // of these, where all limits along the row hold
	rest   *lir.Seq // of the last blocks
}

// leastParts is how many rounds a row has that is split.
const leastParts = 3

// splits reports whether rounds are to have other code for where what was met holds.
func (n *Nest) splits() bool {
	return len(n.met) > 0 && !n.Late && n.start == nil && n.Shape.D[n.Inner()] >= leastParts*n.Unroll*n.G.Lanes
}

// meet notes that code looks at a limit along the inner dimension.
func (d *domain) meet(a affine.Atom) {
	if !affine.Has(d.met, a) {
		d.met = append(slices.Clip(d.met), a)
	}
}

// interval is the indices that all limits that were met let through.
func (n *Nest) interval() (lo, hi *affine.Sym) {
	y := n.G.Syms
	lo, hi = y.Constant(0), y.Constant(int64(n.Shape.D[n.Inner()]))
	for _, a := range n.met {
		if a.Hi != nil {
			hi = y.Min(hi, a.Hi)
		}
		if a.Lo != nil {
			lo = y.Max(lo, a.Lo)
		}
	}
	return lo, hi
}

// inParts is a loop over rounds that begin at or below last, count of them at most: those in the interval, and others.
func (n *Nest) inParts(b bodies, count int, last lir.Arg) {
	g, j := n.G, n.Index[n.Inner()]
	round := n.Unroll * g.Lanes
	lo, hi := n.interval()
	from, to := g.SymArg(lo), g.NewReg(lir.GPR)
	g.Move(to, g.SymArg(hi))
	g.RMW(asm.SUB, g.R64(to), lir.Imm(int64(round))) // rounds of the interval begin at or below it
	most := g.InReg(last)
	g.Use(asm.CMP, g.R64(to), g.R64(most))
	g.RMW(asm.CMOVG, g.R64(to), g.R64(most))
	top, outside, done := g.NewLabel(), g.NewLabel(), g.NewLabel()
	l := g.BeginLoop()
	g.Bind(top)
	g.Use(asm.CMP, g.R64(j), from)
	g.Jump(asm.JL, outside)
	g.Use(asm.CMP, g.R64(j), g.R64(to))
	g.Jump(asm.JG, outside)
	n.repeat(b.inner, round, count, g.R64(to))
	inside := n.work
	g.Use(asm.CMP, g.R64(j), last)
	g.Jump(asm.JG, done)
	g.Bind(outside)
	g.Append(b.full)
	later := g.SpendRound(b.full.Work(lir.LaneLoop), count)
	g.RMW(asm.ADD, g.R64(j), lir.Imm(int64(round)))
	g.Use(asm.CMP, g.R64(j), last)
	g.Jump(asm.JLE, top)
	g.EndLoop(l)
	g.Bind(done)
	n.work = max(inside, later)
}

// MergedRows in Axes is the first of dimensions that are one in the nest, whose inner loop runs over them.
const MergedRows = -2

// merged makes limits of merged rows limits of their elements.
func merged(n *values, atoms []affine.Atom, m affine.Axes) ([]affine.Atom, affine.Axes) {
	y, atoms, z := n.G.Syms, slices.Clone(atoms), m
	for i, a := range atoms {
		if m[a.Dim] != MergedRows {
			continue
		}
		rows := y.Constant(int64(n.Shape.D[n.Inner()] / n.Merged))
		for _, limit := range []**affine.Sym{&atoms[i].Lo, &atoms[i].Hi} {
			if *limit != nil {
				*limit = y.Mul(y.Max(y.Constant(0), y.Min(rows, *limit)), y.Constant(int64(n.Merged)))
			}
		}
		z[a.Dim] = int8(n.Inner())
	}
	return atoms, z
}
