package ended

import tl "github.com/tiler-go/tiler/tilelang"

// Summed is what a loop makes of a tile, which is reduced behind it.
func Summed(p *tl.Program, x, z tl.Ptr, n int, BLOCK tl.Const, OP string) {
	acc, seen := tl.Full(x.DType().Elem(), 3, BLOCK), tl.Zeros(x.DType().Elem(), BLOCK)
	if OP == "from" {
		acc = tl.Load(x.Add(tl.Arange(0, BLOCK)), tl.Mask(tl.Arange(0, BLOCK).Lt(n)), tl.Other(1))
	}
	for i := 0; i < n; i += BLOCK {
		o := tl.Arange(0, BLOCK).Add(i)
		a := tl.Load(x.Add(o), tl.Mask(o.Lt(n)), tl.Other(2))
		switch OP {
		case "add", "from", "used":
			acc = acc.Add(a)
		case "count":
			acc = acc.Add(a.Gt(1).To(x.DType().Elem()))
		case "twice":
			acc = a.Xor(5).Add(acc.Add(a))
		case "doubled":
			acc = acc.Add(acc)
		case "less":
			acc = acc.Sub(a)
		case "max", "sum_of_max":
			acc = tl.Maximum(acc, a).To(acc.DType())
		case "min":
			acc = tl.Minimum(a, acc).To(acc.DType())
		case "or":
			acc = acc.Or(a)
		case "xor":
			acc = acc.Xor(a)
		case "seen":
			acc = acc.Add(a)
			seen = seen.Add(acc)
		case "both":
			acc, seen = acc.Add(a), seen.Add(a.Mul(2))
		case "crossed":
			acc, seen = seen.Add(a), acc.Add(a)
		case "inner":
			for j := 0; j < 3; j++ {
				acc = acc.Add(a.Mul(j))
			}
		}
	}
	at := z.Add(p.ID(0))
	switch OP {
	case "max":
		tl.Store(at, tl.Max(acc))
	case "min":
		tl.Store(at, tl.Min(acc))
	case "used":
		tl.Store(at, tl.Sum(acc).Add(tl.Max(acc)))
	default:
		tl.Store(at, tl.Sum(acc).Add(tl.Sum(seen)))
	}
}
