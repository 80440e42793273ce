package plane

import tl "github.com/tiler-go/tiler/tilelang"

// compared is one of six comparisons with a limit.
func compared(x tl.Tile, limit any, by int) tl.Tile {
	switch by {
	case 0:
		return x.Lt(limit)
	case 1:
		return x.Le(limit)
	case 2:
		return x.Gt(limit)
	case 3:
		return x.Ge(limit)
	case 4:
		return x.Eq(limit)
	}
	return x.Ne(limit)
}

// Follow are groups of five rows, of which two comparisons of a row's number within its group pick one of four parts:
// of the first one, F, with A, it may follow what the second one, S, with B, is. y has five rows of w elements.
func Follow(p *tl.Program, x, y, z, m tl.Ptr, n, w, limit int, BLOCK, A, B, F, S tl.Const, MASK, OP string) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	in := on(o, n, m, MASK)
	k := o.FloorDiv(w).Mod(5).Sub(2)
	var a, b tl.Tile
	switch OP {
	case "same": // a number that is known when it runs
		t := tl.Full(tl.Int32, limit)
		a, b = compared(k, t, F), compared(k, t, S)
	case "mixed":
		a, b = compared(k, limit, F), compared(k, B, S)
	case "both":
		a, b = compared(k, A, F).And(compared(k, limit, 5)), compared(k, B, S)
	default:
		a, b = compared(k, A, F), compared(k, B, S)
	}
	part := func(q tl.Ptr, mask tl.Tile, i int) tl.Tile {
		return tl.Load(q, tl.Mask(in.And(mask)), tl.Other(i)).Add(i)
	}
	rows := y.Add(k.Add(2).Mul(w).Add(o.Mod(w)))
	yes := tl.Where(b, part(x.Add(o), a.And(b), 1), part(rows, a.And(b.Not()), 2))
	no := tl.Where(b, part(rows, a.Not().And(b), 3), part(x.Add(o), a.Not().And(b.Not()), 4))
	tl.Store(z.Add(o), tl.Where(a, yes, no), tl.Mask(in))
}
