package ended

import tl "github.com/tiler-go/tiler/tilelang"

// Slots looks up pages of rows of n positions, in blocks of B: pages are quotients by d, of what is loaded or of the
// positions' numbers, which nobody looks at where a mask does not hold.
func Slots(p *tl.Program, x, t, z tl.Ptr, n, d int, B tl.Const, OP string) {
	r := p.ID(0)
	z = z.Add(r * (n + 8))
	for from := 0; from < n; from += B {
		i := tl.Arange(0, B).Add(from)
		m, few := i.Lt(n), i.Lt(min(n, 3))
		if OP == "over" {
			m = i.Lt(n + r/2)
		}
		v := tl.Load(x.Add(i.Add(r*n)), tl.Mask(m), tl.Other(9)).To(tl.Int32).And(15)
		switch OP {
		case "numbers": // of positions
			v = i.And(15)
		case "kept":
			v = v.Add(tl.Max(v))
			v = tl.Where(v.Gt(15), 15, v)
		}
		by := tl.Full(tl.Int32, d, B)
		switch OP {
		case "each":
			by = by.Add(i.And(3))
		case "by": // what is a remainder itself, and odd
			by = i.Or(1).Mod(by.Mul(2))
		}
		q := v.FloorDiv(by)
		s := tl.Load(t.Add(q), tl.Mask(m), tl.Other(1)).To(tl.Int32)
		switch OP {
		case "both", "over", "numbers", "kept", "each":
			s = s.Mul(d).Add(v.Mod(by))
		case "chain":
			s = s.Add(q.FloorDiv(d + 1)).Sub(q.Mod(d + 1))
		case "also": // of all lanes
			s = s.Add(tl.Sum(q)).Add(tl.Sum(v.Mod(by)))
		case "asked": // everywhere, for a mask
			s = s.Add(tl.Load(t.Add(i.And(15)), tl.Mask(q.Lt(2)), tl.Other(5)).To(tl.Int32))
		case "narrow": // for an address
			s = q.Add(tl.Load(t.Add(q), tl.Mask(few)).To(tl.Int32))
		case "two": // masks
			tl.Store(z.Add(i).Add(8), q, tl.Mask(i.Lt(n-8)))
			m = i.Lt(min(n, 8))
		}
		at := i
		if OP == "spread" {
			at = i.Sub(i.Mod(by)).Add(tl.Sub(by, 1)).Sub(i.Mod(by)).Add(i.Mod(by).Mul(2)).Sub(tl.Sub(by, 1))
		}
		tl.Store(z.Add(at), s, tl.Mask(m))
	}
}
