package plane

import (
	"math"

	tl "github.com/tiler-go/tiler/tilelang"
)

// Joined are rows that are made of parts: what a column says picks one of several that are loaded. y has four rows of w
// elements.
func Joined(p *tl.Program, x, y, z, m tl.Ptr, n, w int, BLOCK tl.Const, MASK, OP string) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	in := on(o, n, m, MASK)
	r, c, a := o.FloorDiv(w), o.Mod(w), w/3+1
	at := y.Add(r.Mod(4).Mul(w)).Add(c)
	left := tl.Load(at, tl.Mask(in.And(c.Lt(a))), tl.Other(5))
	right := tl.Load(x.Add(o), tl.Mask(in.And(c.Ge(a))), tl.Other(7))
	v := left
	switch OP {
	case "sum":
		v = tl.Where(c.Lt(a), left, right).Add(tl.Load(x.Add(o), tl.Mask(in)))
	case "three":
		low := tl.Load(at.Sub(a), tl.Mask(in.And(c.Ge(2*a))), tl.Other(1))
		v = tl.Where(c.Lt(a), left, tl.Where(c.Lt(2*a), right, low)).Add(1)
	case "four": // one of which is picked in a branch of a branch of a branch
		low := tl.Where(c.Lt(w/4), tl.Where(c.Lt(w/8), left, left.Add(left)), left.Sub(left.Mul(left)))
		v = tl.Where(c.Lt(a), low, right.Mul(right))
	case "unlike": // what is picked is masked off
		v = tl.Where(c.Lt(a), right, left)
	case "rows": // of which each is one or the other
		v = tl.Where(r.Mod(2).Eq(0).And(c.Gt(2)), tl.Load(at, tl.Mask(in.And(r.Mod(2).Eq(0)))), right)
	case "everywhere": // loaded, and stored below a limit
		v = tl.Load(at).Add(tl.Where(c.Ge(a), right, left))
	case "two": // are stored below limits of their own
		tl.Store(x.Add(o), tl.Where(c.Ge(a), tl.Load(at, tl.Mask(in)), left), tl.Mask(in.And(o.Le(n-7))))
	case "limits": // written in other ways
		in = in.And(tl.Full(tl.Int32, n, BLOCK).Gt(o)).And(tl.Full(tl.Int32, n-5, BLOCK).Ge(o))
		v = tl.Where(c.Ge(a), tl.Load(x.Add(o), tl.Mask(in)), tl.Load(at, tl.Mask(in.And(c.Lt(a)))))
	case "nowhere": // in some programs
		in = in.And(o.To(tl.Int64).Lt(n - 70)).And(o.To(tl.Int64).Lt(math.MaxInt64))
		v = tl.Load(at, tl.Mask(in))
	case "lowest": // limit of all
		in = in.And(o.To(tl.Int64).Lt(math.MinInt64 + 1))
		v = tl.Load(at, tl.Mask(in))
	case "before": // what the first store overwrites is what the second one stores
		old := tl.Load(z.Add(o), tl.Mask(in.And(c.Ge(a))), tl.Other(3))
		tl.Store(z.Add(o), tl.Where(c.Lt(a), left, old.Add(old)), tl.Mask(in))
		tl.Store(x.Add(o), old.Add(1), tl.Mask(in))
		return
	case "after": // and the first one needs none of it
		old := tl.Load(z.Add(o), tl.Mask(in))
		tl.Store(z.Add(o), left, tl.Mask(in))
		tl.Store(x.Add(o), old, tl.Mask(in.And(c.Lt(a))))
		return
	case "limited": // is all that is stored
		v = tl.Where(in, right, tl.Load(at.Add(3*w), tl.Mask(in)))
	case "masked": // by what is loaded on one side
		low := tl.Load(at.Add(3*w), tl.Mask(in.And(c.Lt(a))))
		in = in.And(tl.Where(c.Lt(a), left, low).Gt(0))
		v = tl.Where(c.Lt(a), left, right)
	case "other": // side of the mask, which is not picked
		low := tl.Load(at.Add(4*w), tl.Mask(in.And(c.Lt(a))))
		in = in.And(tl.Where(c.Lt(a), left, low).Gt(0))
		v = tl.Where(c.Lt(a), left, right)
	case "beyond": // the last row
		v = tl.Where(c.Lt(a), tl.Load(at.Add(3*w), tl.Mask(in.And(c.Lt(a)))), right)
	case "unmasked":
		v = tl.Where(c.Lt(a), left, tl.Load(x.Add(o)))
	case "zero": // by which nothing is divided that is stored
		v = tl.Load(at.Add(r.FloorDiv(n/(n+1))), tl.Mask(in.And(o.Lt(-1))))
		in = in.And(o.Lt(-1))
	}
	tl.Store(z.Add(o), v, tl.Mask(in))
}
