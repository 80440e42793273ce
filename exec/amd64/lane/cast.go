package lane

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Cast is a conversion of values, with the meaning of dtype.Convert. It goes by how
// lanes are held: 32-bit integers, 64-bit integers, float32, float64, masks; narrow
// types are normalized afterwards.
func (g *Casts) Cast(to dtype.DType, x Lanes) Lanes {
	from := x.D
	switch {
	case to == from:
		return x
	case x.Known:
		return castConst(to, x)
	case from == dtype.Bool:
		return g.castBool(to, x)
	case to == dtype.Bool:
		zero := Lanes{D: from, Known: true}
		if from.IsFloat() {
			return g.compareFloat(ne, from.Compute(), x, zero)
		}
		return g.Compare(op.Ne, from, x, zero)
	case from.IsFloat() && to.IsFloat():
		return g.castFloats(to, x)
	case from.IsFloat():
		return g.castFloatToInt(to, x)
	case to.IsFloat():
		return g.castIntToFloat(to, x)
	}
	return g.castInts(to, x)
}

// castConst folds; a constant is held as a lane holds it.
func castConst(to dtype.DType, x Lanes) Lanes {
	from, bits := x.D, x.Bits
	switch {
	case from.IsNarrow():
		from = dtype.Float32
	case from.IsInt() && from.Bits() < 32 && from != dtype.Bool:
		bits &= 1<<from.Bits() - 1
	}
	return Lanes{D: to, Known: true, Bits: laneBits(to, dtype.Convert(to, from, bits, false))}
}

// castBool is 1 where the mask holds, else 0.
func (g *Casts) castBool(to dtype.DType, x Lanes) Lanes {
	one := Lanes{D: to, Known: true, Bits: laneBits(to, dtype.FromInt(to, 1, true))}
	return g.Blend(x, one, Lanes{D: to, Known: true})
}

func (g *Casts) castInts(to dtype.DType, x Lanes) Lanes {
	from := x.D
	switch {
	case Wide(from) == Wide(to):
		return g.Normalize(to, x)
	case Wide(to):
		o := asm.VPMOVZXDQ
		if from.IsSigned() {
			o = asm.VPMOVSXDQ
		}
		return g.widened(to, o, x)
	}
	return g.Normalize(to, g.narrowed(to, x))
}

// widened extends 32-bit lanes to two registers of 64-bit ones.
func (g *Vectors) widened(to dtype.DType, o asm.Op, x Lanes) Lanes {
	half := g.Bytes / 2
	src := g.Reg(x, 0)
	z := Lanes{D: to}
	z.R[0], z.R[1] = g.NewVec(), g.NewVec()
	g.Def(o, g.V(z.R[0]), g.VW(src, half))
	hi := g.NewVec()
	if g.EVEX {
		g.Def(asm.VEXTRACTI64X4, g.VW(hi, half), g.V(src), lir.Imm(1))
	} else {
		g.Def(asm.VEXTRACTI128, g.VW(hi, half), g.V(src), lir.Imm(1))
	}
	g.Def(o, g.V(z.R[1]), g.VW(hi, half))
	return z
}

// narrowed keeps the low words of 64-bit lanes.
func (g *Vectors) narrowed(to dtype.DType, x Lanes) Lanes {
	if !g.EVEX {
		r := g.packHalves(g.Reg(x, 0), g.Reg(x, 1))
		return Lanes{D: to, R: [2]lir.Reg{r, r}}
	}
	return g.joined(to, func(i, half int) lir.Reg {
		r := g.NewVec()
		g.Def(asm.VPMOVQD, g.VW(r, half), g.V(g.Reg(x, i)))
		return r
	})
}

func (g *Casts) castFloats(to dtype.DType, x Lanes) Lanes {
	from64, to64 := Wide(x.D), Wide(to)
	switch {
	case !from64 && !to64:
		if to == dtype.Float32 {
			return x.As(to)
		}
		return g.Normalize(to, x)
	case to64:
		return g.widened(to, asm.VCVTPS2PD, x).quieted()
	case to == dtype.Float32:
		return g.joined(to, func(i, half int) lir.Reg {
			r := g.NewVec()
			g.Def(asm.VCVTPD2PS, g.VW(r, half), g.V(g.Reg(x, i)))
			return r
		}).quieted()
	}
	return g.Normalize(to, g.roundToOdd(x))
}

