package product

import tl "github.com/tiler-go/tiler/tilelang"

// Prefix adds up the rows of a matrix from the first on by a product with a triangle of ones, or with what only looks
// like one.
func Prefix(p *tl.Program, x, z tl.Ptr, n, cols int, T, C tl.Const, OP string) {
	i, j := tl.Arange(0, T), tl.Arange(0, C)
	at := i.Col().Mul(cols).Add(j.Row())
	in := tl.Mask(i.Lt(n).Col().And(j.Lt(cols).Row()))
	v := tl.Load(x.Add(at), in, tl.Other(0)).To(tl.Float32)
	a := tl.Where(i.Col().Ge(i.Row()), 1.0, 0.0)
	switch OP {
	case "turned":
		a = tl.Where(i.Row().Le(i.Col()), 1.0, 0.0)
	case "bools":
		a = i.Col().Ge(i.Row()).To(tl.Float32)
	case "strict":
		a = tl.Where(i.Col().Gt(i.Row()), 1.0, 0.0)
	case "upper":
		a = tl.Where(i.Col().Le(i.Row()), 1.0, 0.0)
	case "negative":
		a = tl.Where(i.Col().Ge(i.Row()), 1.0, 0.0).Mul(-1)
	case "twos":
		a = tl.Where(i.Col().Ge(i.Row()), 2.0, 0.0)
	case "zeros": // what is added up is ±0
		v = v.Mul(0).Neg()
	case "more":
		tl.Store(z.Add(at), tl.Dot(a, v, tl.Acc(v)), in)
		return
	}
	tl.Store(z.Add(at), tl.Dot(a, v), in)
}
