package amd64

import (
	"math"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A source gives the registers of syms: in the body they are computed once and kept,
// on entry afresh, because the body has not run.
type source func(x *affine.Sym) reg

// entryReg is a sym's register in the entry code.
func (g *gen) entryReg(x *affine.Sym) reg {
	if r, ok := g.entryRegs[x]; ok {
		return r
	}
	var r reg
	switch {
	case x.Kind == affine.Value && x.V.Op == ir.Param:
		r = g.intReg(x.V)
	case x.Kind == affine.Value && x.V.Op == op.ProgramID:
		r = g.loadInt(frameAt(offID + 8*x.V.Index))
	case x.Kind == affine.Value && x.V.Op == op.NumPrograms:
		r = g.loadInt(frameAt(offNum + 8*x.V.Index))
	case x.Kind == affine.Value: // a Fits
		r = g.entryReg(g.syms.Value(x.V.Args[0]))
	case x.Kind == affine.Const:
		r = g.newInt(x.N)
	case x.Kind == affine.Product && x.B.Kind == affine.Const && x.B.N == int64(int32(x.B.N)):
		r = g.newReg(gpr)
		g.def(asm.IMUL, g.r64(r), g.r64(g.entryReg(x.A)), imm(x.B.N))
	default:
		r = g.combine(x, g.entryReg(x.A), g.entryReg(x.B))
	}
	g.entryRegs[x] = r
	return r
}

// combine is a sum, product or extremum of registers.
func (g *gen) combine(x *affine.Sym, a, b reg) reg {
	r := g.copyInt(a)
	switch x.Kind {
	case affine.Sum:
		g.rmw(asm.ADD, g.r64(r), g.r64(b))
	case affine.Product:
		g.rmw(asm.IMUL, g.r64(r), g.r64(b))
	default:
		g.use(asm.CMP, g.r64(a), g.r64(b))
		cc := asm.CMOVL
		if x.Kind == affine.Min {
			cc = asm.CMOVG
		}
		g.rmw(cc, g.r64(r), g.r64(b))
	}
	return r
}

// extent is how many indices of each dimension are reached: all, or fewer where a
// register says so (which is at least 1).
type extent [ir.MaxRank]reg

// checkRange jumps to bad unless all elements of a form lie in lo ... hi over a shape.
// lo and hi are operands of comparisons. Sizes are bounded first, so that nothing
// here can wrap.
func (g *gen) checkRange(f *affine.Form, shape ir.Shape, reach *extent, lo, hi arg, bad int, from source) {
	start := from(f.Start)
	if !f.Start.Within(-affine.StartLimit, affine.StartLimit) {
		g.bounded(start, affine.StartLimit, bad)
	}
	low, high := g.copyInt(start), g.copyInt(start)
	for i, c := range f.Coef {
		if c == nil {
			continue
		}
		var last reg // the highest index reached
		if reach != nil && reach[i] != 0 {
			last = g.newReg(gpr)
			g.def(asm.LEA, g.r64(last), mem(reach[i], -1))
		}
		if c.Kind == affine.Const && last == 0 && math.Abs(float64(c.N)) < affine.CoefLimit {
			g.addConst(low, min(0, c.N*int64(shape.D[i]-1)))
			g.addConst(high, max(0, c.N*int64(shape.D[i]-1)))
			continue
		}
		g.spread(low, high, g.spanOf(c, last, int64(shape.D[i]-1), bad, from), c)
	}
	g.use(asm.CMP, g.r64(low), lo)
	g.jump(asm.JL, bad)
	g.use(asm.CMP, g.r64(high), hi)
	g.jump(asm.JG, bad)
}

// spanOf is a coefficient times the highest index, a register or a constant.
func (g *gen) spanOf(c *affine.Sym, last reg, most int64, bad int, from source) reg {
	if c.IsConst(1) && last != 0 {
		return last
	}
	if c.Kind == affine.Const && last != 0 && c.N == int64(int32(c.N)) {
		span := g.newReg(gpr)
		g.def(asm.IMUL, g.r64(span), g.r64(last), imm(c.N))
		return span
	}
	cr := from(c)
	if !c.Within(-affine.CoefLimit, affine.CoefLimit) {
		g.bounded(cr, affine.CoefLimit, bad)
	}
	span := g.newReg(gpr)
	if last == 0 {
		g.def(asm.IMUL, g.r64(span), g.r64(cr), imm(most))
		return span
	}
	g.move64(span, cr)
	g.rmw(asm.IMUL, g.r64(span), g.r64(last))
	return span
}

// spread adds a span to the low end if it is negative, to the high end otherwise.
func (g *gen) spread(low, high, span reg, c *affine.Sym) {
	switch {
	case c.Lo >= 0:
		g.rmw(asm.ADD, g.r64(high), g.r64(span))
	case c.Hi <= 0:
		g.rmw(asm.ADD, g.r64(low), g.r64(span))
	default:
		sign := g.copyInt(span)
		g.rmw(asm.SAR, g.r64(sign), imm(63))
		neg, pos := g.newReg(gpr), g.newReg(gpr)
		g.def(asm.ANDN, g.r64(pos), g.r64(sign), g.r64(span))
		g.move64(neg, span)
		g.rmw(asm.AND, g.r64(neg), g.r64(sign))
		g.rmw(asm.ADD, g.r64(low), g.r64(neg))
		g.rmw(asm.ADD, g.r64(high), g.r64(pos))
	}
}

func (g *gen) addConst(r reg, n int64) {
	switch {
	case n == 0:
	case n == int64(int32(n)):
		g.rmw(asm.ADD, g.r64(r), imm(n))
	default:
		g.rmw(asm.ADD, g.r64(r), g.r64(g.newInt(n)))
	}
}

// bounded jumps to bad unless -limit <= x < limit, for a power of two.
func (g *gen) bounded(x reg, limit int64, bad int) {
	t := g.copyInt(x)
	g.rmw(asm.SAR, g.r64(t), imm(int64(log2(limit))))
	g.rmw(asm.ADD, g.r64(t), imm(1))
	g.use(asm.CMP, g.r64(t), imm(1))
	g.jump(asm.JA, bad) // t+1 is 0 or 1 for what is in range
}

// rangeArg is a limit as an operand of a comparison.
func (g *gen) rangeArg(n int64) arg {
	if n == int64(int32(n)) {
		return imm(n)
	}
	return g.r64(g.newInt(n))
}

// require makes the instance check that the conditions hold without which its boxes
// are not what its masks say, and gives it to the portable engine if not: on entry if
// a condition is known then, else where it first is, as long as the instance has done
// nothing yet that must not be done twice. It reports whether all can be checked.
func (g *gen) require(conds []affine.Cond) bool {
	for _, c := range conds {
		key := c.Key()
		if g.required[key] {
			continue
		}
		if c.Entry() {
			g.required[key] = true
			g.into(g.entry, func() { g.checkCond(c, g.bail, g.entryReg) })
			continue
		}
		if g.effects {
			return false
		}
		depth := min(c.Depth(), len(g.scopes)-1)
		g.required[key] = true
		if g.cold != nil && depth == len(g.scopes)-1 { // to be checked again behind it
			g.cold.conds = append(g.cold.conds, key)
		}
		g.into(g.scopes[depth], func() { g.checkCond(c, g.bail, g.symReg) })
	}
	return true
}

// checkCond jumps to bad unless a condition holds.
func (g *gen) checkCond(c affine.Cond, bad int, from source) {
	if c.Below == nil {
		g.checkRange(c.Form, c.Shape, nil, g.rangeArg(c.Lo), g.rangeArg(c.Hi), bad, from)
		return
	}
	last := g.newReg(gpr)
	g.def(asm.LEA, g.r64(last), mem(from(c.Below), -1))
	g.checkRange(c.Form, c.Shape, nil, imm(0), g.r64(last), bad, from)
}
