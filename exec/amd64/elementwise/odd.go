package elementwise

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Rounding to odd: of the two numbers next to a value, the one whose last bit is 1, unless one is
// equal. What has been rounded so can be rounded again, to half as many bits, as if it had not been.

// roundToOdd is float64 lanes as float32.
func (g *Casts) roundToOdd(x lane.Lanes) lane.Lanes {
	f, w := dtype.Float32, dtype.Float64
	near := g.castFloats(f, x)
	back := g.castFloats(w, near)
	u := dtype.Uint32
	even := g.Compare(op.Eq, u, g.BitsOf(near, 1), lane.Const(u, 0))
	other := g.CompareFloat(lane.Differs, w, back, x)
	large := g.CompareFloat(lane.Above, w, g.Magnitude(w, back), g.Magnitude(w, x))
	step := g.Blend(large, lane.Const(u, math.MaxUint32), lane.Const(u, 1))
	odd := g.Op2(asm.VPADDD, u, near.As(u), step)
	z := g.Blend(even, odd, near.As(u))
	return g.Blend(other, z, near.As(u)).As(f)
}

// narrowFromInt64 is 64-bit integers as a float narrower than float32. Three windows of 32 bits begin at bit 0, 16 and
// 33 (32 of signed numbers); what is below one that does not begin at bit 0 leaves its last bit 1, 13 bits lower than
// the first one at least: two more than the finest of those floats has.
func (g *Casts) narrowFromInt64(to dtype.DType, x lane.Lanes) lane.Lanes {
	i, u, f := dtype.Int32, dtype.Uint32, dtype.Float32
	shift := func(o asm.Op, x lane.Lanes, n int64) lane.Lanes { return g.Op1(o, i, x, lir.Imm(n)) }
	or := func(x, y lane.Lanes) lane.Lanes { return g.Op2(g.Logic(op.Or, i), i, x, y) }
	low, high := g.Narrowed(i, x), g.Narrowed(i, g.Op1(asm.VPSRLQ, x.D, x, lir.Imm(32)))
	middle, below := or(shift(asm.VPSLLD, high, 16), shift(asm.VPSRLD, low, 16)), low
	var fits, nearly lane.Lanes // in 32 bits, in 48
	first := uint64(1 << 32)
	if x.D.IsSigned() {
		fits = g.Compare(op.Eq, i, high, shift(asm.VPSRAD, low, 31))
		nearly = g.Compare(op.Eq, i, high, shift(asm.VPSRAD, middle, 16))
	} else { // of which a bit is kept free for the sign
		fits = g.Compare(op.Eq, i, or(high, shift(asm.VPSRLD, low, 31)), lane.Const(i, 0))
		nearly = g.Compare(op.Eq, i, shift(asm.VPSRLD, high, 15), lane.Const(i, 0))
		below = or(low, shift(asm.VPSLLD, high, 31))
		high, first = shift(asm.VPSRLD, high, 1), 1<<33
	}
	below = g.Blend(nearly, shift(asm.VPSLLD, low, 16), below)
	z := or(g.Blend(nearly, middle, high), g.ExtremumInt(false, u, below.As(u), lane.Const(u, 1)))
	z = g.oddFloat32(g.Blend(fits, low, z))
	unit := func(n uint64) lane.Lanes { return lane.Const(f, dtype.FromFloat(f, float64(n))) }
	units := g.Blend(fits, unit(1), g.Blend(nearly, unit(1<<16), unit(first)))
	return g.Normalize(to, g.Op2(asm.VMULPS, f, z, units).Quieted())
}

// oddFloat32 is 32-bit integers as float32: those of more than 24 bits without the last eight, for which the next bit
// is 1 if they are not 0.
func (g *Casts) oddFloat32(x lane.Lanes) lane.Lanes {
	d := x.D
	size, convert := x, asm.VCVTUDQ2PS
	if d.IsSigned() {
		size, convert = g.Op1(asm.VPABSD, d, x), asm.VCVTDQ2PS // of -2^31 that is negative, but it has no last bits
	}
	long := g.Compare(op.Gt, d, size, lane.Const(d, 1<<24-1))
	rest := g.Op2(asm.VPADDD, d, g.BitsOf(x, 0xff), lane.Const(d, 0xff)) // carries
	odd := g.BitsOf(g.Op2(g.Logic(op.Or, d), d, x, rest), 0xffffff00).As(d)
	return g.Op1(convert, dtype.Float32, g.Blend(long, odd, x)).Quieted()
}

// fmaNarrow is x·y + z rounded once to a narrow float: the product is exact in float64.
func (g *Builder) fmaNarrow(d dtype.DType, in []lane.Lanes) lane.Lanes {
	w := dtype.Float64
	x, y, z := g.castFloats(w, in[0]), g.castFloats(w, in[1]), g.castFloats(w, in[2])
	return g.castFloats(d, g.oddSum(g.Op2(asm.VMULPD, w, x, y), z))
}

// oddSum is a sum of float64 numbers: what it has lost says which way it was rounded.
func (g *Casts) oddSum(p, z lane.Lanes) lane.Lanes {
	w, i := dtype.Float64, dtype.Int64
	add := func(x, y lane.Lanes) lane.Lanes { return g.Op2(asm.VADDPD, w, x, y) }
	sub := func(x, y lane.Lanes) lane.Lanes { return g.Op2(asm.VSUBPD, w, x, y) }
	s := add(p, z)
	part := sub(s, p)
	lost := add(sub(p, sub(s, part)), sub(z, part))
	zero := lane.Const(i, 0)
	inexact := g.CompareFloat(lane.Differs, w, lost, lane.Const(w, 0))
	even := g.Compare(op.Eq, i, g.Op2(g.Logic(op.And, i), i, s.As(i), lane.Const(i, 1)), zero)
	above := g.Compare(op.Lt, i, g.Op2(g.Logic(op.Xor, i), i, s.As(i), lost.As(i)), zero) // s is further from 0
	step := g.Blend(above, lane.Const(i, math.MaxUint64), lane.Const(i, 1))
	odd := g.Op2(asm.VPADDQ, i, s.As(i), step)
	return g.Blend(g.PrimBool(op.And, []lane.Lanes{inexact, even}), odd, s.As(i)).As(w)
}
