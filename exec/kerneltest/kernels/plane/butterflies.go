package plane

import tl "github.com/tiler-go/tiler/tilelang"

// Butterflies combines elements of rows of half, pitch apart, with those that lie so far behind them: for some OPs in
// place, so that rows may touch what others have left.
func Butterflies(p *tl.Program, x, z tl.Ptr, n, from, half, pitch, gap int, BLOCK tl.Const, OP string) {
	i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	on := tl.Mask(i.Lt(n))
	first := i.FloorDiv(half).Mul(pitch).Add(i.Mod(half)).Add(from)
	second := first.Add(gap)
	to := z
	switch OP {
	case "place", "swapped":
		to = x
	}
	if OP == "behind" { // a load behind a store that leaves some of it as it was
		tl.Store(x.Add(first), tl.Load(x.Add(second), on), tl.Mask(i.Lt(n).And(i.Mod(half).Lt(half/2))))
		tl.Store(x.Add(second), tl.Load(x.Add(first), on).Mul(3), on)
		return
	}
	a, b := tl.Load(x.Add(first), on), tl.Load(x.Add(second), on)
	switch OP {
	case "one": // to one of them alone
		tl.Store(x.Add(second), a.Add(b), on)
	case "swapped":
		tl.Store(to.Add(second), a, on)
		tl.Store(to.Add(first), b, on)
	case "turned": // a is loaded from a place that is another sum
		a = tl.Load(x.Add(i.FloorDiv(half).Mul(pitch).Add(i.Mod(half).Add(from))), on)
		tl.Store(x.Add(first), b, on)
		tl.Store(x.Add(second), a, on)
	default:
		tl.Store(to.Add(first), a.Add(b), on)
		tl.Store(to.Add(second), a.Sub(b), on)
	}
}
