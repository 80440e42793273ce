package plane

import tl "github.com/tiler-go/tiler/tilelang"

// WideBase loads through a pointer far beyond the tensor, from which numbers of elements lead back; the mask is used
// again.
func WideBase(p *tl.Program, x, z tl.Ptr, n, far int) {
	c, r := tl.Arange(0, 4).Col(), tl.Arange(0, 48).Row()
	at := r.Mod(17).Mul(r).Mod(40).Add(c).Add(-1 << 31)
	in := r.Lt(n + 1).And(r.Mod(3).Ne(1))
	v := tl.Load(x.Add(far).Add(at), tl.Mask(in))
	tl.Store(z.Add(c.Mul(48)).Add(r), tl.Where(in, v, 5))
}
