package ended

import tl "github.com/tiler-go/tiler/tilelang"

// Either copies rows of n elements in blocks of B, from one of several tensors or from none, as a flag says that is the
// same for all of a row: the number of rows below it, or what i holds.
func Either(p *tl.Program, a, b, i, z tl.Ptr, n, rows int, B tl.Const, OP string) {
	r := p.ID(0)
	on := r < rows
	flag := tl.Load(i.Add(r)).Gt(0)
	at, low := r*n, -1<<20 // far outside
	if on {
		low = at
	}
	for from := 0; from < n; from += B {
		c := tl.Arange(0, B).Add(from)
		in := c.Lt(n)
		m := tl.Mask(in)
		load := func(x tl.Ptr, at int, mask tl.Tile) tl.Tile {
			return tl.Load(x.Add(c.Add(at)), tl.Mask(mask), tl.Other(3))
		}
		var v tl.Tile
		switch OP {
		case "tensors":
			x := a
			if !on {
				x = b
			}
			v = tl.Load(x.Add(c).Add(at), m)
		case "three":
			x := a
			if r >= 2*rows {
				x = z
			} else if r >= rows {
				x = b
			}
			v = tl.Load(x.Add(c).Add(at), m)
		case "none", "beyond":
			if OP == "beyond" && r > 4 {
				low = at + n + r
			}
			v = load(a, low, in.And(on))
		case "where":
			v = tl.Where(on, load(a, low, in.And(on)), load(b, at, in.And(!on)))
		case "loaded":
			v = tl.Where(flag, load(a, at, in.And(flag)), load(b, at, in.And(flag.Not())))
		case "masks": // of which a part is the other way round
			v = load(a, at, in.And(flag.BroadcastTo(B).Not())).Add(load(b, low, in.And(on).And(in)))
		case "both": // flags
			v = load(a, low, in.And(flag).And(on)).Add(load(b, at, in.And(flag)))
		case "told": // what the flag is
			v = load(a, at, in.And(flag)).To(tl.Float32).Add(tl.Where(in.And(flag), c, c.Mul(2)))
		case "equal": // numbers to others
			v = load(a, at, in.And(r%2 == 1)).Add(load(b, at, in.And(from/B == 1))).Add(load(b, at, in.And(r%2 == 0)))
		case "stored":
			v = load(a, low, in.And(on))
			m = tl.Mask(in.And(flag))
		case "two": // stores, and loads of what the first one left
			v = load(a, low, in.And(on))
			tl.Store(z.Add(c).Add(at), v.Add(1).To(z.Elem()), m)
			v = v.Add(load(z, at, in.And(flag))).Add(load(z, at, in))
		case "later": // code that looks at it
			v = load(a, low, in.And(on))
			tl.Store(z.Add(c).Add(at), v, m)
			if tl.Sum(v.To(tl.Float32)).Float() > 1 {
				v = v.Add(2)
			}
		case "sum":
			v = load(a, low, in.And(on))
			v = v.Add(tl.Max(v).To(v.DType()))
		}
		tl.Store(z.Add(c).Add(at), v.To(z.Elem()), m)
	}
}

// Left copies rows of n from one tensor or another, which a loop picks that branches leave on either side.
func Left(p *tl.Program, a, b, z tl.Ptr, n, rows int, B tl.Const) {
	r := p.ID(0)
	c := tl.Arange(0, B)
	for k := range rows {
		if k < r {
			a = b
		} else if k%2 == 0 {
			break
		} else {
			break
		}
	}
	at := c.Add(r * n)
	tl.Store(z.Add(at), tl.Load(a.Add(at), tl.Mask(c.Lt(n))), tl.Mask(c.Lt(n)))
}
