package amd64

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// primInt is a primitive op on integer lanes.
func (g *gen) primInt(o op.Op, d dtype.DType, in []lanes) lanes {
	switch o {
	case op.Add, op.Sub:
		if in[0].known && !in[1].known && o == op.Add {
			in[0], in[1] = in[1], in[0]
		}
		return g.normalize(d, g.op2(intOps[o].of(d), d, in[0], in[1]))
	case op.And, op.Or, op.Xor:
		if in[0].known && !in[1].known {
			in[0], in[1] = in[1], in[0]
		}
		return g.op2(g.logic(o, d), d, in[0], in[1])
	case op.Mul:
		return g.normalize(d, g.mulInt(d, in[0], in[1]))
	case op.Shl, op.Shr:
		return g.shift(o, d, in[0], in[1])
	case op.Neg:
		return g.normalize(d, g.op2(intOps[op.Sub].of(d), d, g.constLanes(d, 0), in[0]))
	case op.Not:
		ones := lanes{d: d, known: true, bits: ^uint64(0)}
		if !wide(d) {
			ones.bits = 0xffffffff
		}
		return g.normalize(d, g.op2(g.logic(op.Xor, d), d, in[0], ones))
	case op.Abs:
		return g.absInt(d, in[0])
	case op.Maximum, op.MaximumNaN:
		return g.extremumInt(true, d, in[0], in[1])
	case op.Minimum, op.MinimumNaN:
		return g.extremumInt(false, d, in[0], in[1])
	case op.UMulHi:
		if !wide(d) {
			return g.mulHigh(d, in[0], in[1])
		}
	case op.FloorDiv, op.Mod:
		if d.Bits() < 64 {
			return g.divideLanes(o, d, in[0], in[1])
		}
		if g.EVEX {
			return g.divideWide(o, d, in[0], in[1])
		}
	}
	return g.viaGo(lanesOp{o, d}, d, in...)
}

func (g *gen) mulInt(d dtype.DType, x, y lanes) lanes {
	switch {
	case !wide(d):
		return g.op2(asm.VPMULLD, d, x, y)
	case g.EVEX:
		return g.op2(asm.VPMULLQ, d, x, y)
	}
	// Low words multiplied in full, plus the two mixed products moved up.
	n := lir.Imm(32)
	low := g.op2(asm.VPMULUDQ, d, x, y)
	mixed := g.op2(asm.VPADDQ, d,
		g.op2(asm.VPMULUDQ, d, g.op1(asm.VPSRLQ, d, x, n), y),
		g.op2(asm.VPMULUDQ, d, x, g.op1(asm.VPSRLQ, d, y, n)))
	return g.op2(asm.VPADDQ, d, low, g.op1(asm.VPSLLQ, d, mixed, n))
}

// mulHigh is the high half of unsigned 32-bit products: even and odd lanes apart.
func (g *gen) mulHigh(d dtype.DType, x, y lanes) lanes {
	q := dtype.Uint64 // lanes in pairs, one register
	up := func(x lanes) lir.Reg {
		r := g.NewVec()
		g.Def(asm.VPSRLQ, g.V(r), g.V(g.vr(x, 0)), lir.Imm(32))
		return r
	}
	xr, yr := g.vr(x, 0), g.vr(y, 0)
	even, odd := g.NewVec(), g.NewVec()
	g.Def(asm.VPMULUDQ, g.V(even), g.V(xr), g.V(yr))
	g.Def(asm.VPMULUDQ, g.V(odd), g.V(up(x)), g.V(up(y)))
	hi := g.NewVec()
	g.Def(asm.VPSRLQ, g.V(hi), g.V(even), lir.Imm(32))
	if !g.EVEX {
		r := g.NewVec()
		g.Def(asm.VPBLENDD, g.V(r), g.V(hi), g.V(odd), lir.Imm(0xaa))
		return lanes{d: d, r: [2]lir.Reg{r, r}}
	}
	_ = q
	r, top := g.NewVec(), g.NewVec()
	mask := lanes{d: dtype.Uint64, known: true, bits: 0xffffffff00000000}
	g.Def(asm.VPANDQ, g.V(top), g.V(odd), g.src(mask, 0))
	g.Def(asm.VPORQ, g.V(r), g.V(hi), g.V(top))
	return lanes{d: d, r: [2]lir.Reg{r, r}}
}

