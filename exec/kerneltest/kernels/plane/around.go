package plane

import tl "github.com/tiler-go/tiler/tilelang"

// Around adds up what lies around an element in rows of w, whose address is put together again from the digits of its
// number: their quotients cancel.
func Around(p *tl.Program, x, z, m tl.Ptr, n, w int, BLOCK tl.Const, MASK, OP string) {
	here := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	in := on(here, n, m, MASK)
	o, from := here, 0
	switch OP {
	case "wide":
		o = o.To(tl.Int64)
	case "signed": // numbers of both signs
		o, from = o.Sub(n/2), n/2
	case "negative": // rows count backwards
		w = -w
	case "far": // sums that wrap
		o, from = o.Add(1<<31-300), -(1<<31 - 300)
	}
	r, c := o.FloorDiv(w), o.Mod(w)
	if OP == "apart" { // which are not digits of one number
		c = o.Mod(w + 1)
	}
	v := tl.Load(x.Add(here), tl.Mask(in))
	for i := -1; i < 2; i++ {
		h, j := r.Add(i), c.Sub(i*2)
		at := h.Mul(w).Add(j).Add(from)
		near := in.And(j.Ge(-1)).And(j.Lt(w + 1)).And(at.Ge(0)).And(at.Lt(n))
		if OP == "beyond" {
			near = in
		}
		ptr := x.Add(at)
		switch OP {
		case "chain", "far", "negative":
			ptr = x.Add(h.Mul(w)).Add(j).Add(from)
		case "cols":
			ptr = x.Add(h.Col().Mul(w).Add(j.Col())).Reshape(BLOCK)
		case "minus":
			ptr = x.Sub(j.Neg()).Sub(h.Mul(-w))
		case "turned": // the difference of digits
			at = h.Mul(w).Sub(j)
			near, ptr = near.And(at.Ge(0)).And(at.Lt(n)), x.Add(at)
		}
		v = v.Add(tl.Load(ptr, tl.Mask(near), tl.Other(i+1)))
	}
	tl.Store(z.Add(here), v, tl.Mask(in))
}
