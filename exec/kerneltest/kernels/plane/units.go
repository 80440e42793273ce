package plane

import tl "github.com/tiler-go/tiler/tilelang"

// OneRow is Flat elements of a tile of one row: n of them, in rows of cols.
func OneRow(p *tl.Program, x, y, z, m tl.Ptr, n, cols int, ONE, BLOCK tl.Const, MASK, OP string) {
	i := tl.Arange(0, ONE).Col().Add(p.ID(0) * ONE)
	o := tl.Arange(0, BLOCK).Row().Add(i.Mul(BLOCK))
	if OP == "falling" {
		o = tl.Arange(0, BLOCK).Col().Add(p.ID(0) * BLOCK)
	}
	if OP == "deep" {
		o = o.Reshape(1, BLOCK, 1)
	}
	in := on(o, n, m, MASK)
	r, c := o.FloorDiv(cols), o.Mod(cols)
	v := tl.Load(x.Add(o), tl.Mask(in), tl.Other(3))
	switch OP {
	case "first":
		one := tl.Load(x.Add(i), tl.Mask(i.Lt(n)), tl.Other(7))
		v = v.Add(one)
		tl.Store(y.Add(i.Mul(0)), one, tl.Mask(i.Ge(n)))
	case "carried":
		sum := tl.Zeros(x.DType().Elem(), ONE, BLOCK)
		for k := 0; k < n; k += BLOCK {
			e := tl.Arange(0, BLOCK).Row().Add(k)
			w := tl.Load(y.Add(e.Mod(cols)), tl.Mask(e.Lt(n)), tl.Other(1))
			if k > 0 {
				sum = tl.Maximum(sum, w)
			}
			sum = tl.Where(i.Lt(n), sum.Add(w), w).To(sum.DType())
		}
		v = v.Add(sum)
	case "scanned":
		v = tl.CumSum(v, tl.Axis(1)).To(v.DType())
	case "summed":
		v = v.Add(tl.Max(v, tl.Axis(1)).Col())
	case "rows": // which several rows of a tile are made of
		k := tl.Arange(0, 4).Col()
		w := tl.Load(y.Add(c).Add(k.Mul(0)), tl.Mask(in.And(k.Lt(3))))
		v = v.Add(tl.Max(w, tl.Axis(0)).Row())
	case "turned":
		tl.Store(z.Add(tl.Trans(o)), tl.Trans(v), tl.Mask(tl.Trans(in)))
		return
	case "added":
		tl.AtomicAdd(z.Add(r.Mul(cols)).Add(c), v, tl.Mask(in))
		return
	case "beyond":
		r = r.Add(3)
	}
	w := tl.Load(y.Add(r.Mod(4).Mul(cols)).Add(c), tl.Mask(in))
	if OP == "beyond" {
		w = tl.Load(y.Add(r.Mul(cols)).Add(c), tl.Mask(in))
	}
	tl.Store(z.Add(o), v.Add(w), tl.Mask(in))
}
