package ended

import tl "github.com/tiler-go/tiler/tilelang"

// Unneeded loads from outside of x, which has n elements, what a branch that is not taken, or a loop without rounds,
// would need.
func Unneeded(p *tl.Program, x, z tl.Ptr, n int, BLOCK tl.Const, OP string) {
	i := tl.Arange(0, BLOCK)
	at := i.Add(n)
	switch OP {
	case "remainder", "rounds", "each", "masked", "chosen":
		at = at.Mod(3 * n)
	case "quotient":
		at = at.FloorDiv(2).Add(n)
	case "numbered":
		at = tl.Load(x.Add(i), tl.Mask(i.Lt(n))).To(tl.Int32).Mul(0).Add(at)
	}
	in := tl.Mask(i.Lt(n / 2))
	acc := tl.Zeros(x.DType().Elem(), BLOCK)
	if OP == "each" || OP == "masked" {
		for b := range 2 {
			v := tl.Load(x.Add(at.Add(b)))
			if OP == "masked" {
				v = tl.Load(x.Add(at.Add(b)), in, tl.Other(1))
			}
			if b > n {
				acc = acc.Add(v).To(acc.DType())
			}
		}
		tl.Store(z.Add(i), acc, tl.Mask(i.Lt(n)))
		return
	}
	v := tl.Load(x.Add(at))
	switch {
	case OP == "rounds":
		for range min(n, 0) {
			acc = acc.Add(v).To(acc.DType())
		}
	case OP == "chosen":
		acc = tl.Where(i.Lt(min(n, 0)), v, acc)
	case n < 0:
		acc = acc.Add(v).To(acc.DType())
	}
	tl.Store(z.Add(i), acc, tl.Mask(i.Lt(n)))
}
