package lane

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
func (g *Casts) unless(rare, z Lanes, work laneWork, in ...Lanes) Lanes {
	out, done := g.Variable(z), g.NewLabel()
	g.SkipUnlessAny(rare, done)
	g.Assign(out, g.inGo(work, true, z.D, in))
	g.Bind(done)
	return out
}

// divideWide divides integers of 64 bits. Below 2^52 a quotient is further from the next integer
// than rounding goes.
func (g *Primitives) divideWide(o op.Op, d dtype.DType, x, y Lanes) Lanes {
	const most = 1 << 52
	f := dtype.Float64
	outside := func(x Lanes) Lanes {
		if d.IsSigned() {
			x = g.op2(asm.VPADDQ, d, x, Const(d, most))
			return g.Compare(op.Ge, dtype.Uint64, x.As(dtype.Uint64), Const(dtype.Uint64, 2*most))
		}
		return g.Compare(op.Ge, d, x, Const(d, most))
	}
	rare := g.PrimBool(op.Or, []Lanes{outside(x), outside(y)})
	// Up to 2^52 signed conversions are right for unsigned numbers, too.
	n := g.op1(asm.VCVTTPD2QQ, d, g.op2(asm.VDIVPD, f, g.op1(asm.VCVTQQ2PD, f, x), g.op1(asm.VCVTQQ2PD, f, y)))
	if o == op.Mod {
		n = g.op2(asm.VPSUBQ, d, x, g.op2(asm.VPMULLQ, d, n, y))
	}
	return g.unless(rare, n, lanesOp{o, d}, x, y)
}

// modFloat32 is the remainder of float32 numbers. If the quotient is at least 1 it is 2^-24 at least
// from the next integer; below 2^28 rounding does not go as far, and all that follows is exact.
func (g *Primitives) modFloat32(x, y Lanes) Lanes {
	d, f := dtype.Float32, dtype.Float64
	wx, wy := g.castFloats(f, x), g.castFloats(f, y)
	q := g.op2(asm.VDIVPD, f, wx, wy)
	far := g.compareFloat(notLt, f, g.magnitude(f, q), Const(f, math.Float64bits(1<<28)))
	infinite := g.compareFloat(notLt, f, g.magnitude(f, wy), Const(f, math.Float64bits(math.Inf(1))))
	rare := g.PrimBool(op.Or, []Lanes{far, infinite})
	z := g.castFloats(d, g.op2(asm.VSUBPD, f, wx, g.op2(asm.VMULPD, f, g.roundTo(f, q, table[op.Trunc].round), wy)))
	sign := g.bitsOf(x, 1<<31) // of what is divided, also of a zero
	z = g.op2(g.logic(op.Or, d), d, g.bitsOf(z, 1<<31-1).As(d), sign.As(d))
	return g.unless(rare, z, lanesOp{op.Mod, d}, x, y)
}