// shift shifts by lanes of counts; one of the width or more, or a negative one,
// shifts everything out, as the variable shift instructions do.
func (g *gen) shift(o op.Op, d dtype.DType, x, n lanes) lanes {
	in := bothOps{asm.VPSLLVD, asm.VPSLLVQ}
	switch {
	case o == op.Shr && d.IsSigned():
		in = bothOps{asm.VPSRAVD, asm.VPSRAVQ}
	case o == op.Shr:
		in = bothOps{asm.VPSRLVD, asm.VPSRLVQ}
	}
	if in.of(d) == asm.VPSRAVQ && !g.EVEX {
		// ~(~x >> n) for negative x: the sign is xored away and back.
		zero := g.constLanes(d, 0)
		sign := g.each(d, []lanes{x}, func(i int) lir.Reg {
			r := g.NewVec()
			g.Def(asm.VPCMPGTQ, g.V(r), g.V(g.vr(zero, i)), g.V(g.vr(x, i)))
			return r
		})
		t := g.op2(asm.VPSRLVQ, d, g.op2(g.logic(op.Xor, d), d, x, sign), n)
		return g.op2(g.logic(op.Xor, d), d, t, sign)
	}
	z := g.op2(in.of(d), d, x, n)
	if o == op.Shl {
		return g.normalize(d, z)
	}
	return z
}

func (g *gen) absInt(d dtype.DType, x lanes) lanes {
	switch {
	case !d.IsSigned():
		return x
	case !wide(d):
		return g.normalize(d, g.op1(asm.VPABSD, d, x))
	case g.EVEX:
		return g.op1(asm.VPABSQ, d, x)
	}
	minus := g.op2(asm.VPSUBQ, d, g.constLanes(d, 0), x)
	return g.blend(g.compare(op.Lt, d, x, g.constLanes(d, 0)), minus, x)
}

func (g *gen) extremumInt(isMax bool, d dtype.DType, x, y lanes) lanes {
	if wide(d) && !g.EVEX {
		o := op.Lt
		if isMax {
			o = op.Gt
		}
		return g.blend(g.compare(o, d, x, y), x, y)
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
	return g.op2(in.of(d), d, x, y)
}

// divideLanes divides integers of up to 32 bits as float64, whose rounded quotient
// truncates to the exact one. Zero divisors have been refused.
func (g *gen) divideLanes(o op.Op, d dtype.DType, x, y lanes) lanes {
	f := dtype.Float64
	q := g.op2(asm.VDIVPD, f, g.cast(f, x), g.cast(f, y))
	n := g.truncToInt32(d, q)
	if o == op.FloorDiv {
		return g.normalize(d, n)
	}
	return g.normalize(d, g.op2(asm.VPSUBD, d, x, g.op2(asm.VPMULLD, d, n, y)))
}

// truncToInt32 converts float64 lanes that are in range, or -2^31's opposite, which
// wraps to itself.
func (g *gen) truncToInt32(d dtype.DType, x lanes) lanes {
	o := asm.VCVTTPD2DQ
	if d == dtype.Uint32 {
		if !g.EVEX {
			return g.toUint32(x)
		}
		o = asm.VCVTTPD2UDQ
	}
	return g.joined(d, func(i int, half int) lir.Reg {
		r := g.NewVec()
		g.Def(o, g.VW(r, half), g.V(g.vr(x, i)))
		return r
	})
}

// joined makes one register of 32-bit lanes from two halves, each made by f in a
// register of half the width.
func (g *gen) joined(d dtype.DType, f func(i, half int) lir.Reg) lanes {
	half := g.Bytes / 2
	lo, hi := f(0, half), f(1, half)
	r := g.NewVec()
	o := asm.VINSERTI128
	if g.EVEX {
		o = asm.VINSERTI64X4
	}
	g.Def(o, g.V(r), g.V(lo), g.VW(hi, half), lir.Imm(1))
	return lanes{d: d, r: [2]lir.Reg{r, r}}
}
