package ended

import tl "github.com/tiler-go/tiler/tilelang"

// Arms picks the tensors that it loads from and stores to, by its program, by the round and by what it has loaded, and
// goes on with what it has picked.
func Arms(p *tl.Program, x, y, z, w tl.Ptr, n int, BLOCK tl.Const, OP string) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	src, dst, shift := x, z, 0
	if p.ID(0)%3 == 1 {
		src, shift = y, 1
	} else if p.ID(0)%3 == 2 {
		src, dst = y.Add(1), w
	}
	in := tl.Mask(o.Lt(n - 1))
	a := tl.Load(src.Add(o).Add(shift), in, tl.Other(1))
	switch OP {
	case "rounds":
		for i := range 2 + n%3 {
			from := src
			if i%2 == 1 {
				from = x
			}
			tl.Store(dst.Add(o), tl.Load(from.Add(o), in).Add(a), in)
		}
	case "carried": // what is picked is a tile, and adds up
		for i := range 1 + n%3 {
			from := src.Add(o)
			if i%2 == 1 {
				from = x.Add(tl.Sub(n-1, o))
			}
			a = a.Add(tl.Load(from, in))
		}
	case "loaded":
		if tl.Load(x).To(tl.Float32).Gt(0).Bool() {
			src = x
			if n%2 == 1 {
				return
			}
		}
		a = a.Sub(tl.Load(src.Add(o), in))
	case "beyond": // fails in what one arm alone does
		if p.ID(0) == n%2 {
			src = y.Add(n)
		}
		a = a.Mul(tl.Load(src.Add(o), tl.Mask(o.Lt(n-1).And(o.Ge(0)))))
	}
	ptrs := src.Add(o)
	if n%3 == 1 {
		ptrs = x.Add(tl.Sub(n-1, o))
	}
	tl.Store(dst.Add(o), a.Mul(2).Add(tl.Load(ptrs, in)), in)
}
