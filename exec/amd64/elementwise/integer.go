package elementwise

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// primInt is a primitive op on integer lanes.
func (g *Primitives) primInt(o op.Op, d dtype.DType, in []lane.Lanes) lane.Lanes {
	switch o {
	case op.Add, op.Sub:
		if in[0].Known && !in[1].Known && o == op.Add {
			in[0], in[1] = in[1], in[0]
		}
		return g.Normalize(d, g.Op2(table[o].int.of(d), d, in[0], in[1]))
	case op.And, op.Or, op.Xor:
		if in[0].Known && !in[1].Known {
			in[0], in[1] = in[1], in[0]
		}
		return g.Op2(g.Logic(o, d), d, in[0], in[1])
	case op.Mul:
		return g.Normalize(d, g.MulInt(d, in[0], in[1]))
	case op.Shl, op.Shr:
		return g.shift(o, d, in[0], in[1])
	case op.Neg:
		return g.Normalize(d, g.Op2(table[op.Sub].int.of(d), d, lane.Const(d, 0), in[0]))
	case op.Not:
		ones := lane.Lanes{D: d, Known: true, Bits: ^uint64(0)}
		if !lane.Wide(d) {
			ones.Bits = 0xffffffff
		}
		return g.Normalize(d, g.Op2(g.Logic(op.Xor, d), d, in[0], ones))
	case op.Abs:
		return g.absInt(d, in[0])
	case op.Maximum, op.MaximumNaN:
		return g.ExtremumInt(true, d, in[0], in[1])
	case op.Minimum, op.MinimumNaN:
		return g.ExtremumInt(false, d, in[0], in[1])
	case op.UMulHi:
		if lane.Wide(d) {
			return g.mulHighWide(d, in[0], in[1])
		}
		return g.mulHigh(d, in[0], in[1])
	case op.FloorDiv, op.Mod:
		if d.Bits() < 64 {
			return g.divideLanes(o, d, in[0], in[1])
		}
		if g.EVEX {
			return g.divideWide(o, d, in[0], in[1])
		}
		return g.divideWideAVX2(o, d, in[0], in[1])
	}
	return g.viaGo(lanesOp{o, d}, d, in...)
}

// MulInt is the low half of products.
func (g *Primitives) MulInt(d dtype.DType, x, y lane.Lanes) lane.Lanes {
	switch {
	case !lane.Wide(d):
		return g.Op2(asm.VPMULLD, d, x, y)
	case g.EVEX:
		return g.Op2(asm.VPMULLQ, d, x, y)
	}
	// Low words multiplied in full, plus the two mixed products moved up.
	n := lir.Imm(32)
	low := g.Op2(asm.VPMULUDQ, d, x, y)
	mixed := g.Op2(asm.VPADDQ, d,
		g.Op2(asm.VPMULUDQ, d, g.Op1(asm.VPSRLQ, d, x, n), y),
		g.Op2(asm.VPMULUDQ, d, x, g.Op1(asm.VPSRLQ, d, y, n)))
	return g.Op2(asm.VPADDQ, d, low, g.Op1(asm.VPSLLQ, d, mixed, n))
}

// mulHigh is the high half of unsigned 32-bit products: even and odd lanes apart.
func (g *Primitives) mulHigh(d dtype.DType, x, y lane.Lanes) lane.Lanes {
	up := func(x lane.Lanes) lir.Reg {
		r := g.NewVec()
		g.Def(asm.VPSRLQ, g.V(r), g.V(g.Reg(x, 0)), lir.Imm(32))
		return r
	}
	xr, yr := g.Reg(x, 0), g.Reg(y, 0)
	even, odd := g.NewVec(), g.NewVec()
	g.Def(asm.VPMULUDQ, g.V(even), g.V(xr), g.V(yr))
	g.Def(asm.VPMULUDQ, g.V(odd), g.V(up(x)), g.V(up(y)))
	hi := g.NewVec()
	g.Def(asm.VPSRLQ, g.V(hi), g.V(even), lir.Imm(32))
	if !g.EVEX {
		r := g.NewVec()
		g.Def(asm.VPBLENDD, g.V(r), g.V(hi), g.V(odd), lir.Imm(0xaa))
		return lane.Lanes{D: d, R: [2]lir.Reg{r, r}}
	}
	r, top := g.NewVec(), g.NewVec()
	mask := lane.Const(dtype.Uint64, 0xffffffff00000000)
	g.Def(asm.VPANDQ, g.V(top), g.V(odd), g.Src(mask, 0))
	g.Def(asm.VPORQ, g.V(r), g.V(hi), g.V(top))
	return lane.Lanes{D: d, R: [2]lir.Reg{r, r}}
}

