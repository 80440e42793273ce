package elementwise

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
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

// fmaNarrow is x·y + z rounded once to a narrow float: the product is exact in float64, and what the
// sum has lost says which way it was rounded.
func (g *Builder) fmaNarrow(d dtype.DType, in []lane.Lanes) lane.Lanes {
	w, i := dtype.Float64, dtype.Int64
	x, y, z := g.castFloats(w, in[0]), g.castFloats(w, in[1]), g.castFloats(w, in[2])
	add := func(x, y lane.Lanes) lane.Lanes { return g.Op2(asm.VADDPD, w, x, y) }
	sub := func(x, y lane.Lanes) lane.Lanes { return g.Op2(asm.VSUBPD, w, x, y) }
	p := g.Op2(asm.VMULPD, w, x, y)
	s := add(p, z)
	part := sub(s, p)
	lost := add(sub(p, sub(s, part)), sub(z, part))
	zero := lane.Const(i, 0)
	inexact := g.CompareFloat(lane.Differs, w, lost, lane.Const(w, 0))
	even := g.Compare(op.Eq, i, g.Op2(g.Logic(op.And, i), i, s.As(i), lane.Const(i, 1)), zero)
	above := g.Compare(op.Lt, i, g.Op2(g.Logic(op.Xor, i), i, s.As(i), lost.As(i)), zero) // s is further from 0
	step := g.Blend(above, lane.Const(i, math.MaxUint64), lane.Const(i, 1))
	odd := g.Op2(asm.VPADDQ, i, s.As(i), step)
	s = g.Blend(g.PrimBool(op.And, []lane.Lanes{inexact, even}), odd, s.As(i)).As(w)
	return g.castFloats(d, s)
}
