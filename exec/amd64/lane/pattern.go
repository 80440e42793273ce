package lane

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Elements as the bits that they are in memory, and as the numbers that they stand for.

// Bitcast reads the bits of narrow lanes as they are in memory.
func (g *Values) Bitcast(to dtype.DType, x Lanes) Lanes {
	from := x.D
	switch {
	case from == to:
		return x
	case x.Known:
		return Const(to, unlane(from, x.Bits))
	case !from.IsNarrow() && !to.IsNarrow():
		return g.Normalize(to, x.As(to))
	}
	return g.fromPattern(to, g.pattern(x))
}

// BitcastNaN is Bitcast with the language's meaning: all NaNs of a float are the same one. In math
// functions they may stay what they are.
func (g *Values) BitcastNaN(to dtype.DType, x Lanes) Lanes {
	switch from := x.D; {
	case x.Known:
		return Const(to, dtype.Bitcast(to, from, unlane(from, x.Bits)))
	case from.IsFloat() && to != from:
		f := from.Compute()
		nan := g.CompareFloat(Unordered, f, x.As(f), x.As(f))
		x = g.Blend(nan, Const(f, dtype.NaN(f)).As(from), x)
	}
	return g.Bitcast(to, x)
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
		return g.Op1(asm.VPSRLD, u, x.As(u), lir.Imm(16))
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
		return g.Op1(asm.VPSLLD, to, x, lir.Imm(16))
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

// ConvertConst is constant lanes, which hold a value as lanes do, converted to another type.
func ConvertConst(to dtype.DType, x Lanes) Lanes {
	from, bits := x.D, x.Bits
	switch {
	case from.IsNarrow():
		from = dtype.Float32
	case from.IsInt() && from.Bits() < 32 && from != dtype.Bool:
		bits &= 1<<from.Bits() - 1
	}
	return Const(to, dtype.Convert(to, from, bits, false))
}

// Normalize makes wide lanes values of the narrow type d again.
func (g *Values) Normalize(d dtype.DType, x Lanes) Lanes {
	x.D = d
	switch d {
	case dtype.Int8, dtype.Int16:
		n := lir.Imm(int64(32 - d.Bits()))
		t := g.Op1(asm.VPSLLD, d, x, n)
		return g.Op1(asm.VPSRAD, d, t, n)
	case dtype.Uint8, dtype.Uint16:
		return g.Op2(g.Logic(op.And, d), d, x, Const(dtype.Uint32, d.MaxInt())).As(d)
	case dtype.Float16:
		return ThroughHalf(g, d, x, 0)
	case dtype.BFloat16:
		return g.RoundBFloat16(x, false)
	case dtype.Float8E4NV, dtype.Float8E5:
		return g.fromFloat8(d, g.toFloat8(d, x))
	}
	return x
}

// ThroughHalf is float32 lanes rounded to float16, as the immediate of VCVTPS2PH says. A float8e5, which is a float16's
// first half, goes without the other one.
func ThroughHalf(g *Values, d dtype.DType, x Lanes, rounding int64) Lanes {
	r, half := g.NewVec(), g.VW(g.NewVec(), g.Bytes/2)
	g.Def(asm.VCVTPS2PH, half, g.V(g.Reg(x, 0)), lir.Imm(rounding))
	if d == dtype.Float8E5 {
		first := g.SplatConst(0xff00ff00ff00ff00, g.Bytes/2)
		g.RMW(g.Logic(op.And, dtype.Uint32), half, half, first)
	}
	g.Def(asm.VCVTPH2PS, g.V(r), half)
	return Lanes{D: d, R: [2]lir.Reg{r, r}, Quiet: true}
}

// RoundBFloat16 rounds float32 lanes to the 16 bits that bfloat16 keeps. Where their NaNs are short, quiet and with
// zeros in the bits that go, as arithmetic on bfloat16 makes them, rounding leaves them what they are.
func (g *Values) RoundBFloat16(x Lanes, short bool) Lanes {
	u := dtype.Uint32
	return g.Op2(g.Logic(op.And, u), u, halfUp(g, x, short), Const(u, 0xffff0000)).As(dtype.BFloat16).Quieted()
}

// halfUp is float32 lanes whose high 16 bits are rounded to nearest even: half an ulp, less one if the last bit kept is
// 0, is added; NaN becomes quiet. The low bits are not cleared.
func halfUp(g *Values, x Lanes, short bool) Lanes {
	u, f := dtype.Uint32, dtype.Float32
	var nan Lanes
	if !short {
		nan = g.CompareFloat(Unordered, f, x.As(f), x.As(f))
	}
	x = x.As(u)
	if !g.EVEX || x.Known {
		lsb := g.Op2(g.Logic(op.And, u), u, g.Op1(asm.VPSRLD, u, x, lir.Imm(16)), Const(u, 1))
		sum := g.Op2(asm.VPADDD, u, g.Op2(asm.VPADDD, u, x, lsb), Const(u, 0x7fff))
		if short {
			return sum
		}
		return g.Blend(nan, g.Op2(g.Logic(op.Or, u), u, x, Const(u, 0x00400000)), sum)
	}
	odd := g.NewMask()
	g.Def(asm.VPTESTMD, g.K(g.Reg(odd, 0)), g.V(g.Reg(x, 0)), g.Src(Const(u, 0x10000), 0))
	sum := g.Op2(asm.VPADDD, u, x, Const(u, 0x7fff))
	r := sum.R[0]
	g.RMW(asm.VPADDD, g.V(r), g.V(r), g.Src(Const(u, 1), 0)).Masked(g.Reg(odd, 0), false)
	if !short {
		g.RMW(asm.VPORD, g.V(r), g.V(g.Reg(x, 0)), g.Src(Const(u, 0x00400000), 0)).Masked(g.Reg(nan, 0), false)
	}
	return sum
}
