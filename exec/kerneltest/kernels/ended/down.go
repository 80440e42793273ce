package ended

import tl "github.com/tiler-go/tiler/tilelang"

// FoldDown reduces columns of which a mask may leave out the last rows.
func FoldDown(p *tl.Program, x, y, z tl.Ptr, n, cols int, R, C tl.Const, OP string) {
	i, j := tl.Arange(0, R).Col(), tl.Arange(0, C).Row()
	in := i.Lt(n).And(j.Lt(cols))
	offs := i.Mul(cols).Add(j)
	a := tl.Load(x.Add(offs), tl.Mask(in))
	b := tl.Load(y.Add(offs), tl.Mask(i.Lt(n-5).And(j.Lt(cols))), tl.Other(1))
	row := tl.Load(y.Add(tl.Arange(0, R)), tl.Mask(tl.Arange(0, R).Lt(n))).Col()
	s := a
	switch OP {
	case "sum":
		s = tl.Sum(a, tl.Axis(0))
	case "negative", "mixed": // zeros
		zero := tl.Where(i.Lt(n), a.Sub(a), a.Mul(0)).To(tl.Float32).Mul(-1)
		if OP == "mixed" {
			zero = tl.Where(in, tl.Where(j.Lt(3), zero, a.To(tl.Float32)), zero)
		}
		s = tl.Sum(zero, tl.Axis(0))
	case "ones": // which count each time
		s = tl.Sum(b, tl.Axis(0))
	case "two": // limits
		s = tl.Sum(a.Mul(b), tl.Axis(0))
	case "scaled":
		s = tl.Sum(a.Mul(row).To(tl.Float32), tl.Axis(0))
	case "max":
		s = tl.Max(b, tl.Axis(0))
	case "min":
		s = tl.Min(a, tl.Axis(0))
	case "where":
		s = tl.Max(tl.Where(in, b, 3), tl.Axis(0))
	case "unlimited":
		s = tl.Max(tl.Where(in, a, tl.Load(y.Add(j), tl.Mask(j.Lt(min(n, cols))))), tl.Axis(0))
	case "index":
		s = tl.ArgMax(b, tl.Axis(0))
	case "least":
		v, at := tl.MinIndex(a, tl.Axis(0))
		tl.Store(z.Add(j), v.Row(), tl.Mask(j.Lt(cols)))
		s = at
	case "count":
		s = tl.Sum(a.Gt(0).And(in).To(tl.Int32), tl.Axis(0))
	case "any":
		s = tl.Max(tl.Where(in, a.Gt(b).To(tl.Int32), 0), tl.Axis(0))
	case "kept":
		e := tl.Exp(a.To(tl.Float32).Mul(0.01)).Sub(1)
		s = tl.Sum(e, tl.Axis(0))
		tl.Store(z.Add(offs), e.Sub(s.Row()).To(a.DType()), tl.Mask(in))
	case "deep":
		at := tl.Arange(0, 2).Mul(max(n-1, 0)).ExpandDims(1).ExpandDims(2).Add(offs.ExpandDims(0))
		c := tl.Load(x.Add(at), tl.Mask(i.Lt(n/2).And(j.Lt(cols)).ExpandDims(0)))
		s = tl.Max(tl.Sum(c, tl.Axis(1)), tl.Axis(0))
	case "later":
		c := tl.Load(x.Add(offs), tl.Mask(in.And(i.Ge(2))))
		s = tl.Sum(c, tl.Axis(0))
	case "turns":
		s = tl.Zeros(tl.Float32, C)
		for k := range 3 {
			s = s.Add(tl.Sum(tl.Load(x.Add(offs), tl.Mask(in.And(i.Lt(n-2*k)))), tl.Axis(0))).To(tl.Float32)
		}
	}
	tl.Store(z.Add(j.Add(R*C)), s.Row().To(a.DType()), tl.Mask(j.Lt(cols)))
}