// mulHighWide is the high half of unsigned 64-bit products: what products of their words are from bit 64 on, with what
// is carried there.
func (g *Primitives) mulHighWide(d dtype.DType, x, y lane.Lanes) lane.Lanes {
	mul := func(x, y lane.Lanes) lane.Lanes { return g.Op2(asm.VPMULUDQ, d, x, y) }
	add := func(x, y lane.Lanes) lane.Lanes { return g.Op2(asm.VPADDQ, d, x, y) }
	high := func(x lane.Lanes) lane.Lanes {
		if x.Known {
			return lane.Const(d, x.Bits>>32)
		}
		return g.Op1(asm.VPSRLQ, d, x, lir.Imm(32))
	}
	if x.Known {
		x, y = y, x
	}
	xh, yh := high(x), high(y)
	mid := add(mul(xh, y), high(mul(x, y)))
	if yh.Known && yh.Bits == 0 {
		return high(mid)
	}
	low := add(mul(x, yh), g.Op2(g.Logic(op.And, d), d, mid, lane.Const(d, math.MaxUint32)))
	return add(add(mul(xh, yh), high(mid)), high(low))
}

// shift shifts by lanes of counts; one of the width or more, or a negative one,
// shifts everything out, as the variable shift instructions do.
func (g *Primitives) shift(o op.Op, d dtype.DType, x, n lane.Lanes) lane.Lanes {
	in := bothOps{asm.VPSLLVD, asm.VPSLLVQ}
	switch {
	case o == op.Shr && d.IsSigned():
		in = bothOps{asm.VPSRAVD, asm.VPSRAVQ}
	case o == op.Shr:
		in = bothOps{asm.VPSRLVD, asm.VPSRLVQ}
	}
	if in.of(d) == asm.VPSRAVQ && !g.EVEX {
		// ~(~x >> n) for negative x: the sign is xored away and back.
		sign := g.Signs(x)
		t := g.Op2(asm.VPSRLVQ, d, g.Op2(g.Logic(op.Xor, d), d, x, sign), n)
		return g.Op2(g.Logic(op.Xor, d), d, t, sign)
	}
	z := g.Op2(in.of(d), d, x, n)
	if o == op.Shl {
		return g.Normalize(d, z)
	}
	return z
}

func (g *Primitives) absInt(d dtype.DType, x lane.Lanes) lane.Lanes {
	switch {
	case !d.IsSigned():
		return x
	case !lane.Wide(d):
		return g.Normalize(d, g.Op1(asm.VPABSD, d, x))
	case g.EVEX:
		return g.Op1(asm.VPABSQ, d, x)
	}
	minus := g.Op2(asm.VPSUBQ, d, lane.Const(d, 0), x)
	return g.Blend(g.Compare(op.Lt, d, x, lane.Const(d, 0)), minus, x)
}

// divideLanes divides integers of up to 32 bits as float64, whose rounded quotient
// truncates to the exact one. Zero divisors have been refused.
func (g *Primitives) divideLanes(o op.Op, d dtype.DType, x, y lane.Lanes) lane.Lanes {
	if n := powerOf2(d, y); n > 0 && d != dtype.Uint32 {
		return divideBy2(g.Values, o, d, x, n)
	}
	if c := constantDivisor(g, d, y); c > 0 {
		return divideByConstant(g, o, d, x, y, c)
	}
	if y.Known {
		return g.DivideBy(o, d, x, g.InverseOf(d, y))
	}
	f := dtype.Float64
	q := g.Op2(asm.VDIVPD, f, g.Cast(f, x), g.Cast(f, y))
	return g.ofQuotient(o, d, x, y, q)
}

