package amd64

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Rounding to odd: of the two numbers next to a value, the one whose last bit is 1, unless one is
// equal. What has been rounded so can be rounded again, to half as many bits, as if it had not been.

// roundToOdd is float64 lanes as float32.
func (g *gen) roundToOdd(x lanes) lanes {
	f, w := dtype.Float32, dtype.Float64
	near := g.castFloats(f, x)
	back := g.castFloats(w, near)
	u := dtype.Uint32
	even := g.compare(op.Eq, u, g.bitsOf(near, 1), g.constLanes(u, 0))
	const ordered, above = 0x0c, 0x0e // not equal; greater
	other := g.compareFloat(ordered, w, back, x)
	magnitude := func(y lanes) lanes { return g.primFloat(op.Abs, w, []lanes{y}) }
	large := g.compareFloat(above, w, magnitude(back), magnitude(x))
	step := g.blend(large, g.constLanes(u, math.MaxUint32), g.constLanes(u, 1))
	odd := g.op2(asm.VPADDD, u, near.as(u), step)
	z := g.blend(even, odd, near.as(u))
	return g.blend(other, z, near.as(u)).as(f)
}

// fmaNarrow is x·y + z rounded once to a narrow float: the product is exact in float64, and what the
// sum has lost says which way it was rounded.
func (g *gen) fmaNarrow(d dtype.DType, in []lanes) lanes {
	w, i := dtype.Float64, dtype.Int64
	x, y, z := g.castFloats(w, in[0]), g.castFloats(w, in[1]), g.castFloats(w, in[2])
	add := func(x, y lanes) lanes { return g.op2(asm.VADDPD, w, x, y) }
	sub := func(x, y lanes) lanes { return g.op2(asm.VSUBPD, w, x, y) }
	p := g.op2(asm.VMULPD, w, x, y)
	s := add(p, z)
	part := sub(s, p)
	lost := add(sub(p, sub(s, part)), sub(z, part))
	zero := g.constLanes(i, 0)
	const differs = 0x0c // and is a number
	inexact := g.compareFloat(differs, w, lost, g.constLanes(w, 0))
	even := g.compare(op.Eq, i, g.op2(g.logic(op.And, i), i, s.as(i), g.constLanes(i, 1)), zero)
	above := g.compare(op.Lt, i, g.op2(g.logic(op.Xor, i), i, s.as(i), lost.as(i)), zero) // s is further from 0
	step := g.blend(above, g.constLanes(i, math.MaxUint64), g.constLanes(i, 1))
	odd := g.op2(asm.VPADDQ, i, s.as(i), step)
	s = g.blend(g.primBool(op.And, []lanes{inexact, even}), odd, s.as(i)).as(w)
	return g.castFloats(d, s)
}
