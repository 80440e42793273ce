package nest

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
)

// Rows that are split: what a mask lets through of a row, other than the loop's own domain, is mostly an interval of
// it, such as all but a margin. Rounds that lie in the intervals of all masks have code of their own, without masks.
// Where one mask ends at the index at which another begins, as those of rows that are joined do, each side of it has.

// bodies is the code of a nest's rounds.
type bodies struct {
	full   *lir.Seq // of whole blocks
	bypass *lir.Seq // of these, with non-temporal stores, or where the nest's Whole holds
	parts  []part   // of these, where limits along the row hold
	single *lir.Seq // of a block that is left by rounds of two
	rest   *lir.Seq // of the last blocks
	row    *lir.Seq // of all of a row, or all that others leave, instead of full and rest
}

// A part is rounds that lie between limits.
type part struct {
	sure []affine.Atom
	body *lir.Seq
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

// never reports whether an atom holds nowhere that the code at hand computes lanes.
func (d *domain) never(a affine.Atom) bool {
	return slices.ContainsFunc(d.sure, func(b affine.Atom) bool { return affine.Opposite(a, b) })
}

// inParts is a loop over rounds that begin at or below last, count of them at most: those in the parts, and others.
func (n *Nest) inParts(b bodies, count int, last lir.Arg) {
	g, j := n.G, n.Index[n.Inner()]
	round := n.Unroll * g.Lanes
	var from []lir.Arg
	var ends []lir.Reg // rounds of a part begin at or below it
	for _, p := range b.parts {
		lo, hi := g.Syms.Interval(p.sure, n.Inner(), n.Shape.D[n.Inner()])
		to := g.NewReg(lir.GPR)
		g.Move(to, g.SymArg(hi))
		g.RMW(asm.SUB, g.R64(to), lir.Imm(int64(round)))
		most := g.InReg(last)
		g.Use(asm.CMP, g.R64(to), g.R64(most))
		g.RMW(asm.CMOVG, g.R64(to), g.R64(most))
		from, ends = append(from, g.SymArg(lo)), append(ends, to)
	}
	top, done, inside := g.NewLabel(), g.NewLabel(), 0
	l := g.BeginLoop()
	g.Bind(top)
	for i, p := range b.parts {
		behind := g.NewLabel()
		g.Use(asm.CMP, g.R64(j), from[i])
		g.Jump(asm.JL, behind)
		g.Use(asm.CMP, g.R64(j), g.R64(ends[i]))
		g.Jump(asm.JG, behind)
		n.repeat(p.body, round, count, g.R64(ends[i]))
		inside = max(inside, n.work)
		g.Use(asm.CMP, g.R64(j), last)
		g.Jump(asm.JG, done)
		g.Bind(behind)
	}
	g.Append(b.full)
	later := g.SpendRound(b.full.Work(lir.LaneLoop), count)
	g.RMW(asm.ADD, g.R64(j), lir.Imm(int64(round)))
	g.Use(asm.CMP, g.R64(j), last)
	g.Jump(asm.JLE, top)
	g.EndLoop(l)
	g.Bind(done)
	n.work = max(inside, later)
}
