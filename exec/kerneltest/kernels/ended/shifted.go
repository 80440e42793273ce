package ended

import tl "github.com/tiler-go/tiler/tilelang"

// Shifted divides by a power of two numbers of which it is known that they are not negative, or nearly so.
func Shifted(p *tl.Program, x, z, w tl.Ptr, n int, BLOCK, D tl.Const, OP string) {
	i := tl.Arange(0, BLOCK)
	in, a := tl.Mask(i.Lt(n)), i
	v := tl.Load(x.Add(i), in, tl.Other(9)).To(tl.Int32)
	switch OP {
	case "later":
		a = i.Add(BLOCK)
	case "before":
		a = i.Sub(7)
	case "program":
		a = i.Add(p.ID(0) + n)
	case "loaded":
		a = v
	case "bits":
		a = v.And(1<<31 - 1)
	case "some_bits":
		a = v.And(i.Sub(3))
	case "limited":
		a = tl.Maximum(v, 0)
	case "limited_below":
		a = tl.Maximum(v, -1)
	case "chosen":
		a = tl.Where(v.Gt(i), v.And(1000), i)
	case "wraps":
		a = i.Add(1<<31 - 1 - BLOCK/2)
	case "times":
		a = i.Mul(i)
	case "again":
		a = i.FloorDiv(D)
	}
	q, r := a.FloorDiv(D), a.Mod(D)
	tl.Store(z.Add(i), q, in)
	tl.Store(w.Add(i), r, in)
	tl.Store(w.Add(i).Add(n), tl.Load(x.Add(r), tl.Mask(i.Lt(n).And(r.Ge(0)).And(r.Lt(n))), tl.Other(5)), in)
}