func (g *Casts) castIntToFloat(to dtype.DType, x Lanes) Lanes {
	from := x.D
	unsigned := from == dtype.Uint32 || from == dtype.Uint64
	switch {
	case Wide(from) && (!g.EVEX || to != dtype.Float32 && to != dtype.Float64):
		return g.viaGo(lanesCast{to: to, from: from}, to, x)
	case unsigned && !g.EVEX:
		return g.Cast(to, g.fromUint32(x))
	case from.Bits() > 16 && to.IsNarrow() && to != dtype.Float16: // float32 on the way would round twice
		return g.castFloats(to, g.castIntToFloat(dtype.Float64, x))
	case to == dtype.Float64 && Wide(from):
		return g.op1(pickOp(unsigned, asm.VCVTUQQ2PD, asm.VCVTQQ2PD), to, x)
	case to == dtype.Float64:
		return g.widened(to, pickOp(unsigned, asm.VCVTUDQ2PD, asm.VCVTDQ2PD), x)
	case Wide(from):
		o := pickOp(unsigned, asm.VCVTUQQ2PS, asm.VCVTQQ2PS)
		return g.joined(to, func(i, half int) lir.Reg {
			r := g.NewVec()
			g.Def(o, g.VW(r, half), g.V(g.Reg(x, i)))
			return r
		})
	}
	// To float16 too: an int32 that float32 rounds is far beyond float16's range.
	return g.Normalize(to, g.op1(pickOp(unsigned, asm.VCVTUDQ2PS, asm.VCVTDQ2PS), dtype.Float32, x))
}

// fromUint32 is uint32 lanes as float64, without the instruction that AVX-512 has.
func (g *Casts) fromUint32(x Lanes) Lanes {
	f, i := dtype.Float64, dtype.Int32
	x = g.op2(g.logic(op.Xor, i), i, x.As(i), Const(i, 1<<31))
	return g.op2(asm.VADDPD, f, g.widened(f, asm.VCVTDQ2PD, x), Const(f, math.Float64bits(1<<31)))
}

// toUint32 truncates float64 lanes that are in range.
func (g *Casts) toUint32(x Lanes) Lanes {
	f, i := dtype.Float64, dtype.Int32
	z := g.op2(asm.VSUBPD, f, g.roundTo(f, x, table[op.Trunc].round), Const(f, math.Float64bits(1<<31)))
	return g.op2(g.logic(op.Xor, i), i, g.truncToInt32(i, z), Const(i, 1<<31)).As(dtype.Uint32)
}

func pickOp(first bool, a, b asm.Op) asm.Op {
	if first {
		return a
	}
	return b
}

// castFloatToInt truncates, saturates, and makes NaN 0. The conversion instructions
// give the least signed, or greatest unsigned, integer for what does not fit.
func (g *Casts) castFloatToInt(to dtype.DType, x Lanes) Lanes {
	d := x.D.Compute()
	x.D = d
	switch {
	case to.IsInt() && to.Bits() < 32:
		z := g.castFloatToInt(dtype.Int32, x)
		lo, hi := Const(dtype.Int32, uint64(uint32(to.MinInt()))), Const(dtype.Int32, to.MaxInt())
		return g.extremumInt(false, dtype.Int32, g.extremumInt(true, dtype.Int32, z, lo), hi).As(to)
	case !g.EVEX && Wide(to):
		return g.viaGo(lanesCast{to: to, from: d}, to, x)
	case !g.EVEX && to == dtype.Uint32:
		f := dtype.Float64 // MAX and MIN give their second operand for NaN
		x = g.op2(asm.VMAXPD, f, g.Cast(f, x), Const(f, 0))
		return g.toUint32(g.op2(asm.VMINPD, f, x, Const(f, math.Float64bits(math.MaxUint32))))
	}
	if !to.IsSigned() { // negative and NaN become 0 first: MAX gives its second operand for NaN
		x = g.op2(bothOps{asm.VMAXPS, asm.VMAXPD}.of(d), d, x, Const(d, 0))
		return g.convertToInt(to, x)
	}
	z := g.convertToInt(to, x)
	limit := math.Ldexp(1, to.Bits()-1)
	top := g.compareFloat(ge, d, x, Lanes{D: d, Known: true, Bits: dtype.FromFloat(d, limit)})
	z = g.Blend(top, Lanes{D: to, Known: true, Bits: to.MaxInt()}, z)
	number := g.compareFloat(ordered, d, x, x)
	return g.Blend(number, z, Lanes{D: to, Known: true})
}

