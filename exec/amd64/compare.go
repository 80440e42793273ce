package amd64

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Comparisons give masks.

// Predicates of VCMPPS and VCMPPD.
const (
	eq        = 0x00
	ne        = 0x04
	lt        = 0x11
	le        = 0x12
	ge        = 0x1d
	gt        = 0x1e
	unordered = 0x03
	notLe     = 0x16 // greater or unordered
)

var floatPredicates = map[op.Op]int64{op.Lt: lt, op.Le: le, op.Gt: gt, op.Ge: ge, op.Eq: eq, op.Ne: ne}

// Predicates of VPCMP.
var intPredicates = map[op.Op]int64{op.Eq: 0, op.Lt: 1, op.Le: 2, op.Ne: 4, op.Ge: 5, op.Gt: 6}

func (g *gen) compare(o op.Op, d dtype.DType, x, y lanes) lanes {
	switch {
	case d == dtype.Bool:
		return g.compareBools(o, x, y)
	case d.IsFloat():
		return g.compareFloat(floatPredicates[o], d, x, y)
	case g.EVEX:
		return g.compareInt(o, d, x, y)
	}
	return g.compareIntAVX2(o, d, x, y)
}

// compareBools follows 0 < 1.
func (g *gen) compareBools(o op.Op, x, y lanes) lanes {
	not := func(x lanes) lanes { return g.primBool(op.Not, []lanes{x}) }
	and := func(x, y lanes) lanes { return g.primBool(op.And, []lanes{x, y}) }
	switch o {
	case op.Lt:
		return and(not(x), y)
	case op.Gt:
		return and(x, not(y))
	case op.Le:
		return not(and(x, not(y)))
	case op.Ge:
		return not(and(not(x), y))
	case op.Eq:
		return not(g.primBool(op.Xor, []lanes{x, y}))
	}
	return g.primBool(op.Xor, []lanes{x, y})
}

func (g *gen) compareFloat(predicate int64, d dtype.DType, x, y lanes) lanes {
	o := bothOps{asm.VCMPPS, asm.VCMPPD}.of(d)
	return g.masks(d, []lanes{x, y}, func(r lir.Arg, i int) {
		g.Def(o, r, g.V(g.vr(x, i)), g.src(y, i), lir.Imm(predicate))
	})
}

// compareInt compares in one instruction, by the signedness that d's lanes have:
// narrow unsigned ones are small positive numbers.
func (g *gen) compareInt(o op.Op, d dtype.DType, x, y lanes) lanes {
	in := bothOps{asm.VPCMPD, asm.VPCMPQ}
	if d == dtype.Uint32 || d == dtype.Uint64 {
		in = bothOps{asm.VPCMPUD, asm.VPCMPUQ}
	}
	return g.masks(d, []lanes{x, y}, func(r lir.Arg, i int) {
		g.Def(in.of(d), r, g.V(g.vr(x, i)), g.src(y, i), lir.Imm(intPredicates[o]))
	})
}

// compareIntAVX2 has only greater-than and equal, signed: unsigned operands are moved
// by half their range, and the other predicates are these swapped and negated.
func (g *gen) compareIntAVX2(o op.Op, d dtype.DType, x, y lanes) lanes {
	if o != op.Eq && o != op.Ne && (d == dtype.Uint32 || d == dtype.Uint64) {
		bias := lanes{d: d, known: true, bits: 1 << (d.Bits() - 1)}
		x, y = g.op2(g.logic(op.Xor, d), d, x, bias), g.op2(g.logic(op.Xor, d), d, y, bias)
	}
	in := bothOps{asm.VPCMPGTD, asm.VPCMPGTQ}
	swap, negate := o == op.Lt || o == op.Ge, o == op.Le || o == op.Ge || o == op.Ne
	if o == op.Eq || o == op.Ne {
		in = bothOps{asm.VPCMPEQD, asm.VPCMPEQQ}
	}
	if swap {
		x, y = y, x
	}
	m := g.masks(d, []lanes{x, y}, func(r lir.Arg, i int) { g.Def(in.of(d), r, g.V(g.vr(x, i)), g.src(y, i)) })
	if negate {
		return g.primBool(op.Not, []lanes{m})
	}
	return m
}

// masks makes a mask of one comparison per register of lanes of type d.
func (g *gen) masks(d dtype.DType, operands []lanes, compare func(r lir.Arg, i int)) lanes {
	z := lanes{d: dtype.Bool}
	if g.EVEX {
		z.r[0] = g.NewReg(lir.Mask)
		compare(g.K(z.r[0]), 0)
		if !wide(d) {
			return z
		}
		hi := z.r[0]
		if !same(operands...) {
			hi = g.NewReg(lir.Mask)
			compare(g.K(hi), 1)
		}
		r := g.NewReg(lir.Mask)
		g.Def(asm.KUNPCKBW, g.K(r), g.K(hi), g.K(z.r[0]))
		z.r[0] = r
		return z
	}
	lo := g.NewVec()
	compare(g.V(lo), 0)
	if !wide(d) {
		z.r[0] = lo
		return z
	}
	hi := lo
	if !same(operands...) {
		hi = g.NewVec()
		compare(g.V(hi), 1)
	}
	z.r[0] = g.packHalves(lo, hi)
	return z
}

// packHalves is the low words of eight 64-bit lanes in two registers, as 32-bit
// lanes in order.
func (g *gen) packHalves(lo, hi lir.Reg) lir.Reg {
	t, r := g.NewVec(), g.NewVec()
	g.Def(asm.VSHUFPS, g.V(t), g.V(lo), g.V(hi), lir.Imm(0x88))
	g.Def(asm.VPERMQ, g.V(r), g.V(t), lir.Imm(0xd8))
	return r
}
