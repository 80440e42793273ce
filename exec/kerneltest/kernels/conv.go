package kernels

import tl "github.com/tiler-go/tiler/tilelang"

// Every reads every S-th element, a constant, and every row of a tile that it repeats.
func Every(p *tl.Program, x, z, m tl.Ptr, n int, S, BLOCK tl.Const, MASK string) {
	o := lanes(p, BLOCK)
	at := o.Mul(S)
	if S < 0 {
		at = tl.Sub(n-1, o).Mul(-S)
	}
	a := tl.Load(x.Add(at), tl.Mask(on(o, n, m, MASK)))
	rows := tl.Zeros(a.DType(), 3, BLOCK).Add(a.Row())
	put(z, o, tl.Max(rows, tl.Axis(0)), n, m, "range")
}

// Causal adds up some rows up to each, times a weight each, for each column. At the ends there are fewer rows; with
// OP "outside" the first ones are read all the same.
func Causal(p *tl.Program, x, w, z tl.Ptr, rows, cols int, R, C tl.Const, OP string) {
	r, c := tl.Arange(0, R).Add(p.ID(0)*R), tl.Arange(0, C).Add(p.ID(1)*C)
	inside := c.Lt(cols)
	acc := tl.Zeros(tl.Float32, R, C)
	for j := range 4 {
		at := r.Sub(3 - j)
		on := at.Ge(0)
		other := 0.0
		switch OP {
		case "both":
			at = r.Add(j - 1)
			on = at.Ge(0).And(at.Lt(rows))
		case "dilated":
			at = r.Sub(9 - 3*j)
			on = at.Gt(-1).And(at.Lt(rows - 1))
			other = 2
		case "outside":
			on = at.Lt(rows)
		case "none":
			at = r.Sub(300 - j)
			on = at.Ge(0)
		}
		v := tl.Load(x.Add(at.Col().Mul(cols).Add(c.Row())), tl.Mask(on.Col().And(inside.Row()).And(r.Col().Lt(rows))), tl.Other(other))
		weight := tl.Load(w.Add(c.Mul(4).Add(j)), tl.Mask(inside), tl.Other(1))
		acc = acc.Add(v.To(tl.Float32).Mul(weight.To(tl.Float32).Row()))
	}
	tl.Store(z.Add(r.Col().Mul(cols).Add(c.Row())), acc, tl.Mask(r.Col().Lt(rows).And(inside.Row())))
}
