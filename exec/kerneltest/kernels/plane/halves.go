package plane

import tl "github.com/tiler-go/tiler/tilelang"

// Halves are elements of rows whose places a comparison picks, or that another number divides anew. y has four rows of
// w elements, z and m as many as x, which has n.
func Halves(p *tl.Program, x, y, z, m tl.Ptr, n, w int, BLOCK tl.Const, MASK, OP string) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	in := on(o, n, m, MASK)
	c, h := o.Mod(w), w/2
	row, low := o.FloorDiv(w).Mod(4).Mul(w), c.Lt(h)
	v := tl.Load(x.Add(o), tl.Mask(in))
	switch OP {
	case "swapped":
		u := tl.Load(y.Add(row.Add(tl.Where(low, c.Add(w-h), c.Sub(h)))), tl.Mask(in))
		v = v.Add(tl.Where(low, u.Neg(), u))
	case "numbered": // by all elements' numbers, through rows that the last one cuts off
		k := tl.Where(low, o.Add(w-h), o.Sub(h))
		v = v.Add(tl.Load(x.Add(k), tl.Mask(in.And(k.Lt(n))), tl.Other(3)))
	case "thirds": // of which one is a single element
		k := tl.Where(low, c.Add(1), tl.Where(c.Gt(h+1), c.Sub(h), h))
		v = v.Add(tl.Load(y.Add(row).Add(k), tl.Mask(in)))
	case "wide": // in int64
		c := o.To(tl.Int64).Mod(w)
		v = v.Add(tl.Load(y.Add(tl.Where(c.Ge(h), c.Sub(h), c.Add(w-h)).Add(w)), tl.Mask(in)))
	case "wraps": // and back
		k := tl.Where(low, c.Add(1<<31-1), c.Add(1<<31-2)).Sub(1<<31 - 2)
		v = v.Add(tl.Load(y.Add(row).Add(k), tl.Mask(in)))
	case "unlike": // numbers that ascend, and descend
		v = v.Add(tl.Load(y.Add(row).Add(tl.Where(low, c, c.Neg().Add(w-1))), tl.Mask(in)))
	case "uneven": // parts of a row, of which the last is shorter
		q := c.FloorDiv(h + 3)
		v = v.Add(tl.Load(y.Add(row).Add(c.Mod(h+3)), tl.Mask(in))).Add(q.To(v.DType()))
	case "counted": // quotients of what begins anew before it is full
		q := o.Mod(w*4 - 3).FloorDiv(w)
		v = v.Add(tl.Load(y.Add(q.Mul(w)), tl.Mask(in))).Add(q.Mod(3).To(v.DType())).Add(q.FloorDiv(3).To(v.DType()))
	case "deep": // remainders of remainders of remainders
		e := o.Mod(w*5 - 2).Mod(w*2 + 1)
		v = v.Add(tl.Load(y.Add(e.FloorDiv(w).Mul(w)).Add(e.Mod(w)), tl.Mask(in))).Add(e.To(v.DType()))
	case "cut": // factors of a remainder that another one cuts off
		e := o.Mod(w*h*2 + 7).Mod(w * h)
		v = v.Add(tl.Load(y.Add(e.Mod(h)), tl.Mask(in))).Add(e.FloorDiv(h).To(v.DType()))
	case "known": // numbers of elements
		e := o.Mod(50)
		v = v.Add(tl.Load(y.Add(e.Mod(17)), tl.Mask(in.And(e.Mod(17).Lt(w))))).Add(e.FloorDiv(17).To(v.DType()))
	case "beyond": // by one element
		v = v.Add(tl.Load(y.Add(tl.Where(low, c.Add(w-h+1), c.Sub(h)).Add(w*3)), tl.Mask(in)))
	case "beneath":
		v = v.Add(tl.Load(y.Add(tl.Where(low, c.Add(w-h), c.Sub(h+1))), tl.Mask(in)))
	case "nothing": // by what is none
		//lint:ignore SA4000 the compiler is not to know that it is 0
		v = v.Add(c.Mod(h - h).To(v.DType()))
	}
	tl.Store(z.Add(o), v, tl.Mask(in))
}
