package plane

import tl "github.com/tiler-go/tiler/tilelang"

// PickedBeside picks elements of a tile most of which lie side by side, along rows or across them, from by on.
func PickedBeside(p *tl.Program, x, i, z tl.Ptr, n, by int, R, C, AXIS tl.Const, OP string) {
	r, c := tl.Arange(0, R), tl.Arange(0, C)
	at := r.Col().Mul(C).Add(c.Row()).Add(p.ID(0) * R * C)
	in := at.Lt(n)
	v := tl.Load(x.Add(at), tl.Mask(in), tl.Other(1))
	k, size := c.Row().BroadcastTo(R, C), C
	if AXIS == 0 {
		k, size = r.Col().BroadcastTo(R, C), R
	}
	first, last := tl.Maximum(k.Sub(by), 0), tl.Minimum(k.Add(by), size-1)
	switch OP {
	case "first":
		k = first
	case "last":
		k = last
	case "turned":
		k = k.Add(by).Mod(size)
	case "chosen": // from one side or the other
		k = tl.Where(k.Lt(size/2), last, first)
	case "apart": // some are left out
		k = tl.Where(k.Lt(size/3), first, last)
	case "same": // for all along the axis
		k = tl.Minimum(tl.Zeros(tl.Int32, R, C).Add(by), size-1)
	case "scattered":
		k = tl.Where(tl.Load(i.Add(at), tl.Mask(in), tl.Other(0)).Gt(0), last, first)
	case "backwards":
		k = tl.Sub(size-1, k)
	case "across": // what is picked depends on the other axis, too
		k = tl.Minimum(k.Add(r.Col()), size-1)
	case "beyond":
		k = k.Add(by)
	case "beneath":
		k = k.Sub(by)
	}
	v = tl.Gather(v, k, AXIS)
	tl.Store(z.Add(at), v, tl.Mask(in))
}
