package element

import tl "github.com/tiler-go/tiler/tilelang"

// InPairs stores both elements of each pair, which change places, by a store of its own.
func InPairs(p *tl.Program, x, z, m tl.Ptr, n int, BLOCK tl.Const, MASK, OP string) {
	o := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	in := o.Lt(n)
	switch MASK {
	case "range":
		in = in.And(o.Ge(n / 3))
	case "odd":
		in = o.Mod(2).Eq(1).And(in)
	case "data":
		in = tl.Load(m.Add(o), tl.Mask(in)).And(in)
	}
	at, to := o.Mul(2), z
	switch OP {
	case "shifted":
		at = tl.Arange(0, BLOCK).Shl(1).Add(p.ID(0) * BLOCK * 2)
	case "far": // twice their numbers wrap
		o = tl.Arange(1<<30, 1<<30+int(BLOCK)).Add(p.ID(0) * BLOCK)
		at, in = o.Sub(1<<30).Mul(2), o.Lt(1<<30+n)
	case "place":
		to = x
	case "over": // what one row stores first, the one before it stores last
		at, in = tl.Arange(0, 2).Col().Add(at.Row()), in.Row()
	case "rows":
		at, in = tl.Arange(0, 2).Col().Mul(2*n).Add(at.Row()), in.Row()
	}
	a, b := tl.Load(x.Add(at), tl.Mask(in)), tl.Load(x.Add(at.Add(1)), tl.Mask(in))
	if OP == "back" {
		tl.Store(to.Add(at.Add(1)), a, tl.Mask(in))
		tl.Store(to.Add(at), b, tl.Mask(in))
		return
	}
	tl.Store(to.Add(at), b, tl.Mask(in))
	tl.Store(to.Add(at.Add(1)), a, tl.Mask(in))
}

// Grouped copies rows from one group of EACH elements to another one.
func Grouped(p *tl.Program, x, z tl.Ptr, n, step int, EACH, BLOCK tl.Const) {
	c := tl.Arange(0, BLOCK)
	group := c.FloorDiv(EACH).Add(p.ID(0)).Add(step)
	at := c.Add(p.ID(0) * BLOCK)
	v := tl.Load(x.Add(at), tl.Mask(group.Lt(n)), tl.Other(7))
	tl.Store(z.Add(at), v, tl.Mask(group.Ge(1).And(group.Le(n))))
}
