package elementwise

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Rounding toward zero: a number beyond the greatest one becomes that, only infinity stays infinity.

const towardZero = 3 // for VCVTPS2PH, VROUNDPS and VRNDSCALEPS

// CastRTZ is a conversion to a narrower float that rounds toward zero. To do so twice is to do it once.
func (g *Casts) CastRTZ(to dtype.DType, x lane.Lanes) lane.Lanes {
	if x.D == dtype.Float64 {
		x = g.truncateFloat64(x)
	}
	switch to {
	case dtype.Float16, dtype.Float8E5:
		return lane.ThroughHalf(g.Values, to, x, towardZero)
	case dtype.BFloat16:
		return g.BitsOf(g.quiet(x.As(dtype.Float32)), 0xffff0000).As(to).Quieted()
	case dtype.Float8E4NV:
		return g.truncateFloat8E4NV(x)
	}
	return x
}

// truncateFloat64 is float64 lanes as float32: the nearest one, or the one before it.
func (g *Casts) truncateFloat64(x lane.Lanes) lane.Lanes {
	f, w, u := dtype.Float32, dtype.Float64, dtype.Uint32
	near := g.castFloats(f, x)
	large := g.CompareFloat(lane.Above, w, g.Magnitude(w, g.castFloats(w, near)), g.Magnitude(w, x))
	near = near.As(u)
	return g.Blend(large, g.Op2(asm.VPADDD, u, near, lane.Const(u, math.MaxUint32)), near).As(f).Quieted()
}

// truncateFloat8E4NV is float32 lanes as float8e4nv, whose numbers are multiples of 2^-9 of four bits up to 448: what
// is beyond becomes that, also infinity.
func (g *Casts) truncateFloat8E4NV(x lane.Lanes) lane.Lanes {
	f := dtype.Float32
	number := func(v float64) lane.Lanes { return lane.Const(f, dtype.FromFloat(f, v)) }
	x = g.Op2(asm.VMINPS, f, number(448), x.As(f)) // which gives its second operand if that is NaN
	x = g.Op2(asm.VMAXPS, f, number(-448), x)
	if g.EVEX {
		x = g.roundTo(f, x, 9<<4|towardZero)
	} else {
		x = g.roundTo(f, g.Op2(asm.VMULPS, f, x, number(0x1p9)), towardZero)
		x = g.Op2(asm.VMULPS, f, x, number(0x1p-9))
	}
	return g.BitsOf(x, 0xfff00000).As(dtype.Float8E4NV).Quieted()
}
