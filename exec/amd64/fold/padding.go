package fold

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/nest"
	"github.com/tiler-go/tiler/exec/amd64/reduce"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// existing is the mask of the block's lanes below size, nil if all are.
func existing(n *nest.Nest, size int) *lane.Lanes {
	g := n.G
	if size%(n.Unroll*g.Lanes) == 0 {
		return nil
	}
	z := g.Compare(op.Lt, dtype.Int32, n.IndexLanes(n.Inner(), n.Body()), lane.Const(dtype.Int32, uint64(size)))
	return &z
}

// reductionDomain is what a reduction's loops can be restricted to: boxes that begin
// at 0, because the partial of an element is its index's.
func reductionDomain(n *nest.Nest, r *reduce.Reduction, m affine.Axes) (atoms []affine.Atom) {
	atoms, _ = n.CommonLimits(r.V.Args, m)
	var z []affine.Atom
	for _, a := range atoms {
		if a.Hi != nil {
			z = append(z, a)
		}
	}
	return z
}

// padding combines the blocks behind the domain, all of them padding.
func padding(n *nest.Nest, r *reduce.Reduction, accs []*reduce.Accumulator, pads []lane.Lanes, size int) {
	g := n.G
	round := n.Unroll * g.Lanes
	whole := size / round * round
	end, top, rest := g.NewLabel(), g.NewLabel(), g.NewLabel()
	// next is where the domain ends in this row, rounded up to whole rounds.
	_, hi := n.Bounds(n.Inner())
	bound, next := g.NewReg(lir.GPR), g.NewReg(lir.GPR)
	g.Move(bound, n.RowEnd(hi))
	zero := g.NewInt(0)
	g.Use(asm.CMP, g.R64(bound), lir.Imm(0))
	g.RMW(asm.CMOVL, g.R64(bound), g.R64(zero))
	g.Def(asm.LEA, g.R64(next), lir.Mem(bound, round-1))
	g.RMW(asm.AND, g.R64(next), lir.Imm(int64(-round)))
	limit := g.NewInt(int64(whole))
	if r.Once {
		limitTo(g.Builder, next, limit, round)
	} else if r.Adds() {
		onceIfZero(g.Builder, pads[0], next, limit, round)
	}
	g.Use(asm.CMP, g.R64(next), g.R64(limit))
	g.Jump(asm.JGE, rest)
	take := func() {
		for i, a := range accs {
			r.Take(a, padsAt(g, r, pads, g.R64(next), i), nil)
		}
	}
	start, out, settles := next, g.NewLabel(), !r.Once && !r.Adds()
	if settles {
		start = g.CopyInt(next)
	}
	l := g.BeginLoop()
	g.Bind(top)
	before := g.Here()
	if settles {
		untilSame(g, r, accs, take, func() { g.Use(asm.CMP, g.R64(next), g.R64(start)) }, out)
	} else {
		take()
	}
	later := g.SpendRound(g.WorkSince(before), whole/round)
	g.RMW(asm.ADD, g.R64(next), lir.Imm(int64(round)))
	g.Use(asm.CMP, g.R64(next), g.R64(limit))
	g.Jump(asm.JL, top)
	g.EndLoop(l)
	if start != next {
		g.Bind(out)
	}
	g.Spent(later)
	g.Bind(rest)
	if left := size - whole; left > 0 {
		g.Use(asm.CMP, g.R64(bound), lir.Imm(int64(whole)))
		g.Jump(asm.JG, end)
		for i, a := range accs {
			if c := left - i*g.Lanes; c > 0 {
				mask := lane.FirstLanes(g.Vectors, c)
				r.Take(a, padsAt(g, r, pads, lir.Imm(int64(whole)), i), &mask)
			}
		}
	}
	g.Bind(end)
}

// untilSame takes padding, and jumps to a label if that changes nothing: nor will more of it. The first round, as the
// flags say, may be the first of all.
func untilSame(g *nest.Nests, r *reduce.Reduction, accs []*reduce.Accumulator, take, isFirst func(), label int) {
	changed, again := r.Changed(accs, take), g.NewLabel()
	isFirst()
	g.Jump(asm.JE, again)
	g.SkipUnlessAny(changed, label)
	g.Bind(again)
}

// padsAt is a block of padding: number i of a round that begins at an index.
func padsAt(g *nest.Nests, r *reduce.Reduction, pads []lane.Lanes, at lir.Arg, i int) []lane.Lanes {
	pads = slices.Clone(pads)
	if r.Index {
		pads = append(pads, g.Prim(op.Add, dtype.Int32, g.SplatInt(dtype.Int32, g.InReg(at)), g.Iota(i*g.Lanes)))
	}
	return pads
}

// limitTo lowers limit so that at most one round follows next.
func limitTo(g *elementwise.Builder, next, limit lir.Reg, round int) {
	t := g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(t), lir.Mem(next, round))
	g.Use(asm.CMP, g.R64(t), g.R64(limit))
	g.RMW(asm.CMOVL, g.R64(limit), g.R64(t))
}

// onceIfZero does so if the padding is a zero, of either sign.
func onceIfZero(g *elementwise.Builder, pad lane.Lanes, next, limit lir.Reg, round int) {
	if pad.Known && pad.D.Size() >= 4 {
		if isFloat := pad.D.IsFloat(); isFloat && dtype.ToFloat(pad.D, pad.Bits) == 0 || !isFloat && pad.Bits == 0 {
			limitTo(g, next, limit, round)
		}
		return
	}
	skip := g.NewLabel()
	bits := g.FirstInt(pad.RawInt())
	if pad.D.IsFloat() {
		if lane.Wide(pad.D) {
			g.RMW(asm.ADD, g.R64(bits), g.R64(bits))
		} else {
			g.RMW(asm.ADD, g.R32(bits), g.R32(bits))
		}
	}
	g.Use(asm.TEST, g.R64(bits), g.R64(bits))
	g.Jump(asm.JNE, skip)
	limitTo(g, next, limit, round)
	g.Bind(skip)
}
