package elementwise

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Cast is a conversion of values, with the meaning of dtype.Convert. It goes by how
// lanes are held: 32-bit integers, 64-bit integers, float32, float64, masks; narrow
// types are normalized afterwards.
func (g *Casts) Cast(to dtype.DType, x lane.Lanes) lane.Lanes {
	from := x.D
	switch {
	case to == from:
		return x
	case x.Known:
		return lane.ConvertConst(to, x)
	case from == dtype.Bool:
		return g.castBool(to, x)
	case to == dtype.Bool:
		return g.Compare(op.Ne, from, x, lane.Const(from, 0))
	case from.IsFloat() && to.IsFloat():
		return g.castFloats(to, x)
	case from.IsFloat():
		return g.castFloatToInt(to, x)
	case to.IsFloat():
		return g.castIntToFloat(to, x)
	}
	return g.castInts(to, x)
}

// castBool is 1 where the mask holds, else 0.
func (g *Casts) castBool(to dtype.DType, x lane.Lanes) lane.Lanes {
	return g.Blend(x, lane.Const(to, dtype.FromInt(to, 1, true)), lane.Const(to, 0))
}

func (g *Casts) castInts(to dtype.DType, x lane.Lanes) lane.Lanes {
	from := x.D
	switch {
	case lane.Wide(from) == lane.Wide(to):
		return g.Normalize(to, x)
	case lane.Wide(to):
		o := asm.VPMOVZXDQ
		if from.IsSigned() {
			o = asm.VPMOVSXDQ
		}
		return g.Widened(to, o, x)
	}
	return g.Normalize(to, g.Narrowed(to, x))
}

func (g *Casts) castFloats(to dtype.DType, x lane.Lanes) lane.Lanes {
	from64, to64 := lane.Wide(x.D), lane.Wide(to)
	switch {
	case !from64 && !to64:
		if to == dtype.Float32 {
			return x.As(to)
		}
		return g.Normalize(to, x)
	case to64:
		return g.Widened(to, asm.VCVTPS2PD, x).Quieted()
	case to == dtype.Float32:
		return g.Joined(to, func(i, half int) lir.Reg {
			r := g.NewVec()
			g.Def(asm.VCVTPD2PS, g.VW(r, half), g.V(g.Reg(x, i)))
			return r
		}).Quieted()
	}
	return g.Normalize(to, g.roundToOdd(x))
}

func (g *Casts) castIntToFloat(to dtype.DType, x lane.Lanes) lane.Lanes {
	from := x.D
	unsigned := from == dtype.Uint32 || from == dtype.Uint64
	switch {
	case lane.Wide(from) && to.IsNarrow():
		return g.narrowFromInt64(to, x)
	case lane.Wide(from) && !g.EVEX:
		return g.floatFromInt64(to, x)
	case unsigned && !g.EVEX:
		return g.Cast(to, g.fromUint32(x))
	case from.Bits() > 16 && to.IsNarrow() && to != dtype.Float16: // float32 on the way would round twice
		return g.Normalize(to, g.oddFloat32(x))
	case to == dtype.Float64 && lane.Wide(from):
		return g.Op1(pickOp(unsigned, asm.VCVTUQQ2PD, asm.VCVTQQ2PD), to, x)
	case to == dtype.Float64:
		return g.Widened(to, pickOp(unsigned, asm.VCVTUDQ2PD, asm.VCVTDQ2PD), x)
	case lane.Wide(from):
		o := pickOp(unsigned, asm.VCVTUQQ2PS, asm.VCVTQQ2PS)
		return g.Joined(to, func(i, half int) lir.Reg {
			r := g.NewVec()
			g.Def(o, g.VW(r, half), g.V(g.Reg(x, i)))
			return r
		})
	}
	// To float16 too: an int32 that float32 rounds is far beyond float16's range.
	return g.Normalize(to, g.Op1(pickOp(unsigned, asm.VCVTUDQ2PS, asm.VCVTDQ2PS), dtype.Float32, x))
}

// fromUint32 is uint32 lanes as float64, without the instruction that AVX-512 has.
func (g *Casts) fromUint32(x lane.Lanes) lane.Lanes {
	f, i := dtype.Float64, dtype.Int32
	x = g.Op2(g.Logic(op.Xor, i), i, x.As(i), lane.Const(i, 1<<31))
	return g.Op2(asm.VADDPD, f, g.Widened(f, asm.VCVTDQ2PD, x), lane.Const(f, math.Float64bits(1<<31)))
}

