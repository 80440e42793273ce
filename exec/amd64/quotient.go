package amd64

import (
	"math"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A row that is divided by one number, as softmax does, need not wait for divisions:
// with y the rounded reciprocal of b and q the rounded x·y, x/b is q + (x - q·b)·y
// rounded. Only quotients next to the middle between two numbers could come out wrong,
// by how precise y is, and of these all have been tried, for all b. This holds as long
// as nothing is near the ends of the exponent range, which is looked at in each block:
// a block with other numbers is divided.

// A reciprocal is what is known of a divisor, once per row.
type reciprocal struct {
	b, y lanes
	// test has bits of which dividends have one that this way is open to: none if b is
	// near an end of the exponent range. They are looked for raised, unless dividends
	// are known to be small.
	test  lanes
	small bool
}

// divisorKey is a divisor of dividends of which it is known, or not, that they are small.
type divisorKey struct {
	laneKey
	small bool
}

// Divisors lie between 2^-60 and 2^60, dividends between 2^-63 and 2^65: the first two
// bits of their exponents are 01 or 10, and 10 or 11 if these are raised by 64.
const (
	greatestDivisor = 0x1p60
	raise           = 64 << 23
	raisedBit       = 1 << 30
	eitherBit       = 3 << 29
)

func float32Lanes(x float64) lanes {
	return lanes{d: dtype.Float32, known: true, bits: uint64(math.Float32bits(float32(x)))}
}

// divides reports whether v is better divided by way of a reciprocal.
func (n *nest) divides(v *ir.Value, m affine.Axes) bool {
	return n.g.EVEX && v.Op == op.Div && v.Type.D == dtype.Float32 && n.varies(v, m) && !n.varies(v.Args[1], m)
}

// reciprocalOf is computed where the divisor is.
func (n *nest) reciprocalOf(v *ir.Value, m affine.Axes, small bool) *reciprocal {
	key := divisorKey{laneKey{v, m}, small}
	if r := n.divisors[key]; r != nil {
		return r
	}
	r := &reciprocal{b: n.eval(v, m), small: small}
	n.at(n.levelOf(n.dependsOn(v, m)), func() {
		g, f, u := n.g, dtype.Float32, dtype.Uint32
		r.y = g.op2(asm.VDIVPS, f, float32Lanes(1), r.b)
		size := g.prim(op.Abs, f, r.b)
		low := g.compareFloat(ge, f, size, float32Lanes(1/greatestDivisor))
		high := g.compareFloat(le, f, size, float32Lanes(greatestDivisor))
		bits := uint64(raisedBit)
		if small {
			bits = eitherBit
		}
		r.test = g.blend(g.primBool(op.And, []lanes{low, high}), g.constLanes(u, bits), g.constLanes(u, 0))
	})
	n.divisors[key] = r
	return r
}

// fnma is z - x·y, rounded once.
func (g *gen) fnma(x, y, z lanes) lanes {
	r := g.NewVec()
	g.MoveVec(r, g.vr(z, 0))
	g.RMW(asm.VFNMADD231PS, g.V(r), g.V(g.vr(x, 0)), g.V(g.vr(y, 0)))
	return lanes{d: dtype.Float32, r: [2]lir.Reg{r, r}}
}

// quotient is x divided by a divisor of which the reciprocal is known.
func (g *gen) quotient(x lanes, by *reciprocal) lanes {
	f, u := dtype.Float32, dtype.Uint32
	if x.known {
		return g.op2(asm.VDIVPS, f, x, by.b)
	}
	q := g.op2(asm.VMULPS, f, x, by.y)
	z := g.variable(g.fma(f, g.fnma(q, by.b, x), by.y, q))
	bits := x.as(u)
	if !by.small {
		bits = g.op2(asm.VPADDD, u, bits, g.constLanes(u, raise))
	}
	odd, done := g.newMask(), g.NewLabel()
	g.Def(asm.VPTESTNMD, g.K(odd.r[0]), g.V(bits.r[0]), g.V(by.test.r[0]))
	g.skipUnlessAny(odd, done)
	zero := g.compareInt(op.Eq, u, x.as(u), g.constLanes(u, 0)) // of +0, too, it is the quotient
	g.Def(asm.KANDNW, g.K(odd.r[0]), g.K(zero.r[0]), g.K(odd.r[0]))
	g.skipUnlessAny(odd, done)
	g.Def(asm.VDIVPS, g.V(z.r[0]), g.V(x.r[0]), g.V(g.vr(by.b, 0)))
	g.Bind(done)
	return z
}
