package plane

import tl "github.com/tiler-go/tiler/tilelang"

// Peaks finds the greatest element around each one, and where that is, and stores both: what leads to them is needed
// twice, and nobody looks at it where nothing is stored. y has four rows of w elements, x and m have n.
func Peaks(p *tl.Program, x, y, z, i, m tl.Ptr, n, w int, BLOCK tl.Const, MASK, OP string) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	in := on(o, n, m, MASK)
	best, at := tl.Full(x.Elem(), 1, BLOCK), tl.Full(tl.Int32, -1, BLOCK)
	for j := range 5 {
		to, from, there := o.Add(j-2), x, in.And(o.Ge(2-j)).And(o.Lt(n+2-j))
		switch OP {
		case "rows": // within rows
			c := o.Mod(w).Add(j - 2)
			to, from, there = o.FloorDiv(w).Mod(4).Mul(w).Add(c), y, in.And(c.Ge(0)).And(c.Lt(w))
		case "apart": // two elements apart
			c := o.Mod(w/2 + 1).Mul(2).Add(j - 3)
			to, from, there = o.FloorDiv(w/2+1).Mod(4).Mul(w).Add(c), y, in.And(c.Ge(0)).And(c.Lt(w))
		case "wider": // more is loaded than stored
			there = o.Ge(2 - j).And(o.Lt(n + 2 - j))
		case "spread": // elements of which every second one is stretched
			c := o.Mod(w).Add(2 - j)
			to, from = o.FloorDiv(w).Mod(4).Mul(w).Add(c.FloorDiv(2)), y
			there = in.And(c.Ge(0)).And(c.Mod(2).Eq(0))
		case "thirds":
			c := o.Add(2 - j)
			to, there = c.FloorDiv(3), in.And(c.Ge(0)).And(c.Mod(3).Eq(0)).And(c.Lt(n))
		case "beyond": // is outside where nothing is stored
			to, there = o, o.Lt(n+1)
		case "turned": // by indices that lie in no order
			to, there = tl.Where(o.Lt(n), o.Xor(1), o), o.Lt(n+1).And(o.Ne(n-1))
		}
		v := tl.Load(from.Add(to), tl.Mask(there), tl.Other(0))
		more := v.Gt(best)
		best, at = tl.Where(more, v, best), tl.Where(more, to, at)
	}
	if OP == "wider" { // divided by what is positive where it is looked at
		at = at.FloorDiv(tl.Maximum(at.And(7), 1))
	}
	tl.Store(z.Add(o), best, tl.Mask(in))
	tl.Store(i.Add(o), at, tl.Mask(in))
}