// toUint32 truncates float64 lanes that are in range.
func (g *Casts) toUint32(x lane.Lanes) lane.Lanes {
	f, i := dtype.Float64, dtype.Int32
	z := g.Op2(asm.VSUBPD, f, g.roundTo(f, x, table[op.Trunc].round), lane.Const(f, math.Float64bits(1<<31)))
	return g.Op2(g.Logic(op.Xor, i), i, g.truncToInt32(i, z), lane.Const(i, 1<<31)).As(dtype.Uint32)
}

func pickOp(first bool, a, b asm.Op) asm.Op {
	if first {
		return a
	}
	return b
}

// castFloatToInt truncates, saturates, and makes NaN 0. The conversion instructions
// give the least signed, or greatest unsigned, integer for what does not fit.
func (g *Casts) castFloatToInt(to dtype.DType, x lane.Lanes) lane.Lanes {
	d := x.D.Compute()
	x.D = d
	switch {
	case to.IsInt() && to.Bits() < 32:
		z := g.castFloatToInt(dtype.Int32, x)
		lo, hi := lane.Const(dtype.Int32, uint64(uint32(to.MinInt()))), lane.Const(dtype.Int32, to.MaxInt())
		return g.ExtremumInt(false, dtype.Int32, g.ExtremumInt(true, dtype.Int32, z, lo), hi).As(to)
	case !g.EVEX && lane.Wide(to):
		return g.int64FromFloat(to, x)
	case !g.EVEX && to == dtype.Uint32:
		f := dtype.Float64 // MAX and MIN give their second operand for NaN
		x = g.Op2(asm.VMAXPD, f, g.Cast(f, x), lane.Const(f, 0))
		return g.toUint32(g.Op2(asm.VMINPD, f, x, lane.Const(f, math.Float64bits(math.MaxUint32))))
	}
	if !to.IsSigned() { // negative and NaN become 0 first: MAX gives its second operand for NaN
		x = g.Op2(lane.ByWidth(d, asm.VMAXPS, asm.VMAXPD), d, x, lane.Const(d, 0))
		return g.convertToInt(to, x)
	}
	z := g.convertToInt(to, x)
	limit := math.Ldexp(1, to.Bits()-1)
	top := g.Compare(op.Ge, d, x, lane.Const(d, dtype.FromFloat(d, limit)))
	z = g.Blend(top, lane.Const(to, to.MaxInt()), z)
	number := g.CompareFloat(lane.Ordered, d, x, x)
	return g.Blend(number, z, lane.Const(to, 0))
}

func (g *Casts) convertToInt(to dtype.DType, x lane.Lanes) lane.Lanes {
	u := !to.IsSigned()
	switch from64 := lane.Wide(x.D); {
	case from64 && lane.Wide(to):
		return g.Op1(pickOp(u, asm.VCVTTPD2UQQ, asm.VCVTTPD2QQ), to, x)
	case from64:
		return g.Joined(to, func(i, half int) lir.Reg {
			r := g.NewVec()
			g.Def(pickOp(u, asm.VCVTTPD2UDQ, asm.VCVTTPD2DQ), g.VW(r, half), g.V(g.Reg(x, i)))
			return r
		})
	case lane.Wide(to):
		return g.Widened(to, pickOp(u, asm.VCVTTPS2UQQ, asm.VCVTTPS2QQ), x)
	}
	return g.Op1(pickOp(u, asm.VCVTTPS2UDQ, asm.VCVTTPS2DQ), to, x)
}

// LoadAs is a register of elements, widened to d.
func (g *Casts) LoadAs(d, from dtype.DType, at lir.Arg) lir.Reg {
	if from != d {
		return g.Cast(d, g.Load(from, at, nil)).R[0]
	}
	r := g.NewVec()
	g.Def(asm.VMOVUPS, g.V(r), at)
	return r
}

func (g *Casts) roundTo(d dtype.DType, x lane.Lanes, mode int64) lane.Lanes {
	if g.EVEX {
		return g.Op1(lane.ByWidth(d, asm.VRNDSCALEPS, asm.VRNDSCALEPD), d, x, lir.Imm(mode)).Quieted()
	}
	return g.Op1(lane.ByWidth(d, asm.VROUNDPS, asm.VROUNDPD), d, x, lir.Imm(mode))
}

// truncToInt32 converts float64 lanes that are in range, or -2^31's opposite, which
// wraps to itself.
func (g *Casts) truncToInt32(d dtype.DType, x lane.Lanes) lane.Lanes {
	o := asm.VCVTTPD2DQ
	if d == dtype.Uint32 {
		if !g.EVEX {
			return g.toUint32(x)
		}
		o = asm.VCVTTPD2UDQ
	}
	return g.Joined(d, func(i int, half int) lir.Reg {
		r := g.NewVec()
		g.Def(o, g.VW(r, half), g.V(g.Reg(x, i)))
		return r
	})
}
