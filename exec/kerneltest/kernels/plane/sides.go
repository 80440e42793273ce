package plane

import tl "github.com/tiler-go/tiler/tilelang"

// Sides chooses flat elements by where they lie in rows of w elements, which no address asks for. x, z and m have n,
// y is four rows.
func Sides(p *tl.Program, x, y, z, m tl.Ptr, n, w int, BLOCK tl.Const, MASK, OP string) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	in := on(o, n, m, MASK)
	r, c := o.FloorDiv(w), o.Mod(w)
	v := tl.Load(x.Add(o), tl.Mask(in), tl.Other(1))
	to, d := in, w/3
	switch OP {
	case "above": // a diagonal, of planes of 3 rows
		v = tl.Where(c.Ge(r.Mod(3).Add(d)), v, tl.ZerosLike(v))
	case "below":
		v = tl.Where(c.Sub(d).Le(r), v, v.Add(v))
	case "one":
		v = c.Eq(r.Add(d)).To(v.DType())
	case "number":
		v = v.Add(r.Mod(5).To(v.DType()))
	case "held": // is stored on one side only
		to = in.And(c.Gt(r.Mul(d)))
	case "wraps": // by sums that do
		v = tl.Where(c.Lt(r.Add(1<<31-2).Add(d)), v, v.Mul(v))
	case "picked": // elements that each has an index of its own for
		v = tl.Where(c.Lt(d), v, tl.Load(y.Add(o.Mul(7).Mod(w)), tl.Mask(in)))
	case "itself":
		v = tl.Where(c.Lt(d), v.Add(v), v)
		z = x
	case "all": // quotients alone
		v = tl.Where(r.Mod(2).Eq(0), v, v.Add(v))
	}
	tl.Store(z.Add(o), v, tl.Mask(to))
}
