package ended

import tl "github.com/tiler-go/tiler/tilelang"

// Wanted reduces tiles of R by C, of which it stores the results below n and leaves the others alone. Their rows are
// limited, or not, by a mask of their own: to far.
func Wanted(p *tl.Program, x, z tl.Ptr, n, far, cols int, R, C, AXIS tl.Const, OP string) {
	i, j := tl.Arange(0, R), tl.Arange(0, C)
	k := i
	if AXIS == 0 {
		k = j
	}
	below := k.Lt(n)
	switch OP {
	case "above":
		below = k.Ge(n)
	case "between":
		below = k.Ge(n / 2).And(k.Lt(n))
	case "loaded":
		below = k.Lt(tl.Load(x).To(tl.Int32).Add(n).Int())
	}
	in := i.Col().Lt(far).And(j.Row().Lt(cols))
	v := tl.Load(x.Add(i.Col().Mul(cols)).Add(j.Row()), tl.Mask(in), tl.Other(1))
	s := tl.Sum(v, tl.Axis(AXIS))
	switch OP {
	case "later":
		below = k.Lt(n * 2)
	case "most":
		s = tl.Max(v, tl.Axis(AXIS))
	case "index":
		s = tl.ArgMax(v, tl.Axis(AXIS))
	case "computed":
		s = s.Mul(2).Add(k)
	case "twice":
		tl.Store(z.Add(k).Add(R+C), s, tl.Mask(below))
	case "also", "mean":
		tl.Store(z.Add(k).Add(R+C), s, tl.Mask(k.Lt(n+1)))
	case "scanned":
		s = tl.CumSum(s, tl.Axis(0))
	case "rounds":
		for range 3 {
			s = s.Add(tl.Sum(v.Mul(s.ExpandDims(AXIS)).To(s.DType()), tl.Axis(AXIS))).To(s.DType())
		}
	case "added":
		for r := range 3 {
			w := tl.Load(x.Add(i.Col().Mul(cols)).Add(j.Row()).Add(r), tl.Mask(in.And(i.Col().Lt(far-1))), tl.Other(0))
			s = s.Add(tl.Sum(w, tl.Axis(AXIS))).To(s.DType())
		}
	case "chosen":
		if n > 3 {
			s = s.Add(1).To(s.DType())
		}
	}
	if OP == "mean" {
		s = s.To(tl.Int32).FloorDiv(k.Sub(n + 2)).To(s.DType())
	}
	tl.Store(z.Add(k), s, tl.Mask(below))
}

// WantedLater stores results of a loop's rounds in the next one, or sums of them, under another mask in each.
func WantedLater(p *tl.Program, x, z tl.Ptr, n, step int, R, C tl.Const, OP string) {
	i, j := tl.Arange(0, R), tl.Arange(0, C)
	v := tl.Load(x.Add(i.Col().Mul(C)).Add(j.Row())).To(tl.Float32)
	s := tl.Zeros(tl.Float32, R)
	for t := range n {
		below := i.Lt(t * step)
		now := tl.Sum(v.Mul(t+1), tl.Axis(1))
		if OP == "added" {
			now = now.Add(s)
			tl.Store(z.Add(i), now, tl.Mask(below))
		} else {
			tl.Store(z.Add(i), s, tl.Mask(below))
		}
		s = now
	}
}
