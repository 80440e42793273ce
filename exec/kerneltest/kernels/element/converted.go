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

// Fitting stores numbers that grow by step, and adds some to what it loads, one by one: they must fit 32 bits.
func Fitting(p *tl.Program, x, z tl.Ptr, n, from, step int, OP string) {
	switch OP {
	case "down":
		for i := n - 1; i >= 0; i-- {
			tl.Store(z.Add(i), from+i*step)
		}
		return
	case "fours":
		for i := 0; i < n; i += 4 {
			tl.Store(z.Add(i), tl.Load(x.Add(i)).Add(from+i*step))
		}
		return
	}
	for i := range n {
		v := tl.Load(x.Add(i))
		switch OP {
		case "number":
			tl.Store(z.Add(i), from+i*step)
		case "added":
			tl.Store(z.Add(i), v.Add(from))
		case "placed": // twice the same number
			tl.Store(z.Add(v.Mul(0).Add(from).Sub(from).Add(i)), v.Sub(from))
		case "some":
			if v.Gt(0).Bool() {
				tl.Store(z.Add(i), from+i*step)
			}
		}
	}
}
