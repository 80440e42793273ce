package lane

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
	notLt     = 0x05 // greater, equal or unordered
	ordered   = 0x07
	differs   = 0x0c // ordered and not equal
	above     = 0x0e // greater
)

// Compare is a comparison of lanes of type d.
func (g *Values) Compare(o op.Op, d dtype.DType, x, y Lanes) Lanes {
	switch {
	case d == dtype.Bool:
		return g.compareBools(o, x, y)
	case d.IsFloat():
		return g.compareFloat(table[o].floatCompare, d, x, y)
	case g.EVEX:
		return g.compareInt(o, d, x, y)
	}
	return g.compareIntAVX2(o, d, x, y)
}

// compareBools follows 0 < 1.
func (g *Values) compareBools(o op.Op, x, y Lanes) Lanes {
	not := func(x Lanes) Lanes { return g.PrimBool(op.Not, []Lanes{x}) }
	and := func(x, y Lanes) Lanes { return g.PrimBool(op.And, []Lanes{x, y}) }
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
		return not(g.PrimBool(op.Xor, []Lanes{x, y}))
	}
	return g.PrimBool(op.Xor, []Lanes{x, y})
}

func (g *Values) compareFloat(predicate int64, d dtype.DType, x, y Lanes) Lanes {
	o := bothOps{asm.VCMPPS, asm.VCMPPD}.of(d)
	return g.masks(d, []Lanes{x, y}, func(r lir.Arg, i int) {
		g.Def(o, r, g.V(g.Reg(x, i)), g.src(y, i), lir.Imm(predicate))
	})
}

// compareInt compares in one instruction, by the signedness that d's lanes have:
// narrow unsigned ones are small positive numbers.
func (g *Values) compareInt(o op.Op, d dtype.DType, x, y Lanes) Lanes {
	in := bothOps{asm.VPCMPD, asm.VPCMPQ}
	if d == dtype.Uint32 || d == dtype.Uint64 {
		in = bothOps{asm.VPCMPUD, asm.VPCMPUQ}
	}
	return g.masks(d, []Lanes{x, y}, func(r lir.Arg, i int) {
		g.Def(in.of(d), r, g.V(g.Reg(x, i)), g.src(y, i), lir.Imm(table[o].intCompare))
	})
}

// compareIntAVX2 has only greater-than and equal, signed: unsigned operands are moved
// by half their range, and the other predicates are these swapped and negated.
func (g *Values) compareIntAVX2(o op.Op, d dtype.DType, x, y Lanes) Lanes {
	if o != op.Eq && o != op.Ne && (d == dtype.Uint32 || d == dtype.Uint64) {
		bias := Lanes{D: d, Known: true, Bits: 1 << (d.Bits() - 1)}
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
	m := g.masks(d, []Lanes{x, y}, func(r lir.Arg, i int) { g.Def(in.of(d), r, g.V(g.Reg(x, i)), g.src(y, i)) })
	if negate {
		return g.PrimBool(op.Not, []Lanes{m})
	}
	return m
}

// masks makes a mask of one comparison per register of lanes of type d.
func (g *Values) masks(d dtype.DType, operands []Lanes, compare func(r lir.Arg, i int)) Lanes {
	z := Lanes{D: dtype.Bool}
	if g.EVEX {
		z.R[0] = g.NewReg(lir.Mask)
		compare(g.K(z.R[0]), 0)
		if !Wide(d) {
			return z
		}
		hi := z.R[0]
		if !same(operands...) {
			hi = g.NewReg(lir.Mask)
			compare(g.K(hi), 1)
		}
		r := g.NewReg(lir.Mask)
		g.Def(asm.KUNPCKBW, g.K(r), g.K(hi), g.K(z.R[0]))
		z.R[0] = r
		return z
	}
	lo := g.NewVec()
	compare(g.V(lo), 0)
	if !Wide(d) {
		z.R[0] = lo
		return z
	}
	hi := lo
	if !same(operands...) {
		hi = g.NewVec()
		compare(g.V(hi), 1)
	}
	z.R[0] = g.packHalves(lo, hi)
	return z
}

// packHalves is the low words of eight 64-bit lanes in two registers, as 32-bit
// lanes in order.
func (g *Vectors) packHalves(lo, hi lir.Reg) lir.Reg {
	t, r := g.NewVec(), g.NewVec()
	g.Def(asm.VSHUFPS, g.V(t), g.V(lo), g.V(hi), lir.Imm(0x88))
	g.Def(asm.VPERMQ, g.V(r), g.V(t), lir.Imm(0xd8))
	return r
}

// magnitude is floats of type d without their signs.
func (g *Vectors) magnitude(d dtype.DType, x Lanes) Lanes {
	bits := uint64(1)<<31 - 1
	if Wide(d) {
		bits = 1<<63 - 1
	}
	z := g.op2(g.logic(op.And, d), d, x, Lanes{D: d, Known: true, Bits: bits})
	z.Quiet = x.isQuiet()
	return z
}
