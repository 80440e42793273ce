package plane

import tl "github.com/tiler-go/tiler/tilelang"

// FewColumns stores planes as rows of one element of each, which may lie over each other, by ways of turning them.
func FewColumns(p *tl.Program, x, z tl.Ptr, rows, cols, pitch int, R, C tl.Const, OP string) {
	r, c := tl.Arange(0, R), tl.Arange(0, C)
	mask := tl.Mask(r.Col().Lt(rows).And(c.Row().Lt(cols)))
	to := z.Add(r.Mul(pitch).Col()).Add(c.Row())
	switch OP {
	case "columns":
		tl.Store(to, tl.Load(x.Add(r.Col()).Add(c.Mul(rows).Row()), mask), mask)
	case "turned":
		v := tl.Load(x.Add(r.Row()).Add(c.Mul(rows).Col()), tl.Mask(r.Row().Lt(rows-1).And(c.Col().Lt(cols))), tl.Other(1))
		tl.Store(to, v.T(), mask)
	case "backwards":
		to = z.Add((rows - 1) * pitch).Add(r.Mul(pitch).Neg().Col()).Add(c.Row())
		tl.Store(to, tl.Load(x.Add(r.Col()).Add(c.Mul(rows).Row()), mask), mask)
	}
}
