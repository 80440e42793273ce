package ended

import tl "github.com/tiler-go/tiler/tilelang"

// columns loads some columns only.
func columns(x tl.Ptr, at, c, on tl.Tile, lo, hi int) tl.Tile {
	return tl.Load(x.Add(at), tl.Mask(on.And(c.Ge(lo).And(c.Lt(hi)).Row())), tl.Other(3))
}

// JoinedRows puts rows of two matrices behind each other: where those of one end, those of the other begin.
func JoinedRows(p *tl.Program, x, y, z tl.Ptr, rows, cols, cut int, R, C tl.Const, OP string) {
	r, c := tl.Arange(0, R).Add(p.ID(0)*R), tl.Arange(0, C).Add(p.ID(1)*C)
	on, at := r.Col().Lt(rows).And(c.Row().Lt(cols)), r.Col().Mul(cols).Add(c.Row())
	first := tl.Load(x.Add(at), tl.Mask(on.And(c.Lt(cut).Row())), tl.Other(1))
	second := tl.Load(y.Add(at), tl.Mask(on.And(c.Ge(cut).Row())), tl.Other(2))
	switch OP {
	case "sum":
		first = first.Add(second)
	case "where":
		first = tl.Where(c.Lt(cut).Row(), first, second)
	case "either":
		first = tl.Where(c.Ge(cut).Row(), second, first)
	case "three":
		third := tl.Load(x.Add(at), tl.Mask(on.And(c.Ge(cut+20).Row())), tl.Other(4))
		first = first.Add(columns(y, at, c, on, cut, cut+20)).Add(third)
	case "crossing": // the second cut is ahead of the first
		first = first.Add(second).Add(columns(y, at, c, on, cut-20, cut)).Add(columns(x, at, c, on, 0, cut-20))
	}
	tl.Store(z.Add(at), first, tl.Mask(on))
}

// JoinedKept joins rows of which one is a tile that others ask for all of, or a scan, which goes through all of it.
func JoinedKept(p *tl.Program, x, y, z, w tl.Ptr, rows, cols, cut int, R, C tl.Const, OP string) {
	r, c := tl.Arange(0, R).Add(p.ID(0)*R), tl.Arange(0, C).Add(p.ID(1)*C)
	on, at := r.Col().Lt(rows).And(c.Row().Lt(cols)), r.Col().Mul(cols).Add(c.Row())
	mask, before, behind := tl.Mask(on), c.Lt(cut).Row(), c.Ge(cut).Row()
	u, v := tl.Load(x.Add(at), mask, tl.Other(1)), tl.Load(y.Add(at), tl.Mask(on.And(before)), tl.Other(2))
	kept := tl.Cos(u.To(tl.Float32))
	switch OP {
	case "before":
		tl.Store(z.Add(at), tl.Where(before, v, kept), mask)
	case "behind":
		tl.Store(z.Add(at), tl.Where(behind, kept, v), mask)
	case "other":
		tl.Store(z.Add(at), tl.Load(y.Add(at), tl.Mask(on.And(before)), tl.Other(kept.To(y.DType().Elem()))), mask)
	case "rows":
		s := tl.Sum(tl.Where(behind, kept, v), tl.Axis(0), tl.KeepDims)
		tl.Store(z.Add(at), kept.Add(s), mask)
	case "scan":
		tl.Store(z.Add(at), tl.Where(behind, tl.CumSum(u, tl.Axis(1)), v), mask)
	case "scanned":
		tl.Store(z.Add(at), tl.Where(before, v, tl.CumSum(u, tl.Axis(1))), mask)
	}
	tl.Store(w.Add(at), kept.Mul(tl.Sum(kept, tl.Axis(1), tl.KeepDims)), mask)
}