// RestOf is the remainder beside a quotient.
func (g *Primitives) RestOf(d dtype.DType, x, y, q lane.Lanes) lane.Lanes {
	if n := powerOf2(d, y); n > 0 {
		return g.Normalize(d, g.Op2(asm.VPSUBD, d, x, g.Op1(asm.VPSLLD, d, q, lir.Imm(n))))
	}
	return g.Normalize(d, g.Op2(asm.VPSUBD, d, x, g.Op2(asm.VPMULLD, d, q, y)))
}

// DivideSmall looks up quotients or remainders of integers from -lanes to lanes-1, with AVX-512, by a constant above 1.
func (g *Primitives) DivideSmall(o op.Op, d dtype.DType, x, y lane.Lanes) lane.Lanes {
	by := int(dtype.ToInt(d, y.Bits))
	of := func(first int) lir.Reg {
		return lir.Words(g.Unit, func(i int) int {
			if o == op.Mod {
				return (first + i) % by
			}
			return (first + i) / by
		})
	}
	z := g.NewVec()
	g.MoveVec(z, g.Reg(x, 0))
	g.RMW(asm.VPERMI2D, g.V(z), g.V(of(0)), g.V(of(-g.Lanes)))
	return lane.Lanes{D: d, R: [2]lir.Reg{z, z}}
}

// powerOf2 is n where y is 2^n in all lanes, else 0.
func powerOf2(d dtype.DType, y lane.Lanes) int64 {
	if c := dtype.ToInt(d, y.Bits); y.Known && c > 1 && c&(c-1) == 0 {
		return int64(lir.Log2(c))
	}
	return 0
}

// divideBy2 divides signed lanes of 32 bits, or what fits them, by 2^n, of which negative ones are rounded up.
func divideBy2(g *lane.Values, o op.Op, d dtype.DType, x lane.Lanes, n int64) lane.Lanes {
	sign := g.Op1(asm.VPSRAD, d, x, lir.Imm(31))
	up := g.Op2(asm.VPADDD, d, x, g.Op1(asm.VPSRLD, d, sign, lir.Imm(32-n)))
	q := g.Op1(asm.VPSRAD, d, up, lir.Imm(n))
	if o == op.FloorDiv {
		return g.Normalize(d, q)
	}
	return g.Normalize(d, g.Op2(asm.VPSUBD, d, x, g.Op1(asm.VPSLLD, d, q, lir.Imm(n))))
}

// above1 makes an inverse too large by more than rounding makes it too small, and by less than what an inexact
// quotient of numbers of 32 bits falls short of the next whole one.
const above1 = 1 + 0x1p-40

// An Inverse is what DivideBy multiplies by, for a divisor that many blocks have.
type Inverse struct {
	y, z lane.Lanes // the divisor, and a float64
	wideInverse
}

// InverseOf is that of lanes which are all alike, of integers of type d; in AVX2 only if they have 64 bits.
func (g *Primitives) InverseOf(d dtype.DType, y lane.Lanes) Inverse {
	if lane.Wide(d) {
		return Inverse{wideInverse: g.wideInverseOf(d, y)}
	}
	f := dtype.Float64
	z := g.Cast(f, y)
	if z.Known {
		return Inverse{y: y, z: lane.Const(f, math.Float64bits(above1/math.Float64frombits(z.Bits)))}
	}
	return Inverse{y: y, z: g.Op2(asm.VDIVPD, f, lane.Const(f, math.Float64bits(above1)), z)}
}

// DivideBy divides integers by a number whose inverse is known.
func (g *Primitives) DivideBy(o op.Op, d dtype.DType, x lane.Lanes, by Inverse) lane.Lanes {
	if lane.Wide(d) {
		return g.divideWideBy(o, d, x, &by.wideInverse)
	}
	q := g.Op2(asm.VMULPD, dtype.Float64, g.Cast(dtype.Float64, x), by.z)
	return g.ofQuotient(o, d, x, by.y, q)
}

// ofQuotient is the quotient or the remainder, by a float64 that truncates to the quotient.
func (g *Primitives) ofQuotient(o op.Op, d dtype.DType, x, y, q lane.Lanes) lane.Lanes {
	n := g.truncToInt32(d, q)
	if o == op.FloorDiv {
		return g.Normalize(d, n)
	}
	return g.RestOf(d, x, y, n)
}