func (g *Casts) convertToInt(to dtype.DType, x Lanes) Lanes {
	u := !to.IsSigned()
	switch from64 := Wide(x.D); {
	case from64 && Wide(to):
		return g.op1(pickOp(u, asm.VCVTTPD2UQQ, asm.VCVTTPD2QQ), to, x)
	case from64:
		return g.joined(to, func(i, half int) lir.Reg {
			r := g.NewVec()
			g.Def(pickOp(u, asm.VCVTTPD2UDQ, asm.VCVTTPD2DQ), g.VW(r, half), g.V(g.Reg(x, i)))
			return r
		})
	case Wide(to):
		return g.widened(to, pickOp(u, asm.VCVTTPS2UQQ, asm.VCVTTPS2QQ), x)
	}
	return g.op1(pickOp(u, asm.VCVTTPS2UDQ, asm.VCVTTPS2DQ), to, x)
}

// bitcast reads the bits of narrow lanes as they are in memory.
func (g *Values) bitcast(to dtype.DType, x Lanes) Lanes {
	from := x.D
	switch {
	case from == to:
		return x
	case x.Known:
		return Lanes{D: to, Known: true, Bits: laneBits(to, unlane(from, x.Bits))}
	case !from.IsNarrow() && !to.IsNarrow():
		return g.Normalize(to, x.As(to))
	}
	return g.fromPattern(to, g.pattern(x))
}

// BitcastNaN is bitcast with the language's meaning: all NaNs of a float are the same one. In math
// functions they may stay what they are.
func (g *Values) BitcastNaN(to dtype.DType, x Lanes) Lanes {
	switch from := x.D; {
	case x.Known:
		return Lanes{D: to, Known: true, Bits: laneBits(to, dtype.Bitcast(to, from, unlane(from, x.Bits)))}
	case from.IsFloat() && to != from:
		f := from.Compute()
		nan := g.compareFloat(unordered, f, x.As(f), x.As(f))
		x = g.Blend(nan, Const(f, dtype.NaN(f)).As(from), x)
	}
	return g.bitcast(to, x)
}

// unlane is the element's bit pattern, given how a lane holds it.
func unlane(d dtype.DType, bits uint64) uint64 {
	switch {
	case d.IsNarrow():
		return dtype.FromFloat(d, float64(math.Float32frombits(uint32(bits))))
	case d.Bits() < 64:
		return bits & (1<<d.Bits() - 1)
	}
	return bits
}

// pattern is narrow float lanes as their bit patterns in 32-bit lanes.
func (g *Values) pattern(x Lanes) Lanes {
	u := dtype.Uint32
	switch x.D {
	case dtype.BFloat16:
		return g.op1(asm.VPSRLD, u, x.As(u), lir.Imm(16))
	case dtype.Float16:
		half, r := g.NewVec(), g.NewVec()
		g.Def(asm.VCVTPS2PH, g.VW(half, g.Bytes/2), g.V(g.Reg(x, 0)), lir.Imm(0))
		g.Def(asm.VPMOVZXWD, g.V(r), g.VW(half, g.Bytes/2))
		return Lanes{D: u, R: [2]lir.Reg{r, r}}
	case dtype.Float8E4NV, dtype.Float8E5:
		return g.toFloat8(x.D, x)
	}
	return g.Normalize(x.D.WithSign(false), x.As(x.D.WithSign(false))).As(u)
}

// fromPattern is 32-bit lanes of bit patterns as values of a narrow type.
func (g *Values) fromPattern(to dtype.DType, x Lanes) Lanes {
	switch to {
	case dtype.BFloat16:
		return g.op1(asm.VPSLLD, to, x, lir.Imm(16))
	case dtype.Float16:
		half, r := g.NewVec(), g.NewVec()
		if g.EVEX {
			g.Def(asm.VPMOVDW, g.VW(half, 32), g.V(g.Reg(x, 0)))
		} else {
			g.packWords(half, g.Reg(x, 0))
		}
		g.Def(asm.VCVTPH2PS, g.V(r), g.VW(half, g.Bytes/2))
		return Lanes{D: to, R: [2]lir.Reg{r, r}, Quiet: true}
	case dtype.Float8E4NV, dtype.Float8E5:
		return g.fromFloat8(to, x)
	}
	return g.Normalize(to, x.As(to))
}

// packWords puts the low words of eight 32-bit lanes, unsigned and below 2^16, into a
// 128-bit register.
func (g *Vectors) packWords(dst, src lir.Reg) {
	t := g.NewVec()
	g.Def(asm.VPACKUSDW, g.V(t), g.V(src), g.V(src))
	u := g.NewVec()
	g.Def(asm.VPERMQ, g.V(u), g.V(t), lir.Imm(0x08))
	g.Def(asm.VMOVDQA, g.VW(dst, 16), g.VW(u, 16))
}
