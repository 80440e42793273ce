package amd64

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A row that is divided by one number, as softmax does, need not wait for divisions:
// with y the rounded reciprocal of b, a quotient q of x/b that is off by less than a
// unit in its last place becomes the correctly rounded one as q + (x - q·b)·y, where
// the remainder is exact (Markstein's theorem). Such a q is x·y + x·z, where y + z is
// the reciprocal to twice the precision. This holds as long as nothing is near the
// ends of the exponent range, which is looked at in each block: a block with other
// numbers is divided.

// A reciprocal is what is known of a divisor, once per row.
type reciprocal struct {
	b, y, z lanes
	top     lanes // bits of what dividends must lie below; 0 if b is out of range itself
}

// Dividends other than +0, and divisors, lie between these.
const (
	leastExponent    = -60
	greatestExponent = 60
)

func float32Lanes(x float64) lanes {
	return lanes{d: dtype.Float32, known: true, bits: uint64(math.Float32bits(float32(x)))}
}

// divides reports whether v is better divided by way of a reciprocal.
func (n *nest) divides(v *ir.Value, m axisMap) bool {
	return n.g.avx512 && v.Op == op.Div && v.Type.D == dtype.Float32 && n.varies(v, m) && !n.varies(v.Args[1], m) && mostlyPositive(v.Args[0])
}

// mostlyPositive guesses from what a value is made of. Negative numbers are not wrong
// to divide by way of a reciprocal, but slow.
func mostlyPositive(v *ir.Value) bool {
	switch {
	case v.Op == op.Exp, v.Op == op.Exp2, v.Op == op.Abs, v.Op == op.Sigmoid, v.Op == op.Sqrt:
		return true
	case v.Op == op.Mul, v.Op == op.Add:
		return mostlyPositive(v.Args[0]) && mostlyPositive(v.Args[1])
	case v.Op == op.Where:
		return mostlyPositive(v.Args[1])
	case ir.Family(v.Op) == op.Shape:
		return mostlyPositive(v.Args[0])
	}
	return false
}

// reciprocalOf is computed where the divisor is.
func (n *nest) reciprocalOf(v *ir.Value, m axisMap) *reciprocal {
	key := laneKey{v, m}
	if r := n.divisors[key]; r != nil {
		return r
	}
	r := &reciprocal{b: n.eval(v, m)}
	n.at(n.levelOf(n.dependsOn(v, m)), func() {
		g, f := n.g, dtype.Float32
		one := g.loadConst(float32Lanes(1))
		ones := lanes{d: f, r: [2]reg{one, one}}
		r.y = g.op2(asm.VDIVPS, f, ones, r.b)
		r.z = g.op2(asm.VMULPS, f, g.fnma(r.b, r.y, ones), r.y)
		low := g.compareFloat(ge, f, r.b, float32Lanes(math.Ldexp(1, leastExponent)))
		high := g.compareFloat(le, f, r.b, float32Lanes(math.Ldexp(1, greatestExponent)))
		in := g.primBool(op.And, []lanes{low, high})
		r.top = g.blend(in, float32Lanes(math.Ldexp(1, greatestExponent)), float32Lanes(0))
	})
	n.divisors[key] = r
	return r
}

// fnma is z - x·y, rounded once.
func (g *gen) fnma(x, y, z lanes) lanes {
	r := g.newVec()
	g.moveVec(r, g.vr(z, 0))
	g.rmw(asm.VFNMADD231PS, g.v(r), g.v(g.vr(x, 0)), g.v(g.vr(y, 0)))
	return lanes{d: dtype.Float32, r: [2]reg{r, r}}
}

// quotient is x divided by a divisor of which the reciprocal is known.
func (g *gen) quotient(x lanes, by *reciprocal) lanes {
	f, u := dtype.Float32, dtype.Uint32
	if x.known {
		return g.op2(asm.VDIVPS, f, x, by.b)
	}
	q := g.fma(f, x, by.y, g.op2(asm.VMULPS, f, x, by.z))
	q = g.fma(f, g.fnma(q, by.b, x), by.y, q)
	z := g.variable(q)
	least := uint64(math.Float32bits(float32(math.Ldexp(1, leastExponent))))
	large := g.compareInt(op.Ge, u, x.as(u), by.top.as(u)) // or negative, or NaN
	less := g.op2(asm.VPADDD, u, x.as(u), g.constLanes(u, math.MaxUint32))
	small := g.compareInt(op.Lt, u, less, g.constLanes(u, least-1)) // and not zero
	done := g.newLabel()
	g.use(asm.KORTESTW, g.k(g.vr(large, 0)), g.k(g.vr(small, 0)))
	g.jump(asm.JE, done)
	g.def(asm.VDIVPS, g.v(z.r[0]), g.v(g.vr(x, 0)), g.v(g.vr(by.b, 0)))
	g.bind(done)
	return z
}
