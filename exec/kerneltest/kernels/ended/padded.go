package ended

import (
	"math"

	tl "github.com/tiler-go/tiler/tilelang"
)

// Padded reduces rows that are shorter than the block: behind them stands one value, which nothing is known of.
func Padded(p *tl.Program, x, z, w tl.Ptr, n int, BLOCK, PAD tl.Const, OP string) {
	i := tl.Arange(0, BLOCK)
	pad := []any{0, 1, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), -3}[PAD]
	a := tl.Load(x.Add(i.Add(p.ID(0)*n)), tl.Mask(i.Lt(n)), tl.Other(pad))
	var r tl.Tile
	switch OP {
	case "sum":
		r = tl.Sum(a)
	case "max":
		r = tl.Max(a)
	case "argmax":
		r = tl.ArgMax(a)
	case "minindex":
		v, at := tl.MinIndex(a)
		tl.Store(w.Add(p.ID(0)), at)
		r = v
	case "product":
		r = tl.Reduce(a, func(u, v tl.Tile) tl.Tile { return u.Mul(v).To(u.DType()) })
	case "mean": // which never comes to an end, or does at the padding
		r = tl.Reduce(a, func(u, v tl.Tile) tl.Tile { return u.Add(v).Mul(0.5).To(u.DType()) })
	case "last":
		r = tl.Reduce(a, func(_, v tl.Tile) tl.Tile { return v })
	case "turns": // from one to the other
		r = tl.Reduce(a, func(u, v tl.Tile) tl.Tile { return v.Sub(u).To(u.DType()) })
	case "any":
		r = tl.Reduce(a.Gt(2), func(u, v tl.Tile) tl.Tile { return u.Or(v) })
	case "differ":
		r = tl.Reduce(a.Gt(0), func(u, v tl.Tile) tl.Tile { return u.Xor(v) })
	case "pairs":
		s, c := tl.Reduce2(a, tl.Where(i.Lt(n), 1, 0), func(a, m, b, n tl.Tile) (tl.Tile, tl.Tile) {
			return a.Add(b).To(a.DType()), m.Add(n)
		})
		tl.Store(w.Add(p.ID(0)), c)
		r = s
	}
	tl.Store(z.Add(p.ID(0)), r)
}
