package elementwise

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Quotients and remainders for which there are no instructions are found by dividing float64,
// where it is known that truncating the rounded quotient gives the exact one. Go does the
// others, for all lanes of a block.

// divideWide divides integers of 64 bits. Below 2^52 a quotient is further from the next integer
// than rounding goes.
func (g *Primitives) divideWide(o op.Op, d dtype.DType, x, y lane.Lanes) lane.Lanes {
	const most = 1 << 52
	f := dtype.Float64
	outside := func(x lane.Lanes) lane.Lanes {
		if d.IsSigned() {
			x = g.Op2(asm.VPADDQ, d, x, lane.Const(d, most))
			return g.Compare(op.Ge, dtype.Uint64, x.As(dtype.Uint64), lane.Const(dtype.Uint64, 2*most))
		}
		return g.Compare(op.Ge, d, x, lane.Const(d, most))
	}
	rare := g.PrimBool(op.Or, []lane.Lanes{outside(x), outside(y)})
	// Up to 2^52 signed conversions are right for unsigned numbers, too.
	n := g.Op1(asm.VCVTTPD2QQ, d, g.Op2(asm.VDIVPD, f, g.Op1(asm.VCVTQQ2PD, f, x), g.Op1(asm.VCVTQQ2PD, f, y)))
	if o == op.Mod {
		n = g.Op2(asm.VPSUBQ, d, x, g.Op2(asm.VPMULLQ, d, n, y))
	}
	return g.unless(rare, n, lanesOp{o, d}, x, y)
}

// modFloat32 is the remainder of float32 numbers. If the quotient is at least 1 it is 2^-24 at least
// from the next integer; below 2^28 rounding does not go as far, and all that follows is exact.
func (g *Primitives) modFloat32(x, y lane.Lanes) lane.Lanes {
	d, f := dtype.Float32, dtype.Float64
	wx, wy := g.castFloats(f, x), g.castFloats(f, y)
	q := g.Op2(asm.VDIVPD, f, wx, wy)
	far := g.CompareFloat(lane.NotLt, f, g.Magnitude(f, q), lane.Const(f, math.Float64bits(1<<28)))
	infinite := g.CompareFloat(lane.NotLt, f, g.Magnitude(f, wy), lane.Const(f, math.Float64bits(math.Inf(1))))
	rare := g.PrimBool(op.Or, []lane.Lanes{far, infinite})
	z := g.castFloats(d, g.Op2(asm.VSUBPD, f, wx, g.Op2(asm.VMULPD, f, g.roundTo(f, q, table[op.Trunc].round), wy)))
	sign := g.BitsOf(x, 1<<31) // of what is divided, also of a zero
	z = g.Op2(g.Logic(op.Or, d), d, g.BitsOf(z, 1<<31-1).As(d), sign.As(d))
	return g.unless(rare, z, lanesOp{op.Mod, d}, x, y)
}

// modFloat64 is the remainder of float64 numbers. A quotient below 2^53 is one too large at most: what is left is a
// multiple of y's last bit that is no larger than y, so that it is exact. It is NaN if one of the numbers is none, y is
// 0, or one is infinite.
func (g *Primitives) modFloat64(x, y lane.Lanes) lane.Lanes {
	d := dtype.Float64
	ax, ay := g.Magnitude(d, x), g.Magnitude(d, y)
	q := g.roundTo(d, g.Op2(asm.VDIVPD, d, ax, ay), table[op.Trunc].round)
	z := lane.Each(d, []lane.Lanes{q, ay, ax}, func(i int) lir.Reg {
		r := g.NewVec()
		g.MoveVec(r, g.Reg(ax, i))
		g.RMW(asm.VFNMADD231PD, g.V(r), g.V(g.Reg(q, i)), g.Src(ay, i))
		return r
	}).Quieted()
	far := g.CompareFloat(lane.NotLt, d, q, lane.Const(d, math.Float64bits(1<<53)))
	none := g.CompareFloat(lane.Unordered, d, z, z)
	rare := g.PrimBool(op.Or, []lane.Lanes{far, none})
	z = g.Blend(g.Compare(op.Lt, d, z, lane.Const(d, 0)), g.Op2(asm.VADDPD, d, z, ay), z)
	sign := g.Op2(g.Logic(op.And, d), d, x, lane.Lanes{D: d, Known: true, Bits: 1 << 63}) // also of a zero
	return g.unless(rare, g.Op2(g.Logic(op.Or, d), d, z, sign).Quieted(), lanesOp{op.Mod, d}, x, y)
}
