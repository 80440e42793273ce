package ended

import tl "github.com/tiler-go/tiler/tilelang"

// FilledRows copies some of a matrix's rows, and something else in place of the others, to rows that are further apart.
func FilledRows(p *tl.Program, x, z tl.Ptr, rows, cols, pitch int, R, C tl.Const, OP string) {
	r, c := tl.Arange(0, R).Col(), tl.Arange(0, C).Row()
	all, some := r.Lt(rows).And(c.Lt(cols)), r.Lt(rows-2).And(c.Lt(cols))
	at, other := x.Add(r.Mul(cols)).Add(c), tl.Other(0)
	switch OP {
	case "first":
		some = some.And(r.Ge(1))
	case "ones":
		other = tl.Other(1)
	case "narrow":
		some = some.And(c.Lt(cols - 1))
	}
	tl.Store(z.Add(r.Mul(pitch)).Add(c), tl.Load(at, tl.Mask(some), other), tl.Mask(all))
}
