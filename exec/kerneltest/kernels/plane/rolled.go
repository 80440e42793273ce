package plane

import tl "github.com/tiler-go/tiler/tilelang"

// Rolled finds elements of rows of w elements, which are turned by some. x, z and m have n, y is four rows.
func Rolled(p *tl.Program, x, y, z, m tl.Ptr, n, w int, BLOCK tl.Const, MASK, OP string) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	in := on(o, n, m, MASK)
	c := o.Mod(w)
	row := o.FloorDiv(w).Mod(4).Mul(w)
	v := tl.Load(x.Add(o), tl.Mask(in), tl.Other(1))
	k, to := c, o
	switch OP {
	case "onward":
		k = c.Add(w - w/3).Mod(w)
	case "back": // from below 0, which is not divided
		k = c.Sub(w / 3).Add(w).Mod(w)
	case "once": // by none, and by a whole row and more
		k = c.Add(0).Mod(w)
		v = v.Add(tl.Load(y.Add(row).Add(c.Add(w).Mod(w)), tl.Mask(in)))
		v = v.Add(tl.Load(y.Add(c.Add(3*w+1).Mod(w)), tl.Mask(in)))
	case "ring": // on either side of an element
		v = v.Add(tl.Load(y.Add(row).Add(c.Add(w-1).Mod(w)), tl.Mask(in), tl.Other(2)))
		k = c.Add(1).Mod(w)
	case "into":
		to = o.Sub(c).Add(c.Add(w / 2).Mod(w))
		in = in.And(to.Lt(n))
	case "carried": // into the next row, and the one after that
		r := c.Add(w / 4).FloorDiv(w).Add(c.Add(w + w/2).FloorDiv(w))
		row, v = row.Add(r.Mod(2).Mul(w)), v.Add(r.To(v.DType()))
		in = in.And(row.Lt(4 * w))
	case "again": // what is turned
		k = c.Add(w / 3).Mod(w).Add(w / 4).Mod(w)
	case "divided": // lane by lane
		k = c.Add(w / 3).Mod(w)
		v = v.Add(tl.Load(y.Add(k.FloorDiv(3).Add(k.Mod(3))), tl.Mask(in)))
	case "masked": // where they are from
		k = c.Add(w / 5).Mod(w)
		in = in.And(k.Lt(w / 2))
	case "wide":
		v = v.Add(tl.Load(y.Add(c.To(tl.Int64).Add(w-2).Mod(w)), tl.Mask(in)))
		k = c.To(tl.Int64).Add(1 << 40).Sub(1<<40 - 2).Mod(w)
	case "fixed":
		k = tl.Minimum(o.Mod(48).Add(41).Mod(48), w-1)
		v = v.Add(tl.Load(y.Add(o.Mod(40).Add(37).Mod(40).FloorDiv(40)), tl.Mask(in)))
	case "negative": // remainders
		k = tl.Abs(c.Sub(w + w/3).Mod(w))
	case "wraps":
		k = tl.Abs(c.Add(1<<31 - 5).Mod(w))
	case "whole": // wraps, and once more
		k = c.Add(1<<31 - 5).Add(1<<31 - 5).Add(10 + w/2).Mod(w)
	case "planes": // of three rows, which are turned, too
		e := o.Mod(w * 3)
		h := e.FloorDiv(w)
		row, k = h.Add(2).Mod(3).Mul(w), e.Mod(w).Add(w-1).Mod(w)
	case "beyond": // the rows
		k = c.Add(w / 2).Mod(w).Add(3*w + 1)
	case "nothing": // divides
		//lint:ignore SA4000 the compiler is not to know that it is 0
		k = o.Mod(w - w).Add(1).Mod(w - w)
	}
	v = v.Add(tl.Load(y.Add(row).Add(k), tl.Mask(in), tl.Other(3)))
	tl.Store(z.Add(to), v, tl.Mask(in))
}
