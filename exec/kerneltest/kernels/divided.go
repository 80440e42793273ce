package kernels

import tl "github.com/tiler-go/tiler/tilelang"

// DividedTwice divides what are quotients themselves, by constants.
func DividedTwice(p *tl.Program, x, z, w, m tl.Ptr, n int, BLOCK, A, B tl.Const, MASK, OP string) {
	o := lanes(p, BLOCK)
	a := get(x, o, n, m, MASK)
	q := a.FloorDiv(A)
	r, s := q.Mod(B), q
	switch OP {
	case "both": // quotients, the second one of all of both
		s = a.FloorDiv(A * B)
	case "other": // product
		s = a.FloorDiv(A*B + 1)
	case "chain":
		s = q.FloorDiv(B)
	case "kept": // for a sum of all
		s = a.FloorDiv(A * B)
		s = s.Add(tl.Sum(s.To(tl.Int32)).To(a.DType()))
	}
	put(z, o, r, n, m, MASK)
	put(w, o, s, n, m, MASK)
}
