package ended

import tl "github.com/tiler-go/tiler/tilelang"

// Swapped reads rows whose elements have changed places within a few, or come several times: what a block of lanes
// needs lies side by side, but does not begin with its first lane.
func Swapped(p *tl.Program, x, z tl.Ptr, rows, cols int, R, C tl.Const, OP string) {
	r, c := tl.Arange(0, R).Add(p.ID(0)*R), tl.Arange(0, C)
	from, on := c.Xor(1), c.Lt(cols)
	switch OP {
	case "turn":
		from = c.Add(c.Add(1).Mod(2).Mul(2)).Sub(1)
	case "pairs":
		from = c.FloorDiv(2).Xor(1)
	case "half":
		from = c.Add(C / 2).Mod(C)
	case "back":
		from = c.Xor(7)
	}
	if OP != "beyond" {
		on = from.Lt(cols)
	}
	in := r.Lt(rows).Col().And(on.Row())
	v := tl.Load(x.Add(r.Col().Mul(cols)).Add(from.Row()), tl.Mask(in), tl.Other(3))
	tl.Store(z.Add(r.Col().Mul(C)).Add(c.Row()), v, tl.Mask(r.Col().Lt(rows)))
}
