package kernels

import tl "github.com/tiler-go/tiler/tilelang"

// The kernels of this file fail, some for some arguments only.

// Beyond loads or stores outside, depending on AT.
func Beyond(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK, AT string) {
	o := lanes(p, BLOCK)
	switch AT {
	case "load":
		put(z, o, tl.Load(x.Add(o.Add(n)), tl.Mask(on(o, n, m, MASK))), n, m, MASK)
	case "before":
		put(z, o, tl.Load(x.Add(o.Sub(n)), tl.Mask(on(o, n, m, MASK))), n, m, MASK)
	case "early":
		a := tl.Load(x.Add(o.Sub(n)), tl.Mask(on(o, n, m, MASK)))
		if n > 1 {
			return
		}
		put(z, o, tl.Flip(a.Add(tl.Flip(a, 0)), 0), n, m, MASK)
	case "store":
		tl.Store(z.Add(o.Mul(2)), get(x, o, n, m, MASK), tl.Mask(on(o, n, m, MASK)))
	case "tail":
		tl.Store(z.Add(o), get(x, o, n, m, "all")) // unmasked: fails if BLOCK does not divide n
	case "gather":
		put(z, o, tl.Load(x.Add(get(x, o, n, m, "all").To(tl.Int64))), n, m, MASK)
	case "element":
		tl.Store(z.Add(p.ID(0)-n), 1)
	case "atomic":
		tl.AtomicAdd(z.Add(o.Sub(1)), 1, tl.Mask(on(o, n, m, MASK)))
	}
}

// Divided divides by what may be zero.
func Divided(p *tl.Program, x, y, z, m tl.Ptr, n int, BLOCK tl.Const, MASK, OP string) {
	o := lanes(p, BLOCK)
	a, b := get(x, o, n, m, MASK), get(y, o, n, m, MASK)
	switch OP {
	case "floordiv":
		a = a.FloorDiv(b)
	case "mod":
		a = a.Mod(b)
	case "both":
		a = a.FloorDiv(b).Sub(a.Mod(b))
	case "byone":
		one := tl.Load(y.Add(p.ID(0)))
		a = a.Mod(one).Sub(a.FloorDiv(one))
	case "int":
		a = a.Add(n / (n - p.ID(0) - 1))
	}
	put(z, o, a, n, m, MASK)
}

// Unfit makes int32 of ints that do not fit, or takes elements out of reach.
func Unfit(p *tl.Program, x, z tl.Ptr, n int, BLOCK tl.Const, OP string) {
	o := tl.Arange(0, BLOCK)
	a := tl.Load(x.Add(o.Mod(n)))
	switch OP {
	case "fits":
		o = o.Add(n << 40)
	case "gather":
		a = tl.Gather(a, o.Add(n), 0)
	case "assert":
		p.Assert(o.Lt(n-1), "lanes")
	case "assertion":
		p.Assert(n > 2000, "n is small")
	}
	tl.Store(z.Add(o.Mod(n)), a)
}

// OneBeyond gathers or scatters by loaded indices, all of which are inside but one: it is AT.
func OneBeyond(p *tl.Program, x, i, z, m tl.Ptr, n, at int, BLOCK tl.Const, MASK, OP string) {
	o := lanes(p, BLOCK)
	mask := on(o, n, m, MASK)
	switch OP {
	case "behind", "negative": // the array of indices is read by elements
		far := n
		if OP == "negative" {
			far = -1
		}
		tl.Store(i.Add(at), far)
		v := tl.Load(x.Add(tl.Load(i.Add(o), tl.Mask(mask), tl.Other(0))), tl.Mask(mask), tl.Other(1))
		tl.Store(z.Add(o), v, tl.Mask(mask))
	case "kept":
		to := tl.Load(i.Add(o), tl.Mask(o.Lt(n)), tl.Other(0))
		to = tl.Where(o.Eq(at), n, to)
		v := tl.Load(x.Add(to), tl.Mask(mask))
		tl.Store(z.Add(o), v.Add(tl.Load(x.Add(to.Mod(n)), tl.Mask(mask))), tl.Mask(mask))
	case "scatter":
		to := tl.Load(i.Add(o), tl.Mask(mask), tl.Other(0))
		v := tl.Load(x.Add(o), tl.Mask(mask), tl.Other(1))
		tl.Store(z.Add(tl.Where(o.Eq(at), n, to)), v, tl.Mask(mask))
	}
}
