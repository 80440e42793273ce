package elementwise

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A row that is divided by one number, as softmax does, need not wait for divisions:
// with y the rounded reciprocal of b and q the rounded x·y, x/b is q + (x - q·b)·y
// rounded. Only quotients next to the middle between two numbers could come out wrong,
// by how precise y is, and of these all have been tried, for all b. This holds as long
// as nothing is near the ends of the exponent range, which is looked at in each block:
// a block with other numbers is divided.

// A Reciprocal is what is known of a divisor, once per row.
type Reciprocal struct {
	b, y lane.Lanes
	// test has bits of which dividends have one that this way is open to: none if b is
	// near an end of the exponent range. They are looked for raised, unless dividends
	// are known to be small.
	test  lane.Lanes
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

func float32Lanes(x float64) lane.Lanes {
	return lane.Const(dtype.Float32, uint64(math.Float32bits(float32(x))))
}

// ReciprocalOf is computed where the divisor is.
func (g *Builder) ReciprocalOf(b lane.Lanes, small bool) Reciprocal {
	f, u := dtype.Float32, dtype.Uint32
	r := Reciprocal{b: b, small: small}
	r.y = g.Op2(asm.VDIVPS, f, float32Lanes(1), b)
	size := g.Prim(op.Abs, f, b)
	low := g.Compare(op.Ge, f, size, float32Lanes(1/greatestDivisor))
	high := g.Compare(op.Le, f, size, float32Lanes(greatestDivisor))
	bits := uint64(raisedBit)
	if small {
		bits = eitherBit
	}
	r.test = g.Blend(g.PrimBool(op.And, []lane.Lanes{low, high}), lane.Const(u, bits), lane.Const(u, 0))
	return r
}

// fnma is z - x·y, rounded once.
func (g *Builder) fnma(x, y, z lane.Lanes) lane.Lanes {
	r := g.NewVec()
	g.MoveVec(r, g.Reg(z, 0))
	g.RMW(asm.VFNMADD231PS, g.V(r), g.V(g.Reg(x, 0)), g.V(g.Reg(y, 0)))
	return lane.Lanes{D: dtype.Float32, R: [2]lir.Reg{r, r}}
}

// Quotient is x divided by a divisor of which the reciprocal is known.
func (g *Builder) Quotient(x lane.Lanes, by *Reciprocal) lane.Lanes {
	f, u := dtype.Float32, dtype.Uint32
	if x.Known {
		return g.Op2(asm.VDIVPS, f, x, by.b)
	}
	q := g.Op2(asm.VMULPS, f, x, by.y)
	z := g.Variable(g.fma(f, g.fnma(q, by.b, x), by.y, q))
	bits := x.As(u)
	if !by.small {
		bits = g.Op2(asm.VPADDD, u, bits, lane.Const(u, raise))
	}
	odd, done := g.NewMask(), g.NewLabel()
	g.Def(asm.VPTESTNMD, g.K(odd.R[0]), g.V(bits.R[0]), g.V(by.test.R[0]))
	g.SkipUnlessAny(odd, done)
	// Of +0, too, it is the quotient, unless b is near an end.
	none := lane.Const(u, 0)
	zero := g.PrimBool(op.And, []lane.Lanes{g.Compare(op.Eq, u, x.As(u), none), g.Compare(op.Ne, u, by.test, none)})
	g.Def(asm.KANDNW, g.K(odd.R[0]), g.K(zero.R[0]), g.K(odd.R[0]))
	g.SkipUnlessAny(odd, done)
	g.Def(asm.VDIVPS, g.V(z.R[0]), g.V(x.R[0]), g.V(g.Reg(by.b, 0)))
	g.Bind(done)
	return z
}
