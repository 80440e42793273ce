package ended

import tl "github.com/tiler-go/tiler/tilelang"

// RowsTimes adds rows up, each times a number of its own. Of neither is there more than the mask lets through.
func RowsTimes(p *tl.Program, x, y, z tl.Ptr, rows, cols int, R, C tl.Const, OP string) {
	r, c := tl.Arange(0, R).Add(p.ID(0)*R), tl.Arange(0, C)
	at, mask := r.Mul(cols).Col().Add(c.Row()), r.Lt(rows).Col().And(c.Lt(cols).Row())
	times := tl.Load(y.Add(r), tl.Mask(r.Lt(rows)), tl.Other(2)).Col()
	if OP == "kept" {
		times = times.Mul(3)
	}
	sum := tl.Sum(tl.Load(x.Add(at), tl.Mask(mask), tl.Other(1)).Mul(times), tl.Axis(1), tl.KeepDims)
	tl.Store(z.Add(at), sum.Add(times), tl.Mask(mask))
}

// PickedRows picks elements by indices under a mask of rows and of columns, where rows alone are asked whether to.
func PickedRows(p *tl.Program, x, i, z tl.Ptr, rows, cols int, R, C tl.Const) {
	r, c := tl.Arange(0, R).Add(p.ID(0)*R), tl.Arange(0, C)
	at, mask := r.Mul(cols).Col().Add(c.Row()), r.Lt(rows).Col().And(c.Lt(cols).Row())
	id := tl.Load(i.Add(at), tl.Mask(mask.And(c.Ge(1).Row())), tl.Other(0))
	tl.Store(z.Add(at), tl.Load(x.Add(id), tl.Mask(r.Lt(rows).Col().BroadcastTo(R, C))), tl.Mask(mask))
}

// Guarded sums, computes, picks and stores rows under masks of which one condition is the same in all lanes: programs
// do all of what other conditions let through, or nothing.
func Guarded(p *tl.Program, x, y, i, z, w tl.Ptr, rows, cols, some int, R, C tl.Const, OP string) {
	row := p.ID(0) * R
	r, c := tl.Arange(0, R).Add(row), tl.Arange(0, C)
	at, in := r.Mul(cols).Col().Add(c.Row()), r.Lt(rows).Col().And(c.Lt(cols).Row())
	all := tl.Full(tl.Int32, row, R, C)
	switch OP {
	case "below":
		in = in.And(all.Lt(some))
	case "alone": // which leaves rows that are none to whoever asks for fewer
		in = all.Lt(min(some, rows/R*R)).And(c.Lt(cols).Row())
	case "columns":
		in = in.And(c.Ge(1).And(tl.Full(tl.Int64, row, C).Le(some)).Row())
	case "either":
		in = in.And(all.Lt(some).Or(all.Gt(some + R)))
	case "loaded":
		in = in.And(tl.Load(i.Add(p.ID(0))).Mod(2).Eq(0).BroadcastTo(R, C))
	case "float":
		in = in.And(tl.Full(tl.Float32, float64(some)-0.5, R, C).Gt(float64(row)))
	case "wraps":
		in = in.And(tl.Full(tl.Int32, 1<<31-1, R, C).Add(some).Lt(row))
	case "wide":
		in = in.And(tl.Full(tl.Int64, some*(1<<61), 1, C).Add(row).Ge(some * (1 << 60)))
	case "single":
		in = in.And(tl.Arange(0, 1).Add(row).Ge(some).Col())
	case "apart": // far from each other
		in = in.And(tl.Arange(0, 1).To(tl.Int64).Add(some * (1 << 58)).Mul(3).Gt(row - 1).Row())
	}
	mask := tl.Mask(in)
	a, b := tl.Load(x.Add(at), mask, tl.Other(1)), tl.Load(y.Add(at), tl.Mask(in.And(r.Lt(rows).Col())))
	tl.Store(z.Add(at), a.Mul(b.Sub(tl.Sum(a.Mul(b), tl.Axis(1), tl.KeepDims))), mask)
	picked := tl.Load(x.Add(tl.Load(i.Add(at), mask)), mask, tl.Other(2))
	tl.Store(w.Add(at), tl.Where(in, picked, b), tl.Mask(r.Lt(rows).Col().And(c.Lt(cols).Row())))
}
