package plane

import tl "github.com/tiler-go/tiler/tilelang"

// Few is a program for each C elements that follow each other, n in all.
func Few(p *tl.Program, x, ids, z tl.Ptr, n int, C tl.Const, OP string) {
	r := p.ID(0)
	c := tl.Arange(0, C)
	i := c.Add(r * C)
	in := tl.Mask(i.Lt(n))
	to := z.Add(i)
	switch OP {
	case "over": // the last ones lie beyond x
		i, in, to = i.Add(16*C), tl.Mask(i.Ge(0)), z.Add(i.Mod(n+1))
	case "wide": // numbers of 32 bits do not hold those of the last programs
		i = c.Add(1<<31 - n + 10 + r*C).Sub(1<<31 - n + 10)
	case "wraps":
		i = c.Add(1<<31 - 100).Add(r * C).Sub(1<<31 - 100)
	case "back":
		i = i.Mul(-1).Add(n - 1)
	case "turned":
		i = tl.Zeros(tl.Int32, C).Add(n - 1 - r*C).Sub(c)
	case "moved":
		i = i.Sub(3)
		in = tl.Mask(i.Ge(0).And(i.Lt(n - 3)))
		to = z.Add(i)
	case "twice":
		to = z.Add(c.Mul(2).Add(2 * r * C))
	case "gaps": // programs lie further apart than their ends
		to = z.Add(c.Add(r * (C + 1)))
	case "meets": // programs lie less far apart
		i = c.Add(r * (C / 2))
	case "onward":
		v := tl.Load(x.Add(r*C).Add(c), in, tl.Other(2))
		tl.Store(z.Add(r*C).Add(c), v.Mul(v).To(v.DType()), in)
		return
	case "picked":
		i = tl.Load(ids.Add(i), in)
	}
	v := tl.Load(x.Add(i), in, tl.Other(2))
	d := v.DType()
	switch OP {
	case "bytes": // numbers of 8 bits wrap, and those of 32 made of them do not go on
		v = v.Add(i.To(tl.Int8).To(tl.Int32)).To(d)
	case "chosen":
		v = tl.Where(i.Lt(n/2), v, v.Add(n%5)).To(d)
	case "numbered": // by program, by element, by both
		v = v.Add(c.Mul(3)).Add(r).Add(i.And(7)).To(d)
	case "divided":
		v = v.Add(tl.Load(ids.Add(i), in).FloorDiv(i.Sub(n / 3))).To(d)
	case "same": // of each program, and of all
		v = v.Add(tl.Load(x)).Add(tl.Zeros(tl.Int32, C).Add(n)).To(d)
	}
	tl.Store(to, v, in)
}
