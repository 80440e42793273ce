package plane

import (
	"math"

	tl "github.com/tiler-go/tiler/tilelang"
)

// Parts are groups of five rows that are made of parts: the number of a row within its group picks one of several that
// are loaded. y has four rows of w elements.
func Parts(p *tl.Program, x, y, z, m tl.Ptr, n, w int, BLOCK tl.Const, MASK, OP string) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	in := on(o, n, m, MASK)
	k, c := o.FloorDiv(w).Mod(5), o.Mod(w)
	row := func(mask tl.Tile, i int) tl.Tile {
		return tl.Load(y.Add(k.Sub(i).Mul(w).Add(c)), tl.Mask(in.And(mask)), tl.Other(3))
	}
	plain := func(mask tl.Tile) tl.Tile { return tl.Load(x.Add(o), tl.Mask(in.And(mask)), tl.Other(5)) }
	var v tl.Tile
	switch OP {
	case "three":
		v = tl.Where(k.Lt(1), row(k.Lt(1), 0), tl.Where(k.Ge(1).And(k.Lt(3)), row(k.Ge(1).And(k.Lt(3)), 1), plain(k.Ge(3))))
	case "four": // of which one is not picked by a branch
		low := tl.Where(k.Gt(2).And(k.Le(3)), row(k.Gt(2).And(k.Le(3)), 3), plain(k.Gt(3)))
		mid := tl.Where(k.Ge(1).And(k.Le(2)), row(k.Ge(1).And(k.Le(2)), 1), low)
		v = tl.Where(k.Le(0), plain(k.Le(0)), mid)
	case "gap": // rows that neither has
		v = tl.Where(k.Lt(1), row(k.Lt(1), 0), row(k.Ge(3), 3))
	case "common": // rows that both have
		v = tl.Where(k.Lt(2), row(k.Lt(3), 0), plain(k.Gt(0)))
	case "equal":
		v = tl.Where(k.Eq(2), row(k.Eq(2), 0), tl.Where(k.Ne(3), plain(k.Ne(2)), row(k.Eq(3), 1)))
	case "never": // true, or false
		v = tl.Where(k.Lt(3), row(k.Lt(3).And(k.Ge(3)), 0), plain(k.Gt(2).And(k.Lt(9))))
	case "limits": // that are numbers known when it runs
		a := w / 16
		v = tl.Where(k.Lt(a), plain(k.Lt(a)), row(k.Ge(a).And(k.Lt(4)), 0))
	case "ends": // of the type
		u := k.To(tl.Int64)
		v = tl.Where(u.Lt(2), row(k.Lt(2), 0), plain(u.Ge(math.MinInt64).And(u.Le(math.MaxInt64))))
		v = tl.Where(u.Lt(math.MinInt64), plain(u.Gt(math.MaxInt64)), v)
	case "beyond": // where it is not picked
		v = tl.Where(k.Lt(2), row(k.Lt(2), 0), plain(k.Ge(2)))
		v = tl.Where(k.Lt(4), v, row(k.Ge(3), 0))
	case "outside": // what is picked, or not
		v = tl.Where(k.Lt(3), row(k.Ge(2), 0), plain(k.Lt(3)))
	}
	tl.Store(z.Add(o), v, tl.Mask(in))
}
