package kernels

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
