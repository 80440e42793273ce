package amd64

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// cast is a conversion of values, with the meaning of dtype.Convert. It goes by how
// lanes are held: 32-bit integers, 64-bit integers, float32, float64, masks; narrow
// types are normalized afterwards.
func (g *gen) cast(to dtype.DType, x lanes) lanes {
	from := x.d
	switch {
	case to == from:
		return x
	case x.known:
		return g.castConst(to, x)
	case from == dtype.Bool:
		return g.castBool(to, x)
	case to == dtype.Bool:
		zero := lanes{d: from, known: true}
		if from.IsFloat() {
			return g.compareFloat(ne, from.Compute(), x, zero)
		}
		return g.compare(op.Ne, from, x, zero)
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
func (g *gen) castConst(to dtype.DType, x lanes) lanes {
	from, bits := x.d, x.bits
	switch {
	case from.IsNarrow():
		from = dtype.Float32
	case from.IsInt() && from.Bits() < 32 && from != dtype.Bool:
		bits &= 1<<from.Bits() - 1
	}
	return lanes{d: to, known: true, bits: laneBits(to, dtype.Convert(to, from, bits, false))}
}

// castBool is 1 where the mask holds, else 0.
func (g *gen) castBool(to dtype.DType, x lanes) lanes {
	one := lanes{d: to, known: true, bits: laneBits(to, dtype.FromInt(to, 1, true))}
	return g.blend(x, one, lanes{d: to, known: true})
}

func (g *gen) castInts(to dtype.DType, x lanes) lanes {
	from := x.d
	switch {
	case wide(from) == wide(to):
		return g.normalize(to, x)
	case wide(to):
		o := asm.VPMOVZXDQ
		if from.IsSigned() {
			o = asm.VPMOVSXDQ
		}
		return g.widened(to, o, x)
	}
	return g.normalize(to, g.narrowed(to, x))
}

// widened extends 32-bit lanes to two registers of 64-bit ones.
func (g *gen) widened(to dtype.DType, o asm.Op, x lanes) lanes {
	half := g.Bytes / 2
	src := g.vr(x, 0)
	z := lanes{d: to}
	z.r[0], z.r[1] = g.NewVec(), g.NewVec()
	g.Def(o, g.V(z.r[0]), g.VW(src, half))
	hi := g.NewVec()
	if g.EVEX {
		g.Def(asm.VEXTRACTI64X4, g.VW(hi, half), g.V(src), lir.Imm(1))
	} else {
		g.Def(asm.VEXTRACTI128, g.VW(hi, half), g.V(src), lir.Imm(1))
	}
	g.Def(o, g.V(z.r[1]), g.VW(hi, half))
	return z
}

// narrowed keeps the low words of 64-bit lanes.
func (g *gen) narrowed(to dtype.DType, x lanes) lanes {
	if !g.EVEX {
		r := g.packHalves(g.vr(x, 0), g.vr(x, 1))
		return lanes{d: to, r: [2]lir.Reg{r, r}}
	}
	return g.joined(to, func(i, half int) lir.Reg {
		r := g.NewVec()
		g.Def(asm.VPMOVQD, g.VW(r, half), g.V(g.vr(x, i)))
		return r
	})
}

func (g *gen) castFloats(to dtype.DType, x lanes) lanes {
	from64, to64 := wide(x.d), wide(to)
	switch {
	case !from64 && !to64:
		if to == dtype.Float32 {
			return x.as(to)
		}
		return g.normalize(to, x)
	case to64:
		return g.widened(to, asm.VCVTPS2PD, x).quieted()
	case to == dtype.Float32:
		return g.joined(to, func(i, half int) lir.Reg {
			r := g.NewVec()
			g.Def(asm.VCVTPD2PS, g.VW(r, half), g.V(g.vr(x, i)))
			return r
		}).quieted()
	}
	return g.normalize(to, g.roundToOdd(x))
}

func (g *gen) castIntToFloat(to dtype.DType, x lanes) lanes {
	from := x.d
	unsigned := from == dtype.Uint32 || from == dtype.Uint64
	switch {
	case wide(from) && (!g.EVEX || to != dtype.Float32 && to != dtype.Float64):
		return g.viaGo(lanesCast{to: to, from: from}, to, x)
	case unsigned && !g.EVEX:
		return g.cast(to, g.fromUint32(x))
	case from.Bits() > 16 && to.IsNarrow() && to != dtype.Float16: // float32 on the way would round twice
		return g.castFloats(to, g.castIntToFloat(dtype.Float64, x))
	case to == dtype.Float64 && wide(from):
		return g.op1(pickOp(unsigned, asm.VCVTUQQ2PD, asm.VCVTQQ2PD), to, x)
	case to == dtype.Float64:
		return g.widened(to, pickOp(unsigned, asm.VCVTUDQ2PD, asm.VCVTDQ2PD), x)
	case wide(from):
		o := pickOp(unsigned, asm.VCVTUQQ2PS, asm.VCVTQQ2PS)
		return g.joined(to, func(i, half int) lir.Reg {
			r := g.NewVec()
			g.Def(o, g.VW(r, half), g.V(g.vr(x, i)))
			return r
		})
	}
	// To float16 too: an int32 that float32 rounds is far beyond float16's range.
	return g.normalize(to, g.op1(pickOp(unsigned, asm.VCVTUDQ2PS, asm.VCVTDQ2PS), dtype.Float32, x))
}

// fromUint32 is uint32 lanes as float64, without the instruction that AVX-512 has.
func (g *gen) fromUint32(x lanes) lanes {
	f, i := dtype.Float64, dtype.Int32
	x = g.op2(g.logic(op.Xor, i), i, x.as(i), g.constLanes(i, 1<<31))
	return g.op2(asm.VADDPD, f, g.widened(f, asm.VCVTDQ2PD, x), g.constLanes(f, math.Float64bits(1<<31)))
}

// toUint32 truncates float64 lanes that are in range.
func (g *gen) toUint32(x lanes) lanes {
	f, i := dtype.Float64, dtype.Int32
	z := g.op2(asm.VSUBPD, f, g.roundTo(f, x, 11), g.constLanes(f, math.Float64bits(1<<31)))
	return g.op2(g.logic(op.Xor, i), i, g.truncToInt32(i, z), g.constLanes(i, 1<<31)).as(dtype.Uint32)
}

func pickOp(first bool, a, b asm.Op) asm.Op {
	if first {
		return a
	}
	return b
}

// castFloatToInt truncates, saturates, and makes NaN 0. The conversion instructions
// give the least signed, or greatest unsigned, integer for what does not fit.
func (g *gen) castFloatToInt(to dtype.DType, x lanes) lanes {
	d := x.d.Compute()
	x.d = d
	switch {
	case to.IsInt() && to.Bits() < 32:
		z := g.castFloatToInt(dtype.Int32, x)
		lo, hi := g.constLanes(dtype.Int32, uint64(uint32(to.MinInt()))), g.constLanes(dtype.Int32, to.MaxInt())
		return g.extremumInt(false, dtype.Int32, g.extremumInt(true, dtype.Int32, z, lo), hi).as(to)
	case !g.EVEX && wide(to):
		return g.viaGo(lanesCast{to: to, from: d}, to, x)
	case !g.EVEX && to == dtype.Uint32:
		f := dtype.Float64 // MAX and MIN give their second operand for NaN
		x = g.op2(asm.VMAXPD, f, g.cast(f, x), g.constLanes(f, 0))
		return g.toUint32(g.op2(asm.VMINPD, f, x, g.constLanes(f, math.Float64bits(math.MaxUint32))))
	}
	if !to.IsSigned() { // negative and NaN become 0 first: MAX gives its second operand for NaN
		x = g.op2(bothOps{asm.VMAXPS, asm.VMAXPD}.of(d), d, x, g.constLanes(d, 0))
		return g.convertToInt(to, x)
	}
	z := g.convertToInt(to, x)
	limit := math.Ldexp(1, to.Bits()-1)
	top := g.compareFloat(ge, d, x, lanes{d: d, known: true, bits: dtype.FromFloat(d, limit)})
	z = g.blend(top, lanes{d: to, known: true, bits: to.MaxInt()}, z)
	number := g.compareFloat(0x07, d, x, x) // ordered
	return g.blend(number, z, lanes{d: to, known: true})
}

func (g *gen) convertToInt(to dtype.DType, x lanes) lanes {
	u := !to.IsSigned()
	switch from64 := wide(x.d); {
	case from64 && wide(to):
		return g.op1(pickOp(u, asm.VCVTTPD2UQQ, asm.VCVTTPD2QQ), to, x)
	case from64:
		return g.joined(to, func(i, half int) lir.Reg {
			r := g.NewVec()
			g.Def(pickOp(u, asm.VCVTTPD2UDQ, asm.VCVTTPD2DQ), g.VW(r, half), g.V(g.vr(x, i)))
			return r
		})
	case wide(to):
		return g.widened(to, pickOp(u, asm.VCVTTPS2UQQ, asm.VCVTTPS2QQ), x)
	}
	return g.op1(pickOp(u, asm.VCVTTPS2UDQ, asm.VCVTTPS2DQ), to, x)
}

// bitcast reads the bits of narrow lanes as they are in memory.
func (g *gen) bitcast(to dtype.DType, x lanes) lanes {
	from := x.d
	switch {
	case from == to:
		return x
	case x.known:
		return lanes{d: to, known: true, bits: laneBits(to, unlane(from, x.bits))}
	case !from.IsNarrow() && !to.IsNarrow():
		return g.normalize(to, x.as(to))
	}
	return g.fromPattern(to, g.pattern(x))
}

// bitcastNaN is bitcast with the language's meaning: all NaNs of a float are the same one. In math
// functions they may stay what they are.
func (g *gen) bitcastNaN(to dtype.DType, x lanes) lanes {
	switch from := x.d; {
	case x.known:
		return lanes{d: to, known: true, bits: laneBits(to, dtype.Bitcast(to, from, unlane(from, x.bits)))}
	case from.IsFloat() && to != from:
		f := from.Compute()
		nan := g.compareFloat(unordered, f, x.as(f), x.as(f))
		x = g.blend(nan, g.constLanes(f, dtype.NaN(f)).as(from), x)
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
func (g *gen) pattern(x lanes) lanes {
	u := dtype.Uint32
	switch x.d {
	case dtype.BFloat16:
		return g.op1(asm.VPSRLD, u, x.as(u), lir.Imm(16))
	case dtype.Float16:
		half, r := g.NewVec(), g.NewVec()
		g.Def(asm.VCVTPS2PH, g.VW(half, g.Bytes/2), g.V(g.vr(x, 0)), lir.Imm(0))
		g.Def(asm.VPMOVZXWD, g.V(r), g.VW(half, g.Bytes/2))
		return lanes{d: u, r: [2]lir.Reg{r, r}}
	case dtype.Float8E4NV, dtype.Float8E5:
		return g.toFloat8(x.d, x)
	}
	return g.normalize(x.d.WithSign(false), x.as(x.d.WithSign(false))).as(u)
}

// fromPattern is 32-bit lanes of bit patterns as values of a narrow type.
func (g *gen) fromPattern(to dtype.DType, x lanes) lanes {
	switch to {
	case dtype.BFloat16:
		return g.op1(asm.VPSLLD, to, x, lir.Imm(16))
	case dtype.Float16:
		half, r := g.NewVec(), g.NewVec()
		if g.EVEX {
			g.Def(asm.VPMOVDW, g.VW(half, 32), g.V(g.vr(x, 0)))
		} else {
			g.packWords(half, g.vr(x, 0))
		}
		g.Def(asm.VCVTPH2PS, g.V(r), g.VW(half, g.Bytes/2))
		return lanes{d: to, r: [2]lir.Reg{r, r}, quiet: true}
	case dtype.Float8E4NV, dtype.Float8E5:
		return g.fromFloat8(to, x)
	}
	return g.normalize(to, x.as(to))
}

// packWords puts the low words of eight 32-bit lanes, unsigned and below 2^16, into a
// 128-bit register.
func (g *gen) packWords(dst, src lir.Reg) {
	t := g.NewVec()
	g.Def(asm.VPACKUSDW, g.V(t), g.V(src), g.V(src))
	u := g.NewVec()
	g.Def(asm.VPERMQ, g.V(u), g.V(t), lir.Imm(0x08))
	g.Def(asm.VMOVDQA, g.VW(dst, 16), g.VW(u, 16))
}
