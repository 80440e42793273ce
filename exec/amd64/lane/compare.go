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
	Equal     = 0x00
	ne        = 0x04
	lt        = 0x11
	le        = 0x12
	ge        = 0x1d
	gt        = 0x1e
	Unordered = 0x03
	NotLe     = 0x16 // greater or unordered
	NotLt     = 0x05 // greater, equal or unordered
	Ordered   = 0x07
	Alike     = 0x08 // equal or unordered
	Differs   = 0x0c // ordered and not equal
	Above     = 0x0e // greater
)

// Compare is a comparison of lanes of type d.
func (g *Values) Compare(o op.Op, d dtype.DType, x, y Lanes) Lanes {
	switch {
	case d == dtype.Bool:
		return g.compareBools(o, x, y)
	case d.IsFloat():
		return g.CompareFloat(table[o].floatCompare, d, x, y)
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

// CompareFloat compares floats by a predicate of VCMPPS.
func (g *Values) CompareFloat(predicate int64, d dtype.DType, x, y Lanes) Lanes {
	o := bothOps{asm.VCMPPS, asm.VCMPPD}.of(d)
	return g.masks(d, []Lanes{x, y}, func(r lir.Arg, i int) {
		g.Def(o, r, g.V(g.Reg(x, i)), g.Src(y, i), lir.Imm(predicate))
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
		g.Def(in.of(d), r, g.V(g.Reg(x, i)), g.Src(y, i), lir.Imm(table[o].intCompare))
	})
}

// compareIntAVX2 has only greater-than and equal, signed: unsigned operands are moved
// by half their range, and the other predicates are these swapped and negated. Of two that are not less or not greater,
// one is the extremum.
func (g *Values) compareIntAVX2(o op.Op, d dtype.DType, x, y Lanes) Lanes {
	if !Wide(d) && (o == op.Ge || o == op.Le) {
		return g.compareIntAVX2(op.Eq, d, g.ExtremumInt(o == op.Ge, d, x, y), x)
	}
	if o != op.Eq && o != op.Ne && (d == dtype.Uint32 || d == dtype.Uint64) {
		bias := Lanes{D: d, Known: true, Bits: 1 << (d.Bits() - 1)}
		x, y = g.Op2(g.Logic(op.Xor, d), d, x, bias), g.Op2(g.Logic(op.Xor, d), d, y, bias)
	}
	in := bothOps{asm.VPCMPGTD, asm.VPCMPGTQ}
	swap, negate := o == op.Lt || o == op.Ge, o == op.Le || o == op.Ge || o == op.Ne
	if o == op.Eq || o == op.Ne {
		in = bothOps{asm.VPCMPEQD, asm.VPCMPEQQ}
	}
	if swap {
		x, y = y, x
	}
	m := g.masks(d, []Lanes{x, y}, func(r lir.Arg, i int) { g.Def(in.of(d), r, g.V(g.Reg(x, i)), g.Src(y, i)) })
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

// ExtremumInt is the greater of two integers, or the lesser.
func (g *Values) ExtremumInt(isMax bool, d dtype.DType, x, y Lanes) Lanes {
	if Wide(d) && !g.EVEX {
		return g.extremumWideAVX2(isMax, d, x, y)
	}
	unsigned := d == dtype.Uint32 || d == dtype.Uint64
	in := bothOps{asm.VPMINSD, asm.VPMINSQ}
	switch {
	case isMax && unsigned:
		in = bothOps{asm.VPMAXUD, asm.VPMAXUQ}
	case isMax:
		in = bothOps{asm.VPMAXSD, asm.VPMAXSQ}
	case unsigned:
		in = bothOps{asm.VPMINUD, asm.VPMINUQ}
	}
	return g.Op2(in.of(d), d, x, y)
}

// extremumWideAVX2 chooses by a comparison of each register: a mask of all lanes is packed, and would be taken apart.
func (g *Values) extremumWideAVX2(isMax bool, d dtype.DType, x, y Lanes) Lanes {
	a, b := x, y
	if d == dtype.Uint64 {
		bias := Const(d, 1<<63)
		a, b = g.Op2(asm.VPXOR, d, x, bias), g.Op2(asm.VPXOR, d, y, bias)
	}
	if isMax {
		a, b = b, a
	}
	return Each(d, []Lanes{x, y}, func(i int) lir.Reg {
		more, r := g.NewVec(), g.NewVec()
		g.Def(asm.VPCMPGTQ, g.V(more), g.V(g.Reg(a, i)), g.Src(b, i))
		g.Def(asm.VBLENDVPD, g.V(r), g.V(g.Reg(x, i)), g.Src(y, i), g.V(more))
		return r
	})
}
