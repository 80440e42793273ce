package ended

import tl "github.com/tiler-go/tiler/tilelang"

// Transferred stores the first cols elements of rows, w apart, as they are elsewhere; x and z may be one tensor.
func Transferred(p *tl.Program, x, z tl.Ptr, cols, w int, R, BLOCK tl.Const, OP string) {
	c, row := tl.Arange(0, BLOCK), p.ID(0)*R*w
	x, z = x.Add(row), z.Add(row)
	switch OP {
	case "row":
		tl.Store(z.Add(c), tl.Load(x.Add(c), tl.Mask(c.Lt(cols))), tl.Mask(c.Lt(cols)))
	case "within": // behind some elements, in some programs all
		in := tl.Mask(c.Ge(p.ID(0) * p.ID(0) * 20).And(c.Lt(cols)))
		tl.Store(z.Add(c), tl.Load(x.Add(c), in), in)
	case "onward":
		tl.Store(z.Add(c.Add(1)), tl.Load(x.Add(c), tl.Mask(c.Lt(cols))), tl.Mask(c.Lt(cols)))
	case "back":
		tl.Store(z.Add(c), tl.Load(x.Add(c.Add(1)), tl.Mask(c.Lt(cols))), tl.Mask(c.Lt(cols)))
	case "rows":
		r := tl.Arange(0, R).Col()
		in := tl.Mask(c.Row().Lt(cols).And(r.Lt(R - 1)))
		tl.Store(z.Add(r.Mul(w)).Add(c.Row()), tl.Load(x.Add(r.Mul(w)).Add(c.Row()), in), in)
	case "upward": // the last row first
		r := tl.Arange(0, R).Col()
		in := tl.Mask(c.Row().Lt(cols))
		tl.Store(z.Add(r.Mul(w)).Add(c.Row()), tl.Load(x.Add(r.Neg().Add(R-1).Mul(w)).Add(c.Row()), in), in)
	case "fewer": // elements than are stored
		v := tl.Load(x.Add(c), tl.Mask(c.Lt(cols-2)), tl.Other(3))
		tl.Store(z.Add(c), v, tl.Mask(c.Lt(cols)))
	case "beyond": // in the last program
		tl.Store(z.Add(c), tl.Load(x.Add(c.Add(w*R)), tl.Mask(c.Lt(cols))), tl.Mask(c.Lt(cols)))
	case "outside":
		tl.Store(z.Add(c.Add(w*R)), tl.Load(x.Add(c), tl.Mask(c.Lt(cols))), tl.Mask(c.Lt(cols)))
	}
}
