package ended

import tl "github.com/tiler-go/tiler/tilelang"

// Short reduces rows of few elements, of which a mask lets cols through: each is a program's or one of R.
func Short(p *tl.Program, x, z tl.Ptr, n, cols, other int, R, C tl.Const, OP string) {
	r := tl.Arange(0, R).Add(p.ID(0) * R).Col()
	c := tl.Arange(0, C).Row()
	on := c.Lt(cols)
	if R > 1 {
		on = on.And(r.Lt(n))
	}
	at := r.Mul(cols).Add(c)
	v := tl.Load(x.Add(at), tl.Mask(on), tl.Other(other))
	t := v
	switch OP {
	case "sum":
		t = tl.Sum(v, tl.Axis(1))
	case "apart":
		d := tl.Where(on, v.Sub(tl.Sum(v, tl.Axis(1)).Col()), 0)
		t = tl.Sum(d.Mul(d), tl.Axis(1))
	case "negative":
		t = tl.Sum(tl.Where(on, v, v.Mul(0).Mul(-1)), tl.Axis(1))
	case "most":
		t = tl.Max(v, tl.Axis(1))
	case "index":
		t = tl.ArgMax(v, tl.Axis(1))
	case "least":
		u, i := tl.MinIndex(v.Sub(tl.Max(v, tl.Axis(1)).Col()), tl.Axis(1))
		t = u.Add(i)
	case "product":
		t = tl.Reduce(v, func(a, b tl.Tile) tl.Tile { return a.Mul(b) }, tl.Axis(1))
	case "running":
		t = tl.Max(tl.CumSum(v, tl.Axis(1)), tl.Axis(1))
	case "numbered":
		t = tl.Sum(v.Mul(c.Add(1)), tl.Axis(1))
	}
	tl.Store(z.Add(at), v.Sub(t.Col()), tl.Mask(on))
}
