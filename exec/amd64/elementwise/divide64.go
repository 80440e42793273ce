package elementwise

import (
	"math"
	"math/bits"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Integers of 64 bits are divided as magnitudes in AVX2. By a number that many blocks have they are multiplied by its
// inverse and shifted (Granlund and Montgomery, Division by Invariant Integers using Multiplication); others are
// divided as float64 if they are below 2^52, where a quotient is further from the next integer than rounding goes,
// and else one by one.

// A wideInverse is what is known of a divisor y: x / y is (t + (x-t)>>half)>>shift, where t is the upper half of x·m.
type wideInverse struct {
	y, yHigh lane.Lanes // its magnitude, and the upper half of that
	sign     lane.Lanes // of a signed one: all bits, or none
	m, mHigh lane.Lanes
	half     lane.Lanes
	shift    lane.Lanes
	way      wideWay
}

// A wideWay is how to divide by a number. What is shorter than all of it is for constants.
type wideWay uint8

const (
	inFull    wideWay = iota
	byProduct         // x / y is t>>shift
	byShift           // x / y is x>>shift
)

// wideInverseOf is computed where the divisor is, which may be 0 as long as nobody has been refused who divides by it.
func (g *Primitives) wideInverseOf(d dtype.DType, y lane.Lanes) wideInverse {
	u := dtype.Uint64
	if y.Known {
		return knownInverse(d, y.Bits)
	}
	z := wideInverse{}
	if d.IsSigned() {
		z.sign = g.Signs(y)
		y = g.negated(y, z.sign)
	}
	one, n, minus, r := g.NewInt(1), g.FirstInt(y.As(u)), g.NewInt(-1), g.NewReg(lir.GPR)
	g.Use(asm.TEST, g.R64(n), g.R64(n))
	g.RMW(asm.CMOVE, g.R64(n), g.R64(one))
	less := g.BinInt(asm.SUB, n, lir.Imm(1))
	g.Def(asm.BSR, g.R64(r), g.R64(less)) // bits of the divisor less 1, less 1
	g.RMW(asm.CMOVE, g.R64(r), g.R64(minus))
	isOne := g.BinInt(asm.SAR, r, lir.Imm(63)) // all bits, or none
	above, m := g.NewReg(lir.GPR), g.NewReg(lir.GPR)
	g.Def(asm.SHLX, g.R64(above), g.R64(g.NewInt(2)), g.R64(r))
	g.RMW(asm.SUB, g.R64(above), g.R64(n))
	g.RMW(asm.SUB, g.R64(above), g.R64(isOne))
	g.DivideUnsigned(m, above, g.NewInt(0), n)
	g.RMW(asm.ADD, g.R64(m), lir.Imm(1))
	g.RMW(asm.SUB, g.R64(r), g.R64(isOne))
	g.RMW(asm.ADD, g.R64(isOne), lir.Imm(1))
	z.y, z.m, z.half, z.shift = y.As(u), g.SplatInt(u, m), g.SplatInt(u, isOne), g.SplatInt(u, r)
	z.yHigh, z.mHigh = g.upperHalf(z.y), g.upperHalf(z.m)
	return z
}

// knownInverse is that of a constant.
func knownInverse(d dtype.DType, y uint64) wideInverse {
	number := func(n uint64) lane.Lanes { return lane.Const(dtype.Uint64, n) }
	z, greatest := wideInverse{sign: number(0)}, uint64(math.MaxUint64)
	if d.IsSigned() {
		greatest = 1 << 63
		if int64(y) < 0 {
			y, z.sign = -y, number(math.MaxUint64)
		}
	}
	y = max(y, 1)
	log := bits.Len64(y - 1)
	z.y, z.yHigh = number(y), number(y>>32)
	m, shift := uint64(0), log
	for s := range log { // the least shift such that what is too much of a rounded inverse stays below one quotient
		q, rest := bits.Div64(1<<s, 0, y)
		if high, _ := bits.Mul64(y-rest, greatest); high < 1<<s {
			m, shift, z.way = q+1, s, byProduct
			break
		}
	}
	switch {
	case y&(y-1) == 0:
		shift, z.way = log, byShift
	case z.way == inFull:
		m, _ = bits.Div64(-y+1<<log, 0, y)
		m, shift = m+1, log-1
	}
	z.m, z.mHigh, z.half, z.shift = number(m), number(m>>32), number(1), number(uint64(shift))
	return z
}

// divideWideBy is a quotient or a remainder by a number of which the inverse is known.
func (g *Primitives) divideWideBy(o op.Op, d dtype.DType, x lane.Lanes, by *wideInverse) lane.Lanes {
	u := dtype.Uint64
	sign := lane.Const(u, 0)
	if d.IsSigned() {
		sign = g.Signs(x)
		x = g.negated(x, sign)
	}
	z := g.wideQuotient(x.As(u), by)
	switch {
	case o == op.Mod:
		z = g.Op2(asm.VPSUBQ, u, x, g.wideProduct(z, by.y, by.yHigh))
	case d.IsSigned() && !(by.sign.Known && by.sign.Bits == 0):
		sign = g.Op2(asm.VPXOR, u, sign, by.sign)
	}
	if d.IsSigned() {
		z = g.negated(z, sign)
	}
	return z.As(d)
}

func (g *Primitives) wideQuotient(x lane.Lanes, by *wideInverse) lane.Lanes {
	u := dtype.Uint64
	if by.way == byShift {
		return g.Op1(asm.VPSRLQ, u, x, lir.Imm(int64(by.shift.Bits)))
	}
	t := g.upperProduct(x, by.m, by.mHigh)
	if by.way == byProduct {
		return g.Op1(asm.VPSRLQ, u, t, lir.Imm(int64(by.shift.Bits)))
	}
	rest := g.Op2(asm.VPSRLVQ, u, g.Op2(asm.VPSUBQ, u, x, t), by.half)
	return g.Op2(asm.VPSRLVQ, u, g.Op2(asm.VPADDQ, u, t, rest), by.shift)
}

// upperProduct is the upper half of products of 64 bits.
func (g *Primitives) upperProduct(x, y, yHigh lane.Lanes) lane.Lanes {
	u := dtype.Uint64
	mul := func(x, y lane.Lanes) lane.Lanes { return g.Op2(asm.VPMULUDQ, u, x, y) }
	add := func(x, y lane.Lanes) lane.Lanes { return g.Op2(asm.VPADDQ, u, x, y) }
	xHigh := g.upperHalf(x)
	a := add(mul(xHigh, y), g.upperHalf(mul(x, y)))
	b := add(mul(x, yHigh), g.Op2(asm.VPAND, u, a, lane.Const(u, math.MaxUint32)))
	return add(add(mul(xHigh, yHigh), g.upperHalf(a)), g.upperHalf(b))
}

// wideProduct is the lower half of products.
func (g *Primitives) wideProduct(x, y, yHigh lane.Lanes) lane.Lanes {
	u := dtype.Uint64
	mixed := g.Op2(asm.VPMULUDQ, u, g.upperHalf(x), y)
	if !yHigh.Known || yHigh.Bits != 0 {
		mixed = g.Op2(asm.VPADDQ, u, mixed, g.Op2(asm.VPMULUDQ, u, x, yHigh))
	}
	return g.Op2(asm.VPADDQ, u, g.Op2(asm.VPMULUDQ, u, x, y), g.Op1(asm.VPSLLQ, u, mixed, lir.Imm(32)))
}

func (g *Primitives) upperHalf(x lane.Lanes) lane.Lanes {
	return g.Op1(asm.VPSRLQ, dtype.Uint64, x, lir.Imm(32))
}

// Signs is all bits of lanes of 64 bits that are negative, in AVX2.
func (g *Primitives) Signs(x lane.Lanes) lane.Lanes {
	zero := lane.Const(x.D, 0)
	return lane.Each(x.D, []lane.Lanes{x}, func(i int) lir.Reg {
		r := g.NewVec()
		g.Def(asm.VPCMPGTQ, g.V(r), g.V(g.Reg(zero, i)), g.V(g.Reg(x, i)))
		return r
	})
}

// negated is x where a sign is 0, and minus x where it is all bits.
func (g *Primitives) negated(x, sign lane.Lanes) lane.Lanes {
	return g.Op2(asm.VPSUBQ, x.D, g.Op2(asm.VPXOR, x.D, x, sign), sign)
}

// divideWideAVX2 divides integers of 64 bits. Zero divisors have been refused, but for lanes that nobody asks for.
func (g *Primitives) divideWideAVX2(o op.Op, d dtype.DType, x, y lane.Lanes) lane.Lanes {
	if y.Known {
		return g.divideWideBy(o, d, x, new(knownInverse(d, y.Bits)))
	}
	u := dtype.Uint64
	var signs [2]lane.Lanes
	if d.IsSigned() {
		signs = [2]lane.Lanes{g.Signs(x), g.Signs(y)}
		x, y = g.negated(x, signs[0]), g.negated(y, signs[1])
	}
	z := lane.Lanes{D: u, R: [2]lir.Reg{g.NewVec(), g.NewVec()}}
	large, done := g.NewLabel(), g.NewLabel()
	both := g.Op2(asm.VPOR, u, x, y)
	either := g.NewVec()
	g.Def(asm.VPOR, g.V(either), g.V(both.R[0]), g.V(both.R[1]))
	g.Use(asm.VPTEST, g.V(either), g.SplatConst(0xfff<<52, g.Bytes))
	g.Jump(asm.JNE, large)
	g.Assign(z, g.divideSmallWide(o, x, y))
	g.Jump(asm.JMP, done)
	g.BindCold(large)
	g.divideEach(z, x, y)
	if o == op.Mod {
		g.Assign(z, g.Op2(asm.VPSUBQ, u, x, g.MulInt(u, z, y)))
	}
	g.Bind(done)
	switch {
	case !d.IsSigned():
	case o == op.Mod:
		return g.negated(z, signs[0]).As(d)
	default:
		return g.negated(z, g.Op2(asm.VPXOR, u, signs[0], signs[1])).As(d)
	}
	return z.As(d)
}

// divideSmallWide divides numbers below 2^52: a word behind the exponent of that number makes it a float64.
func (g *Primitives) divideSmallWide(o op.Op, x, y lane.Lanes) lane.Lanes {
	const most = 0x1p52
	u, f := dtype.Uint64, dtype.Float64
	end := lane.Const(u, math.Float64bits(most))
	float := func(x lane.Lanes) lane.Lanes {
		return g.Op2(asm.VSUBPD, f, g.Op2(asm.VPOR, u, x, end).As(f), end.As(f))
	}
	fx, fy := float(x), float(y)
	z := g.roundTo(f, g.Op2(asm.VDIVPD, f, fx, fy), table[op.Trunc].round)
	if o == op.Mod { // the product is exact
		z = lane.EachHalf(f, func(i int) lir.Reg {
			r := g.NewVec()
			g.MoveVec(r, g.Reg(fx, i))
			g.RMW(asm.VFNMADD231PD, g.V(r), g.V(g.Reg(z, i)), g.V(g.Reg(fy, i)))
			return r
		})
	}
	return g.Op2(asm.VPXOR, u, g.Op2(asm.VADDPD, f, z, end.As(f)).As(u), end)
}

// divideEach divides lane by lane in the frame.
func (g *Primitives) divideEach(z, x, y lane.Lanes) {
	size := 8 * g.Lanes
	at := g.Alloc(2 * size)
	g.Store(x.As(z.D), lir.Frame(at), nil)
	g.Store(y.As(z.D), lir.Frame(at+size), nil)
	zero, one := g.NewInt(0), g.NewInt(1)
	g.UpTo(size, 8, func(j lir.Reg) {
		x, y, q := g.LoadInt(lir.FrameIndex(j, 1, at)), g.LoadInt(lir.FrameIndex(j, 1, at+size)), g.NewReg(lir.GPR)
		g.Use(asm.TEST, g.R64(y), g.R64(y))
		g.RMW(asm.CMOVE, g.R64(y), g.R64(one))
		g.DivideUnsigned(q, zero, x, y)
		g.Use(asm.MOV, lir.FrameIndex(j, 1, at).Sized(8), g.R64(q))
	})
	g.Assign(z, g.Load(z.D, lir.Frame(at), nil))
}
