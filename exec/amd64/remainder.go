package amd64

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Quotients and remainders for which there are no instructions are found by dividing float64,
// where it is known that truncating the rounded quotient gives the exact one. Go does the
// others, for all lanes of a block.

// unless is z, but what work makes of the operands if a mask holds for any lane.
func (g *gen) unless(rare, z lanes, work laneWork, in ...lanes) lanes {
	out, done := g.variable(z), g.NewLabel()
	g.skipUnlessAny(rare, done)
	g.rarely = true
	g.assign(out, g.viaGo(work, z.d, in...))
	g.rarely = false
	g.Bind(done)
	return out
}

// divideWide divides integers of 64 bits. Below 2^52 a quotient is further from the next integer
// than rounding goes.
func (g *gen) divideWide(o op.Op, d dtype.DType, x, y lanes) lanes {
	const most = 1 << 52
	f := dtype.Float64
	outside := func(x lanes) lanes {
		if d.IsSigned() {
			x = g.op2(asm.VPADDQ, d, x, g.constLanes(d, most))
			return g.compare(op.Ge, dtype.Uint64, x.as(dtype.Uint64), g.constLanes(dtype.Uint64, 2*most))
		}
		return g.compare(op.Ge, d, x, g.constLanes(d, most))
	}
	rare := g.primBool(op.Or, []lanes{outside(x), outside(y)})
	// Up to 2^52 signed conversions are right for unsigned numbers, too.
	n := g.op1(asm.VCVTTPD2QQ, d, g.op2(asm.VDIVPD, f, g.op1(asm.VCVTQQ2PD, f, x), g.op1(asm.VCVTQQ2PD, f, y)))
	if o == op.Mod {
		n = g.op2(asm.VPSUBQ, d, x, g.op2(asm.VPMULLQ, d, n, y))
	}
	return g.unless(rare, n, lanesOp{o, d}, x, y)
}

// modFloat32 is the remainder of float32 numbers. If the quotient is at least 1 it is 2^-24 at least
// from the next integer; below 2^28 rounding does not go as far, and all that follows is exact.
func (g *gen) modFloat32(x, y lanes) lanes {
	d, f := dtype.Float32, dtype.Float64
	wx, wy := g.castFloats(f, x), g.castFloats(f, y)
	q := g.op2(asm.VDIVPD, f, wx, wy)
	magnitude := func(y lanes) lanes { return g.primFloat(op.Abs, f, []lanes{y}) }
	const notBelow = 0x05 // or not a number
	far := g.compareFloat(notBelow, f, magnitude(q), g.constLanes(f, math.Float64bits(1<<28)))
	infinite := g.compareFloat(notBelow, f, magnitude(wy), g.constLanes(f, math.Float64bits(math.Inf(1))))
	rare := g.primBool(op.Or, []lanes{far, infinite})
	z := g.castFloats(d, g.op2(asm.VSUBPD, f, wx, g.op2(asm.VMULPD, f, g.roundTo(f, q, 11), wy)))
	sign := g.bitsOf(x, 1<<31) // of what is divided, also of a zero
	z = g.op2(g.logic(op.Or, d), d, g.bitsOf(z, 1<<31-1).as(d), sign.as(d))
	return g.unless(rare, z, lanesOp{op.Mod, d}, x, y)
}
