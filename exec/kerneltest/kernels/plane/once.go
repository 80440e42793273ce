package plane

import tl "github.com/tiler-go/tiler/tilelang"

// Once goes through the second halves of rows in blocks of B: n elements, which may be one block, none or many.
func Once(p *tl.Program, x, w, z tl.Ptr, n int, B tl.Const, OP string) {
	r := p.ID(0)
	lo, hi := 0, n
	switch OP {
	case "within": // of a row that begins anywhere
		lo, hi = r%5, r%5+n-4
	case "rounds": // none of five elements
		hi = n - 5
	case "never": // hi - lo is 1, modulo 2^64
		lo, hi = 1<<63-1-n/1000, -1<<63+n/1000
	}
	from := n
	if OP == "wide" { // whole rows, later on
		from = 0
	}
	x, w, z = x.Add(2*r*n+from), w.Add(from), z.Add(2*r*n+from)
	c0 := tl.Arange(0, B)
	half := tl.Full(tl.Float32, 0.5, B)
	if OP == "ahead" && n > 40 { // a tile that a branch ahead of the loops needs, and nothing else
		tl.Store(z.Add(c0), c0.Mul(3).To(x.DType().Elem()), tl.Mask(c0.Lt(9)))
	}
	acc, least := tl.Zeros(tl.Float32, B), tl.Full(tl.Float32, 9, B)
	for k := lo; k < hi; k += B {
		c := c0.Add(k)
		m := tl.Mask(c.Lt(hi))
		if OP == "beyond" {
			m = tl.Mask(c.Lt(hi + r/20))
		}
		v := tl.Load(x.Add(c), m, tl.Other(0)).To(tl.Float32)
		acc = acc.Add(v.Mul(half))
		if OP == "rounds" {
			acc = acc.Add(half)
		}
		least = tl.Minimum(least, v)
		if OP == "stored" {
			tl.Store(z.Add(c), v.Add(k).To(x.DType().Elem()), m)
		}
	}
	sum, low := tl.Sum(acc), tl.Min(least)
	if OP == "leaves" && n == 100 {
		tl.Store(z, sum.To(x.DType().Elem()))
		return
	}
	switch OP { // loops of other bounds
	case "narrow":
		hi = n / 2
	case "wide":
		hi = 2 * n
	}
	square := tl.Zeros(tl.Float32, B)
	for k := lo; k < hi; k += B {
		c := c0.Add(k)
		of := x
		if OP == "stored" {
			of = z
		}
		d := tl.Load(of.Add(c), tl.Mask(c.Lt(hi)), tl.Other(0)).To(tl.Float32).Sub(sum)
		square = square.Add(tl.Where(c.Lt(hi), d.Mul(d), 0))
	}
	by := tl.Sum(square).Add(low)
	for k := lo; k < hi; k += B {
		c := c0.Add(k)
		m := tl.Mask(c.Lt(hi))
		u := tl.Load(w.Add(c), m, tl.Other(1)).To(tl.Float32)
		v := tl.Load(x.Add(c), m, tl.Other(0)).To(tl.Float32)
		tl.Store(z.Add(c), v.Sub(sum).Mul(u).Add(by).Add(half).To(x.DType().Elem()), m)
	}
	if OP == "last" || OP == "rounds" { // what the loops carried, once more
		tl.Store(z.Add(c0), acc.Add(square).Add(least).To(x.DType().Elem()), tl.Mask(c0.Lt(n)))
	}
}
