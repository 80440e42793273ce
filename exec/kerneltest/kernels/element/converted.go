package element

import tl "github.com/tiler-go/tiler/tilelang"

// Converted makes floats of integers, one by one: of those that are loaded, of numbers that are made of them which have
// more bits than a float, and of n.
func Converted(p *tl.Program, x, z, w tl.Ptr, n int, OP string) {
	for i := range n {
		v := tl.Load(x.Add(i))
		switch OP {
		case "cubed":
			v = v.Mul(v).Mul(v)
		case "odd":
			v = v.Shl(40).Add(v.Shl(16)).Add(1)
		case "turned":
			v = v.Not()
		case "half": // between two floats of 32 bits
			v = v.Mul(1 << 25).Add(1 << 24).Or(1 << 62)
		case "more": // a bit above that, which rounding to 64 bits first would lose
			v = v.Mul(1 << 40).Add(1 << 39).Or(1 << 62).Add(1)
		}
		tl.Store(z.Add(i), v.To(tl.Float32).Mul(n))
		tl.Store(w.Add(i), v.To(tl.Float64).Add(n))
	}
}
