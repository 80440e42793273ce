package ended

import tl "github.com/tiler-go/tiler/tilelang"

// DividedTwice divides what are quotients themselves, by constants.
func DividedTwice(p *tl.Program, x, z, w tl.Ptr, n int, BLOCK, A, B tl.Const, OP string) {
	i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	in := tl.Mask(i.Lt(n))
	v := tl.Load(x.Add(i), in, tl.Other(9))
	q := v.FloorDiv(A)
	r, s := q.Mod(B), q
	switch OP {
	case "both": // quotients, the second one of all of both
		s = v.FloorDiv(A * B)
	case "other": // product
		s = v.FloorDiv(A*B + 1)
	case "chain":
		s = q.FloorDiv(B)
	case "kept": // for a sum of all
		s = v.FloorDiv(A * B)
		s = s.Add(tl.Sum(s.To(tl.Int32)).To(v.DType()))
	}
	tl.Store(z.Add(i), r, in)
	tl.Store(w.Add(i), s, in)
}
