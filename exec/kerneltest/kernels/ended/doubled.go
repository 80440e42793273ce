package ended

import tl "github.com/tiler-go/tiler/tilelang"

// Doubled computes tiles each of which uses the one before several times, so that there are as many ways to the first
// one as two to the power of their number.
func Doubled(p *tl.Program, x, z tl.Ptr, n int, BLOCK, STEPS tl.Const, OP string) {
	i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	in := i.Lt(n)
	v := tl.Load(x.Add(i), tl.Mask(in), tl.Other(0))
	y := v
	for k := 1; k <= STEPS; k++ {
		w := tl.Sub(1, y)
		switch OP {
		case "root", "rootsum":
			w = tl.Sub(1.5, v.Mul(y).Mul(y))
		case "chosen":
			w = tl.Where(y.Gt(0.5), y, w)
		}
		y = y.Mul(w.Reshape(1<<(k%4), BLOCK>>(k%4)).Reshape(BLOCK))
	}
	switch OP {
	case "stored", "root", "chosen":
		tl.Store(z.Add(i), y, tl.Mask(in))
	case "scanned":
		tl.Store(z.Add(i), tl.CumSum(y, tl.Axis(0)), tl.Mask(in))
	case "less":
		tl.Store(z.Add(i), y.Sub(tl.Sum(y, tl.Axis(0))), tl.Mask(in))
	case "masked":
		tl.Store(z.Add(i), v, tl.Mask(in.And(y.Gt(0.1))))
	default:
		tl.Store(z.Add(p.ID(0)), tl.Sum(y, tl.Axis(0)))
	}
}
