package elementwise

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Integers of 64 bits and floats in AVX2, which has no instructions for them: a word of 32 bits is the end of the
// fraction of a float64 that is large enough.

// floatFromInt64 is 64-bit integers as float32 or float64: the sum, rounded once, of two numbers that are exact, one of
// which has the low words. The high ones begin at 0 when they lack their sign.
func (g *Casts) floatFromInt64(to dtype.DType, x lane.Lanes) lane.Lanes {
	w, d := dtype.Float64, x.D
	logic := func(o op.Op, x lane.Lanes, bits uint64) lane.Lanes {
		return g.Op2(g.Logic(o, d), d, x, lane.Const(d, bits))
	}
	least, sign := 0x1p84+0x1p52, uint64(0)
	if d.IsSigned() {
		least, sign = 0x1p84+0x1p63+0x1p52, 1<<31
	}
	low := logic(op.Or, logic(op.And, x, math.MaxUint32), math.Float64bits(0x1p52)).As(w)
	high := logic(op.Xor, g.Op1(asm.VPSRLQ, d, x, lir.Imm(32)), math.Float64bits(0x1p84)|sign).As(w)
	high = g.Op2(asm.VSUBPD, w, high, lane.Const(w, math.Float64bits(least)))
	if to == w {
		return g.Op2(asm.VADDPD, w, high, low).Quieted()
	}
	return g.castFloats(to, g.oddSum(high, low))
}

// int64FromFloat truncates and saturates floats, and makes NaN 0.
func (g *Casts) int64FromFloat(to dtype.DType, from lane.Lanes) lane.Lanes {
	w := dtype.Float64
	number := func(v float64) lane.Lanes { return lane.Const(w, math.Float64bits(v)) }
	given := g.Cast(w, from)
	x := g.Op2(asm.VMAXPD, w, given, number(float64(to.MinInt())))
	whole := g.roundTo(w, x, table[op.Trunc].round)
	high := g.roundTo(w, g.Op2(asm.VMULPD, w, whole, number(0x1p-32)), table[op.Floor].round)
	low := g.Op2(asm.VSUBPD, w, whole, g.Op2(asm.VMULPD, w, high, number(0x1p32)))
	high = g.Op2(asm.VADDPD, w, high, number(0x1.8p52))
	low = g.Op2(asm.VADDPD, w, low, number(0x1p52))
	low = g.Op2(g.Logic(op.Xor, to), to, low.As(to), lane.Const(to, math.Float64bits(0x1p52)))
	z := g.Op2(g.Logic(op.Or, to), to, g.Op1(asm.VPSLLQ, to, high, lir.Imm(32)), low)
	limit, most := number(float64(to.MaxInt())), lane.Const(to, to.MaxInt()) // the power of two just outside
	return lane.Each(to, []lane.Lanes{given}, func(i int) lir.Reg {
		top, isNumber, r := g.NewVec(), g.NewVec(), g.NewVec()
		g.Def(asm.VCMPPD, g.V(top), g.V(g.Reg(x, i)), g.Src(limit, i), lir.Imm(lane.NotLt))
		g.Def(asm.VBLENDVPD, g.V(r), g.V(g.Reg(z, i)), g.Src(most, i), g.V(top))
		g.Def(asm.VCMPPD, g.V(isNumber), g.V(g.Reg(given, i)), g.V(g.Reg(given, i)), lir.Imm(lane.Ordered))
		g.RMW(asm.VPAND, g.V(r), g.V(r), g.V(isNumber))
		return r
	})
}
